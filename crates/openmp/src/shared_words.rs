//! Shared words of each schedule. Whoever adds a schedule says here which words it costs; the words
//! are then paid for as lines that move.

use numalab_workload::Schedule;

// Glossary: shared words: Words of the runtime that a schedule reads and writes to decide; they are paid for
//   as lines that move.
/// Words that the threads of a team share to find iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedWords {
    /// None: every thread knows its iterations before the loop starts.
    None,
    /// A counter that threads advance by fetch-and-add: the size of a chunk does not depend on its value.
    FetchAdd,
    /// A counter that threads read and advance by compare-and-swap: the size of a chunk depends on its value.
    CompareSwap,
    /// A range for each thread, which its owner and thieves take from, and a word that says whether any is left.
    Ranges,
    /// Queues of tasks, each under its lock.
    TaskQueues,
    /// Those of the schedule that the runtime has in place of this name.
    OfRuntime,
}

/// The words that a schedule looks at.
pub fn shared_words(schedule: Schedule) -> SharedWords {
    match schedule {
        Schedule::Static { .. } | Schedule::Align => SharedWords::None,
        Schedule::Dynamic { .. } => SharedWords::FetchAdd,
        Schedule::Guided { .. } => SharedWords::CompareSwap,
        Schedule::NumaSteal(_) => SharedWords::Ranges,
        Schedule::Tasks(_) => SharedWords::TaskQueues,
        Schedule::Auto | Schedule::Runtime => SharedWords::OfRuntime,
    }
}
