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

/// Registers of a thread.
pub const REGISTERS: usize = 16;

/// A program that an [`Exec`](crate::Exec) knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeId(pub u32);

/// A program. It ends with [`Op::Finish`], whatever way it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    ops: Vec<Op>,
}

impl Code {
    /// Its operations, one after another.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }
}

/// One step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Lets this number of picoseconds pass.
    Delay(Operand),
    /// Reads a word.
    Load {
        /// Destination of the value.
        to: Reg,
        /// The word.
        at: Address,
    },
    /// Writes a word. The thread goes on; others see the value once the core has the line, and after all that the
    /// thread stored before.
    Store {
        /// The word.
        at: Address,
        /// New value.
        value: Operand,
    },
    /// Adds to a word.
    FetchAdd {
        /// Destination of the old value.
        to: Reg,
        /// The word.
        at: Address,
        /// Summand, modulo 2^64.
        value: Operand,
    },
    /// Exchanges a word's value.
    Swap {
        /// Destination of the old value.
        to: Reg,
        /// The word.
        at: Address,
        /// New value.
        value: Operand,
    },
    /// Writes a word if it holds what is expected.
    CompareSwap {
        /// Destination of the old value: the operation succeeded if that is the expected one.
        to: Reg,
        /// The word.
        at: Address,
        /// Expected value.
        expected: Operand,
        /// New value.
        value: Operand,
    },
    /// Spins on a copy of a word until its value passes, or until it is too late.
    Wait {
        /// Destination of the last value read.
        to: Reg,
        /// The word.
        at: Address,
        /// Condition that ends the wait.
        until: Test,
        /// The time at which it gives up, as [`Op::Clock`] counts.
        by: Option<Reg>,
        /// Rests between two looks.
        rests: bool,
    },
    /// Exchanges a word's value again and again until the value before passes.
    SwapUntil {
        /// Destination of the last old value.
        to: Reg,
        /// The word.
        at: Address,
        /// Value that is written.
        value: Operand,
        /// Condition that ends the wait.
        until: Test,
        /// The time at which it gives up, as [`Op::Clock`] counts.
        by: Option<Reg>,
    },
    /// Reads the clock, in picoseconds.
    Clock(Reg),
    /// Sleeps in the kernel until woken, unless the word holds something else than expected.
    Sleep {
        /// The word.
        at: Address,
        /// Expected value.
        expected: Operand,
    },
    /// Wakes threads that sleep on a word, the longest sleeper first.
    Wake {
        /// The word.
        at: Address,
        /// Most threads to wake.
        count: Operand,
        /// Picoseconds for each: the caller's, and the sleeper goes on when they are over.
        cost: Operand,
    },
    /// Sets a register.
    Set {
        /// Destination.
        to: Reg,
        /// To what.
        value: Operand,
    },
    /// Calculates.
    Compute {
        /// Destination of the result.
        to: Reg,
        /// Operation.
        how: Arithmetic,
        /// The first operand.
        left: Operand,
        /// The second.
        right: Operand,
    },
    /// Goes elsewhere if a register's value passes.
    Branch {
        /// Register that is tested.
        value: Reg,
        /// Condition for going there.
        test: Test,
        /// Target: an index of an operation.
        to: u32,
    },
    /// Goes elsewhere.
    Jump(u32),
    /// Ends, with a result.
    Finish(Operand),
}

/// Arithmetic operation on two numbers, modulo 2^64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// The lesser one.
    Min,
    /// The greater one.
    Max,
}
