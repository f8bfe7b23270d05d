//! Two series at once: the points of the first, once for each value of the second.

use crate::progress::Progress;
use crate::{Files, ResolvedRun, StudyError, Variant, series, variants};
use numalab_results::{Input, Point, PointRun, Series, Summary};

/// Largest number of runs of two series, each policy counted.
pub const MOST_RUNS: usize = 10_000;

/// One value of the second series, with the points of the first.
pub struct Curve {
    /// Value of the second series, as typed.
    pub label: String,
    pub points: PointsOfCurve,
}

/// Points of the first series.
pub enum PointsOfCurve {
    /// Points of a run that has a series of its own: over a parameter of the workload, or the team size.
    Series(Box<ResolvedRun>),
    /// Runs that differ in something outside of the workload.
    Variants(Vec<Variant>),
}

impl PointsOfCurve {
    /// First run; `None` without a run.
    pub fn first(&self) -> Option<&ResolvedRun> {
        match self {
            PointsOfCurve::Series(run) => Some(run),
            PointsOfCurve::Variants(all) => all.first().map(|variant| &variant.run),
        }
    }

    /// Number of runs, each policy counted.
    pub fn runs(&self) -> usize {
        match self {
            PointsOfCurve::Series(run) => {
                run.series().map_or(1, |series| series.points.len()) * run.schedules.len()
            }
            PointsOfCurve::Variants(all) => all.iter().map(|variant| variant.run.schedules.len()).sum(),
        }
    }
}

/// Simulates each curve in turn, the points of each with at most `jobs` workers. `over` and `by` are the names of the first
/// and the second series. `None` without curves.
pub fn crossed(
    (over, by): (&str, &str),
    curves: &[Curve],
    files: &Files,
    jobs: Option<usize>,
    progress: &dyn Progress,
) -> Result<Option<Series>, StudyError> {
    let mut done: Vec<(&str, Series)> = Vec::new();
    for (number, curve) in curves.iter().enumerate() {
        let part = Part { whole: progress, number: number as u64, parts: curves.len() as u64 };
        let of_curve = match &curve.points {
            PointsOfCurve::Series(run) => match run.series() {
                Some(row) => series(run, row, files, jobs, &part).map(Some),
                None => Ok(None),
            },
            PointsOfCurve::Variants(all) => variants(over, all, files, jobs, &part),
        };
        match of_curve.map_err(|error| named(error, format!("{by} {}", curve.label))) {
            Ok(Some(series)) => done.push((&curve.label, series)),
            Ok(None) => {}
            Err(error) if error.is_stop() && !done.is_empty() => break,
            Err(error) => return Err(error),
        }
    }
    Ok(merged(by, done).map(|series| Series { over: over.to_owned(), ..series }))
}

/// The error with the name of its curve before the name of its point.
fn named(error: StudyError, curve: String) -> StudyError {
    match error {
        StudyError::OneOf { run, error } => StudyError::OneOf { run: format!("{curve}, {run}"), error },
        error => error.of(curve),
    }
}

/// Progress of one curve, as part of the progress of all.
struct Part<'a> {
    whole: &'a dyn Progress,
    number: u64,
    parts: u64,
}

impl Progress for Part<'_> {
    fn report(&self, done: u64, total: u64) {
        /// Steps of a curve: curves count their work in different units.
        const STEPS: u128 = 1 << 20;
        let within = STEPS * u128::from(done.min(total)) / u128::from(total.max(1));
        self.whole.report((u128::from(self.number) * STEPS + within) as u64, self.parts * STEPS as u64);
    }

    fn stops(&self) -> bool {
        self.whole.stops()
    }
}

/// One series of all curves. Points that not all curves have stand where their value belongs, if every curve ascends, and
/// behind the others otherwise.
fn merged(by: &str, curves: Vec<(&str, Series)>) -> Option<Series> {
    let ascends = |series: &Series| series.points.windows(2).all(|pair| pair[0].at < pair[1].at);
    let ascending = curves.iter().all(|(_, series)| ascends(series));
    let same = |text: fn(&Series) -> Option<String>| {
        let alike = curves.windows(2).all(|pair| text(&pair[0].1) == text(&pair[1].1));
        alike.then(|| curves.first().and_then(|(_, series)| text(series))).flatten()
    };
    let placement = same(|series| series.placement.clone());
    let bound = curves.windows(2).all(|pair| pair[0].1.binding == pair[1].1.binding);
    let inputs = |input: fn(&Series) -> Input| Input::of_all(curves.iter().map(|(_, series)| input(series)));
    let machine = inputs(|series| series.machine.clone());
    let workload = inputs(|series| series.workload.clone());
    let runtimes = curves.iter().filter_map(|(_, series)| series.runtime.clone());
    let runtime = Some(Input::of_all(runtimes));
    let replay = curves.iter().find_map(|(_, series)| series.replay.clone());
    let (mut points, mut summary): (Vec<Point>, Vec<Summary>) = Default::default();
    let mut first = None;
    for (label, series) in curves {
        let by = || Some(label.to_owned());
        for point in &series.points {
            let runs = point.runs.iter().map(|run| PointRun { by: by(), ..run.clone() });
            match points.iter_mut().find(|known| (&known.text, known.at) == (&point.text, point.at)) {
                Some(known) => known.runs.extend(runs),
                None => points.push(Point { runs: runs.collect(), ..point.clone() }),
            }
        }
        summary.extend(series.summary.iter().map(|one| Summary { by: by(), ..one.clone() }));
        first.get_or_insert(series);
    }
    if ascending {
        points.sort_by(|one, other| one.at.total_cmp(&other.at));
    }
    let first = first?;
    let binding = if bound { first.binding.clone() } else { None };
    let by = Some(by.to_owned());
    Some(Series { machine, workload, placement, binding, runtime, replay, by, points, summary, ..first })
}

#[cfg(test)]
mod tests;
