//! Limits the source files that an extension touches: counts the files that name an existing policy, construct or
//! count.

use super::{root, sources};
use std::fs;

/// An existing example of each kind of extension, and the number of files in `crates/*/src` that name it. The numbers
/// may only shrink.
const NAMED_IN: [(&str, usize); 4] = [
    // An output count: its declaration, and the line that counts it.
    ("threads_moved", 2),
    // A policy: its declaration, the dispatcher, the words that threads share, and the advice that suggests it.
    ("Schedule::NumaSteal", 4),
    // A policy that learns: the files of a policy, the pages from which it learns, and their collection.
    ("Schedule::Align", 6),
    // A construct: its declaration, the file, the recording, the acts of a thread and their execution.
    ("Construct::Echo", 5),
];

/// Law: an extension of a known kind touches as few files as its representative.
#[test]
fn representative_is_named_in_few_files() {
    let sources = sources(&root().join("crates"));
    let texts: Vec<(String, String)> = sources
        .iter()
        .map(|file| file.to_string_lossy().replace('\\', "/"))
        .filter(|file| file.contains("/src/") && !file.contains("/tests"))
        .map(|file| (fs::read_to_string(&file).unwrap(), file))
        .collect();
    for (name, most) in NAMED_IN {
        let files: Vec<&str> =
            texts.iter().filter(|(text, _)| text.contains(name)).map(|(_, file)| file.as_str()).collect();
        assert!(!files.is_empty() && files.len() <= most, "{name} in {} files: {files:#?}", files.len());
    }
}
