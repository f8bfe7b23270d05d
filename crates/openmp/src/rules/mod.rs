//! Loops under the policy of a file: see [`numalab_workload::policy`].
//!
//! Everything here counts units, the iterations that a policy keeps together. A chunk has at least one unit and at most
//! what is left, whatever its rule says, so every loop ends.

mod measured;
mod search;

pub use measured::Measured;

use crate::range::share;
use crate::{Exhausted, IterationSource, Proximity};
use numalab_base::{Snapshot, ThreadId};
use numalab_des::{Domain, Streams};
use numalab_workload::policy::{Division, End, FilePolicy, LoopPolicy, NamedKind, VALUES, variable};
use search::Search;
use std::ops::Range;

/// Units in a shared counter.
struct Counter {
    next: u64,
    /// Chunks taken so far.
    taken: u64,
    /// Units that were left at the first chunk of the present batch.
    batch_rest: u64,
}

/// A loop under the policy of a file.
pub struct RuleLoop<'a> {
    policy: &'static LoopPolicy,
    iterations: u64,
    /// Iterations of a unit.
    unit: u64,
    units: u64,
    threads: u32,
    values: [f64; VALUES],
    counter: Counter,
    /// Units of each thread; for units that go round, the next of them and the end of the loop. Empty if all units are
    /// in the counter.
    own: Vec<Range<u64>>,
    /// Number of chunks that were taken from each thread's range.
    taken: Vec<u64>,
    /// Searches for victims, if threads steal.
    search: Option<Search<'a>>,
}

