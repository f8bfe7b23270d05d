//! Several files as one frame: parts of one sweep, or results of several sweeps.

use super::{FILE, ViewError};
use crate::group::groups;
use numalab_results::{Cell, CellKind, Column, Frame};

/// Joins files to one frame with the union of their columns. With several files, a last column names the file. Unless
/// `apart`, rows that several files share are kept once, and different results of one point are an error.
pub fn together(files: Vec<(String, Frame)>, apart: bool) -> Result<Frame, ViewError> {
    let each = files.into_iter().map(|(name, frame)| {
        let frame = without_repetitions(&name, frame)?;
        Ok((name, frame))
    });
    let mut files: Vec<(String, Frame)> = each.collect::<Result<_, ViewError>>()?;
    if let [(_, _)] = &files[..] {
        return Ok(files.remove(0).1);
    }
    let mut columns: Vec<Column> = Vec::new();
    for column in files.iter().flat_map(|(_, frame)| &frame.columns) {
        match columns.iter_mut().find(|other| other.name == column.name) {
            Some(other) => other.kind = other.kind.both(column.kind),
            None => columns.push(column.clone()),
        }
    }
    columns.retain(|column| column.name != FILE);
    columns.push(Column::new(FILE, CellKind::Text));
    let mut rows = Vec::new();
    for (name, frame) in &files {
        let from: Vec<Option<usize>> = columns.iter().map(|column| frame.position(&column.name)).collect();
        for row in &frame.rows {
            let cell = |(at, column): (&Option<usize>, &Column)| {
                // 12 in one file may be 12.0 in another.
                at.and_then(|at| row.get(at)).cloned().unwrap_or_default().held_as(column.kind)
            };
            let mut row: Vec<Cell> = from.iter().zip(&columns).map(cell).collect();
            *row.last_mut().expect("there is a column of files") = Cell::Text(name.clone());
            rows.push(row);
        }
    }
    let frame = Frame { columns, rows };
    if apart { Ok(frame) } else { once(frame) }
}

/// Rows of a file without those that repeat an earlier row.
fn without_repetitions(file: &str, frame: Frame) -> Result<Frame, ViewError> {
    let mut again = repetitions(file, &frame)?.into_iter();
    let rows = frame.rows.into_iter().filter(|_| !again.next().unwrap_or(false)).collect();
    Ok(Frame { columns: frame.columns, rows })
}

/// True for each row that repeats an earlier row. Two rows of one run with different results are an error.
pub(crate) fn repetitions(file: &str, frame: &Frame) -> Result<Vec<bool>, ViewError> {
    let mut again = vec![false; frame.rows.len()];
    for group in groups(frame, &[]) {
        let Some((&first, others)) = group.rows.split_first() else { continue };
        for &other in others {
            if frame.rows[first] != frame.rows[other] {
                let rows = [first + 1, other + 1];
                return Err(ViewError::Twice { point: group.label.clone(), file: file.to_owned(), rows });
            }
            again[other] = true;
        }
    }
    Ok(again)
}

/// Drops rows that repeat a row of another file.
fn once(frame: Frame) -> Result<Frame, ViewError> {
    let files = frame.columns.len() - 1;
    let mut again = vec![false; frame.rows.len()];
    for group in groups(&frame, &[]) {
        let Some((&first, others)) = group.rows.split_first() else { continue };
        for &other in others {
            let (a, b) = (&frame.rows[first], &frame.rows[other]);
            if a[files] == b[files] {
                continue;
            }
            if a[..files] != b[..files] {
                let (a, b) = (a[files].text(), b[files].text());
                return Err(ViewError::Contradiction { point: group.label.clone(), files: [a, b] });
            }
            again[other] = true;
        }
    }
    let mut again = again.into_iter();
    let rows = frame.rows.into_iter().filter(|_| !again.next().unwrap_or(false)).collect();
    Ok(Frame { columns: frame.columns, rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, policy: &str, makespan: u64) -> (String, Frame) {
        let columns =
            vec![Column::new("policy", CellKind::Text), Column::new("makespan_ps", CellKind::Count)];
        let rows = vec![vec![Cell::Text(policy.to_owned()), Cell::Count(makespan)]];
        (name.to_owned(), Frame { columns, rows })
    }

    #[test]
    fn parts_become_one_and_repetitions_count_once() {
        let parts = vec![part("1.csv", "static", 5), part("2.csv", "dynamic", 7), part("3.csv", "static", 5)];
        let frame = together(parts.clone(), false).unwrap();
        let rows: Vec<String> = frame.rows.iter().map(|row| row[0].text() + " " + &row[2].text()).collect();
        assert_eq!(rows, ["static 1.csv", "dynamic 2.csv"]);
        assert_eq!(together(parts, true).unwrap().rows.len(), 3);
        assert_eq!(together(vec![part("1.csv", "static", 5)], false).unwrap().columns.len(), 2);
        assert!(together(Vec::new(), false).unwrap().rows.is_empty());
    }

    #[test]
    fn contradictions_are_refused() {
        let error = together(vec![part("old.csv", "static", 5), part("new.csv", "static", 6)], false);
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("static has different results in \"old.csv\" and \"new.csv\""), "{error}");
    }

    #[test]
    fn one_file_has_one_result_per_point() {
        let mut file = part("q.csv", "static", 5);
        file.1.rows.push(file.1.rows[0].clone());
        assert_eq!(together(vec![file.clone()], false).unwrap().rows.len(), 1);
        file.1.rows.push(vec![Cell::Text("static".to_owned()), Cell::Count(6)]);
        for apart in [false, true] {
            let error =
                together(vec![file.clone(), part("r.csv", "dynamic", 5)], apart).unwrap_err().to_string();
            assert!(error.contains("static") && error.contains("rows 1 and 3 of \"q.csv\""), "{error}");
        }
    }

    #[test]
    fn columns_of_one_file_are_empty_in_the_others() {
        let mut other = part("2.csv", "dynamic", 7);
        other.1.columns[1] = Column::new("makespan_ps", CellKind::Real);
        other.1.columns.push(Column::new("threads", CellKind::Count));
        other.1.rows[0].push(Cell::Count(8));
        let frame = together(vec![part("1.csv", "static", 5), other], false).unwrap();
        let names: Vec<&str> = frame.columns.iter().map(|column| &*column.name).collect();
        assert_eq!(names, ["policy", "makespan_ps", "threads", "file"]);
        assert_eq!(frame.columns[1].kind, CellKind::Real);
        assert_eq!(frame.rows[0][2], Cell::Empty);
    }
}
