use super::{frame_csv, frame_jsonl, frame_parquet};
use numalab_results::{Cell, CellKind, Column};
use std::io;

fn columns() -> Vec<Column> {
    vec![
        Column::new("policy", CellKind::Text),
        Column::new("makespan_ps", CellKind::Count),
        Column::new("memory_penalty_ps", CellKind::Signed),
        Column::new("measure.rate [GB/s]", CellKind::Real),
    ]
}

fn rows() -> Vec<Vec<Cell>> {
    vec![
        vec![Cell::Text("dynamic,16".into()), Cell::Count(u64::MAX), Cell::Signed(-5), Cell::Real(0.1)],
        vec![Cell::Text("a \"b\"".into()), Cell::Empty, Cell::Empty, Cell::Empty],
    ]
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    bytes
}

#[test]
fn csv_quotes_and_leaves_empty_cells_empty() {
    let bytes = written(|out| frame_csv(&columns(), rows().into_iter().map(Ok), out));
    insta::assert_snapshot!(String::from_utf8(bytes).unwrap(), @r#"
    policy,makespan_ps,memory_penalty_ps,measure.rate [GB/s]
    "dynamic,16",18446744073709551615,-5,0.1
    "a ""b""",,,
    "#);
}

#[test]
fn json_lines_name_every_column() {
    let bytes = written(|out| frame_jsonl(&columns(), rows().into_iter().map(Ok), out));
    insta::assert_snapshot!(String::from_utf8(bytes).unwrap(), @r#"
    {"policy":"dynamic,16","makespan_ps":18446744073709551615,"memory_penalty_ps":-5,"measure.rate [GB/s]":0.1}
    {"policy":"a \"b\"","makespan_ps":null,"memory_penalty_ps":null,"measure.rate [GB/s]":null}
    "#);
}

#[test]
fn parquet_reads_back_cell_by_cell() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let bytes = written(|out| frame_parquet(&columns(), rows().into_iter().map(Ok), out));
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let read: Vec<Vec<Field>> = reader
        .get_row_iter(None)
        .unwrap()
        .map(|row| row.unwrap().get_column_iter().map(|(_, field)| field.clone()).collect())
        .collect();
    assert_eq!(
        read,
        [
            vec![
                Field::Str("dynamic,16".into()),
                Field::ULong(u64::MAX),
                Field::Long(-5),
                Field::Double(0.1)
            ],
            vec![Field::Str("a \"b\"".into()), Field::Null, Field::Null, Field::Null],
        ]
    );
}

#[test]
fn errors_of_writer_and_rows_are_returned() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let full = frame_parquet(&columns(), rows().into_iter().map(Ok), Full).unwrap_err();
    assert_eq!(full.kind(), io::ErrorKind::StorageFull);
    // The rows exceed the writer's buffer.
    let many = (0..10_000).flat_map(|_| rows()).map(Ok);
    let full = frame_csv(&columns(), many, Full).unwrap_err();
    assert_eq!(full.kind(), io::ErrorKind::StorageFull);
    let gone = || std::iter::once(Err(io::ErrorKind::NotFound.into()));
    assert_eq!(frame_jsonl(&columns(), gone(), Vec::new()).unwrap_err().kind(), io::ErrorKind::NotFound);
}
