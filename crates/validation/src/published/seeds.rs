//! Values of a row under several seeds: a row is judged by the seed with the median error.

use super::RowContext;
use super::expected::Expected;
use numalab_results::ValidationRow;
use numalab_study::{RunSpec, StudyError};
use std::cmp::Ordering;

/// Simulated values of a row, one list for each seed, and the runs under the first seed.
pub struct OverSeeds {
    lists: Vec<Vec<f64>>,
    pub runs: Vec<RunSpec>,
}

/// Simulates a row under up to `seeds` seeds: two if both have the same values, one if no run has any. `simulate`
/// returns the values of one seed, which its context has.
pub fn simulate(
    context: &RowContext<'_>,
    seeds: u32,
    simulate: impl Fn(&RowContext<'_>) -> Result<Vec<f64>, StudyError>,
) -> Result<OverSeeds, StudyError> {
    let of_first = context.of_row(0);
    let mut lists = vec![simulate(&of_first)?];
    let runs = of_first.runs();
    let seeds = if runs.is_empty() { 1 } else { seeds };
    for seed in 1..seeds {
        lists.push(simulate(&context.of_row(seed.into()))?);
        if lists[1] == lists[0] {
            break;
        }
    }
    Ok(OverSeeds { lists, runs })
}

impl OverSeeds {
    /// Row judged by the seed with the median error; of an even number of seeds, by the lower of both. An order that
    /// differs from the published one counts as a larger error than an order that agrees.
    pub fn judge(&self, expected: &Expected, row: &ValidationRow) -> ValidationRow {
        let judged = self.lists.iter().map(|values| {
            let mut row = row.clone();
            expected.judge(values, &mut row);
            row
        });
        let mut judged: Vec<ValidationRow> = judged.collect();
        judged.sort_by(by_error);
        let values = judged.iter().filter_map(|row| row.simulated);
        let ends = values.fold(None, |ends: Option<(f64, f64)>, value| {
            Some(ends.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
        });
        let mut row = judged.swap_remove((judged.len() - 1) / 2);
        row.seeds = self.lists.len() as u32;
        row.over_seeds = ends.filter(|(low, high)| low < high);
        row
    }
}

fn by_error(a: &ValidationRow, b: &ValidationRow) -> Ordering {
    let error = |row: &ValidationRow| row.error.unwrap_or(f64::from(row.within == Some(false)));
    error(a).total_cmp(&error(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::reference::published_as;
    use crate::published::workloads;
    use std::cell::RefCell;

    /// A row whose values differ has all seeds; one whose first two seeds agree has two; a value without a run has one.
    #[test]
    fn seeds_that_agree_are_enough() {
        let context = RowContext::default();
        let seeds = |has_runs: bool, differ: bool| {
            let seen = RefCell::new(Vec::new());
            let values = simulate(&context, 4, |context| {
                seen.borrow_mut().push(context.seed);
                if has_runs {
                    context.add_run(RunSpec::new("bcs16", "loadbal"));
                }
                Ok(vec![if differ { context.seed as f64 } else { 1.0 }])
            });
            assert_eq!(values.unwrap().lists.len(), seen.borrow().len());
            seen.into_inner()
        };
        assert_eq!(seeds(true, true), [0, 1, 2, 3]);
        assert_eq!(seeds(true, false), [0, 1]);
        assert_eq!(seeds(false, true), [0]);
    }

    /// Errors 0.5, -0.1 and 0.2 of a published 10: the median is 0.2, and the values reach from 9 to 15.
    #[test]
    fn the_median_error_counts() {
        let row = crate::published::interval::tests::row("a", 1.0);
        let lists = vec![vec![15.0], vec![9.0], vec![12.0]];
        let judged = OverSeeds { lists, runs: Vec::new() }.judge(&Expected::Number(10.0), &row);
        assert_eq!((judged.simulated, judged.seeds, judged.over_seeds), (Some(12.0), 3, Some((9.0, 15.0))));
        let lists = vec![vec![9.0], vec![9.0]];
        let judged = OverSeeds { lists, runs: Vec::new() }.judge(&Expected::Number(10.0), &row);
        assert_eq!((judged.simulated, judged.seeds, judged.over_seeds), (Some(9.0), 2, None));
    }

    /// A row under a seed is the run of the workload under that seed.
    #[test]
    fn the_seed_reaches_the_run() {
        let row = published_as("lb.bcs.dynamic").with("schedule=numa-steal:random;threads=128".to_owned());
        let context = RowContext::default();
        let value = |seed: u64| workloads::simulate(&row, &context.of_row(seed)).unwrap().unwrap();
        let spec = workloads::resolve(&row, &context.files).unwrap().unwrap().spec;
        let run = RunSpec { seed: 7, series: false, ..spec };
        let runs = run.resolve(&context.files).unwrap().simulate(None, &()).unwrap();
        assert_eq!(value(7), runs[0].makespan_ps as f64 / 1e12);
        assert_ne!(value(0), value(7));
    }
}
