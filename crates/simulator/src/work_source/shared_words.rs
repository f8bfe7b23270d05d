//! The words that a loop's threads share.

use numalab_openmp::{SharedWords, shared_words};
use numalab_runtime::constructs::{DynamicCounter, GuidedCounter, StealRanges};
use numalab_runtime::{Exec, TeamMember};
use numalab_workload::Schedule;

/// Words that a team's loops have needed so far. Counters go on from loop to loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopWords {
    dynamic: Option<DynamicCounter>,
    guided: Option<GuidedCounter>,
    steal: Option<StealRanges>,
}

/// Words that one loop needs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoopSharing {
    /// Nothing is shared.
    None,
    /// A counter that everybody adds to.
    Counter(DynamicCounter),
    /// A counter that is read and then swapped.
    Swapped(GuidedCounter),
    /// A range for each thread, and whether anything is left.
    Ranges(StealRanges, GuidedCounter),
}

impl LoopWords {
    /// The words that a schedule looks at. Counters lie where the team's first thread is, ranges with their
    /// threads.
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
            // Task queues have words of their own, and the runtime's choice has taken the place of `auto` by now.
            SharedWords::None | SharedWords::TaskQueues | SharedWords::OfRuntime => LoopSharing::None,
        }
    }
}
