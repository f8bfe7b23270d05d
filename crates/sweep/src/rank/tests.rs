use super::*;
use numalab_results::{Cell, CellKind, Column, Replicas};
use proptest::prelude::*;

/// Rows of machine, policy, seed and makespan; a makespan of 0 stands for no value.
fn frame(rows: &[(&str, &str, u64, u64)]) -> Frame {
    let names = [
        ("machine", CellKind::Text),
        ("policy", CellKind::Text),
        ("seed", CellKind::Count),
        ("makespan_ps", CellKind::Count),
    ];
    let row = |&(machine, policy, seed, makespan): &(&str, &str, u64, u64)| {
        let makespan = if makespan == 0 { Cell::Empty } else { Cell::Count(makespan) };
        vec![Cell::Text(machine.to_owned()), Cell::Text(policy.to_owned()), Cell::Count(seed), makespan]
    };
    Frame {
        columns: names.map(|(name, kind)| Column::new(name, kind)).to_vec(),
        rows: rows.iter().map(row).collect(),
    }
}

const BY_TIME: Ranking<'_> = Ranking { by: "policy", measure: "makespan", better: Better::Less };

// Medians: on m, a is the middle of 8, 10, 30, which is 10, b is (10 + 30) / 2 = 20, c is 10;
//          on n, a is 40, b is 10; c has no value.
// Ranks:   on m, a and c share (1 + 2) / 2 = 1.5, b has 3; on n, b has 1, a has 2; on o, a is alone.
// Means:   a (1.5 + 2) / 2 = 1.75, b (3 + 1) / 2 = 2, c 1.5.
// Ratios:  a 1 and 40/10 = 4, geometric mean 2; b 20/10 = 2 and 1, geometric mean sqrt 2; c 1.
#[test]
fn ties_share_ranks_and_replicas_count_as_their_median() {
    let frame = frame(&[
        ("m", "a", 0, 8),
        ("m", "a", 1, 30),
        ("m", "a", 2, 10),
        ("m", "b", 0, 10),
        ("m", "b", 1, 30),
        ("m", "c", 0, 10),
        ("n", "a", 0, 40),
        ("n", "b", 0, 10),
        ("n", "c", 0, 0),
        ("o", "a", 0, 5),
    ]);
    let table = rank(&frame, &BY_TIME).unwrap();
    assert_eq!((table.groups, table.alone, table.without_value), (2, 1, 1));
    let rows: Vec<(&str, u64, f64, u64)> =
        table.rows.iter().map(|row| (&*row.name, row.groups, row.mean_rank, row.wins)).collect();
    assert_eq!(rows, [("c", 1, 1.5, 1), ("a", 2, 1.75, 1), ("b", 2, 2.0, 1)]);
    let ratios: Vec<f64> = table.rows.iter().map(|row| row.mean_ratio.unwrap()).collect();
    for (ratio, expected) in ratios.iter().zip([1.0, 2.0, 2f64.sqrt()]) {
        assert!((ratio - expected).abs() < 1e-12, "{ratios:?}");
    }
    assert_eq!(table.rows[1].worst_ratio, Some(4.0));
    assert_eq!(table.rows[1].worst_where, "n");
    assert_eq!(table.machines, ["m", "n", "o"]);
    assert_eq!(table.rows[1].machine_ranks, [Some(1.5), Some(2.0), None]);
    // On m, c and a tie and both beat b; on n, b beats a.
    assert_eq!(
        table.wins,
        [[None, Some(0.5), Some(1.0)], [Some(0.5), None, Some(0.5)], [Some(0.0), Some(0.5), None],]
    );
}

