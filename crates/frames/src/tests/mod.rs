//! Files as people have them, and files as nobody should.

mod broken;
mod parquet_files;
mod texts;

use super::*;
use numalab_results::{Cell, CellKind};
use std::path::PathBuf;

/// A folder with one file in it, gone with the value.
struct Put(tempfile::TempDir, PathBuf);

fn put(name: &str, bytes: &[u8]) -> Put {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    Put(folder, path)
}

fn read(name: &str, bytes: &[u8]) -> Result<Frame, String> {
    let file = put(name, bytes);
    let folder = file.0.path().display().to_string() + "/";
    frame(&file.1).map_err(|error| error.to_string().replace(&folder, ""))
}

/// Names and kinds of the columns.
fn columns(frame: &Frame) -> Vec<(&str, CellKind)> {
    frame.columns.iter().map(|column| (&*column.name, column.kind)).collect()
}

fn words(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

#[test]
fn the_form_is_by_ending_and_else_by_content() {
    for (name, text) in [
        ("a.csv", "x\n1\n"),
        ("a.CSV", "x\n1\n"),
        ("a", "x\n1\n"),
        ("a.txt", "x\n1\n"),
        ("a.jsonl", "{\"x\":1}\n"),
        ("a.ndjson", "{\"x\":1}"),
        ("a", "\n {\"x\":1}\n\n"),
    ] {
        let frame = read(name, text.as_bytes()).unwrap();
        assert_eq!(
            (columns(&frame), &frame.rows),
            (vec![("x", CellKind::Count)], &vec![vec![Cell::Count(1)]]),
            "{name}"
        );
    }
}

#[test]
fn folders_and_missing_files_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let error = frame(folder.path()).unwrap_err().to_string();
    assert!(error.contains("it is a folder") && error.contains("numalab sweep FILE --collect -o"), "{error}");
    for name in ["none.csv", "none.parquet", "none"] {
        let error = frame(&folder.path().join(name)).unwrap_err().to_string();
        assert!(error.contains("there is no such file"), "{error}");
    }
    // All that cannot be read is said at once.
    let both = frames(&[folder.path().join("a.csv"), folder.path().join("b.csv")]).unwrap_err();
    assert_eq!(both.count(), 2);
}

#[test]
fn several_files_have_the_columns_of_all() {
    let one = put("one.csv", b"machine,threads,makespan_ps\nhp8,8,100\n");
    let two = put(
        "two.jsonl",
        b"{\"machine\":\"hp8\",\"policy\":\"static\",\"threads\":\"all\",\"makespan_ps\":1.5}\n",
    );
    let frame = frames(&[one.1.clone(), two.1.clone()]).unwrap();
    assert_eq!(
        columns(&frame),
        [
            ("machine", CellKind::Text),
            ("policy", CellKind::Text),
            ("threads", CellKind::Text),
            ("makespan_ps", CellKind::Real)
        ]
    );
    assert_eq!(
        frame.rows,
        [
            vec![words("hp8"), Cell::Empty, words("8"), Cell::Real(100.0)],
            vec![words("hp8"), words("static"), words("all"), Cell::Real(1.5)]
        ]
    );
    assert_eq!(frames(&[]).unwrap(), Frame::default());
}