impl<'a> RuleLoop<'a> {
    pub(crate) fn new(
        file: FilePolicy,
        iterations: u64,
        threads: u32,
        streams: &Streams,
        proximity: &'a dyn Proximity,
    ) -> RuleLoop<'a> {
        let policy = file.policy;
        let mut values = [0.0; VALUES];
        set(&mut values, variable::ITERATIONS, iterations as f64);
        set(&mut values, variable::THREADS, f64::from(threads));
        set(&mut values, variable::CHUNK, file.chunk as f64);
        set(&mut values, variable::SEED, (streams.even(Domain::Steal, [u64::MAX]) * 4_294_967_296.0).floor());
        let unit = policy.unit.units(&values, 1, u64::MAX);
        let units = iterations.div_ceil(unit);
        set(&mut values, variable::ITERATIONS, units as f64);
        for (at, named) in (variable::FIRST_NAMED..).zip(&policy.named) {
            if named.kind == NamedKind::Fixed {
                let value = named.rule.at(&values);
                set(&mut values, at, value);
            }
        }
        let mut rules = RuleLoop {
            policy,
            iterations,
            unit,
            units,
            threads,
            values,
            counter: Counter { next: 0, taken: 0, batch_rest: 0 },
            own: Vec::new(),
            taken: Vec::new(),
            search: None,
        };
        rules.divide();
        if let Some(steal) = &policy.steal {
            rules.search = Some(Search::new(steal, &rules.own, streams, proximity));
        }
        rules
    }

    /// Gives each thread the units that the policy gives it before the loop starts.
    fn divide(&mut self) {
        let (units, threads) = (self.units, self.threads);
        let each = ThreadId::first(threads);
        self.own = match &self.policy.division {
            Division::Shared => return,
            Division::Even => each.map(|thread| share(units, threads, thread)).collect(),
            Division::Cyclic => each.map(|thread| u64::from(thread.number()).min(units)..units).collect(),
            Division::Part(rule) => {
                let part = rule.units(&self.values, 0, units);
                let start = |thread: u64| thread.saturating_mul(part).min(units);
                self.counter.next = start(u64::from(threads));
                each.map(|thread| start(thread.number().into())..start(u64::from(thread.number()) + 1))
                    .collect()
            }
        };
        self.taken = vec![0; threads as usize];
    }

    pub(crate) fn aim(&mut self, thread: ThreadId) -> Result<IterationSource, Exhausted> {
        let has_own = self.own.get(thread.index()).is_some_and(|own| !own.is_empty());
        match self.policy.division {
            _ if has_own => Ok(IterationSource::Own),
            Division::Shared | Division::Part(_) => Ok(IterationSource::SharedCounter),
            Division::Even | Division::Cyclic => match &mut self.search {
                Some(search) => search.next(thread, &self.own),
                None => Err(Exhausted::Own),
            },
        }
    }

    pub(crate) fn take(&mut self, thread: ThreadId, source: IterationSource) -> Option<Range<u64>> {
        let units = match source {
            IterationSource::Own => self.take_own(thread),
            IterationSource::Victim { thread: victim, .. } => self.steal(thread, victim),
            IterationSource::Wait(_) | IterationSource::Scan => None,
            IterationSource::SharedCounter => self.take_shared(thread),
        }?;
        Some(self.iterations_of(units))
    }

    /// True if the shared counter is exhausted; false if there is none.
    pub(crate) fn is_over(&self) -> bool {
        self.has_counter() && self.counter.next >= self.units
    }

    /// Adds the state of the loop to a snapshot. Only that of a loop that is divided before it starts can be captured.
    pub(crate) fn snapshot(&self, into: &mut Snapshot) {
        match self.policy.division {
            Division::Even if self.policy.steal.is_none() && self.policy.measures.is_none() => {
                into.add(&self.own);
                into.add(&self.taken);
            }
            Division::Shared | Division::Even | Division::Cyclic | Division::Part(_) => into.refuse(),
        }
    }

    fn has_counter(&self) -> bool {
        matches!(self.policy.division, Division::Shared | Division::Part(_))
    }

    fn iterations_of(&self, units: Range<u64>) -> Range<u64> {
        let at = |unit: u64| unit.saturating_mul(self.unit).min(self.iterations);
        at(units.start)..at(units.end)
    }

    /// Next chunk of a thread's own units.
    fn take_own(&mut self, thread: ThreadId) -> Option<Range<u64>> {
        let own = self.own.get(thread.index())?.clone();
        let rest = own.end - own.start;
        if rest == 0 {
            return None;
        }
        let size = match self.policy.division {
            Division::Cyclic => 1,
            Division::Part(_) => rest,
            Division::Shared | Division::Even => {
                let taken = self.taken[thread.index()];
                self.chunk(thread, rest, taken, rest)
            }
        };
        self.taken[thread.index()] += 1;
        let end = own.start + size;
        let step = if matches!(self.policy.division, Division::Cyclic) { self.threads.into() } else { size };
        self.set_own(thread, own.start.saturating_add(step).min(own.end)..own.end);
        Some(own.start..end)
    }

    /// Changes the range of a thread.
    fn set_own(&mut self, thread: ThreadId, now: Range<u64>) {
        let before = std::mem::replace(&mut self.own[thread.index()], now.clone());
        if let Some(search) = &mut self.search {
            search.changed(thread, before.end - before.start, now.end - now.start);
        }
    }

    pub(crate) fn can_take_from(&self, victim: ThreadId) -> bool {
        let least = self.policy.steal.as_ref().map_or(1, |steal| steal.least);
        self.own.get(victim.index()).is_some_and(|own| own.end - own.start >= least)
    }

    /// Iterations of a thread's own range.
    pub(crate) fn own_left(&self, thread: ThreadId) -> u64 {
        let own = self.own.get(thread.index()).cloned().unwrap_or_default();
        let iterations = self.iterations_of(own);
        iterations.end - iterations.start
    }

    pub(crate) fn units_of(&self, iterations: &Range<u64>) -> u64 {
        (iterations.end - iterations.start).div_ceil(self.unit)
    }

    pub(crate) fn keeps(&self) -> bool {
        self.policy.steal.as_ref().is_some_and(|steal| steal.keeps)
    }

    /// Units that a thief executes at once of those that it takes from a victim. `None` if the victim has too little.
    fn steal(&mut self, thief: ThreadId, victim: ThreadId) -> Option<Range<u64>> {
        let steal = self.policy.steal.as_ref()?;
        if victim == thief || !self.can_take_from(victim) {
            return None;
        }
        let theirs = self.own[victim.index()].clone();
        let rest = theirs.end - theirs.start;
        let amount = match steal.amount.constant() {
            Some(amount) => (amount as u64).clamp(1, rest),
            None => {
                self.know(thief, rest, self.taken[victim.index()], rest);
                steal.amount.units(&self.values, 1, rest)
            }
        };
        let (kept, stolen) = match steal.end {
            End::Back => (theirs.start..theirs.end - amount, theirs.end - amount..theirs.end),
            End::Front => (theirs.start + amount..theirs.end, theirs.start..theirs.start + amount),
        };
        self.set_own(victim, kept);
        if let Some(search) = &mut self.search {
            search.found(thief, victim);
        }
        if !steal.keeps {
            return Some(stolen);
        }
        self.set_own(thief, stolen);
        self.take_own(thief)
    }

    /// Next chunk of the shared counter.
    fn take_shared(&mut self, thread: ThreadId) -> Option<Range<u64>> {
        let Counter { next, taken, .. } = self.counter;
        let rest = self.units.saturating_sub(next);
        if rest == 0 {
            return None;
        }
        if taken.is_multiple_of(u64::from(self.threads)) {
            self.counter.batch_rest = rest;
        }
        let size = self.chunk(thread, rest, taken, self.counter.batch_rest);
        self.counter.next += size;
        self.counter.taken += 1;
        Some(next..next + size)
    }

    /// Units of the next chunk by the policy's rule: at least 1, at most `rest`.
    fn chunk(&mut self, thread: ThreadId, rest: u64, number: u64, batch_rest: u64) -> u64 {
        let take = &self.policy.take;
        if let Some(size) = take.constant() {
            return (size as u64).clamp(1, rest);
        }
        self.know(thread, rest, number, batch_rest);
        take.units(&self.values, 1, rest)
    }

    /// Sets the values that change from chunk to chunk.
    fn know(&mut self, thread: ThreadId, rest: u64, number: u64, batch_rest: u64) {
        let values = &mut self.values;
        set(values, variable::REST, rest as f64);
        set(values, variable::NUMBER, number as f64);
        set(values, variable::BATCH, (number / u64::from(self.threads)) as f64);
        set(values, variable::BATCH_REST, batch_rest as f64);
        set(values, variable::THREAD, f64::from(thread.number()));
        for (at, named) in (variable::FIRST_NAMED..).zip(&self.policy.named) {
            if named.kind == NamedKind::EachChunk {
                let value = named.rule.at(values);
                set(values, at, value);
            }
        }
    }
}

impl RuleLoop<'_> {
    /// Sets the measured values, and the sums over threads.
    pub(crate) fn know_measured(&mut self, thread: ThreadId, measured: &Measured) {
        let values = &mut self.values;
        measured.of_all(values);
        for (at, named) in (variable::FIRST_NAMED..).zip(&self.policy.named) {
            if named.kind != NamedKind::SumOverThreads {
                continue;
            }
            let mut sum = 0.0;
            for other in ThreadId::first(self.threads) {
                set(values, variable::THREAD, f64::from(other.number()));
                measured.of_thread(other, values);
                sum += named.rule.at(values);
            }
            set(values, at, sum);
        }
        measured.of_thread(thread, values);
    }
}

fn set(values: &mut [f64; VALUES], variable: u8, value: f64) {
    values[usize::from(variable)] = value;
}
