//! Schedules and steal policies: small deciders without a clock. They say who executes what and which
//! shared words were touched to find out; the team pays for the touching.
//!
//! [`queues`] say the same of tasks. [`align()`] says where a loop is cut so that threads do not write the same
//! pages. [`places`] and [`binding`] say where threads run, before anything else does.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod align;
pub mod binding;
pub mod places;
mod procs;
pub mod queues;
mod range;
mod shared;
mod shared_words;
mod split;
mod steal;

pub use align::{Cuts, align};
pub use procs::{ProcList, ProcListError};
pub use range::{even_cuts, share, share_by_cost};
pub use shared_words::{SharedWords, shared_words};
pub use steal::Proximity;

use numalab_base::ThreadId;
use numalab_des::Streams;
use numalab_workload::Schedule;
use shared::{DynamicChunks, GuidedChunks};
use split::{Cyclic, EvenSplit};
use std::ops::Range;
use std::sync::Arc;
use steal::{MostLoaded, Nearest, Random, Stealing};

/// Source of iterations: the shared words that a thread touches to get them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IterationSource {
    /// Its own share: nothing that others write.
    Own,
    /// The team's shared counter.
    SharedCounter,
    /// A victim's range.
    Victim {
        /// The thread stolen from.
        thread: ThreadId,
        /// Whether the counters of all threads were read to choose it.
        after_scan: bool,
    },
}

/// Words that a thread looked at when there was no work left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// Nothing: a thread knows the end of its own share.
    Own,
    /// A look at the team's shared counter.
    SharedCounter,
    /// A look at the counters of all threads.
    Scan,
}

/// The state of one loop under one policy.
pub enum Dispatcher<'a> {
    /// `static`.
    Split(EvenSplit),
    /// `static,c`.
    Cyclic(Cyclic),
    /// `dynamic,c`.
    Dynamic(DynamicChunks),
    /// `guided,c`.
    Guided(GuidedChunks),
    /// `numa-steal:random`.
    Random(Stealing<Random>),
    /// `numa-steal:nearest`.
    Nearest(Stealing<Nearest<'a>>),
    /// `numa-steal:most-loaded`.
    MostLoaded(Stealing<MostLoaded>),
}

impl<'a> Dispatcher<'a> {
    /// A loop of so many iterations for so many threads (at least one).
    pub fn new(
        policy: Schedule,
        iterations: u64,
        threads: u32,
        streams: &Streams,
        proximity: &'a dyn Proximity,
    ) -> Dispatcher<'a> {
        use numalab_workload::Victim;
        match policy {
            // What `auto` and `runtime` mean, and tasks, are the runtime's: by default an even split.
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
        }
    }

    /// A `static` loop in which threads have as much of the cost, instead of as many iterations: see
    /// [`share_by_cost`].
    pub fn by_cost(costs: Arc<[u64]>, threads: u32) -> Dispatcher<'a> {
        let iterations = (costs.len() as u64).saturating_sub(1);
        Dispatcher::Split(EvenSplit::new(iterations, threads, Some(costs)))
    }

    /// A `static` loop cut at given iterations: where each thread begins, and the end of the last.
    pub fn by_limits(limits: Arc<[u64]>) -> Dispatcher<'a> {
        Dispatcher::Split(EvenSplit::cut(limits))
    }

    /// Chooses where `thread` looks for work next. Others may be faster: [`Dispatcher::take`] tells.
    pub fn aim(&mut self, thread: ThreadId) -> Result<IterationSource, Exhausted> {
        match self {
            Dispatcher::Split(split) => split.aim(thread),
            Dispatcher::Cyclic(cyclic) => cyclic.aim(thread),
            Dispatcher::Dynamic(_) | Dispatcher::Guided(_) => Ok(IterationSource::SharedCounter),
            Dispatcher::Random(stealing) => stealing.aim(thread),
            Dispatcher::Nearest(stealing) => stealing.aim(thread),
            Dispatcher::MostLoaded(stealing) => stealing.aim(thread),
        }
    }

    /// The iterations that it finds there at the moment when it has the shared word. `None`: they are
    /// gone, for ever if it was the shared counter.
    pub fn take(&mut self, thread: ThreadId, source: IterationSource) -> Option<Range<u64>> {
        match self {
            Dispatcher::Split(split) => split.take(thread),
            Dispatcher::Cyclic(cyclic) => cyclic.take(thread),
            Dispatcher::Dynamic(dynamic) => dynamic.take(),
            Dispatcher::Guided(guided) => guided.take(),
            Dispatcher::Random(stealing) => stealing.take(thread, source),
            Dispatcher::Nearest(stealing) => stealing.take(thread, source),
            Dispatcher::MostLoaded(stealing) => stealing.take(thread, source),
        }
    }

    /// Whether who has seen the shared counter knows that nothing is left.
    pub fn is_over(&self) -> bool {
        match self {
            Dispatcher::Dynamic(dynamic) => dynamic.is_over(),
            Dispatcher::Guided(guided) => guided.is_over(),
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
