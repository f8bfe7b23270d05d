//! Valid and damaged Parquet files.

use super::*;
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::parser::parse_message_type;
use proptest::prelude::*;
use std::sync::Arc;

const SCHEMA: &str = "message results {
    optional binary policy (UTF8);
    required int64 events (INTEGER(64,false));
    optional int64 inflation;
    optional double share;
}";

/// Parquet file with `groups` equal row groups of three rows (policy, events, inflation, share): (static, 1, empty,
/// empty), (empty, 2, -3, 0.5), (dynamic, u64::MAX, empty, NaN).
fn written(groups: usize) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::builder().build())).unwrap();
    for _ in 0..groups {
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let texts = ["static", "dynamic"].map(ByteArray::from);
        column.typed::<ByteArrayType>().write_batch(&texts, Some(&[1, 0, 1]), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&[1, 2, -1], None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&[-3], Some(&[0, 1, 0]), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&[0.5, f64::NAN], Some(&[0, 1, 1]), None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

#[test]
fn columns_have_the_kinds_that_they_were_written_with() {
    for name in ["a.parquet", "a"] {
        let frame = read(name, &written(2)).unwrap();
        assert_eq!(
            columns(&frame),
            [
                ("policy", CellKind::Text),
                ("events", CellKind::Count),
                ("inflation", CellKind::Signed),
                ("share", CellKind::Real)
            ]
        );
        let rows = [
            vec![words("static"), Cell::Count(1), Cell::Empty, Cell::Empty],
            vec![Cell::Empty, Cell::Count(2), Cell::Signed(-3), Cell::Real(0.5)],
            vec![words("dynamic"), Cell::Count(u64::MAX), Cell::Empty, Cell::Empty],
        ];
        assert_eq!(frame.rows, [rows.clone(), rows].concat());
    }
}

/// A data frame as pandas 3 and polars 1 write it: by default (Snappy, Zstandard), with other codecs, and with pages of
/// version 2.
#[test]
fn files_of_pandas_and_polars_are_read() {
    let files = FRAMES.map(|(name, bytes)| (name, read("a.parquet", bytes)));
    for (name, found) in &files {
        let found = found.as_ref().unwrap_or_else(|error| panic!("{name}: {error}"));
        let kinds = [
            ("policy", CellKind::Text),
            ("threads", CellKind::Signed),
            ("makespan_ps", CellKind::Signed),
            ("share", CellKind::Real),
        ];
        assert_eq!(columns(found), kinds, "{name}");
        assert_eq!(found.rows.len(), 12, "{name}");
        let first = [words("static"), Cell::Signed(1), Cell::Signed(1_000_000_000), Cell::Empty];
        let last = [Cell::Empty, Cell::Signed(8), Cell::Signed(1_000_000_011), Cell::Empty];
        assert_eq!((&found.rows[0][..3], &found.rows[11][..3]), (&first[..3], &last[..3]), "{name}");
        assert_eq!(*found, files[0].1.clone().unwrap(), "{name}");
    }
}

macro_rules! frames {
    ($($name:literal)+) => {
        [$(($name, include_bytes!(concat!("frames/", $name, ".parquet")) as &[u8])),+]
    };
}

const FRAMES: [(&str, &[u8]); 10] = frames![
    "pandas" "pandas-gzip" "pandas-brotli" "pandas-lz4" "pandas-snappy-v2" "pandas-zstd-v2" "pandas-gzip-v2"
    "polars" "polars-snappy" "polars-lz4"
];

#[test]
fn nested_columns_are_refused() {
    let schema =
        "message m { optional group list (LIST) { repeated group list { optional int64 element; } } }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::builder().build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&[1], Some(&[3]), Some(&[0])).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    let error = read("a.parquet", &bytes).unwrap_err();
    assert!(error.contains("list.list.element is nested"), "{error}");
}

#[test]
fn every_truncation_is_refused() {
    let whole = written(1);
    for length in 0..whole.len() {
        assert!(read("a.parquet", &whole[..length]).is_err(), "{length}");
    }
}

#[test]
fn every_changed_byte_is_read_or_refused() {
    let whole = written(1);
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= [0x01, 0x80, 0xff][at % 3];
        let _ = read("a.parquet", &bytes);
    }
}

#[test]
fn every_changed_byte_of_a_compressed_file_is_read_or_refused() {
    for (_, whole) in FRAMES.iter().filter(|(name, _)| name.starts_with("polars")) {
        for at in 0..whole.len() {
            let mut bytes = whole.to_vec();
            bytes[at] ^= [0x01, 0x80, 0xff][at % 3];
            let _ = read("a.parquet", &bytes);
        }
    }
}

proptest! {
    #[test]
    fn changed_bytes_are_read_or_refused(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = written(1);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = read("a.parquet", &bytes);
    }
}
