use super::*;
use proptest::prelude::*;

fn read_text(text: &str) -> Result<Matrix, MatrixError> {
    read(text.as_bytes())
}

#[test]
fn rows_know_their_entries() {
    let text = "%%MatrixMarket Matrix Coordinate pattern general\n%\n\n  2 4 3\n1 4\n\n1 2\n2 1\n";
    let matrix = read_text(text).unwrap();
    assert_eq!((matrix.rows, matrix.columns, matrix.entries), (2, 4, 3));
    assert_eq!(matrix.by_row.entries, [2, 1]);
    assert_eq!((matrix.by_row.first_column, matrix.by_row.last_column), (vec![1, 0], vec![3, 0]));
}

/// The file lists one half of the matrix, with one entry on the diagonal and one entry beside the diagonal: 3 entries
/// in all.
#[test]
fn halves_are_completed_whatever_their_values() {
    for symmetry in ["symmetric", "hermitian", "skew-symmetric"] {
        let text =
            format!("%%MatrixMarket matrix coordinate complex {symmetry}\n3 3 2\n1 1 2 0\n3 1 0.5 -1e3\n");
        let matrix = read_text(&text).unwrap();
        assert_eq!((matrix.entries, matrix.by_row.entries), (3, vec![2, 0, 1]), "{symmetry}");
    }
}

#[test]
fn errors_name_the_line() {
    let header = "%%MatrixMarket matrix coordinate integer general\n";
    let error = |text: &str| read_text(text).unwrap_err();
    let after = |text: &str| error(&format!("{header}{text}")).to_string();
    assert_eq!(error("").line, 1);
    assert!(error("1 1 1\n").to_string().contains("line 1: this is no header"));
    assert!(error("%%MatrixMarket matrix array real general\n").message.contains("`array` is not sparse"));
    assert!(error("%%MatrixMarket matrix coordinate quaternion general\n").message.contains("`quaternion`"));
    assert!(error("%%MatrixMarket matrix coordinate real lopsided\n").message.contains("`lopsided`"));
    let complex = "%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 1 0.5\n";
    assert!(error(complex).message.contains("\"1 1 0.5\" is no entry"));
    assert!(after("% only comments\n").starts_with("line 3: the file ends here"));
    assert!(after("3 3\n").starts_with("line 2: \"3 3\" is no line of sizes"));
    assert!(after("0 3 1\n").contains("0 rows"));
    assert!(
        after("3 3 1\n1 1 0.5\n")
            .starts_with("line 3: \"1 1 0.5\" is no entry; expected row, column and a whole")
    );
    assert!(after("3 3 1\n0 1 5\n").contains("there is no row 0, column 1; expected rows 1 to 3"));
    assert!(after("3 3 2\n1 1 5\n").starts_with("line 4: the file ends after 1 of 2 entries"));
    assert!(after("3 3 1\n1 1 5\n\n2 2 5\n").starts_with("line 5: the file continues after 1 entries"));
    assert!(after("999999999999 3 1\n").contains("a matrix of 999999999999 rows"));
    assert!(after("3 3 1\n1 1 \u{e9}\n").starts_with("line 3"));
    let symmetric = "%%MatrixMarket matrix coordinate real symmetric\n3 4 0\n";
    assert!(error(symmetric).message.contains("3 rows and 4 columns"));
    assert!(after(&"9".repeat(1 << 17)).contains("the line does not end"));
}

proptest! {
    #[test]
    fn whatever_the_file_holds_reading_ends(body in "[-0-9 .e%\n]{0,80}", bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = read(&bytes[..]);
        let _ = read_text(&format!("%%MatrixMarket matrix coordinate real general\n{body}"));
        let _ = read_text(&format!("%%MatrixMarket matrix coordinate pattern symmetric\n9 9 {body}"));
    }
}
