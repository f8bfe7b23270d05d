//! Valid and broken files.

mod broken;
mod parquet_files;
mod parquet_sizes;
mod texts;

use super::*;
use numalab_results::{Cell, CellKind};
use std::path::PathBuf;

/// Path of the only file in a temporary folder, which is deleted on drop.
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

/// Name and kind of each column.
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
fn folders_and_missing_files_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(frame(folder.path()), Err(FrameError::Folder(folder.path().to_owned())));
    for name in ["none.csv", "none.parquet", "none"] {
        let error = frame(&folder.path().join(name)).unwrap_err().to_string();
        assert!(error.contains("there is no such file"), "{error}");
    }
}
