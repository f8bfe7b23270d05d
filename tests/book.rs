//! The book: every page is in its table of contents, every link has a target, every command works, every shown output
//! is what the program prints, and the references agree with the schemas.

use crate::pages::{Commands, holds, parts, refreshed};
use crate::readme::with_real_errors;
use crate::support::Desk;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Pages with commands that need a cluster, or a program that is compiled and recorded. `record/advice.rs` executes
/// the commands of `tutorials/program.md`.
const NEEDS_MORE: [&str; 3] = ["slurm.md", "recording.md", "tutorials/program.md"];

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

fn read(page: &str) -> String {
    fs::read_to_string(docs().join(page)).unwrap_or_else(|error| panic!("docs/{page}: {error}"))
}

/// All Markdown files of a folder, with paths relative to it.
fn files(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            let name = path.strip_prefix(docs()).unwrap().to_string_lossy().replace('\\', "/");
            found.insert(name);
        }
    }
}

/// Targets of the links of a page, each with its line. Links in code do not count.
fn links(name: &str, page: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for part in parts(name, page).iter().filter(|part| part.fence.is_none()) {
        let text = part.lines.join("\n");
        let prose: Vec<_> = text.split('`').step_by(2).collect();
        let prose = prose.join("``");
        for piece in prose.split("](").skip(1) {
            targets.push(piece.split(')').next().unwrap_or_default().to_owned());
        }
    }
    targets
}

/// Anchor of a heading, as links name it.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

fn anchors(name: &str, page: &str) -> BTreeSet<String> {
    let parts = parts(name, page);
    let text = parts.iter().filter(|part| part.fence.is_none()).flat_map(|part| part.lines.iter());
    text.filter(|line| line.starts_with('#')).map(|line| anchor(line)).collect()
}

/// Path of a link's target relative to the book, without `..`; `None` if it is outside of the book.
fn resolve(page: &str, target: &str) -> Option<String> {
    let mut path: Vec<String> = Vec::new();
    for part in Path::new(page).parent().unwrap_or(Path::new("")).join(target).components() {
        match part {
            Component::Normal(name) => path.push(name.to_str()?.to_owned()),
            Component::ParentDir => drop(path.pop()?),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path.join("/"))
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let mut all = BTreeSet::new();
    files(&docs(), &mut all);
    all.remove("SUMMARY.md");
    let listed: BTreeSet<String> = links("SUMMARY.md", &read("SUMMARY.md")).into_iter().collect();
    let missing: Vec<_> = all.difference(&listed).collect();
    assert!(missing.is_empty(), "docs/SUMMARY.md does not list {missing:?}");
    let gone: Vec<_> = listed.difference(&all).collect();
    assert!(gone.is_empty(), "docs/SUMMARY.md lists {gone:?}, which do not exist");
}

/// Law: References are printed from the schemas; links and commands of the book work.
#[test]
fn every_link_leads_to_a_page_and_a_heading() {
    let mut all = BTreeSet::new();
    files(&docs(), &mut all);
    let pages: BTreeMap<String, String> = all.iter().map(|name| (name.clone(), read(name))).collect();
    let (mut problems, mut count) = (Vec::new(), 0);
    for (name, page) in &pages {
        for target in links(name, page).iter().filter(|target| !target.starts_with("http")) {
            count += 1;
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let found = if file.is_empty() { Some(name.clone()) } else { resolve(name, file) };
            let Some((found, text)) = found.and_then(|found| pages.get_key_value(&found)) else {
                // Files outside `docs` are not part of the built book: name them without a link.
                problems.push(format!("docs/{name}: {target}: no such page of the book"));
                continue;
            };
            if !heading.is_empty() && !anchors(found, text).contains(heading) {
                problems.push(format!("docs/{name}: {target}: no such heading"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(count > 60, "only {count} links");
}

/// Law: References are printed from the schemas; links and commands of the book work.
#[test]
fn outputs_and_commands_of_the_book_are_current() {
    let mut all = BTreeSet::new();
    files(&docs(), &mut all);
    let (mut shown, mut executed, mut failures) = (0, 0, Vec::new());
    for name in all.iter().filter(|name| !NEEDS_MORE.contains(&name.as_str())) {
        let page = read(name);
        let desk =
            Desk::with("reference/distance-bcs16.csv", include_str!("../reference/distance-bcs16.csv"));
        desk.put("reference/tnt-mg8.csv", include_str!("../reference/tnt-mg8.csv"));
        desk.put("topology.xml", include_str!("../crates/imports/tests/data/topology/sub-numa.xml"));
        desk.put("sweeps/policies.yaml", include_str!("../sweeps/policies.yaml"));
        desk.put("sweeps/baselines/policies.csv", "machine,policy,makespan_ps\n");
        let fresh = refreshed(name, &page, &desk, Commands::Executed);
        holds(&docs().join(name), &with_real_errors(&fresh.page));
        shown += fresh.shown;
        executed += fresh.executed;
        failures.extend(fresh.failures);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(shown > 15 && executed > 60, "only {shown} outputs and {executed} commands");
}

/// Law: References are printed from the schemas; links and commands of the book work.
#[test]
fn reference_pages_equal_the_schemas() {
    for kind in ["machine", "workload", "runtime", "sweep", "policy"] {
        let reference = Desk::empty().answer(&["schema", kind, "--format", "markdown"]);
        holds(&docs().join(format!("reference/{kind}.md")), &reference);
    }
}
