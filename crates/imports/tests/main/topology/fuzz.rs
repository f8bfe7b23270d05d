//! An arbitrary description is read or refused. A topology that was read becomes a machine, or an error says why not.

use super::text;
use numalab_imports::topology::topology_from_text;
use numalab_machine::Fabric;
use proptest::prelude::*;

fn read(text: &str) {
    match topology_from_text("FILE", text) {
        Err(error) => assert!(!error.render(true).is_empty()),
        Ok(topology) => match topology.machine("here") {
            Err(reason) => assert!(!reason.to_string().is_empty()),
            Ok(sketch) => {
                let fabric = Fabric::new(&sketch.machine).unwrap();
                assert_eq!(sketch.processors.iter().flatten().count(), topology.processors.len());
                assert_eq!(fabric.online().count(), topology.processors.len());
                assert_eq!(sketch.processors.len(), fabric.processors() as usize);
                assert_eq!(sketch.nodes.len(), fabric.nodes() as usize);
            }
        },
    }
}

const SNIPPETS: [&str; 24] = [
    "0",
    "1",
    "9",
    "-1",
    "65535",
    "99999999999999999999",
    "0-3",
    ",",
    "\"",
    "<",
    ">",
    "</object>",
    "/>",
    "&",
    "&#0;",
    "\n",
    ":",
    "0x",
    "0xf...f",
    "é",
    "K",
    " ",
    "<object type=\"PU\" os_index=\"3\"/>",
    "nan",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_text(start in 0..4_usize, text in "\\PC{0,200}") {
        read(&format!("{}{text}", ["", "<topology>", "/sys/devices/system/cpu/", "{"][start]));
    }

    #[test]
    fn random_trees(words in prop::collection::vec(0..SNIPPETS.len(), 0..60)) {
        let inside: String = words.into_iter().map(|word| SNIPPETS[word]).collect();
        read(&format!("<topology>{inside}</topology>"));
    }

    #[test]
    fn truncated(name in 0..6_usize, part in 0.0..1.0_f64) {
        let whole = text(FILES[name]);
        let end = (part * whole.len() as f64) as usize;
        read(&whole[..end]);
    }

    #[test]
    fn mutated(name in 0..6_usize, edits in prop::collection::vec((0.0..1.0_f64, 0..12_usize, 0..SNIPPETS.len()), 1..5)) {
        let mut bytes = text(FILES[name]).into_bytes();
        for (part, length, snippet) in edits {
            let at = (part * bytes.len() as f64) as usize;
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, SNIPPETS[snippet].bytes());
        }
        read(&String::from_utf8_lossy(&bytes));
    }

    /// A dump without some lines, as if files could not be read, is read or refused.
    #[test]
    fn lines_lost(name in 3..6_usize, kept in prop::collection::vec(any::<bool>(), 400)) {
        let whole = text(FILES[name]);
        let lines: Vec<&str> = whole.lines().zip(kept.iter().cycle()).filter(|(_, kept)| **kept).map(|(line, _)| line).collect();
        read(&lines.join("\n"));
    }
}

const FILES: [&str; 6] =
    ["one-socket.xml", "expander.xml", "expander-v1.xml", "expander.sys", "unequal.sys", "round-robin.sys"];
