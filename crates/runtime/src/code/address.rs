//! Operands of operations: registers, values, words and tests.

use numalab_base::ThreadId;

/// Eight bytes in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub u32);

/// A register of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(pub(crate) u8);

/// A number, or a register that holds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The number.
    Value(u64),
    /// The register.
    Reg(Reg),
}

impl From<u64> for Operand {
    fn from(value: u64) -> Operand {
        Operand::Value(value)
    }
}

impl From<u32> for Operand {
    fn from(value: u32) -> Operand {
        Operand::Value(value.into())
    }
}

impl From<ThreadId> for Operand {
    fn from(thread: ThreadId) -> Operand {
        Operand::Value(thread.number().into())
    }
}

impl From<Reg> for Operand {
    fn from(register: Reg) -> Operand {
        Operand::Reg(register)
    }
}

/// Evenly spaced words, chosen among by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordTable {
    /// Number 0.
    pub first: Word,
    /// From one to the next.
    pub stride: u32,
}

impl WordTable {
    /// The word of a number, which the caller keeps within the table.
    pub fn at(self, index: impl Into<Operand>) -> Address {
        match index.into() {
            Operand::Value(index) => Address::from(self.word(index as u32)),
            Operand::Reg(register) => {
                Address { first: self.first.0, stride: self.stride, index: register.0, indexed: true }
            }
        }
    }

    /// The word of a known number.
    pub fn word(self, index: u32) -> Word {
        Word(self.first.0 + index * self.stride)
    }

    /// The same table, so many words further on: another field of the same records.
    pub fn field(self, offset: u32) -> WordTable {
        WordTable { first: Word(self.first.0 + offset), stride: self.stride }
    }
}

/// A word, or one of a table by the number in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    pub(crate) first: u32,
    pub(crate) stride: u32,
    pub(crate) index: u8,
    pub(crate) indexed: bool,
}

impl From<Word> for Address {
    fn from(word: Word) -> Address {
        Address { first: word.0, stride: 0, index: 0, indexed: false }
    }
}

/// Condition on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// The same.
    Equal(Operand),
    /// Another.
    NotEqual(Operand),
    /// This or more.
    AtLeast(Operand),
    /// Less.
    Below(Operand),
}

impl Test {
    /// Equal to a number or register.
    pub fn equal(to: impl Into<Operand>) -> Test {
        Test::Equal(to.into())
    }

    /// Not equal to a number or register.
    pub fn not(to: impl Into<Operand>) -> Test {
        Test::NotEqual(to.into())
    }

    /// At least a number or register.
    pub fn at_least(least: impl Into<Operand>) -> Test {
        Test::AtLeast(least.into())
    }

    /// Below a number or register.
    pub fn below(bound: impl Into<Operand>) -> Test {
        Test::Below(bound.into())
    }
}
