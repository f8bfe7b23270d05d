//! Intervals of simulated values: how far simulation and measurement were apart in other rows of the same kind.

use numalab_results::ValidationRow;

/// Part of the rows of a kind whose published values are to lie within the interval.
const COVERED: f64 = 0.9;

/// Smallest number of other rows from which an interval is taken: with fewer, nine in ten of them are all.
const LEAST: usize = 10;

/// True for two rows of one kind.
type Alike<'a> = &'a dyn Fn(&ValidationRow, &ValidationRow) -> bool;

/// Adds intervals to rows with a number. The interval of a row is `simulated / q` to `simulated × q`, where nine in ten
/// of the other rows of its kind are off by a factor of at most `q` (split conformal prediction, leave one out). The
/// kind is the narrowest of these with enough rows: machine and experiment, experiment and quantity, experiment,
/// quantity, all.
pub fn add(rows: &mut [ValidationRow]) {
    let factors: Vec<Option<f64>> = rows.iter().map(factor).collect();
    for at in 0..rows.len() {
        if factors[at].is_none() {
            continue;
        }
        let of = |is_alike: Alike<'_>| -> Option<f64> {
            let others = rows.iter().zip(&factors).enumerate().filter(|(other, _)| *other != at);
            let alike = others.filter(|(_, (row, _))| is_alike(row, &rows[at]));
            let mut found: Vec<f64> = alike.filter_map(|(_, (_, factor))| *factor).collect();
            found.sort_by(f64::total_cmp);
            let rank = (COVERED * (found.len() + 1) as f64).ceil() as usize;
            found.get(rank.checked_sub(1)?).copied().filter(|_| found.len() >= LEAST)
        };
        let kinds: [Alike<'_>; 5] = [
            &|a, b| (&a.machine, &a.experiment) == (&b.machine, &b.experiment),
            &|a, b| (&a.experiment, &a.quantity) == (&b.experiment, &b.quantity),
            &|a, b| a.experiment == b.experiment,
            &|a, b| a.quantity == b.quantity,
            &|_, _| true,
        ];
        let found = kinds.into_iter().find_map(of);
        if let (Some(factor), Some(simulated)) = (found, rows[at].simulated) {
            rows[at].interval = Some((simulated / factor, simulated * factor));
        }
    }
}

/// Factor between the published and the simulated value of a prediction, at least 1; `None` for other rows, and for
/// values of which one is not above 0.
fn factor(row: &ValidationRow) -> Option<f64> {
    let (published, simulated) = (row.published?, row.simulated?);
    let is_number = row.expected.is_none() && row.role == "predict" && !row.stated;
    (is_number && published > 0.0 && simulated > 0.0)
        .then(|| (published / simulated).max(simulated / published))
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use proptest::prelude::*;

    pub fn row(experiment: &str, factor: f64) -> ValidationRow {
        ValidationRow {
            id: String::new(),
            source: String::new(),
            machine: "m".to_owned(),
            experiment: experiment.to_owned(),
            quantity: "makespan".to_owned(),
            params: String::new(),
            role: "predict".to_owned(),
            published: Some(10.0),
            expected: None,
            simulated: Some(10.0 * factor),
            found: None,
            unit: "s".to_owned(),
            error: Some(factor - 1.0),
            tolerance: 0.25,
            within: Some(true),
            interval: None,
            seeds: 1,
            over_seeds: None,
            commands: Vec::new(),
            stated: false,
            reason: None,
            note: String::new(),
        }
    }

    /// Twenty rows off by 1 to 20 %. Each has nineteen others, of which the 0.9 x 20 = 18th factor counts. The last row's
    /// others are 1.01 to 1.19, and the eighteenth of these is 1.18.
    #[test]
    fn nine_in_ten_of_the_others_decide() {
        let mut rows: Vec<ValidationRow> =
            (1..=20).map(|percent| row("a", 1.0 + f64::from(percent) / 100.0)).collect();
        add(&mut rows);
        let of = |at: usize| rows[at].interval.unwrap();
        assert!((of(19).0 - 12.0 / 1.18).abs() < 1e-12 && (of(19).1 - 12.0 * 1.18).abs() < 1e-12);
        // Without the first row the others are 1.02 to 1.20, in which the eighteenth is 1.19.
        assert!((of(0).1 - 10.1 * 1.19).abs() < 1e-12);
    }

    /// A kind of nine rows borrows from the kind around it.
    #[test]
    fn few_rows_have_no_kind_of_their_own() {
        let mut rows: Vec<ValidationRow> = (0..9).map(|_| row("few", 1.0)).collect();
        rows.extend((0..40).map(|_| row("many", 2.0)));
        add(&mut rows);
        assert_eq!(rows[0].interval, Some((5.0, 20.0)));
    }

    #[test]
    fn other_rows_have_no_interval() {
        let mut rows: Vec<ValidationRow> = (0..30).map(|_| row("a", 1.1)).collect();
        rows[0].stated = true;
        rows[1].role = "characterise".to_owned();
        rows[2].expected = Some("1-2".to_owned());
        rows[3].simulated = None;
        add(&mut rows);
        assert!(rows[..4].iter().all(|row| row.interval.is_none()));
        assert!(rows[4..].iter().all(|row| row.interval.is_some()));
    }

    proptest! {
        /// Law: Of rows of one kind, nine in ten published values lie in their intervals, give or take a row.
        #[test]
        fn intervals_cover(factors in prop::collection::vec(1.0f64..3.0, 30..80)) {
            let mut rows: Vec<ValidationRow> = factors.into_iter().map(|factor| row("a", factor)).collect();
            add(&mut rows);
            let inside = |row: &ValidationRow| {
                let (low, high) = row.interval.unwrap();
                (low * (1.0 - 1e-12)..=high * (1.0 + 1e-12)).contains(&row.published.unwrap())
            };
            let covered = rows.iter().filter(|row| inside(row)).count() as f64;
            prop_assert!((covered / rows.len() as f64 - COVERED).abs() <= 1.5 / rows.len() as f64 + 0.02);
        }
    }
}
