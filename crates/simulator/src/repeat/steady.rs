//! Repetitions of phases: finds a state that returns, proves its period, and counts the periods that follow.
//!
//! The proof takes three snapshots, one period apart. They are equal except for counters. Every counter grew as much
//! from the second snapshot to the third as from the first to the second, and every decision about counters had the
//! same difference in both periods (see `snapshot` in `numalab_runtime`). So the next period is like the last, until
//! the scanner of automatic balancing walks. The clock stands still while periods are counted: only the scanner and
//! idle processors depend on the clock, and in a proved period no idle processor could have found a thread.

// Glossary: period: Number of repetitions after which a state comes back.

use crate::account::observer::Listener;
use crate::account::observer::Listeners;
use crate::account::totals::Record;
use crate::engine::simulation::Simulation;
use crate::error::SimulationError;
use crate::repeat::sample::Samples;
use crate::repeat::times::{LEAST, Times};
use numalab_base::Snapshot;

/// Number of repetitions after a kept state that are all compared with it. A longer period is found only if it is a
/// power of two.
const LONGEST_PERIOD: u64 = 8;

/// Number of periods that are simulated for the proof.
pub(crate) const PROOF: u64 = 2;

/// The search ends after this number of failed proofs, or of states without a whole snapshot (`Snapshot::refuse`).
const PATIENCE: u32 = 4;

/// Search for a state that returns: Brent's cycle detection, with the state kept after 1, 2, 4, 8, ... repetitions.
#[derive(Default)]
pub(crate) struct Search {
    /// Number of repetitions since the search began.
    pub passed: u64,
    kept: Option<(u64, Snapshot)>,
    /// Number of repetitions at the last look, so that a state is not compared with itself.
    looked: Option<u64>,
    failures: u32,
    /// Number of states whose snapshot was not whole.
    refused: u32,
    over: bool,
}

impl Search {
    /// Length of a period and the present state, if this state equals the kept one and `left`, the number of
    /// repetitions that remain, is more than [`PROOF`] periods. `state` is called only if a snapshot is due.
    pub fn period(&mut self, left: u64, state: impl FnOnce() -> Snapshot) -> Option<(u64, Snapshot)> {
        if self.looked.replace(self.passed) == Some(self.passed) {
            return None;
        }
        let since = self.kept.as_ref().map(|(kept, _)| self.passed - kept);
        let due = self.passed.is_power_of_two() || since.is_some_and(|since| since <= LONGEST_PERIOD);
        if self.over || !due || left <= PROOF {
            return None;
        }
        let state = state();
        if !state.is_whole() {
            // For example, the schedule `align` marks pages while it learns.
            self.refused += 1;
            self.over = self.refused == PATIENCE;
            return None;
        }
        if let (Some(since), Some((_, kept))) = (since, &self.kept)
            && state.is_like(kept)
            && left > PROOF * since
        {
            return Some((since, state));
        }
        if self.passed.is_power_of_two() {
            self.kept = Some((self.passed, state));
        }
        None
    }

    /// Begins a new search after a proof that holds. A failed proof counts against [`PATIENCE`], unless a clocked
    /// event changed the state: the scanner walked, or an idle processor could have found a thread. `clocked`: number
    /// of clocked events so far.
    pub fn conclude(&mut self, proof: &Proof, clocked: u64) {
        if proof.holds(clocked) {
            *self = Search::default();
        } else if proof.clocked == clocked {
            self.failures += 1;
            self.over = self.failures == PATIENCE;
        }
    }
}

/// Two periods that are compared with each other.
pub(crate) struct Proof {
    clocked: u64,
    /// States at the beginning of the first period and at the end of each period. `decisions`: hash of the decisions
    /// in each period.
    states: Vec<Snapshot>,
    decisions: Vec<u128>,
}

impl Proof {
    /// Begins a proof in a state that occurred before.
    pub fn new(first: Snapshot, clocked: u64) -> Proof {
        Proof { clocked, states: vec![first], decisions: Vec::new() }
    }

    /// Adds the state at the end of a period and the decisions in it. [`Proof::holds`] needs two periods.
    pub fn end_period(&mut self, state: Snapshot, decisions: u128) {
        self.states.push(state);
        self.decisions.push(decisions);
    }

    /// True if the next period is like the last of the two, unless a clocked event (`Source::clocked`) falls into it.
    pub fn holds(&self, clocked: u64) -> bool {
        let ([first, middle, last], [decided, decided_again]) = (&self.states[..], &self.decisions[..])
        else {
            return false;
        };
        let alike = middle.is_like(first) && last.is_like(middle) && last.counts_on(middle, first);
        alike && decided == decided_again && self.clocked == clocked
    }
}

