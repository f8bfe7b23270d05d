//! Parquet files that are small, but take much memory when they are read.

use super::*;
use ::parquet::basic::Compression;
use ::parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::parser::parse_message_type;
use std::sync::Arc;

/// File with groups of `rows` rows, of which each group has the same number in each of `columns` columns.
fn constant(groups: usize, rows: usize, columns: usize) -> Vec<u8> {
    let fields: String = (0..columns).map(|at| format!("required int64 c{at};\n")).collect();
    let schema = Arc::new(parse_message_type(&format!("message m {{ {fields} }}")).unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    let values = vec![7; rows];
    for _ in 0..groups {
        let mut group = writer.next_row_group().unwrap();
        while let Some(mut column) = group.next_column().unwrap() {
            column.typed::<Int64Type>().write_batch(&values, None, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

/// Error for a file, which may hold at most 1 MiB besides the file itself until it is refused.
#[track_caller]
fn refused(bytes: &[u8]) -> String {
    let file = put("a.parquet", bytes);
    let mut found = None;
    let held = allocation_counter::measure(|| found = Some(frame(&file.1))).bytes_max;
    assert!(held < 1 << 20, "{held} bytes");
    found.unwrap().unwrap_err().to_string()
}

#[test]
fn many_rows_are_refused_before_any_is_read() {
    let error = refused(&constant(5, 1_000_000, 1));
    assert!(error.contains("a.parquet: 5000000 rows are more than 4194304"), "{error}");
    assert!(error.contains("keep fewer rows or columns"), "{error}");
    let error = refused(&constant(3, 100_000, 20));
    assert!(error.contains("300000 rows of 20 columns are more than 4194304 cells in a file of"), "{error}");
    // As many cells as a file of any length may have.
    assert_eq!(read("a.parquet", &constant(1, 1 << 16, 8)).unwrap().rows.len(), 1 << 16);
}

#[test]
fn large_columns_are_refused_before_any_is_read() {
    let mut bytes = constant(1, 1000, 1);
    let end = bytes.len() - 8;
    let footer = end - u32::from_le_bytes(bytes[end..end + 4].try_into().unwrap()) as usize;
    // The fields of the uncompressed and of the compressed size, which are equal here.
    let equal = |(at, size): &(usize, usize)| {
        let (first, rest) = bytes[*at..end].split_at(*size);
        first[0] == 0x16 && rest.starts_with(first)
    };
    let (at, size) = (footer..end).flat_map(|at| [(at, 2), (at, 3)]).find(equal).unwrap();
    bytes.splice(at + 1..at + size, [0xfe, 0xff, 0xff, 0xff, 0x7f]);
    let end = bytes.len() - 8;
    bytes[end..end + 4].copy_from_slice(&((end - footer) as u32).to_le_bytes());
    let error = refused(&bytes);
    assert!(error.contains("MiB uncompressed, more than 1024"), "{error}");
}

#[test]
fn a_repeated_long_text_is_refused() {
    let schema = Arc::new(parse_message_type("message m { required binary policy (UTF8); }").unwrap());
    let properties = WriterProperties::builder().set_dictionary_page_size_limit(1 << 21).build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let texts = vec![ByteArray::from(vec![b'a'; 1 << 20]); 2000];
    column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    let file = put("a.parquet", &bytes);
    let mut found = None;
    let held = allocation_counter::measure(|| found = Some(frame(&file.1))).bytes_max;
    let error = found.unwrap().unwrap_err().to_string();
    assert!(error.contains("its texts are too long in all") && held < 1 << 24, "{held} bytes: {error}");
}

#[test]
fn an_unknown_codec_is_named_with_known_ones() {
    let bytes = constant(1, 10, 1);
    // The codec follows the path of the column: field 4, of type i32.
    let at = bytes.windows(4).rposition(|w| w == [b'c', b'0', 0x15, 0]).unwrap() + 3;
    for (codec, name) in [(Compression::LZO, "LZO"), (Compression::LZ4, "LZ4")] {
        let mut bytes = bytes.clone();
        bytes[at] = if codec == Compression::LZO { 6 } else { 10 };
        let error = refused(&bytes);
        assert!(
            error.contains(&format!("compressed with {name}")) && error.contains("write it with snappy"),
            "{error}"
        );
    }
}
