//! Verdicts: the times of a case before and after the change of a law.

use crate::law::{Law, SCALE, Subject};
use crate::run::{MORE_REPLICAS, Place, Question, REPLICAS, Timed};
use crate::workload::Kind;
use std::fmt;

/// Relative lengthening that passes for every run.
const TOLERANCE: f64 = 0.005;

/// Longest iteration of a generated loop, in mean iterations: `1 + i % 7` is 7 at most and 4 in the mean.
const LONGEST_ITERATION: f64 = 1.75;

/// A law that a case breaks.
#[derive(Clone, Debug)]
pub struct Broken {
    /// Times in picoseconds that were compared.
    pub before: u64,
    pub after: u64,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} ps", self.before, self.after)
    }
}

/// Outcome of a case.
#[derive(Clone, Debug)]
pub enum Verdict {
    Holds,
    Broken(Broken),
    /// The law changes nothing of the case.
    Unchanged,
}

/// Times of a broken case, or the error of one that does not run; `None` if the law holds.
pub fn failure(verdict: &Result<Verdict, String>) -> Option<String> {
    match verdict {
        Ok(Verdict::Holds | Verdict::Unchanged) => None,
        Ok(Verdict::Broken(times)) => Some(times.to_string()),
        Err(error) => Some(error.clone()),
    }
}

/// Kind of the measured phases of a workload file.
pub fn kind(workload: &str) -> Kind {
    match () {
        () if workload.contains("\n    tasks:") => Kind::Tasks,
        () if workload.contains("construct:") => Kind::Construct,
        () => Kind::Loop,
    }
}

/// Judges one case. An error is a case that does not run.
pub fn judge(law: &Law, question: &Question) -> Result<Verdict, String> {
    let (place, subject) = question.subject()?;
    let Some(changed) = law.changed(&subject) else { return Ok(Verdict::Unchanged) };
    let (before, after) = (place.time(&subject, 0)?, place.time(&changed, 0)?);
    if passes(law, before, after) {
        return Ok(Verdict::Holds);
    }
    let mut verdict = Verdict::Holds;
    for count in [REPLICAS, MORE_REPLICAS] {
        let (befores, afters) = (replicas(&place, &subject, count)?, replicas(&place, &changed, count)?);
        let (before, after) = compared(law, question, &subject, &befores, &afters);
        if passes(law, before, after) {
            return Ok(Verdict::Holds);
        }
        verdict = Verdict::Broken(Broken { before: before.makespan_ps, after: after.makespan_ps });
    }
    Ok(verdict)
}

/// The two times that decide a case, of its replicas before and after the change, shortest first.
fn compared(
    law: &Law,
    question: &Question,
    subject: &Subject,
    befores: &[Timed],
    afters: &[Timed],
) -> (Timed, Timed) {
    let kind = kind(&question.workload);
    let certain = question.threads == 1 || (kind == Kind::Loop && question.policy == "static");
    let middle = befores.len() / 2;
    let ((first, worst), (best, last)) =
        ((befores[0], befores[befores.len() - 1]), (afters[0], afters[afters.len() - 1]));
    match (certain, law.scales()) {
        // The median: the lock of a page may vary.
        (true, _) => (befores[middle], afters[middle]),
        // The intervals of the replicas must overlap.
        (false, true) => {
            let nearest = best.makespan_ps.max(first.makespan_ps * SCALE).min(last.makespan_ps);
            let makespan_ps = nearest.div_ceil(SCALE).clamp(first.makespan_ps, worst.makespan_ps);
            (Timed { makespan_ps, ..first }, Timed { makespan_ps: nearest, ..best })
        }
        (false, false) => {
            let room = worst.makespan_ps as f64 * (1.0 + granule(question, subject, kind));
            (Timed { makespan_ps: room as u64, ..worst }, best)
        }
    }
}

/// The bound of the law `time_scale`: every step rounds up to a picosecond, and a step before the change counts
/// [`SCALE`] times.
fn passes(law: &Law, before: Timed, after: Timed) -> bool {
    let (first, second) = (before.makespan_ps, after.makespan_ps);
    match law.scales() {
        true => second.abs_diff(first * SCALE) <= SCALE * before.steps.max(after.steps),
        false => second as f64 <= first as f64 * (1.0 + TOLERANCE),
    }
}

/// Times of all replicas, shortest first.
fn replicas(place: &Place, subject: &Subject, count: u64) -> Result<Vec<Timed>, String> {
    let mut times = (0..count).map(|seed| place.time(subject, seed)).collect::<Result<Vec<_>, _>>()?;
    times.sort_by_key(|time| time.makespan_ps);
    Ok(times)
}

/// Part of a makespan by which the last chunk decides it: a list schedule of the same chunks in another order ends up
/// to one chunk later (Graham 1969), and no more than twice as late.
fn granule(question: &Question, subject: &Subject, kind: Kind) -> f64 {
    let iterations = subject.parameters.iter().find(|(name, _)| name == "n").map_or(1, |(_, n)| *n) as f64;
    let chunk = match question.policy.split_once(',') {
        Some((_, chunk)) => chunk.parse().unwrap_or(1.0),
        // The first chunk is the largest.
        None if question.policy == "guided" => (iterations / f64::from(question.threads)).max(1.0),
        None => 1.0,
    };
    match kind {
        Kind::Loop => (LONGEST_ITERATION * chunk * f64::from(question.threads) / iterations).min(1.0),
        // A task cannot start before its parent: with dependences the bound of two is all that holds.
        Kind::Tasks => 1.0,
        Kind::Construct => 0.0,
    }
}
