//! Evaluation of operands, addresses and tests with a thread's registers.

use crate::code::{Address, Arithmetic, Operand, REGISTERS, Reg, Test, Word};

pub(super) type Registers = [u64; REGISTERS];

pub(super) fn read(registers: &Registers, operand: Operand) -> u64 {
    match operand {
        Operand::Value(value) => value,
        Operand::Reg(register) => get(registers, register),
    }
}

pub(super) fn get(registers: &Registers, Reg(register): Reg) -> u64 {
    registers[register as usize % REGISTERS]
}

pub(super) fn put(registers: &mut Registers, Reg(register): Reg, value: u64) {
    registers[register as usize % REGISTERS] = value;
}

pub(super) fn word(registers: &Registers, at: Address) -> Word {
    let offset = if at.indexed { get(registers, Reg(at.index)) as u32 * at.stride } else { 0 };
    Word(at.first + offset)
}

pub(super) fn passes(registers: &Registers, test: Test, value: u64) -> bool {
    match test {
        Test::Equal(other) => value == read(registers, other),
        Test::NotEqual(other) => value != read(registers, other),
        Test::AtLeast(least) => value >= read(registers, least),
        Test::Below(bound) => value < read(registers, bound),
        Test::Never => false,
    }
}

/// Difference between a value and the operand of a test; 0 if no value decides.
pub(super) fn distance(registers: &Registers, test: Test, value: u64) -> u64 {
    match test {
        Test::Equal(other) | Test::NotEqual(other) | Test::AtLeast(other) | Test::Below(other) => {
            value.wrapping_sub(read(registers, other))
        }
        Test::Never => 0,
    }
}

/// Value that the record of decisions needs about a calculation: the difference of the operands for `Min` and `Max`,
/// the factor for a multiplication by a register; `None` for sums, differences and multiples by a constant.
pub(super) fn choice(how: Arithmetic, left: u64, right: u64, factor: Operand) -> Option<u64> {
    match (how, factor) {
        (Arithmetic::Add | Arithmetic::Subtract, _) | (Arithmetic::Multiply, Operand::Value(_)) => None,
        (Arithmetic::Multiply, Operand::Reg(_)) => Some(right),
        (Arithmetic::Min | Arithmetic::Max, _) => Some(left.wrapping_sub(right)),
    }
}

pub(super) fn calculate(how: Arithmetic, left: u64, right: u64) -> u64 {
    match how {
        Arithmetic::Add => left.wrapping_add(right),
        Arithmetic::Subtract => left.wrapping_sub(right),
        Arithmetic::Multiply => left.wrapping_mul(right),
        Arithmetic::Min => left.min(right),
        Arithmetic::Max => left.max(right),
    }
}
