//! The words that a loop's threads share.

use numalab_runtime::constructs::{Dynamic, Guided, Steal};
use numalab_runtime::{Exec, Seat};
use numalab_workload::Schedule;

/// What a team's loops have needed so far. Counters go on from loop to loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopWords {
    dynamic: Option<Dynamic>,
    guided: Option<Guided>,
    steal: Option<Steal>,
}

/// What one loop needs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SharedWords {
    /// Nothing is shared.
    None,
    /// A counter that everybody adds to.
    Counter(Dynamic),
    /// A counter that is read and then swapped.
    Swapped(Guided),
    /// A range for each thread, and whether anything is left.
    Ranges(Steal, Guided),
}

impl LoopWords {
    /// The words of a policy. Counters lie where the team's first thread is, ranges with their threads.
    pub fn of(&mut self, policy: Schedule, exec: &mut Exec<'_>, seats: &[Seat]) -> SharedWords {
        let home = seats[0].node;
        match policy {
            Schedule::Dynamic { .. } => {
                SharedWords::Counter(*self.dynamic.get_or_insert_with(|| Dynamic::new(exec, home)))
            }
            Schedule::Guided { .. } => {
                SharedWords::Swapped(*self.guided.get_or_insert_with(|| Guided::new(exec, home)))
            }
            Schedule::NumaSteal(_) => {
                let left = *self.guided.get_or_insert_with(|| Guided::new(exec, home));
                let homes = seats.iter().map(|seat| seat.node);
                SharedWords::Ranges(*self.steal.get_or_insert_with(|| Steal::new(exec, homes)), left)
            }
            _ => SharedWords::None,
        }
    }
}
