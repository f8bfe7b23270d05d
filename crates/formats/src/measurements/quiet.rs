//! Which samples count: those taken while the machine was ours.

use super::{Row, Sample};

/// What is still quiet. A sample beyond any of these is dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Processors that other processes kept busy.
    pub others: f64,
    /// Processors that the hypervisor gave away.
    pub steal: f64,
    /// Preemptions a second, where others were busy at all: our own threads preempt each other, too, when there
    /// are more of them than processors.
    pub waited: f64,
    /// What "busy at all" is, in processors.
    pub stirring: f64,
    /// Nanoseconds of a step of the chain of additions.
    pub pace: f64,
}

/// How many times the usual pace is too slow.
const SLOW: f64 = 1.1;

impl Default for Limits {
    /// Of a small machine whose usual pace nobody knows.
    fn default() -> Limits {
        Limits { others: 0.1, steal: 0.02, waited: 10.0, stirring: 0.02, pace: f64::INFINITY }
    }
}

impl Limits {
    /// Of a machine with so many processors, on which these rows were measured. Daemons are many on a large
    /// machine and have room there: what is quiet grows with it, from 50 processors on. The usual pace is the lower
    /// quartile: a neighbour on the same core, or heat, only ever makes it slower.
    pub fn of(rows: &[Row], processors: usize) -> Limits {
        let small = Limits::default();
        let scale = (processors as f64 / 50.0).max(1.0);
        let mut paces: Vec<f64> =
            rows.iter().flat_map(|row| &row.samples).map(|sample| sample.pace).collect();
        paces.retain(|pace| *pace > 0.0);
        paces.sort_by(f64::total_cmp);
        let pace = quantile(&paces, 0.25).map_or(f64::INFINITY, |usual| usual * SLOW);
        Limits { others: small.others * scale, steal: small.steal * scale, pace, ..small }
    }

    /// Whether somebody else was at work while this sample was taken.
    pub fn disturbed(&self, sample: &Sample) -> bool {
        sample.others > self.others
            || sample.steal > self.steal
            || sample.pace > self.pace
            || (sample.waited > self.waited && sample.others > self.stirring)
    }
}

/// The samples of a row that count, and what they say.
#[derive(Clone, Debug, PartialEq)]
pub struct Quiet {
    /// Their values, ascending.
    pub values: Vec<f64>,
    /// How many were left out.
    pub dropped: usize,
    /// Too few were quiet: all are here, and none of them can be trusted much.
    pub disturbed: bool,
    /// The median.
    pub median: f64,
    /// Half the range from the 10th to the 90th percentile, as a fraction of the median: "± so much" of one sample.
    pub spread: f64,
    /// Standard error of the median, in the unit of the values.
    pub error: f64,
}

impl Row {
    /// The samples that were taken while the machine was quiet. Where fewer than three are left, or fewer than a
    /// fifth, all count and the row is flagged.
    pub fn quiet(&self, limits: &Limits) -> Quiet {
        let kept: Vec<&Sample> = self.samples.iter().filter(|sample| !limits.disturbed(sample)).collect();
        let disturbed =
            kept.len() < self.samples.len() && (kept.len() < 3 || kept.len() * 5 < self.samples.len());
        let kept = if disturbed { self.samples.iter().collect() } else { kept };
        let dropped = self.samples.len() - kept.len();
        let mut values: Vec<f64> = kept.iter().map(|sample| sample.value).collect();
        values.sort_by(f64::total_cmp);
        let at = |part| quantile(&values, part).unwrap_or_default();
        let (median, spread) = (at(0.5), (at(0.9) - at(0.1)) / 2.0);
        let error = standard_error(&values).max(error_of_runs(&kept));
        Quiet {
            dropped,
            disturbed,
            median,
            spread: if median > 0.0 { spread / median } else { 0.0 },
            error,
            values,
        }
    }
}

/// Of the median of sorted values: sqrt(pi/2) sigma / sqrt(n), as for a normal distribution, with the sigma that
/// the interquartile range says (1.349 of them), which a few outliers do not change.
fn standard_error(values: &[f64]) -> f64 {
    let at = |part| quantile(values, part).unwrap_or_default();
    let sigma = (at(0.75) - at(0.25)) / 1.349;
    let count = values.len().max(1) as f64;
    (std::f64::consts::FRAC_PI_2 / count).sqrt() * sigma
}

/// The same of the medians of the runs, if there are several: what drifts between them does not get less by
/// sampling more within one.
fn error_of_runs(samples: &[&Sample]) -> f64 {
    let runs = samples.chunk_by(|a, b| a.run == b.run);
    let mut medians: Vec<f64> = runs
        .filter_map(|run| {
            let mut values: Vec<f64> = run.iter().map(|sample| sample.value).collect();
            values.sort_by(f64::total_cmp);
            quantile(&values, 0.5)
        })
        .collect();
    medians.sort_by(f64::total_cmp);
    if medians.len() < 3 { 0.0 } else { standard_error(&medians) }
}

