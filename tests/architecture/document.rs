//! Sentences about how the engine works stand above the tests that hold them.

use super::{root, sources};
use std::fs;

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
