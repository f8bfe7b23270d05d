//! Files that cannot be read, and the errors that say where and why.

use super::*;
use proptest::prelude::*;

#[track_caller]
fn refused(name: &str, bytes: &[u8], parts: &[&str]) {
    let error = read(name, bytes).unwrap_err();
    for part in parts {
        assert!(error.contains(part), "expected {part:?} in:\n{error}");
    }
}

#[test]
fn lines_of_csv() {
    refused("a.csv", b"", &["the file is empty", "a.csv"]);
    refused("a.csv", b"\n\n", &["the file is empty"]);
    refused(
        "a.csv",
        b"a,b\n1,2\n3\n4,5,6\n",
        &["1 cell under 2 columns", "a.csv:3", "3 cells under 2 columns", "a.csv:4"],
    );
    refused("a.csv", b"a,b,a\n1,2,3\n", &["two columns are called `a`", "columns 1 and 3", "a.csv:1"]);
    refused("a.csv", b",a\n0,1\n", &["column 1 has no name", "index=False"]);
    refused("a.csv", b"a,b\n1,\xff\n", &["this is not UTF-8 text", "a.csv:2:3"]);
}

#[test]
fn lines_of_json() {
    refused("a.jsonl", b"", &["there are no rows", "a.jsonl"]);
    refused("a.jsonl", b"{}\n", &["there are no rows"]);
    refused("a.jsonl", b"{\"a\":1}\n{\"a\":}\n", &["expected value", "a.jsonl:2:6"]);
    refused(
        "a.jsonl",
        b"{\"a\":1}\n[1]\n",
        &["this line is no JSON object", "expected a flat JSON object", "a.jsonl:2"],
    );
    refused(
        "a.jsonl",
        b"{\"a\":[1,2],\"b\":\"a\"}\n",
        &["a list is no value of a column", "expected a number", "a.jsonl:1:2"],
    );
    refused("a.jsonl", b"{\"b\":1,\"a\":{\"c\":1}}\n", &["an object is no value", "a.jsonl:1:8"]);
    refused("a.jsonl", b"{\"a\":1,\"a\":2}\n", &["the key `a` is there twice", "a.jsonl:1:8"]);
    refused("a.jsonl", b"{\"a\":1} {\"a\":2}\n", &["trailing characters", "a.jsonl:1"]);
    refused("a.jsonl", b"{\"a\":1e999}\n", &["number out of range"]);
}

#[test]
fn rows_of_an_earlier_version() {
    let parts = ["holds results of version 1", "reads version 3", "`packages`"];
    refused("a.csv", b"policy,packages\nstatic,2\n", &parts);
    refused("a.jsonl", b"{\"policy\":\"static\",\"packages\":2}\n", &parts);
    let parts = ["holds results of version 2", "reads version 3", "`work_time_inflation_ps`"];
    refused("a.csv", b"policy,work_time_inflation_ps\nstatic,2\n", &parts);
    assert!(read("a.csv", b"workload.packages,iterations\n2,2\n").is_ok());
}

#[test]
fn a_file_of_another_kind() {
    refused("a.parquet", b"PA", &["cannot read a.parquet", "no whole Parquet file"]);
    refused("a.parquet", b"", &["no whole Parquet file"]);
    refused("a.csv", b"PAR1\xff\xfe\x00", &["no whole Parquet file"]);
    refused("a", b"PAR1PAR1", &["no whole Parquet file"]);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[ -~\n\"\\{\\}:,]{0,200}", ending in prop::sample::select(vec!["csv", "jsonl"])) {
        if let Ok(frame) = read(&format!("a.{ending}"), text.as_bytes()) {
            prop_assert!(frame.rows.iter().all(|row| row.len() == frame.columns.len()));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for name in ["a", "a.csv", "a.jsonl", "a.parquet"] {
            let _ = read(name, &bytes);
        }
    }

    #[test]
    fn text_cells_come_back(cells in prop::collection::vec("[a-z,\"\n]{1,8}", 1..5)) {
        let quoted: Vec<String> = cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
        let names: Vec<String> = (0..cells.len()).map(|at| format!("c{at}")).collect();
        let frame = read("a.csv", format!("{}\n{}\n", names.join(","), quoted.join(",")).as_bytes()).unwrap();
        for (cell, text) in frame.rows[0].iter().zip(&cells) {
            prop_assert_eq!(cell.text(), text.trim());
        }
    }
}