/// Of sorted values, on the straight line between neighbours; nothing of nothing.
fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = part * last as f64;
    let (below, above) = (at.floor() as usize, at.ceil() as usize);
    let (low, high) = (*sorted.get(below)?, *sorted.get(above)?);
    Some(low + (high - low) * (at - below as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(samples: Vec<Sample>) -> Row {
        let [experiment, quantity, unit, source] = ["compute", "time", "ns", "f:1"].map(str::to_owned);
        Row { experiment, quantity, params: Vec::new(), unit, samples, source }
    }

    fn values(values: impl IntoIterator<Item = f64>) -> Vec<Sample> {
        values.into_iter().map(Sample::of).collect()
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    }

    /// Of 1 to 11 the median is the 6th. The 10th percentile lies at place 0.1 x 10 = 1 counted from 0, which is 2, the
    /// 90th at place 9, 10: spread (10 - 2) / 2 / 6 = 2/3. The quartiles lie at places 2.5 and 7.5: 3.5 and 8.5, so
    /// that sigma is 5 / 1.349, and the error sqrt(pi / 2 / 11) times that.
    #[test]
    fn statistics_by_hand() {
        let quiet = row(values((1..=11).rev().map(f64::from))).quiet(&Limits::default());
        assert_eq!((quiet.values.len(), quiet.dropped, quiet.disturbed), (11, 0, false));
        close(quiet.median, 6.0);
        close(quiet.spread, 2.0 / 3.0);
        close(quiet.error, (std::f64::consts::PI / 22.0).sqrt() * 5.0 / 1.349);
    }

    /// Between two samples, the median is half way; one sample has no spread.
    #[test]
    fn few_samples() {
        let two = row(values([4.0, 2.0])).quiet(&Limits::default());
        close(two.median, 3.0);
        // 2.2 to 3.8.
        close(two.spread, 0.8 / 3.0);
        let one = row(values([5.0])).quiet(&Limits::default());
        assert_eq!((one.median, one.spread, one.error, one.disturbed), (5.0, 0.0, 0.0, false));
    }

    /// Three runs, each without any spread: 10, 11 and 12. Quartiles of the runs are 10.5 and 11.5, sigma is 1 / 1.349
    /// and the error sqrt(pi / 2 / 3) times that, however many samples a run has. (Of all 300 it is smaller: quartiles
    /// 10 and 12, sigma 2 / 1.349, times sqrt(pi / 2 / 300).)
    #[test]
    fn drift_between_runs_is_an_error_that_samples_do_not_heal() {
        let of_run =
            |run: u32| values([10.0 + f64::from(run); 100]).into_iter().map(move |s| Sample { run, ..s });
        let quiet = row((0..3).flat_map(of_run).collect()).quiet(&Limits::default());
        close(quiet.error, (std::f64::consts::PI / 6.0).sqrt() / 1.349);
    }

    #[test]
    fn each_limit_drops_by_itself() {
        let limits = Limits { pace: 0.4, ..Limits::default() };
        let sample = Sample { pace: 0.35, ..Sample::of(1.0) };
        let disturbed = [
            Sample { others: 0.11, ..sample },
            Sample { steal: 0.021, ..sample },
            Sample { pace: 0.41, ..sample },
            Sample { waited: 11.0, others: 0.03, ..sample },
        ];
        let quiet = [
            Sample { others: 0.1, ..sample },
            Sample { steal: 0.02, ..sample },
            Sample { pace: 0.4, ..sample },
            // A team larger than the machine: its threads preempt each other.
            Sample { waited: 500.0, others: 0.0, ..sample },
        ];
        assert!(disturbed.iter().all(|sample| limits.disturbed(sample)));
        assert!(!quiet.iter().any(|sample| limits.disturbed(sample)));
        let quiet = row([disturbed, quiet].concat()).quiet(&limits);
        assert_eq!((quiet.values.len(), quiet.dropped, quiet.disturbed), (4, 4, false));
    }

    #[test]
    fn where_too_few_are_quiet_all_count() {
        let busy = Sample { others: 1.0, ..Sample::of(2.0) };
        let of = |quiet: usize, disturbed: usize| {
            let samples = [vec![Sample::of(1.0); quiet], vec![busy; disturbed]].concat();
            let quiet = row(samples).quiet(&Limits::default());
            (quiet.values.len(), quiet.dropped, quiet.disturbed)
        };
        assert_eq!(of(3, 12), (3, 12, false), "three, and a fifth");
        assert_eq!(of(3, 13), (16, 0, true), "less than a fifth");
        assert_eq!(of(2, 1), (3, 0, true), "less than three");
        assert_eq!(of(2, 0), (2, 0, false), "two, both quiet");
    }

    /// Paces 1, 2, 3, 4, 5: the lower quartile is 2, so 2.2 is too slow. Zeros are not known.
    #[test]
    fn the_usual_pace_is_the_lower_quartile() {
        let paces = [3.0, 0.0, 5.0, 1.0, 2.0, 0.0, 4.0];
        let samples = paces.map(|pace| Sample { pace, ..Sample::of(1.0) }).to_vec();
        let rows = [row(samples[..3].to_vec()), row(samples[3..].to_vec())];
        close(Limits::of(&rows, 2).pace, 2.2);
        assert_eq!(Limits::of(&[], 2), Limits::default());
    }

    /// 200 processors are four times 50: 0.4 of them may be busy with something else.
    #[test]
    fn large_machines_have_room_for_daemons() {
        let (small, large) = (Limits::of(&[], 50), Limits::of(&[], 200));
        close(small.others, 0.1);
        close(large.others, 0.4);
        close(large.steal, 0.08);
    }
}
