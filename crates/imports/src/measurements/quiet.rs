//! Choice of the samples that count: those taken while the machine was ours.

use super::{Row, Sample, States};

/// Limits of quiet. A sample beyond any of these is dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Processors that other processes kept busy.
    pub others: f64,
    /// Processors that the hypervisor gave away.
    pub steal: f64,
    /// Preemptions a second, where others were busy at all: our own threads preempt each other, too, when there
    /// are more of them than processors.
    pub waited: f64,
    /// Load from which on a machine counts as busy at all, in processors.
    pub stirring: f64,
    /// Nanoseconds of a step of the chain of additions.
    pub pace: f64,
    /// Distances of the ends of teams.
    pub states: States,
}

/// Multiple of the usual pace that is too slow. A core slows down by a sixth or so where many compute or memory is busy: a
/// state of the machine, not a disturbance, and what is measured in it is measured.
const SLOW: f64 = 1.25;

impl Default for Limits {
    /// Limits of a small machine whose usual pace nobody knows.
    fn default() -> Limits {
        Limits {
            others: 0.2,
            steal: 0.02,
            waited: 10.0,
            stirring: 0.02,
            pace: f64::INFINITY,
            states: States::default(),
        }
    }
}

impl Limits {
    /// Limits of a machine with so many processors, on which these rows were measured. Daemons are many on a large
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
        Limits {
            others: small.others * scale,
            steal: small.steal * scale,
            pace,
            states: States::of(rows),
            ..small
        }
    }

    /// Whether somebody else was at work while this sample was taken.
    pub fn disturbed(&self, sample: &Sample) -> bool {
        // What is left after a reference that somebody held up.
        sample.value <= 0.0
            || sample.others > self.others
            || sample.steal > self.steal
            || sample.pace > self.pace
            || (sample.waited > self.waited && sample.others > self.stirring)
    }

    /// Whether its team was in another state than is usual for the processors at its ends.
    pub fn elsewhere(&self, sample: &Sample) -> bool {
        sample.apart.is_some_and(|apart| !self.states.is_usual(apart))
    }
}

/// The samples of a row that count, and what they say.
#[derive(Clone, Debug, PartialEq)]
pub struct Quiet {
    /// Their values, ascending.
    pub values: Vec<f64>,
    /// Number of samples that were left out.
    pub dropped: usize,
    /// Too few were quiet: these were the quietest, and none of them can be trusted much.
    pub disturbed: bool,
    /// The median.
    pub median: f64,
    /// Half the range from the 10th to the 90th percentile, as a fraction of the median: "± so much" of one sample.
    pub spread: f64,
    /// Standard error of the median, in the unit of the values.
    pub error: f64,
}

impl Quiet {
    /// Logarithm of the factor from the median to the 10th or the 90th percentile, whichever is farther. Of samples close
    /// together it is the spread; of a few that are many times the others it is not as many times, but its logarithm.
    pub fn scatter(&self) -> f64 {
        let side = |part: f64| {
            let at = quantile(&self.values, part).filter(|at| *at > 0.0 && self.median > 0.0);
            at.map_or(0.0, |at| (at / self.median).ln().abs())
        };
        side(0.1).max(side(0.9))
    }
}

impl Row {
    /// The samples that were taken while the machine was quiet, and in its usual state. Where fewer than three are quiet, or
    /// fewer than a fifth, the quietest fifth counts, at least three, and the row is flagged; where fewer than three are of
    /// the usual state, those of all states do, and it is flagged too.
    pub fn quiet(&self, limits: &Limits) -> Quiet {
        let kept: Vec<&Sample> = self.samples.iter().filter(|sample| !limits.disturbed(sample)).collect();
        let busy = kept.len() < self.samples.len() && (kept.len() < 3 || kept.len() * 5 < self.samples.len());
        let quiet = if busy { self.quietest() } else { kept };
        let usual: Vec<&Sample> = quiet.iter().copied().filter(|sample| !limits.elsewhere(sample)).collect();
        let moved = usual.len() < quiet.len() && usual.len() < 3;
        let kept = if moved { quiet } else { usual };
        let disturbed = busy || moved;
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

impl Row {
    /// A fifth of the samples, at least three, in the order in which they were taken.
    fn quietest(&self) -> Vec<&Sample> {
        let mut order: Vec<usize> = (0..self.samples.len()).collect();
        let noise = |at: &usize| self.samples[*at].others + self.samples[*at].steal;
        order.sort_by(|a, b| noise(a).total_cmp(&noise(b)));
        order.truncate(self.samples.len().div_ceil(5).max(3));
        order.sort_unstable();
        order.into_iter().map(|at| &self.samples[at]).collect()
    }
}

/// Standard error of the median of sorted values: sqrt(pi/2) sigma / sqrt(n), as for a normal distribution, with
/// the sigma that the interquartile range gives (1.349 of them), which a few outliers do not change.
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

/// Quantile of sorted values, on the straight line between neighbours; `None` of no values.
fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = part * last as f64;
    let (below, above) = (at.floor() as usize, at.ceil() as usize);
    let (low, high) = (*sorted.get(below)?, *sorted.get(above)?);
    Some(low + (high - low) * (at - below as f64))
}

#[cfg(test)]
mod tests;
