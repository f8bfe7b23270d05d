use super::*;
use numalab_results::{Cell, CellKind, Column};
use proptest::prelude::*;

/// Rows of threads, seed and two outcomes.
fn frame(rows: &[(u64, u64, f64, f64)]) -> Frame {
    let count = |name| Column::new(name, CellKind::Count);
    let real = |name| Column::new(name, CellKind::Real);
    let row = |&(threads, seed, a, b): &(u64, u64, f64, f64)| {
        vec![Cell::Count(threads), Cell::Count(seed), Cell::from(a), Cell::from(b)]
    };
    Frame {
        columns: vec![count("threads"), count("seed"), real("makespan_ps"), real("bytes_machine")],
        rows: rows.iter().map(row).collect(),
    }
}

const LESS: (&str, Better) = ("makespan", Better::Less);

// 4 threads: medians 20 and 6 of (10, 6), (20, 8), (30, 4). 16 has the time of 8 and more bytes. 32
// is slower than 8 and has as many bytes. 64 has no time.
#[test]
fn front_of_replica_medians() {
    let rows = [
        (4, 0, 10.0, 6.0),
        (4, 1, 20.0, 8.0),
        (4, 2, 30.0, 4.0),
        (8, 0, 15.0, 7.0),
        (16, 0, 15.0, 9.0),
        (32, 0, 18.0, 7.0),
        (64, 0, f64::NAN, 1.0),
    ];
    let front = pareto(&frame(&rows), LESS, ("bytes_machine", Better::Less)).unwrap();
    let points: Vec<(f64, f64, &str)> =
        front.front.iter().map(|point| (point.x, point.y, &*point.at[0])).collect();
    assert_eq!(points, [(15.0, 7.0, "8"), (20.0, 6.0, "4")]);
    assert_eq!((front.behind.len(), front.without_value), (2, 1));
    assert_eq!(front.coordinates, ["threads"]);
}

#[test]
fn a_front_needs_points() {
    let none = frame(&[(4, 0, f64::NAN, 1.0)]);
    assert!(pareto(&none, LESS, ("bytes_machine", Better::Less)).is_err());
    let error = pareto(&frame(&[(4, 0, 1.0, 1.0)]), LESS, ("bytes", Better::Less)).unwrap_err();
    assert!(matches!(&error, ViewError::NoColumn { close, .. } if close[0] == "bytes_machine"), "{error:?}");
}

fn better() -> impl Strategy<Value = Better> {
    prop_oneof![Just(Better::Less), Just(Better::More)]
}

proptest! {
    #[test]
    fn front_is_not_dominated(
        values in proptest::collection::vec((0i32..8, 0i32..8), 1..40),
        x in better(),
        y in better(),
    ) {
        let rows: Vec<_> = (0..).zip(&values).map(|(at, v)| (at, 0, f64::from(v.0), f64::from(v.1))).collect();
        let front = pareto(&frame(&rows), ("makespan", x), ("bytes_machine", y)).unwrap();
        let dominated = |a: &(i32, i32), b: &(i32, i32)| {
            let order = |better: Better, a: i32, b: i32| better.order(f64::from(b), f64::from(a));
            let (across, up) = (order(x, a.0, b.0), order(y, a.1, b.1));
            across.is_le() && up.is_le() && (across.is_lt() || up.is_lt())
        };
        let mut expected: Vec<usize> =
            (0..values.len()).filter(|at| !values.iter().any(|other| dominated(&values[*at], other))).collect();
        let mut found: Vec<usize> = match values.len() {
            1 => vec![0],
            _ => front.front.iter().map(|point| point.at[0].parse().unwrap()).collect(),
        };
        expected.sort_unstable();
        found.sort_unstable();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(front.front.len() + front.behind.len(), values.len());
        prop_assert!(front.front.windows(2).all(|pair| x.order(pair[0].x, pair[1].x).is_le()));
    }
}
