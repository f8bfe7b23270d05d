//! Verdicts: the times of a case before and after the change of a law.

use crate::law::{Law, Promise, SCALE, Subject};
use crate::run::{Place, Question, nameless, range, steps};
use crate::workload::Kind;
use numalab_results::Replicas;
use std::fmt;

/// Relative lengthening that passes for every run.
const TOLERANCE: f64 = 0.005;

/// Runs whose intervals are compared if the nominal runs break a law, and then if these intervals are apart: of two
/// samples of five of the same times, one in 126 pairs is.
const REPLICAS: [u32; 2] = [5, 40];

/// A law that a case breaks.
#[derive(Clone, Debug)]
pub struct Broken {
    /// Times in picoseconds that were compared.
    pub before: u64,
    pub after: u64,
    /// First difference of two runs that should be the same.
    pub difference: Option<String>,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} ps", self.before, self.after)?;
        self.difference.iter().try_for_each(|difference| write!(f, ", {difference}"))
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
    let (place, mut subject) = question.subject()?;
    (law.given)(&mut subject);
    let Some(changed) = law.changed(&subject) else { return Ok(Verdict::Unchanged) };
    if law.promise == Promise::Same {
        return same(&place, &subject, &changed);
    }
    let mut verdict = Verdict::Holds;
    for count in [1].into_iter().chain(REPLICAS) {
        let (before, after) = (place.run(&subject, count)?, place.run(&changed, count)?);
        let (before_ps, after_ps) = compared(law, question, range(&before), range(&after));
        if passes(law, before_ps, after_ps, steps(&before).max(steps(&after))) {
            return Ok(Verdict::Holds);
        }
        verdict = Verdict::Broken(Broken { before: before_ps, after: after_ps, difference: None });
    }
    Ok(verdict)
}

/// Compares all that two runs and their replicas say.
fn same(place: &Place, subject: &Subject, changed: &Subject) -> Result<Verdict, String> {
    let run = |subject| place.run(subject, 2);
    let (before, after) = (run(subject)?, run(changed)?);
    let (first, second) = (nameless(&before, &subject.nodes), nameless(&after, &changed.nodes));
    let lines = || first.lines().zip(second.lines());
    let difference = match lines().find(|(first, second)| first != second) {
        None if first.len() == second.len() => return Ok(Verdict::Holds),
        None => "one run has more to say".to_owned(),
        Some((first, second)) => format!("{} -> {}", first.trim(), second.trim()),
    };
    let difference = Some(difference);
    Ok(Verdict::Broken(Broken { before: before.makespan_ps, after: after.makespan_ps, difference }))
}

/// The two times that decide a case, of the replicas before and after the change.
fn compared(law: &Law, question: &Question, before: Replicas, after: Replicas) -> (u64, u64) {
    let certain =
        question.threads == 1 || (kind(&question.workload) == Kind::Loop && question.policy == "static");
    match law.promise {
        // The lock of a page may vary.
        _ if certain => (before.median_ps, after.median_ps),
        // The intervals must overlap.
        Promise::Scales => {
            let nearest = after.low_ps.max(before.low_ps * SCALE).min(after.high_ps);
            (nearest.div_ceil(SCALE).clamp(before.low_ps, before.high_ps), nearest)
        }
        Promise::NotSlower | Promise::Same => (before.high_ps, after.low_ps),
    }
}

/// The bound of a law. Every step rounds up to a picosecond, and a step before the change of `time_scale` counts
/// [`SCALE`] times.
fn passes(law: &Law, before: u64, after: u64, steps: u64) -> bool {
    match law.promise {
        Promise::Scales => after.abs_diff(before * SCALE) <= SCALE * steps,
        Promise::NotSlower => after as f64 <= before as f64 * (1.0 + TOLERANCE),
        Promise::Same => after == before,
    }
}
