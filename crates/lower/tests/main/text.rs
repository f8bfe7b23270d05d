//! Tests of machines written as files.

use numalab_files::{Kind, ReadFile, catalogue, machine_text};
use numalab_lower::{machine, machine_of};
use numalab_syntax::diagnostics::Source;

#[test]
fn every_machine_that_ships_reads_back() {
    for item in catalogue().into_iter().filter(|item| item.kind == Kind::Machine) {
        let machine = machine(&item.name, &[]).unwrap();
        let text = machine_text(&machine.value, &|path| Some(format!("about {path}")));
        let read = machine_of(
            &ReadFile::machine(Source { name: "written.toml".to_owned(), text: text.clone() }),
            &[],
        )
        .unwrap();
        assert_eq!(machine_text(&read.value, &|path| Some(format!("about {path}"))), text);
        let (read, machine) = (read.value, machine.value);
        assert_eq!(
            (read.core, read.caches, read.memory, read.os),
            (machine.core, machine.caches, machine.memory, machine.os)
        );
        // Links are written in the order of their names.
        assert!(machine.links.iter().all(|link| read.links.contains(link)));
    }
}

#[test]
fn a_comment_stands_above_its_key() {
    let machine = machine("bcs16", &[]).unwrap().value;
    let text = machine_text(&machine, &|path| match path {
        "cache[1].size" => Some("as seen\nby its users".to_owned()),
        "level[1].controller.requests" => Some("of a socket".to_owned()),
        _ => None,
    });
    assert!(text.contains("level = 2\n# as seen\n# by its users\nsize = \"256 KiB\""), "{text}");
    assert!(text.contains("# of a socket\nrequests = 23.3"), "{text}");
}
