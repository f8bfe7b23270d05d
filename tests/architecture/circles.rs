//! Cyclic dependencies between source files: a file of a cycle cannot be read alone.

use super::{root, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Largest number of files of the crate `simulator` in one cycle of `use` paths.
const MOST: usize = 8;

/// Text of each module of a crate, by path, without comments and tests.
type Modules = BTreeMap<String, String>;

/// Law: few files of the simulator use each other in a circle.
#[test]
fn circles_of_the_simulator_stay_small() {
    let modules = modules("simulator");
    let uses: BTreeMap<&String, BTreeSet<String>> =
        modules.keys().map(|module| (module, used(&modules, module))).collect();
    let reached = |from: &String| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = left.pop() {
            left.extend(uses[&module].iter().filter(|next| seen.insert((*next).clone())).cloned());
        }
        seen
    };
    let all: BTreeMap<&String, BTreeSet<String>> = modules.keys().map(|from| (from, reached(from))).collect();
    for (module, reached) in &all {
        let circle: Vec<&String> = reached.iter().filter(|other| all[*other].contains(*module)).collect();
        assert!(circle.len() <= MOST, "{} files use each other: {circle:?}", circle.len());
    }
    let targets: BTreeSet<&String> = uses.values().flatten().collect();
    assert!(targets.len() * 2 > modules.len(), "only {} of {} files are used", targets.len(), modules.len());
}

fn modules(name: &str) -> Modules {
    let folder = root().join("crates").join(name).join("src");
    let module = |path: &std::path::Path| {
        let path = path.strip_prefix(&folder).unwrap().with_extension("");
        let parts: Vec<&str> = path.iter().map(|part| part.to_str().unwrap()).collect();
        let parts = parts.strip_suffix(&["mod"]).unwrap_or(&parts);
        if parts == ["lib"] { String::new() } else { parts.join("::") }
    };
    let plain = |text: &str| {
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
    };
    let paths = sources(&folder).into_iter();
    let read = paths.map(|path| (module(&path), plain(&fs::read_to_string(&path).unwrap())));
    read.filter(|(module, _)| !module.split("::").any(|part| part == "tests")).collect()
}

/// Modules that a module uses. A re-exported name counts as a use of the module that declares it.
fn used(modules: &Modules, module: &str) -> BTreeSet<String> {
    let paths = imports(&modules[module], "use ").into_iter();
    let paths = paths.chain(inline(&modules[module]));
    let found = paths.filter_map(|path| resolve(modules, module, &path));
    found.map(|(target, rest)| source(modules, target, rest)).filter(|target| target != module).collect()
}

/// Paths of the `use` items that begin with `opening`, such as `crate::`.
fn imports(text: &str, opening: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for item in text.split(opening).skip(1) {
        expand("", item.split(';').next().unwrap_or_default(), &mut paths);
    }
    paths
}

/// Paths that begin at the crate's root, outside of `use` items.
fn inline(text: &str) -> Vec<String> {
    let is_path = |c: char| !c.is_alphanumeric() && c != '_' && c != ':';
    let words = text.split(is_path).filter(|word| word.starts_with("crate::"));
    words
        .map(|word| word.trim_end_matches(':').to_owned())
        .filter(|word| !text.contains(&format!("use {word}")))
        .collect()
}

/// Expands the braces of a `use` tree into single paths.
fn expand(prefix: &str, tree: &str, paths: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once('{') else {
        paths.push(format!("{prefix}{}", tree.split(" as ").next().unwrap_or_default().trim()));
        return;
    };
    let prefix = format!("{prefix}{}", head.trim());
    let body = rest.rsplit_once('}').map_or(rest, |(body, _)| body);
    let (mut depth, mut from) = (0, 0);
    for (at, c) in body.char_indices().chain([(body.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !body[from..at].trim().is_empty() {
                    expand(&prefix, &body[from..at], paths);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// Module that a path names, and the remaining names of the path.
fn resolve(modules: &Modules, at: &str, path: &str) -> Option<(String, Vec<String>)> {
    let own: Vec<&str> = at.split("::").filter(|part| !part.is_empty()).collect();
    let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
    let mut base = match *parts.first()? {
        "crate" => Vec::new(),
        "super" | "self" => own,
        first => {
            let child = own.iter().copied().chain([first]).collect::<Vec<_>>().join("::");
            modules.get(&child)?;
            parts.insert(0, "self");
            own
        }
    };
    if parts[0] != "super" {
        parts.remove(0);
    }
    while parts.first() == Some(&"super") {
        parts.remove(0);
        base.pop();
    }
    let whole = [base, parts].concat();
    (0..=whole.len()).rev().find_map(|length| {
        let module = whole[..length].join("::");
        let rest = whole[length..].iter().map(|part| (*part).to_owned()).collect();
        modules.contains_key(&module).then_some((module, rest))
    })
}

/// Module that declares the first of the names in `rest`, found through re-exports.
fn source(modules: &Modules, module: String, rest: Vec<String>) -> String {
    let Some(name) = rest.first() else { return module };
    let exports = ["pub use ", "pub(crate) use "].map(|opening| imports(&modules[&module], opening)).concat();
    let export = exports.iter().find(|path| path.rsplit("::").next() == Some(name));
    match export.and_then(|path| resolve(modules, &module, path)) {
        Some((next, rest)) if next != module => source(modules, next, rest),
        Some(_) | None => module,
    }
}
