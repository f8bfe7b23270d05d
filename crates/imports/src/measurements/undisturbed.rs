//! Selection of the samples that count: those of an undisturbed machine.

use super::{Row, Sample, States};

/// Limits of undisturbed samples. A sample beyond any of them is dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Largest number of processors kept busy by other processes.
    pub others: f64,
    /// Largest number of processors that the hypervisor gave to other guests.
    pub steal: f64,
    /// Largest number of preemptions per second, checked only if other processes were busy: threads of a team larger
    /// than the machine preempt each other, too.
    pub waited: f64,
    /// Load, in processors, from which other processes count as busy.
    pub stirring: f64,
    /// Longest step of the chain of additions, in nanoseconds.
    pub pace: f64,
    /// Usual times of handing a line from a team's first to its last thread, by their processors.
    pub states: States,
}

/// Factor of the usual time of a step above which a processor is too slow. A core slows down by about a sixth if many
/// cores compute or memory is busy; a slowdown of that size is a state of the machine, not a disturbance.
const SLOW: f64 = 1.25;

impl Default for Limits {
    /// Limits of a small machine with unknown pace.
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
    /// Limits of a machine with this many processors, on which `rows` were measured. Limits of other processes and
    /// guests grow with the machine from 50 processors on, since a large machine has more daemons and more room for
    /// them. The usual pace is the lower quartile: a neighbour on the same core, or heat, only ever makes steps
    /// longer.
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

    /// True if the sample exceeds a limit: other work ran while it was taken, or the subtracted reference took longer
    /// than the measurement.
    pub fn disturbed(&self, sample: &Sample) -> bool {
        // A value of 0 or less means that the subtracted reference was disturbed.
        sample.value <= 0.0
            || sample.others > self.others
            || sample.steal > self.steal
            || sample.pace > self.pace
            || (sample.waited > self.waited && sample.others > self.stirring)
    }

    /// True if handing a line from the team's first to its last thread took another time than usual for their
    /// processors.
    pub fn elsewhere(&self, sample: &Sample) -> bool {
        sample.apart.is_some_and(|apart| !self.states.is_usual(apart))
    }
}

/// Samples of a row that count, and their statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct Undisturbed {
    /// Values of the samples that count, in ascending order.
    pub values: Vec<f64>,
    /// Number of samples that were dropped.
    pub dropped: usize,
    /// True if too few samples were undisturbed or in the usual state; `values` then include others and are
    /// unreliable.
    pub disturbed: bool,
    pub median: f64,
    /// Half the range from the 10th to the 90th percentile, as a fraction of the median: the "±" of one sample.
    pub spread: f64,
    /// Standard error of the median, in the unit of the values.
    pub error: f64,
}

impl Undisturbed {
    /// Logarithm of the factor from the median to the 10th or the 90th percentile, the larger of the two. It equals
    /// `spread` for samples close together, and grows slowly for a few far outliers.
    pub fn scatter(&self) -> f64 {
        let side = |part: f64| {
            let at = quantile(&self.values, part).filter(|at| *at > 0.0 && self.median > 0.0);
            at.map_or(0.0, |at| (at / self.median).ln().abs())
        };
        side(0.1).max(side(0.9))
    }
}

impl Row {
    /// Samples of the undisturbed machine in its usual state. If fewer than three samples, or fewer than a fifth, are
    /// undisturbed, the least disturbed fifth counts, at least three. If fewer than three are in the usual state, all
    /// states count. In both cases the row is flagged.
    pub fn undisturbed(&self, limits: &Limits) -> Undisturbed {
        let kept: Vec<&Sample> = self.samples.iter().filter(|sample| !limits.disturbed(sample)).collect();
        let busy = kept.len() < self.samples.len() && (kept.len() < 3 || kept.len() * 5 < self.samples.len());
        let undisturbed = if busy { self.least_disturbed() } else { kept };
        let usual: Vec<&Sample> =
            undisturbed.iter().copied().filter(|sample| !limits.elsewhere(sample)).collect();
        let moved = usual.len() < undisturbed.len() && usual.len() < 3;
        let kept = if moved { undisturbed } else { usual };
        let disturbed = busy || moved;
        let dropped = self.samples.len() - kept.len();
        let mut values: Vec<f64> = kept.iter().map(|sample| sample.value).collect();
        values.sort_by(f64::total_cmp);
        let at = |part| quantile(&values, part).unwrap_or_default();
        let (median, spread) = (at(0.5), (at(0.9) - at(0.1)) / 2.0);
        let error = standard_error(&values).max(error_of_runs(&kept));
        Undisturbed {
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
    /// The least disturbed fifth of the samples, at least three, in the order of measurement.
    fn least_disturbed(&self) -> Vec<&Sample> {
        let mut order: Vec<usize> = (0..self.samples.len()).collect();
        let noise = |at: &usize| self.samples[*at].others + self.samples[*at].steal;
        order.sort_by(|a, b| noise(a).total_cmp(&noise(b)));
        order.truncate(self.samples.len().div_ceil(5).max(3));
        order.sort_unstable();
        order.into_iter().map(|at| &self.samples[at]).collect()
    }
}

/// Standard error of the median of sorted values: sqrt(pi/2) sigma / sqrt(n), as for a normal distribution, with
/// sigma = interquartile range / 1.349, which a few outliers do not change.
fn standard_error(values: &[f64]) -> f64 {
    let at = |part| quantile(values, part).unwrap_or_default();
    let sigma = (at(0.75) - at(0.25)) / 1.349;
    let count = values.len().max(1) as f64;
    (std::f64::consts::FRAC_PI_2 / count).sqrt() * sigma
}

/// Standard error of the runs' medians, if there are at least three runs. More samples of one run do not reduce the
/// drift between runs.
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

/// Quantile of sorted values, interpolated linearly; `None` if empty.
fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = part * last as f64;
    let (below, above) = (at.floor() as usize, at.ceil() as usize);
    let (low, high) = (*sorted.get(below)?, *sorted.get(above)?);
    Some(low + (high - low) * (at - below as f64))
}

#[cfg(test)]
mod tests;
