//! ARCHITECTURE.md has a limited length, and its tables are printed from the sources. Every law stands above a test.

use super::{MAY_USE, root, sources};
use crate::pages::holds;
use std::fs;

const OPENS: &str = "<!-- crates -->\n";
const ENDS: &str = "<!-- end of crates -->\n";

#[test]
fn architecture_is_short_and_lists_the_crates() {
    let path = root().join("ARCHITECTURE.md");
    let text = fs::read_to_string(&path).unwrap();
    let (head, rest) = text.split_once(OPENS).unwrap();
    let (_, tail) = rest.split_once(ENDS).unwrap();
    let mut table = String::from("| crate | what |\n|---|---|\n");
    for (name, _) in MAY_USE {
        let file = root().join("crates").join(name).join("src/lib.rs");
        let source = fs::read_to_string(&file).unwrap();
        let what = source.lines().next().unwrap().strip_prefix("//! ").unwrap_or_default();
        assert!(what.ends_with('.'), "{name}: the first line of lib.rs is no sentence: {what:?}");
        table.push_str(&format!("| `{name}` | {what} |\n"));
    }
    holds(&path, &format!("{head}{OPENS}{table}{ENDS}{tail}"));
    assert!(text.len() <= 30_000, "{} bytes", text.len());
    let long = text.lines().find(|line| line.chars().count() > 130);
    assert_eq!(long, None, "more than 130 characters");
}

#[test]
fn every_law_stands_above_a_test() {
    let mut laws = 0;
    let mut problems = Vec::new();
    for file in ["crates", "tests"].iter().flat_map(|folder| sources(&root().join(folder))) {
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("/// Law: ")) {
            laws += 1;
            let rest = lines[at..].iter().skip_while(|line| line.starts_with("///"));
            let attributes: Vec<&&str> = rest.take_while(|line| line.starts_with("#[")).collect();
            if !line.ends_with('.') || !attributes.iter().any(|line| line.starts_with("#[test]")) {
                problems.push(format!("{}:{}: {line}", file.display(), at + 1));
            }
        }
    }
    assert!(problems.is_empty(), "no sentence, or not above a test:\n{}", problems.join("\n"));
    assert!(laws > 100, "{laws} laws");
}
