//! Every reader accepts or refuses damaged files in a short run, and reads its undamaged corpus.

mod mutate;
mod readers;
mod run;

use readers::{READERS, Reader};
use run::{MOST_MEMORY, Sums, cases, corpus, peak_memory, read, root};

fn each(check: impl Fn(&Reader) -> Sums) {
    let mut failures = Vec::new();
    for reader in READERS {
        failures.extend(check(reader).failures);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(peak_memory() < MOST_MEMORY);
}

#[test]
fn every_file_of_a_corpus_is_read_or_refused() {
    each(|reader| {
        let files = corpus(reader);
        assert!(!files.is_empty(), "{} has no corpus", reader.name);
        let mut sums = Sums::default();
        for (_, bytes) in &files {
            read(reader, bytes, &root().join("target/fuzz"), &mut sums);
        }
        assert!(sums.accepted > 0, "{} accepts nothing of its corpus", reader.name);
        sums
    });
}

/// Law: Every reader accepts or refuses a damaged file, within bounds of time and memory.
#[test]
fn damaged_files_are_read_or_refused() {
    each(|reader| {
        let sums = cases(reader, 40, 18, &root().join("target/fuzz"));
        assert!(sums.refused > 0, "{} refuses nothing", reader.name);
        sums
    });
}

#[test]
fn a_seed_gives_the_same_damage() {
    let damage = |seed| mutate::damaged(b"name = \"x\"\ncount = 4\n", b"other", &mut mutate::Chance(seed));
    assert_eq!(damage(7), damage(7));
    assert!((0..20).any(|seed| damage(seed) != damage(seed + 1)));
}
