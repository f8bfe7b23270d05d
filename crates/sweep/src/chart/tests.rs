use super::*;
use numalab_results::{Cell, CellKind, Column};

/// Rows of machine, policy, threads, seed and makespan.
fn frame(rows: &[(&str, &str, u64, u64, u64)]) -> Frame {
    let names = [
        ("machine", CellKind::Text),
        ("policy", CellKind::Text),
        ("threads", CellKind::Count),
        ("seed", CellKind::Count),
        ("makespan_ps", CellKind::Count),
    ];
    let row = |&(machine, policy, threads, seed, makespan): &(&str, &str, u64, u64, u64)| {
        let makespan = if makespan == 0 { Cell::Empty } else { Cell::Count(makespan) };
        let text = |text: &str| Cell::Text(text.to_owned());
        vec![text(machine), text(policy), Cell::Count(threads), Cell::Count(seed), makespan]
    };
    Frame {
        columns: names.map(|(name, kind)| Column::new(name, kind)).to_vec(),
        rows: rows.iter().map(row).collect(),
    }
}

fn rows() -> Frame {
    frame(&[
        ("m", "static", 16, 0, 30),
        ("m", "static", 8, 0, 10),
        ("m", "static", 8, 1, 14),
        ("m", "dynamic", 8, 0, 7),
        ("n", "static", 8, 0, 5),
        ("n", "dynamic", 8, 0, 0),
    ])
}

const OVER_THREADS: Arrangement<'_> = Arrangement {
    x: "threads",
    y: "makespan",
    colour: Some("policy"),
    facet: Some("machine"),
    log: (false, false),
    title: None,
};

// Two seeds of `static` on m with 8 threads: 10 and 14, median 12.
#[test]
fn lines_in_panels() {
    let chart = chart(&rows(), &OVER_THREADS).unwrap();
    assert_eq!(chart.colours, ["static", "dynamic"]);
    let names: Vec<&str> = chart.panels.iter().map(|panel| &*panel.name).collect();
    assert_eq!(names, ["m", "n"]);
    let mark = |x, median, low, high, of| Mark { x, median, low, high, of };
    let first = &chart.panels[0].lines[0];
    assert_eq!(first.marks, [mark(8.0, 12.0, 10.0, 14.0, 2), mark(16.0, 30.0, 30.0, 30.0, 1)]);
    assert_eq!(chart.panels[1].lines.len(), 1);
    assert_eq!((chart.without_value, chart.rows.rows.len()), (1, 5));
    assert_eq!(chart.title, "makespan over threads");
}

#[test]
fn bars_over_words_in_the_order_of_the_rows() {
    let wanted = Arrangement { x: "policy", colour: None, ..OVER_THREADS };
    let mut frame = rows();
    frame.rows.retain(|row| row[2] == Cell::Count(8));
    let chart = chart(&frame, &wanted).unwrap();
    assert_eq!(chart.words.as_deref(), Some(&["static".to_owned(), "dynamic".to_owned()][..]));
    assert_eq!(chart.panels[0].lines[0].marks.len(), 2);
    assert_eq!(chart.common, [("threads".to_owned(), "8".to_owned())]);
}

#[test]
fn points_are_never_mixed() {
    let error = |wanted: Arrangement<'_>| chart(&rows(), &wanted).unwrap_err();
    let machines = error(Arrangement { facet: None, ..OVER_THREADS });
    assert_eq!(machines.to_string(), "a mark would mix points that differ in machine (m, n)");
    assert!(matches!(machines, ViewError::Mixed { facet: false, colour: true, .. }), "{machines:?}");
    let both = error(Arrangement { facet: None, colour: None, ..OVER_THREADS }).to_string();
    assert!(both.ends_with("machine (m, n) and in policy (static, dynamic)"), "{both}");
}

// Each machine has its own team size: nothing is mixed, so threads need not be shown.
#[test]
fn covarying_coordinates_are_listed() {
    let frame = frame(&[("m", "static", 8, 0, 3), ("n", "static", 16, 0, 4)]);
    let wanted = Arrangement { x: "machine", colour: None, facet: None, ..OVER_THREADS };
    assert_eq!(chart(&frame, &wanted).unwrap().along, ["threads"]);
}

#[test]
fn logarithms_need_numbers_above_zero() {
    let error = |rows: &Frame, wanted: Arrangement<'_>| chart(rows, &wanted).unwrap_err();
    let bars = error(&rows(), Arrangement { x: "policy", log: (false, true), ..OVER_THREADS });
    assert_eq!(bars, ViewError::BarsOnLogarithm { column: "policy".to_owned() });
    let mut zero = rows();
    zero.rows[0][4] = Cell::Signed(0);
    let least = error(&zero, Arrangement { log: (false, true), ..OVER_THREADS });
    let column = "makespan_ps".to_owned();
    assert_eq!(least, ViewError::NotAboveZero { column, least: 0.0, axis: Axis::Y });
}

#[test]
fn too_many_lines_are_refused() {
    let names: Vec<String> = (0..40).map(|at| format!("p{at}")).collect();
    let rows: Vec<_> = names.iter().map(|name| ("m", &**name, 8, 0, 3)).collect();
    let error = chart(&frame(&rows), &OVER_THREADS).unwrap_err().to_string();
    assert!(error.starts_with("policy has more than 28 values"), "{error}");
}
