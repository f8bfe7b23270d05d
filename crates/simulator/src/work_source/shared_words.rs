//! Words that the threads of a loop share.

use numalab_openmp::{SharedWords, shared_words};
use numalab_runtime::constructs::{DynamicCounter, GuidedCounter, StealRanges};
use numalab_runtime::{Exec, TeamMember};
use numalab_workload::Schedule;

/// Words that a team's loops have needed so far. Counters continue from loop to loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopWords {
    dynamic: Option<DynamicCounter>,
    guided: Option<GuidedCounter>,
    steal: Option<StealRanges>,
}

/// Words that the threads of one loop access, by kind of access.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoopSharing {
    /// No word is shared.
    None,
    /// A counter that every thread adds to (fetch-and-add).
    Counter(DynamicCounter),
    /// A counter that is read and then written by compare-and-swap.
    Swapped(GuidedCounter),
    /// A range for each thread, and a word that tells if any iteration is left.
    Ranges(StealRanges, GuidedCounter),
}

impl LoopWords {
    /// Words that a schedule reads and writes. Counters lie on the node of the team's first thread, ranges on the
    /// nodes of their threads.
    pub fn of(&mut self, schedule: Schedule, exec: &mut Exec<'_>, members: &[TeamMember]) -> LoopSharing {
        let home = members[0].node;
        match shared_words(schedule) {
            SharedWords::FetchAdd => {
                LoopSharing::Counter(*self.dynamic.get_or_insert_with(|| DynamicCounter::new(exec, home)))
            }
            SharedWords::CompareSwap => {
                LoopSharing::Swapped(*self.guided.get_or_insert_with(|| GuidedCounter::new(exec, home)))
            }
            SharedWords::Ranges => {
                let left = *self.guided.get_or_insert_with(|| GuidedCounter::new(exec, home));
                let homes = members.iter().map(|member| member.node);
                LoopSharing::Ranges(*self.steal.get_or_insert_with(|| StealRanges::new(exec, homes)), left)
            }
            // Task queues have their own words; `auto` was replaced by the runtime's choice earlier.
            SharedWords::None | SharedWords::TaskQueues | SharedWords::OfRuntime => LoopSharing::None,
        }
    }
}
