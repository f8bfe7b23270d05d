//! docs/glossary.md is printed from `// Glossary:` comments in the sources, each beside the item that it defines.

use crate::architecture::{root, walk};
use crate::pages::holds;
use std::collections::BTreeMap;
use std::fs;

const HEAD: &str = "# Glossary\n\n\
    The terms of NumaLab: in its files, its output and its sources. After each sentence stands the file below `crates/`\n\
    that defines the term, and from which this page is printed.\n\n";

/// Opening of a glossary entry, `// Glossary: TERM: SENTENCE`. Its further lines begin with `//   `.
const OPENS: &str = "// Glossary: ";

/// Entries in alphabetical order (by lower case, then as written): term, sentence and file.
fn entries() -> BTreeMap<(String, String), (String, String)> {
    let mut paths = Vec::new();
    walk(&root().join("crates"), &mut paths);
    let mut entries = BTreeMap::new();
    for path in paths.iter().filter(|path| [".rs", ".c"].iter().any(|ending| path.ends_with(ending))) {
        let (_, name) = path.split_once("/crates/").unwrap();
        for (term, sentence) in entries_of(&fs::read_to_string(path).unwrap()) {
            let key = (term.to_lowercase(), term);
            assert!(!entries.contains_key(&key), "{name}: {} has a definition already", key.1);
            entries.insert(key, (sentence, name.to_owned()));
        }
    }
    entries
}

/// Terms and sentences of the entries in one source file.
fn entries_of(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for line in text.lines().map(str::trim_start) {
        let continued = line.strip_prefix("//   ");
        if let Some(entry) = line.strip_prefix(OPENS) {
            let (term, sentence) = entry.split_once(": ").unwrap_or((entry, ""));
            found.push((term.to_owned(), sentence.to_owned()));
            open = true;
        } else if let Some((_, sentence)) = found.last_mut().filter(|_| open)
            && let Some(continued) = continued
        {
            sentence.push(' ');
            sentence.push_str(continued);
        } else {
            open = false;
        }
    }
    found
}

/// Text in lines of at most 118 characters, all but the first indented.
fn wrapped(text: &str) -> String {
    let mut page = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let wide = word.chars().count();
        if length > 0 && length + 1 + wide > 118 {
            page.push_str("\n ");
            length = 1;
        }
        if length > 0 {
            page.push(' ');
            length += 1;
        }
        page.push_str(word);
        length += wide;
    }
    page + "\n"
}

#[test]
fn glossary_is_printed_from_the_sources() {
    let entries = entries();
    assert!(entries.len() > 100, "{} terms", entries.len());
    let mut page = String::from(HEAD);
    for ((_, term), (sentence, file)) in entries {
        assert!(sentence.ends_with('.'), "{term}: {sentence:?} is no sentence");
        page.push_str(&wrapped(&format!("- **{term}**: {sentence} (`{file}`)")));
    }
    holds(&root().join("docs/glossary.md"), &page);
}

#[test]
fn entries_go_on_over_lines() {
    let text = "// Glossary: home node: Node of a page.\n// Glossary: token: Right to\n//   work.\n//   Two.\nfn a() {}";
    let expected = [("home node", "Node of a page."), ("token", "Right to work. Two.")];
    assert_eq!(entries_of(text), expected.map(|(term, text)| (term.to_owned(), text.to_owned())));
}
