//! Locks of the runtime, one file each.
//!
//! [`Locks`] is a set of locks of one kind; a register can select a lock of the set. If the profile says so, a waiter
//! sleeps in the kernel after spinning, and the releaser wakes one sleeper (`ticket`: all sleepers). The kernel's own
//! lines are not modelled: the profile has the cost of a wake-up.

mod backoff;
mod mcs;
mod sleeping;
mod test_and_set;
mod test_and_test_and_set;
mod ticket;

use crate::code::{CodeBuilder, CodeId, Operand, Reg, WordTable};
use crate::exec::Exec;
use crate::profile;
use numalab_base::ThreadId;
use numalab_machine::NodeId;
use numalab_workload::LockKind;

/// Set of locks of one kind. The lock of an operation is a constant or in a register.
#[derive(Clone, Debug)]
pub struct Locks {
    kind: LockKind,
    /// Picoseconds of spinning before sleep; `None` if waiters never sleep.
    spin: Option<u64>,
    /// Picoseconds that waking a sleeper takes.
    wake: u64,
    /// One record of [`FIELDS`] words for each lock.
    locks: WordTable,
    /// One record of two words in one line for each thread, for queues of waiters.
    nodes: WordTable,
}

/// Words of a lock, each in its own line: the lock (ticket: next number; MCS: last in the queue plus 1), the number
/// being served, and the number of sleepers.
const FIELDS: u32 = 3;

impl Locks {
    /// One lock on each of the given nodes, for threads numbered below `threads`. Records of threads are on the node
    /// of the first lock.
    pub fn new(
        lock: &profile::LockProfile,
        exec: &mut Exec<'_>,
        homes: impl IntoIterator<Item = NodeId>,
        threads: u32,
    ) -> Locks {
        let homes: Vec<NodeId> = homes.into_iter().collect();
        let locks = exec.add_table(homes.iter().copied(), FIELDS);
        let threads = if lock.kind == LockKind::Mcs { threads } else { 0 };
        let home = homes.first().copied().unwrap_or(NodeId(0));
        let nodes = mcs::add_nodes(exec, home, threads);
        Locks { kind: lock.kind, spin: lock.spin.map(|span| span.0), wake: lock.wake.0, locks, nodes }
    }

    /// Emits the acquisition of lock number `which` by a thread. A thread holds one lock of the set at a time.
    pub fn acquire(&self, code: &mut CodeBuilder, which: impl Into<Operand>, thread: impl Into<Operand>) {
        let (which, thread) = (which.into(), thread.into());
        code.scope(|code| match self.kind {
            LockKind::TestAndSet => test_and_set::acquire(self, code, which),
            LockKind::TestAndTestAndSet => test_and_test_and_set::acquire(self, code, which),
            LockKind::Backoff => backoff::acquire(self, code, which),
            LockKind::Ticket => ticket::acquire(self, code, which),
            LockKind::Mcs => mcs::acquire(self, code, which, thread),
        });
    }

    /// Emits the release of lock number `which` by a thread.
    pub fn release(&self, code: &mut CodeBuilder, which: impl Into<Operand>, thread: impl Into<Operand>) {
        let (which, thread) = (which.into(), thread.into());
        code.scope(|code| match self.kind {
            LockKind::TestAndSet | LockKind::TestAndTestAndSet | LockKind::Backoff => {
                self.release_word(code, which);
            }
            LockKind::Ticket => ticket::release(self, code, which),
            LockKind::Mcs => mcs::release(self, code, which, thread),
        });
    }

    /// Emits the computation of the time at which a thread that starts to spin now goes to sleep; `None` if waiters
    /// never sleep.
    fn sleep_deadline(&self, code: &mut CodeBuilder) -> Option<Reg> {
        let spin = self.spin?;
        let now = code.clock();
        code.compute_to(now, now, crate::Arithmetic::Add, spin);
        Some(now)
    }
}

/// One lock, with programs for each thread.
#[derive(Clone, Debug)]
pub struct Lock {
    acquire: Vec<CodeId>,
    release: Vec<CodeId>,
}

impl Lock {
    /// Lock on a node for a number of threads.
    pub fn new(lock: &profile::LockProfile, exec: &mut Exec<'_>, home: NodeId, threads: u32) -> Lock {
        let locks = Locks::new(lock, exec, [home], threads);
        let mut each = |part: &dyn Fn(&mut CodeBuilder, ThreadId)| {
            let mut add = |thread| {
                let mut code = CodeBuilder::new();
                part(&mut code, thread);
                exec.add_code(code.build())
            };
            ThreadId::first(threads).map(&mut add).collect()
        };
        Lock {
            acquire: each(&|code, thread| locks.acquire(code, 0u32, thread)),
            release: each(&|code, thread| locks.release(code, 0u32, thread)),
        }
    }

    /// Program that ends when the thread holds the lock.
    pub fn acquire(&self, thread: ThreadId) -> CodeId {
        self.acquire[thread.index()]
    }

    pub fn release(&self, thread: ThreadId) -> CodeId {
        self.release[thread.index()]
    }
}
