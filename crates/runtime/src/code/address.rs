//! Operands of operations: registers, values, words, tests.

use numalab_base::ThreadId;

/// Number of a word: eight bytes in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(pub(crate) u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Value(u64),
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

/// Table of words whose numbers are `stride` apart, indexed from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordTable {
    /// Word at index 0.
    pub first: Word,
    /// Difference between the numbers of neighbouring words.
    pub stride: u32,
}

impl WordTable {
    /// Address of the word at an index: a constant, or a register that is read when the program runs. The caller
    /// keeps the index inside the table.
    pub fn at(self, index: impl Into<Operand>) -> Address {
        match index.into() {
            Operand::Value(index) => Address::from(self.word(index as u32)),
            Operand::Reg(register) => {
                Address { first: self.first.0, stride: self.stride, index: register.0, indexed: true }
            }
        }
    }

    /// Word at a constant index.
    pub fn word(self, index: u32) -> Word {
        Word(self.first.0 + index * self.stride)
    }

    /// Table of the words `offset` behind those of this table: another field of the same records.
    pub fn field(self, offset: u32) -> WordTable {
        WordTable { first: Word(self.first.0 + offset), stride: self.stride }
    }
}

/// Address of one word: a fixed word, or an element of a table whose index is in a register.
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

/// Condition on a value, compared with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Equal(Operand),
    NotEqual(Operand),
    AtLeast(Operand),
    /// True for tested values below the operand.
    Below(Operand),
    /// False for every value: a thread that reads a line again after every change, for ever.
    Never,
}

impl Test {
    pub fn equal(to: impl Into<Operand>) -> Test {
        Test::Equal(to.into())
    }

    pub fn not(to: impl Into<Operand>) -> Test {
        Test::NotEqual(to.into())
    }

    pub fn at_least(least: impl Into<Operand>) -> Test {
        Test::AtLeast(least.into())
    }

    pub fn below(bound: impl Into<Operand>) -> Test {
        Test::Below(bound.into())
    }
}
