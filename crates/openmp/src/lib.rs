//! OpenMP loop schedules, task queues, places and binding.
//!
//! Schedules and steal policies have no clock. They decide which thread executes which iterations, and report which
//! shared words the decision touches; the simulator charges time for these words. [`queues`] decides and reports in
//! this way for tasks. [`align()`] cuts a loop so that no two threads write the same page. [`places`] and [`binding`]
//! decide where threads run, before the program starts.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod align;
pub mod binding;
pub mod environment;
pub mod places;
mod procs;
pub mod queues;
mod range;
mod rules;
mod shared;
mod shared_words;
mod split;
mod steal;
mod subset;

pub use align::{Cuts, align};
pub use procs::{ProcList, ProcListError};
pub use range::{even_cuts, share, share_by_cost};
pub use rules::Measured;
pub use shared_words::{SharedWords, shared_words};
pub use steal::Proximity;
pub use subset::{HwSubset, SubsetLevel};

use numalab_base::{Snapshot, Span, ThreadId};
use numalab_des::Streams;
use numalab_workload::Schedule;
use rules::RuleLoop;
use shared::{DynamicChunks, GuidedChunks};
use split::{Cyclic, EvenSplit};
use std::ops::Range;
use std::sync::Arc;
use steal::{MostLoaded, Nearest, Random, Stealing};

/// Source of a thread's next iterations, which decides the shared words that it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IterationSource {
    /// The thread's own share; no shared word is touched.
    Own,
    /// The team's shared counter.
    SharedCounter,
    /// The range of another thread.
    Victim {
        thread: ThreadId,
        /// True if the counters of all threads were read to choose the victim.
        after_scan: bool,
        /// True if the thief reads the victim's range before it takes: the victim may have too little.
        looks_first: bool,
    },
    /// No source yet: the thread waits, and then asks again.
    Wait(Span),
    /// No source yet: the thread reads the ranges of all threads, and then asks again.
    Scan,
}

/// Words that a thread read to find that no work is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// No word: a thread knows the end of its own share.
    Own,
    /// The team's shared counter.
    SharedCounter,
    /// The counters of all threads.
    Scan,
}

