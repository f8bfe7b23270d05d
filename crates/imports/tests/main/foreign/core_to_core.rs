//! Tests of the reader of matrices of core-to-core latencies.

use super::{changed, cut, error, notes, read, short};
use crate::support::assert_shows;
use numalab_imports::foreign::{Tool, from_text};

fn pairs(text: &str) -> Vec<(String, Vec<f64>)> {
    let found = from_text("t", text, None).unwrap();
    assert!(
        found
            .rows
            .iter()
            .all(|row| row.experiment == "core_to_core" && row.quantity == "one_way" && row.unit == "ns")
    );
    found
        .rows
        .iter()
        .map(|row| (row.params[0].1.clone(), row.samples.iter().map(|s| s.value).collect()))
        .collect()
}

#[test]
fn a_triangle() {
    let found = read("core-to-core-triangle.csv");
    let rows = short(&found);
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[5], ("core_to_core one_way procs=2,3".into(), vec![23.875], "ns"));
    assert!(notes(&found, "counted from 0"));
}

#[test]
fn squares_have_two_samples_of_a_pair() {
    let expected = |names: [&str; 3]| {
        let values = [[24.5, 24.75], [61.25, 62.0], [60.5, 61.125]];
        names.map(str::to_owned).into_iter().zip(values.map(Vec::from)).collect::<Vec<_>>()
    };
    let counted = expected(["0,1", "0,2", "1,2"]);
    for name in ["core-to-core-square.csv", "core-to-core-german.csv", "core-to-core-tabs.tsv"] {
        assert_eq!(pairs(super::sample(name)), counted, "{name}");
    }
    assert_eq!(pairs(super::sample("core-to-core-named.csv")), expected(["4,5", "4,12", "5,12"]));
    assert_eq!(pairs("\"\",\"0\",\"1\"\n\"0\",,5\n\"1\",6,\n"), [("0,1".to_owned(), vec![5.0, 6.0])]);
    // A symmetric matrix without a header, with empty cells on the diagonal.
    assert_eq!(pairs(",12,13\n12,,14\n13,14,\n")[2], ("1,2".to_owned(), vec![14.0, 14.0]));
}

#[test]
fn tables_for_people() {
    assert_eq!(read("c2clat.txt").rows[1].params[0].1, "0,4");
    assert_eq!(read("core-to-core-people.txt").rows.len(), 6);
    // If the CSV follows below, the CSV counts: it has more digits.
    let both =
        format!("{}{}", super::sample("core-to-core-people.txt"), super::sample("core-to-core-triangle.csv"));
    assert_eq!(pairs(&both)[0].1, [24.517333333]);
}

#[test]
fn a_second_benchmark_is_left_out() {
    let text = super::sample("core-to-core-triangle.csv");
    let found = from_text("t", &format!("{text}{}", text.replace("24.5", "99.9")), None).unwrap();
    assert_eq!(found.rows, from_text("t", text, None).unwrap().rows);
    assert!(notes(&found, "line 5: left out: a second benchmark"));
}

#[test]
fn ragged_cut_and_mangled() {
    let name = "core-to-core-square.csv";
    assert_shows(&cut(name, "62,61"), &["FILE:2", "2 lines for 3 processors", "cut here"]);
    assert_shows(
        &changed(name, "24.75,x,60.5", "24.75,x"),
        &["FILE:2", "2 cells in this line, but 3 processors"],
    );
    assert_shows(&changed(name, "60.5", "fast"), &["FILE:2:9", "`fast` is no number", "nanoseconds"]);
    assert_shows(&changed(name, "60.5", "-60.5"), &["FILE:2:9", "`-60.5`"]);
    assert_shows(
        &changed("core-to-core-named.csv", "\ncpu5,", "\ncpu6,"),
        &["FILE:3:1", "`cpu6` is not processor 5"],
    );
    assert_shows(
        &changed("core-to-core-named.csv", "cpu4,cpu5", "cpu4,cpu4"),
        &["FILE:1", "processor 4 has two columns"],
    );
    let said = from_text("FILE", "10,21\n21,10\n", Some(Tool::CoreToCore)).unwrap_err().to_string();
    assert_shows(&said, &["firmware's distances", "nanoseconds"]);
    assert_shows(&error("x,x\nx,x\n"), &["the matrix holds no latency"]);
    assert_shows(&cut("c2clat.txt", "   4   61"), &["FILE:3", "2 lines for 3 processors", "cut here"]);
    assert_shows(&changed("c2clat.txt", "  24    0   60", "  24    0"), &["FILE:3"]);
    assert_shows(
        &changed("c2clat.txt", "   1   24", "   2   24"),
        &["FILE:3:4", "processor 2", "expected processor 1"],
    );
    let wide = ",".repeat(3000);
    assert_shows(&error(&format!("{wide}\n1{wide}\n")), &["3001 processors", "at most 1448"]);
}

#[test]
fn counts_are_no_latencies() {
    assert_shows(
        &error("0,250000\n120,0\n"),
        &["250000 ns between two processors", "expected 0.1 to 100000"],
    );
    assert_shows(&error("900,12,3\n5,800,7\n9,9,700\n"), &["on the diagonal, as in counts", "FILE:1:1"]);
    // A program that also measures each core with itself: the diagonal holds the smallest values.
    assert_eq!(pairs("5,50\n51,4\n").len(), 1);
}
