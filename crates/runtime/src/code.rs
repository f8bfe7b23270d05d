//! Programs: loads, stores, atomics and spins on words, with a few registers.

/// A program that an [`Exec`](crate::Exec) knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeId(pub u32);

/// A program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {}
