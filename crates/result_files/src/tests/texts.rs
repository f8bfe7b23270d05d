//! Reads valid CSV and JSON Lines.

use super::*;

#[test]
fn a_column_is_what_all_of_its_cells_are() {
    let text = "a,b,c,d,e\n1,-1,0.5,x,\n2,3,4,5,\n,,,,\n";
    let frame = read("a.csv", text.as_bytes()).unwrap();
    let kinds: Vec<CellKind> = frame.columns.iter().map(|column| column.kind).collect();
    assert_eq!(kinds, [CellKind::Count, CellKind::Signed, CellKind::Real, CellKind::Text, CellKind::Text]);
    assert_eq!(frame.rows[1], [Cell::Count(2), Cell::Signed(3), Cell::Real(4.0), words("5"), Cell::Empty]);
    assert_eq!(frame.rows[2], vec![Cell::Empty; 5]);
    // The first value exceeds `i64`, the second is negative.
    let frame = read("a.csv", b"a\n18446744073709551615\n-1\n").unwrap();
    assert_eq!(frame.columns[0].kind, CellKind::Real);
}

#[test]
fn coordinates_stay_as_they_were_typed() {
    let text = "machine.core.overlap,places,makespan_ps\n0.50,8.0,1.50\n0.25,cores,2\n";
    let frame = read("a.csv", text.as_bytes()).unwrap();
    assert_eq!(frame.rows[0], [words("0.50"), words("8.0"), Cell::Real(1.5)]);
    assert_eq!(frame.rows[1], [words("0.25"), words("cores"), Cell::Real(2.0)]);
    let frame = read("a.csv", b"machine.core.overlap,threads\n0.5,8\n0.25,16\n").unwrap();
    assert_eq!(frame.rows[0], [Cell::Real(0.5), Cell::Count(8)]);
}

#[test]
fn quotes_line_ends_and_marks_of_windows() {
    let text = "\u{feff}machine,\"measure.rate [GB/s]\"\r\n\"board:4, socket:4\",\"1.5\"\r\n";
    let frame = read("a.csv", text.as_bytes()).unwrap();
    assert_eq!(columns(&frame), [("machine", CellKind::Text), ("measure.rate [GB/s]", CellKind::Real)]);
    assert_eq!(frame.rows, [vec![words("board:4, socket:4"), Cell::Real(1.5)]]);
    // A quoted error with a line break is one cell.
    let frame = read("a.csv", b"machine,error\nhp8,\"a\nb\"\n").unwrap();
    assert_eq!(frame.rows[0][1], words("a\nb"));
}

#[test]
fn numbers_are_those_that_were_written() {
    for value in [0.1 + 0.2, 1.0 / 3.0, 1e-100, 1e100, 123456.789e3] {
        let csv = read("a.csv", format!("x\n{value}\n").as_bytes()).unwrap();
        let json = read("a.jsonl", format!("{{\"x\":{value:e}}}\n").as_bytes()).unwrap();
        assert_eq!(csv.rows[0][0].number(), Some(value));
        assert_eq!(json.rows[0][0].number(), Some(value));
    }
}

#[test]
fn numbers_that_nobody_can_calculate_with_are_refused() {
    for value in ["1e-320", "1.7e308", "-1e-200"] {
        for (name, text) in [
            ("a.csv", format!("machine,x\nhp8,1.5\nhp8,{value}\n")),
            ("a.jsonl", format!("{{\"x\":1.5}}\n{{\"x\":{value}}}\n")),
        ] {
            let error = read(name, text.as_bytes()).unwrap_err().to_string();
            let line = if name == "a.csv" { 3 } else { 2 };
            assert!(error.contains(&format!("{name}:{line}:")) && error.contains("`x` is "), "{error}");
        }
    }
}

#[test]
fn keys_that_come_later_stand_where_they_belong() {
    let text =
        "{\"machine\":\"hp8\",\"error\":\"no\"}\n{\"machine\":\"hp8\",\"makespan_ps\":3,\"error\":null}\n";
    let frame = read("a.jsonl", text.as_bytes()).unwrap();
    let names: Vec<&str> = frame.columns.iter().map(|column| &*column.name).collect();
    assert_eq!(names, ["machine", "makespan_ps", "error"]);
    assert_eq!(frame.rows[0], [words("hp8"), Cell::Empty, words("no")]);
    assert_eq!(frame.rows[1], [words("hp8"), Cell::Count(3), Cell::Empty]);
}

#[test]
fn figures_are_what_a_run_can_have_and_their_line_is_told() {
    for (value, told) in [
        ("nan", "`makespan_ps` is \"nan\", which is no number"),
        ("-5", "`makespan_ps` is -5"),
        ("1e23", "`makespan_ps` is 1e23"),
    ] {
        let quoted = if value == "nan" { "\"nan\"" } else { value };
        for (name, text) in [
            ("a.csv", format!("policy,makespan_ps\nstatic,5\ndynamic,{value}\n")),
            ("a.jsonl", format!("{{\"makespan_ps\":5}}\n\n{{\"makespan_ps\":{quoted}}}\n")),
        ] {
            let error = read(name, text.as_bytes()).unwrap_err();
            assert!(error.contains(told) && error.contains(&format!("{name}:3:")), "{error}");
        }
    }
    // Inflation may be negative, and columns of unknown names are not checked.
    let text = "makespan_ps,inflation_ps,note_ps,bottleneck\n1.5,-3,none,memory\n2,,,\n";
    assert_eq!(read("a.csv", text.as_bytes()).unwrap().rows.len(), 2);
}
