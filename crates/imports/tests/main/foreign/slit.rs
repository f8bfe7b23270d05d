//! Tests of files with the firmware's distances alone.

use super::{error, read};
use crate::support::assert_shows;
use numalab_imports::foreign::{Tool, from_text};

#[test]
fn lines_of_sys_and_csv() {
    let found = read("slit.txt").distances.unwrap();
    assert_eq!(found.rows[2], [16.0, 22.0, 10.0, 16.0]);
    assert_eq!(found.names, ["0", "1", "2", "3"]);
    assert_eq!(read("slit-named.csv").distances.unwrap().rows, [[10.0, 21.0], [21.0, 10.0]]);
    // A machine of one node.
    assert_eq!(from_text("FILE", "10\n", None).unwrap().tools, [Tool::Slit]);
}

#[test]
fn what_is_no_such_table() {
    // A cut table, fractions, a distance to itself other than 10, and a value above 255 are refused.
    for text in ["10 21\n", "10 21\n20.5 10\n", "10 21\n21 11\n", "10 256\n256 10\n"] {
        assert_shows(&error(text), &["no known tool's output", "slit"]);
        let said = from_text("FILE", text, Some(Tool::Slit)).unwrap_err().to_string();
        assert_shows(&said, &["no table of distances", "10 on its diagonal"]);
    }
}

#[test]
fn no_node_is_nearer_to_another_one_than_to_itself() {
    for text in ["10 5\n5 10\n", "10 10\n9 10\n"] {
        assert_shows(
            &error(text),
            &["nearer to another one than to itself", "expected no distance below 10"],
        );
    }
    assert_shows(&error("10 20\n9 10\n"), &["node 1 is nearer", "FILE:2:1"]);
    // Nodes that a kernel emulates are all at distance 10.
    assert_eq!(from_text("FILE", "10 10\n10 10\n", None).unwrap().tools, [Tool::Slit]);
}
