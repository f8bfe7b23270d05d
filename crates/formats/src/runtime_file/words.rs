//! The algorithms by name, from and to the types that the simulator knows.

use crate::mirror::words;
use numalab_runtime::profile::{Barrier, Reduction};
use numalab_workload::{LockKind, QueueKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Algorithm of a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BarrierWord {
    /// One counter, and one generation word that all spin on.
    Central,
    /// Children report to parents, `branching` children each.
    Tree,
    /// Threads meet whose numbers differ in one digit to the base `branching`.
    Hypercube,
    /// Pairwise signals in as many rounds as the team has doublings; nobody is the last.
    Dissemination,
    /// A tree by the machine's levels: cache, socket, board, machine.
    Hierarchical,
    /// Nobody waits for a line.
    Free,
}

impl BarrierWord {
    /// The word for a barrier, and its branching where it branches.
    pub fn of(barrier: Barrier) -> (BarrierWord, Option<u32>) {
        match barrier {
            Barrier::Central => (BarrierWord::Central, None),
            Barrier::Tree { branching } => (BarrierWord::Tree, Some(branching)),
            Barrier::Hypercube { branching } => (BarrierWord::Hypercube, Some(branching)),
            Barrier::Dissemination => (BarrierWord::Dissemination, None),
            Barrier::Hierarchical => (BarrierWord::Hierarchical, None),
            Barrier::Free => (BarrierWord::Free, None),
        }
    }
}

words! {
    /// A kind of lock.
    LockWord for LockKind {
        /// Atomic exchange until it succeeds.
        TestAndSet = LockKind::TestAndSet,
        /// Spins on a copy, then tries an exchange.
        TestAndTestAndSet = LockKind::TestAndTestAndSet,
        /// The same, waiting twice as long after every failure.
        Backoff = LockKind::Backoff,
        /// Numbers, served in order.
        Ticket = LockKind::Ticket,
        /// A queue in which everybody spins on a line of its own.
        Mcs = LockKind::Mcs,
    }
}

words! {
    /// Where tasks wait for a thread.
    QueueWord for QueueKind {
        /// One queue under one lock.
        Central = QueueKind::Central,
        /// A deque for each thread; thieves take from the other end of a random victim's.
        ThreadLocal = QueueKind::ThreadLocal,
        /// A stack for each socket, shared by its threads; stealing between sockets.
        Hierarchical = QueueKind::Hierarchical,
        /// A queue for each locality domain; others help when they have nothing.
        Locality = QueueKind::Locality,
        /// The same, and tasks never leave their domain.
        LocalityStrict = QueueKind::LocalityStrict,
    }
}

words! {
    /// Algorithm that combines the values of a reduction.
    #[derive(Default)]
    ReductionWord for Reduction {
        /// With the closing barrier, from children to parents.
        #[default]
        Tree = Reduction::Tree,
        /// Everybody adds to one word.
        Atomic = Reduction::Atomic,
        /// Under the lock of `critical`.
        Critical = Reduction::Critical,
    }
}
