//! Shared words of each schedule. The simulator charges them as cache lines that move between
//! cores.

use numalab_workload::Schedule;
use numalab_workload::policy::{CounterAccess, Division, LoopPolicy};

// Glossary: shared words: Words of the runtime that a schedule reads and writes to decide; they are paid for
//   as lines that move.
/// Words that the threads of a team share to get iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedWords {
    /// No words: every thread knows its iterations before the loop starts.
    None,
    /// A counter that threads advance by fetch-and-add: the chunk size does not depend on the counter.
    FetchAdd,
    /// A counter that threads read and advance by compare-and-swap: the chunk size depends on the counter.
    CompareSwap,
    /// A range of iterations for each thread, from which its owner and thieves take, and a word that tells whether
    /// iterations are left.
    Ranges,
    /// Queues of tasks, each with a lock.
    TaskQueues,
    /// `auto` and `runtime`: the words of the schedule that the runtime uses instead.
    OfRuntime,
}

pub fn shared_words(schedule: Schedule) -> SharedWords {
    match schedule {
        Schedule::Static { .. } | Schedule::Align => SharedWords::None,
        Schedule::Dynamic { .. } => SharedWords::FetchAdd,
        Schedule::Guided { .. } => SharedWords::CompareSwap,
        Schedule::NumaSteal(_) => SharedWords::Ranges,
        Schedule::Tasks(_) => SharedWords::TaskQueues,
        Schedule::Auto | Schedule::Runtime => SharedWords::OfRuntime,
        Schedule::File(file) => of_file(file.policy),
    }
}

fn of_file(policy: &LoopPolicy) -> SharedWords {
    match (&policy.division, policy.counter) {
        _ if policy.steal.is_some() => SharedWords::Ranges,
        (Division::Even | Division::Cyclic, _) => SharedWords::None,
        (Division::Shared | Division::Part(_), CounterAccess::FetchAdd) => SharedWords::FetchAdd,
        (Division::Shared | Division::Part(_), CounterAccess::CompareSwap) => SharedWords::CompareSwap,
    }
}