/// Executes `once` `times` times. Repetitions that are proved equal to earlier ones are counted instead; if none are,
/// and `exact` is false, samples of nearly equal ones stand for others.
pub(crate) fn repeat<'a, O: Listener>(
    (times, exact): (u64, bool),
    record: &mut Record,
    world: &mut Simulation<'a>,
    listeners: &mut Listeners<'_, O>,
    mut once: impl FnMut(&mut Record, &mut Simulation<'a>, &mut Listeners<'_, O>) -> Result<(), SimulationError>,
) -> Result<(), SimulationError> {
    let mut once = |record: &mut Record, world: &mut Simulation<'a>, listeners: &mut Listeners<'_, O>| {
        once(record, world, listeners)?;
        if times > 1 {
            world.caches.settle();
        }
        Ok(())
    };
    let mut search = Search::default();
    let mut left = times;
    let counts = !O::ACTIVE || listeners.observer.counts_periods();
    let mut samples = Samples::new(counts && !exact && world.dsm.is_none());
    while left > 0 {
        let mut found = if counts { search.period(left, || snapshot(record, world)) } else { None };
        if found.is_none() && samples.due(search.passed, left).is_some() {
            let clocked = world.clocked();
            listeners.observer.period_begins();
            let mut sample = record.next();
            let mut each = Times::default();
            // A state may also come back inside a sample. What remains is then counted.
            while found.is_none() && each.goes_on(times - left, left) {
                let before = sample.took();
                once(&mut sample, world, listeners)?;
                each.push(sample.took() - before);
                (search.passed, left) = (search.passed + 1, left - 1);
                found = search.period(left, || snapshot(&sample, world));
            }
            let length = each.len();
            let settled = each.is_settled() && sample.moved_no_page() && world.clocked() == clocked;
            let more = match settled && found.is_none() {
                true => world.undisturbed(sample.took(), Samples::reach(times - left, left) / length),
                false => 0,
            };
            samples.follow(search.passed, LEAST);
            left -= more * length;
            count(&sample, more, record, world, listeners)?;
            record.estimate(&sample, more * length);
            if found.is_none() {
                continue;
            }
        }
        let Some((period, first)) = found else {
            once(record, world, listeners)?;
            (search.passed, left) = (search.passed + 1, left - 1);
            continue;
        };
        let mut proof = Proof::new(first, world.clocked());
        let mut simulate =
            |record: &mut Record, world: &mut Simulation<'a>, listeners: &mut Listeners<'_, O>| {
                let before = world.note_decisions();
                let result = (0..period).try_for_each(|_| once(record, world, listeners));
                let decisions = world.take_decisions(before);
                proof.end_period(snapshot(record, world), decisions);
                result
            };
        simulate(record, world, listeners)?;
        listeners.observer.period_begins();
        let mut last_period = record.next();
        simulate(&mut last_period, world, listeners)?;
        left -= PROOF * period;
        search.passed += PROOF * period;
        let more = if proof.holds(world.clocked()) {
            world.undisturbed(last_period.took(), left / period)
        } else {
            0
        };
        search.conclude(&proof, world.clocked());
        left -= more * period;
        count(&last_period, more, record, world, listeners)?;
    }
    Ok(())
}

/// Adds a simulated period to the record, and `more` periods like it.
fn count<'a, O: Listener>(
    period: &Record,
    more: u64,
    record: &mut Record,
    world: &mut Simulation<'a>,
    listeners: &mut Listeners<'_, O>,
) -> Result<(), SimulationError> {
    listeners.observer.period_ends(more, period.took());
    listeners.progress.advance(period.iterations().saturating_mul(more));
    world.pass(more * period.took());
    record.add(period, 1 + more)
}

/// State that the next repetition depends on.
fn snapshot(record: &Record, world: &Simulation<'_>) -> Snapshot {
    let mut state = world.snapshot();
    record.snapshot(&mut state);
    state
}

#[cfg(test)]
mod tests {
    use super::Search;
    use numalab_base::{Snapshot, Time};

    /// A sample that ends after a power of two repetitions looks there, and the search looks again behind it.
    #[test]
    fn a_state_is_not_its_own_period() {
        let state = || Snapshot::new(Time(0));
        let mut search = Search { passed: 64, ..Search::default() };
        assert!(search.period(100, state).is_none());
        assert!(search.period(100, state).is_none());
        search.passed = 66;
        assert_eq!(search.period(100, state).map(|found| found.0), Some(2));
    }
}