// Ranges of a and b overlap, those of b and c, too; a is decidedly better than c. Ranks: a 1 + 1/2, b 1 + 2/2, c 1 + 1 + 1/2.
#[test]
fn overlapping_ranges_share_ranks() {
    let mut frame = frame(&[("m", "a", 0, 10), ("m", "b", 0, 10), ("m", "c", 0, 10)]);
    frame.columns.extend(Replicas::COLUMNS.map(|name| Column::new(name, CellKind::Count)));
    for (row, range) in frame.rows.iter_mut().zip([[2, 9, 10, 12], [2, 11, 14, 18], [2, 17, 20, 21]]) {
        row.extend(range.map(Cell::Count));
    }
    let table = rank(&frame, &BY_TIME).unwrap();
    let rows: Vec<(&str, f64, u64, f64)> =
        table.rows.iter().map(|row| (&*row.name, row.mean_rank, row.wins, row.mean_ratio.unwrap())).collect();
    assert_eq!(
        rows.iter().map(|row| (row.0, row.1, row.2)).collect::<Vec<_>>(),
        [("a", 1.5, 1), ("b", 2.0, 1), ("c", 2.5, 0)]
    );
    assert!((rows[1].3 - 1.4).abs() < 1e-12, "by medians");
    assert_eq!(table.wins[0], [None, Some(0.5), Some(1.0)]);
}

// More is better: a is 10, b is 20, so a is 20/10 = 2 times worse.
#[test]
fn more_may_be_better() {
    let frame = frame(&[("m", "a", 0, 10), ("m", "b", 0, 20)]);
    let table = rank(&frame, &Ranking { better: Better::More, ..BY_TIME }).unwrap();
    let rows: Vec<(&str, Option<f64>)> = table.rows.iter().map(|row| (&*row.name, row.worst_ratio)).collect();
    assert_eq!(rows, [("b", Some(1.0)), ("a", Some(2.0))]);
    assert!(table.machines.is_empty());
}

#[test]
fn machines_may_compete() {
    let frame = frame(&[("m", "a", 0, 10), ("n", "a", 0, 20)]);
    let table = rank(&frame, &Ranking { by: "machine", ..BY_TIME }).unwrap();
    assert_eq!(table.rows[0].name, "m");
    assert!(table.machines.is_empty());
}

#[test]
fn unrankable_results_are_refused() {
    let frame = frame(&[("m", "a", 0, 10), ("n", "a", 0, 20)]);
    let says = |ranking: Ranking<'_>| rank(&frame, &ranking).unwrap_err().to_string();
    assert_eq!(says(BY_TIME), "cannot rank: only one policy (a)");
    assert_eq!(says(Ranking { by: "polcy", ..BY_TIME }), "the results have no column \"polcy\"");
    assert!(says(Ranking { measure: "machine", ..BY_TIME }).contains("machine has words"));
    let error = rank(&frame, &Ranking { by: "makespan", ..BY_TIME }).unwrap_err();
    let names = ["machine", "policy", "seed"];
    assert!(matches!(error, ViewError::NoCoordinate { coordinates, .. } if coordinates == names));
}

proptest! {
    // In a group of n contestants the ranks sum to n (n + 1) / 2, and each win is another contestant's loss.
    #[test]
    fn ranks_are_shared_out(values in proptest::collection::vec((0usize..4, 0usize..4, 1u64..6), 2..40)) {
        let names = ["a", "b", "c", "d"];
        let rows: Vec<_> =
            values.iter().map(|&(machine, policy, value)| (names[machine], names[policy], 0, value)).collect();
        let Ok(table) = rank(&frame(&rows), &BY_TIME) else { return Ok(()) };
        for machine in 0..table.machines.len() {
            let ranks: Vec<f64> =
                table.rows.iter().filter_map(|row| row.machine_ranks[machine]).collect();
            let count = ranks.len() as f64;
            prop_assert!((ranks.iter().sum::<f64>() - count * (count + 1.0) / 2.0).abs() < 1e-9);
        }
        for a in 0..table.rows.len() {
            prop_assert!(table.rows[a].mean_ratio.unwrap() >= 1.0 - 1e-12);
            for b in 0..table.rows.len() {
                match (table.wins[a][b], table.wins[b][a]) {
                    (Some(won), Some(lost)) => prop_assert!((won + lost - 1.0).abs() < 1e-12),
                    (won, lost) => prop_assert_eq!(won, lost),
                }
            }
        }
        prop_assert!(table.rows.windows(2).all(|pair| pair[0].mean_rank <= pair[1].mean_rank));
    }
}