/// The state of one loop under one schedule.
pub enum Dispatcher<'a> {
    Split(EvenSplit),
    Cyclic(Cyclic),
    Dynamic(DynamicChunks),
    Guided(GuidedChunks),
    Random(Stealing<Random>),
    Nearest(Stealing<Nearest<'a>>),
    MostLoaded(Stealing<MostLoaded>),
    Rules(Box<RuleLoop<'a>>),
}

impl<'a> Dispatcher<'a> {
    /// Starts a loop for `threads` threads (at least one).
    pub fn new(
        policy: Schedule,
        iterations: u64,
        threads: u32,
        streams: &Streams,
        proximity: &'a dyn Proximity,
    ) -> Dispatcher<'a> {
        use numalab_workload::Victim;
        match policy {
            // The runtime replaces `auto`, `runtime` and tasks by other schedules; without a runtime they are an even
            // split.
            Schedule::Static { chunk: None }
            | Schedule::Auto
            | Schedule::Runtime
            | Schedule::Tasks(_)
            | Schedule::Align => Dispatcher::Split(EvenSplit::new(iterations, threads, None)),
            Schedule::Static { chunk: Some(c) } => Dispatcher::Cyclic(Cyclic::new(iterations, threads, c)),
            Schedule::Dynamic { chunk } => Dispatcher::Dynamic(DynamicChunks::new(iterations, chunk)),
            Schedule::Guided { chunk } => Dispatcher::Guided(GuidedChunks::new(iterations, threads, chunk)),
            Schedule::NumaSteal(Victim::Random) => {
                Dispatcher::Random(Stealing::new(iterations, threads, Random::new(streams)))
            }
            Schedule::NumaSteal(Victim::Nearest) => {
                Dispatcher::Nearest(Stealing::new(iterations, threads, Nearest::new(proximity)))
            }
            Schedule::NumaSteal(Victim::MostLoaded) => {
                Dispatcher::MostLoaded(Stealing::new(iterations, threads, MostLoaded::default()))
            }
            Schedule::File(file) => {
                Dispatcher::Rules(Box::new(RuleLoop::new(file, iterations, threads, streams, proximity)))
            }
        }
    }

    /// A `static` loop in which threads get equal cost instead of equally many iterations: see
    /// [`share_by_cost`].
    pub fn by_cost(costs: Arc<[u64]>, threads: u32) -> Dispatcher<'a> {
        let iterations = (costs.len() as u64).saturating_sub(1);
        Dispatcher::Split(EvenSplit::new(iterations, threads, Some(costs)))
    }

    /// A `static` loop with given cuts: the first iteration of each thread, and the end of the last.
    pub fn by_limits(limits: Arc<[u64]>) -> Dispatcher<'a> {
        Dispatcher::Split(EvenSplit::cut(limits))
    }

    /// Source from which `thread` takes its next iterations. Another thread may empty the source first:
    /// [`Dispatcher::take`] then returns `None`.
    pub fn aim(&mut self, thread: ThreadId) -> Result<IterationSource, Exhausted> {
        match self {
            Dispatcher::Split(split) => split.aim(thread),
            Dispatcher::Cyclic(cyclic) => cyclic.aim(thread),
            Dispatcher::Dynamic(_) | Dispatcher::Guided(_) => Ok(IterationSource::SharedCounter),
            Dispatcher::Random(stealing) => stealing.aim(thread),
            Dispatcher::Nearest(stealing) => stealing.aim(thread),
            Dispatcher::MostLoaded(stealing) => stealing.aim(thread),
            Dispatcher::Rules(rules) => rules.aim(thread),
        }
    }

    /// Takes iterations from `source`, at the time when the thread has the cache line of the source's counter. `None`
    /// if the source has no iterations left; if the source is the shared counter, the loop has none left.
    pub fn take(&mut self, thread: ThreadId, source: IterationSource) -> Option<Range<u64>> {
        match self {
            Dispatcher::Split(split) => split.take(thread),
            Dispatcher::Cyclic(cyclic) => cyclic.take(thread),
            Dispatcher::Dynamic(dynamic) => dynamic.take(),
            Dispatcher::Guided(guided) => guided.take(),
            Dispatcher::Random(stealing) => stealing.take(thread, source),
            Dispatcher::Nearest(stealing) => stealing.take(thread, source),
            Dispatcher::MostLoaded(stealing) => stealing.take(thread, source),
            Dispatcher::Rules(rules) => rules.take(thread, source),
        }
    }

    /// True if a victim has as much as a thief takes at least, as a read of its range shows.
    pub fn can_take_from(&self, victim: ThreadId) -> bool {
        match self {
            Dispatcher::Rules(rules) => rules.can_take_from(victim),
            Dispatcher::Split(_)
            | Dispatcher::Cyclic(_)
            | Dispatcher::Dynamic(_)
            | Dispatcher::Guided(_)
            | Dispatcher::Random(_)
            | Dispatcher::Nearest(_)
            | Dispatcher::MostLoaded(_) => true,
        }
    }

    /// True if a thief writes what it took into its own range.
    pub fn keeps(&self) -> bool {
        match self {
            Dispatcher::Rules(rules) => rules.keeps(),
            Dispatcher::Split(_)
            | Dispatcher::Cyclic(_)
            | Dispatcher::Dynamic(_)
            | Dispatcher::Guided(_)
            | Dispatcher::Random(_)
            | Dispatcher::Nearest(_)
            | Dispatcher::MostLoaded(_) => false,
        }
    }

    /// Iterations that a thief keeps for later of what it took.
    pub fn kept(&self, thief: ThreadId) -> u64 {
        match self {
            Dispatcher::Rules(rules) if rules.keeps() => rules.own_left(thief),
            Dispatcher::Rules(_)
            | Dispatcher::Split(_)
            | Dispatcher::Cyclic(_)
            | Dispatcher::Dynamic(_)
            | Dispatcher::Guided(_)
            | Dispatcher::Random(_)
            | Dispatcher::Nearest(_)
            | Dispatcher::MostLoaded(_) => 0,
        }
    }

    /// Number of units of a chunk.
    pub fn units_of(&self, iterations: &Range<u64>) -> u64 {
        match self {
            Dispatcher::Rules(rules) => rules.units_of(iterations),
            Dispatcher::Split(_)
            | Dispatcher::Cyclic(_)
            | Dispatcher::Dynamic(_)
            | Dispatcher::Guided(_)
            | Dispatcher::Random(_)
            | Dispatcher::Nearest(_)
            | Dispatcher::MostLoaded(_) => iterations.end - iterations.start,
        }
    }

    /// Tells a loop that measures what is known of its chunks, before the thread takes one.
    pub fn know(&mut self, thread: ThreadId, measured: &Measured) {
        if let Dispatcher::Rules(rules) = self {
            rules.know_measured(thread, measured);
        }
    }

    /// Adds the state of the loop to a snapshot. Only the state of an even split can be captured.
    pub fn snapshot(&self, into: &mut Snapshot) {
        match self {
            Dispatcher::Split(split) => split.snapshot(into),
            Dispatcher::Rules(rules) => rules.snapshot(into),
            Dispatcher::Cyclic(_)
            | Dispatcher::Dynamic(_)
            | Dispatcher::Guided(_)
            | Dispatcher::Random(_)
            | Dispatcher::Nearest(_)
            | Dispatcher::MostLoaded(_) => into.refuse(),
        }
    }

    /// True if no iterations are left, as a read of the shared counter shows; false for schedules without a shared
    /// counter.
    pub fn is_over(&self) -> bool {
        match self {
            Dispatcher::Dynamic(dynamic) => dynamic.is_over(),
            Dispatcher::Guided(guided) => guided.is_over(),
            Dispatcher::Rules(rules) => rules.is_over(),
            Dispatcher::Split(_)
            | Dispatcher::Cyclic(_)
            | Dispatcher::Random(_)
            | Dispatcher::Nearest(_)
            | Dispatcher::MostLoaded(_) => false,
        }
    }
}

#[cfg(test)]
mod tests;
