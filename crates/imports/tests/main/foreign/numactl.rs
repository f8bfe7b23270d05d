//! Tests of the reader of `numactl --hardware`.

use super::{changed, cut, error, notes, read, sample};
use crate::support::assert_shows;
use numalab_imports::foreign::from_text;

#[test]
fn nodes_and_distances() {
    let found = read("numactl-two.txt");
    let topology = found.topology.unwrap();
    assert_eq!(topology.nodes[1].processors, [2, 3, 6, 7]);
    // A MB of `numactl` has 2^20 bytes.
    assert_eq!(topology.nodes[0].capacity, Some(16037 << 20));
    assert_eq!(topology.distances.as_ref().unwrap()[0], [10.0, 21.0]);
    assert_eq!(found.distances.unwrap().rows[1], [21.0, 10.0]);
    assert_eq!(topology.processors.len(), 8);
    assert_eq!(read("numactl-eight.txt").topology.unwrap().nodes.len(), 8);
}

#[test]
fn gaps_and_nodes_that_lack_something() {
    let gap = read("numactl-gap-cxl.txt").topology.unwrap();
    assert_eq!(gap.nodes.iter().map(|node| node.number).collect::<Vec<_>>(), [0, 1, 8]);
    assert!(gap.nodes[2].processors.is_empty() && gap.nodes[2].capacity == Some(64000 << 20));
    // Not symmetric: 20 from node 0, 21 back.
    assert_eq!(gap.distances.unwrap()[..2], [[10.0, 20.0, 40.0], [21.0, 10.0, 40.0]]);
    let memory_less = read("numactl-memory-less.txt").topology.unwrap();
    assert_eq!(memory_less.nodes[1].capacity, Some(0));
}

#[test]
fn distances_may_be_missing() {
    let found = read("numactl-no-distances.txt");
    assert!(
        found.distances.is_none()
            && found.topology.is_some()
            && notes(&found, "line 5: there are no distances")
    );
    // Distances may also stand alone.
    let text = sample("numactl-two.txt");
    let alone = from_text("t", &text[text.find("node distances").unwrap()..], None).unwrap();
    assert!(alone.topology.is_none() && alone.distances.unwrap().rows.len() == 2);
}

#[test]
fn ranges_and_other_output_around() {
    let text = sample("numactl-two.txt").replace("0 1 4 5", "0-1 4-5");
    let found = from_text("t", &format!("$ numactl -H\n{text}\n$ uptime\n up 3 days: 4\n"), None).unwrap();
    assert_eq!(found.topology, read("numactl-two.txt").topology);
}

/// `numactl -H --cpu-compress` writes ranges and their count.
#[test]
fn compressed_ranges() {
    let plain = sample("numactl-two.txt");
    let compressed = plain.replace("0 1 4 5", "0-1, 4-5 (4)");
    assert_ne!(plain, compressed);
    assert_eq!(from_text("t", &compressed, None).unwrap().topology, read("numactl-two.txt").topology);
    let wrong = from_text("t", &plain.replace("0 1 4 5", "0-1, 4-5 (5)"), None).unwrap_err().to_string();
    assert!(wrong.contains("4 processors") && wrong.contains("number in brackets"), "{wrong}");
}

#[test]
fn cut_and_mangled() {
    let name = "numactl-two.txt";
    assert_shows(&cut(name, "node 1 cpus"), &["FILE:1", "nothing is said about node 1", "cut"]);
    assert_shows(&cut(name, "node 1 size"), &["FILE:5", "the size of node 1 is missing"]);
    assert_shows(&cut(name, "  1:"), &["FILE:10", "1 line of distances for 2 nodes"]);
    assert_shows(&cut(name, "node   0"), &["FILE:8", "the distances are missing"]);
    assert_shows(&changed(name, "  21  10", "  21"), &["FILE:11", "1 distance in the line of node 1"]);
    assert_shows(
        &changed(name, "0 1 4 5", "0 1 x 5"),
        &["FILE:2:18", "`x` is no whole number", "processors, such as 0 1 2 3"],
    );
    assert_shows(&changed(name, "0 1 4 5", "3-1"), &["FILE:2:14", "`3-1` goes down"]);
    assert_shows(&changed(name, "0 1 4 5", "0-99999999"), &["`99999999` is too large"]);
    assert_shows(&changed(name, "2 nodes", "3 nodes"), &["FILE:1", "3 nodes available, but lines of 2"]);
    assert_shows(&changed(name, "16037 MB", "16,037 MB"), &["FILE:3", "`16,037` has a comma"]);
    assert_shows(&error("available: 1 nodes (0)\n"), &["nothing is said about node 0"]);
}

#[test]
fn distances_are_bytes() {
    for distance in ["99999999999", "256", "9", "0"] {
        let text = sample("numactl-two.txt").replacen(" 21", &format!(" {distance}"), 1);
        assert_shows(
            &error(&text),
            &[&format!("`{distance}` is not a distance of Linux"), "expected 10 to 255"],
        );
    }
}
