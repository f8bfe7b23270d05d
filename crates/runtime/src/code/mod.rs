//! Programs: loads, stores, atomics and spins on words, with a few registers.
//!
//! A program is written with a [`CodeBuilder`], so that an algorithm reads as it does on paper. A ticket lock:
//!
//! ```
//! # use numalab_runtime::{CodeBuilder, Test, Word};
//! # let (next, serving) = (Word(0), Word(1));
//! let mut code = CodeBuilder::new();
//! let mine = code.fetch_add(next, 1u32);
//! code.wait_until(serving, Test::Equal(mine.into()));
//! code.finish(mine);
//! let acquire = code.build();
//! # assert_eq!(acquire.ops().len(), 3);
//! ```

// Glossary: program: A sequence of loads, stores, atomics and spins on cache lines that implements a part of
//   the runtime.

mod address;
mod builder;

pub use address::{Address, Operand, Reg, Test, Word, WordTable};
pub use builder::{CodeBuilder, Label};

/// Number of registers of a thread. The last register holds results that are never read.
pub const REGISTERS: usize = 16;

/// Program that an [`Exec`](crate::Exec) has stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeId(pub u32);

/// Operations of a program. Every path ends with [`Op::Finish`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    ops: Vec<Op>,
}

impl Code {
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Waits for this number of picoseconds.
    Delay(Operand),
    /// Reads a word into a register.
    Load {
        to: Reg,
        at: Address,
    },
    /// Writes a word. The thread continues; other threads see the value once the core has the line and all earlier
    /// stores of the thread are visible.
    Store {
        at: Address,
        value: Operand,
        /// True if the store goes through consecutive lines, which a prefetcher requests ahead of it.
        in_sequence: bool,
    },
    /// Adds to a word atomically.
    FetchAdd {
        /// Destination of the old value.
        to: Reg,
        at: Address,
        /// Summand, modulo 2^64.
        value: Operand,
    },
    /// Exchanges a word's value atomically.
    Swap {
        /// Destination of the old value.
        to: Reg,
        at: Address,
        value: Operand,
    },
    /// Writes a word if it holds an expected value.
    CompareSwap {
        /// Destination of the old value, which equals the expected one on success.
        to: Reg,
        at: Address,
        expected: Operand,
        value: Operand,
    },
    /// Spins on a copy of a word until its value passes a test, or until a time.
    Wait {
        /// Destination of the last value.
        to: Reg,
        at: Address,
        /// Condition that ends the wait.
        until: Test,
        /// Time at which the wait gives up, on the clock of [`Op::Clock`]; `None` for no limit.
        by: Option<Reg>,
        how: Polls,
    },
    /// Calls the system to wake the threads that sleep while they wait for this word. Costs nothing if none sleeps, and
    /// does not count as an operation then.
    Rouse {
        at: Address,
    },
    /// Exchanges a word's value repeatedly until the old value passes a test, or until a time.
    SwapUntil {
        /// Destination of the last old value.
        to: Reg,
        at: Address,
        value: Operand,
        /// Condition that ends the wait.
        until: Test,
        /// Time at which the exchanges give up, on the clock of [`Op::Clock`]; `None` for no limit.
        by: Option<Reg>,
    },
    /// Reads the clock, in picoseconds.
    Clock(Reg),
    /// Sleeps in the kernel until woken, unless the word's value differs from an expected one.
    Sleep {
        at: Address,
        expected: Operand,
    },
    /// Wakes threads that sleep on a word, the longest sleeper first.
    Wake {
        at: Address,
        /// Maximum number of threads to wake.
        count: Operand,
        /// Picoseconds that the waking thread spends on each woken thread; that thread continues at their end.
        cost: Operand,
    },
    Set {
        to: Reg,
        value: Operand,
    },
    Compute {
        to: Reg,
        how: Arithmetic,
        left: Operand,
        right: Operand,
    },
    /// Jumps if a register's value passes a test.
    Branch {
        /// Register that is tested.
        value: Reg,
        test: Test,
        /// Index of the operation that is executed next if the jump is taken.
        to: u32,
    },
    Jump(u32),
    /// Ends the program with a result.
    Finish(Operand),
}

/// Polls of a thread that waits for a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polls {
    /// With a pause between two polls, on machines with a pause.
    Pausing,
    /// Without a pause.
    Watching,
    /// As `Pausing`; the thread may sleep, where threads sleep.
    Sleeping,
}

/// Arithmetic operation, modulo 2^64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Min,
    Max,
}
