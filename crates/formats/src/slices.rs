//! Slices of a region for every iteration of a loop, from expressions. One module for each pattern.

mod explicit;
mod gather;
mod halo;
mod partition;
mod strided;

pub(crate) use explicit::explicit;
pub(crate) use gather::{Gather, gather};
pub(crate) use halo::halo;
pub(crate) use partition::partition;
pub(crate) use strided::{Stride, strided};

use crate::expression::Program;

/// Calls `visit` with the values of several expressions for every iteration, until it refuses.
fn rows<const N: usize>(
    programs: [&Program; N],
    count: u64,
    mut visit: impl FnMut(u64, [f64; N]) -> Result<(), String>,
) -> Result<(), String> {
    /// As many as an expression evaluates together.
    const BLOCK: u64 = 256;
    let mut columns = [[0.0; BLOCK as usize]; N];
    for first in (0..count).step_by(BLOCK as usize) {
        let end = count.min(first + BLOCK);
        for (program, column) in programs.iter().zip(&mut columns) {
            program.each(first, end, |_, values| column[..values.len()].copy_from_slice(values));
        }
        for k in 0..(end - first) as usize {
            visit(first + k as u64, columns.each_ref().map(|column| column[k]))?;
        }
    }
    Ok(())
}

#[cfg(test)]
fn program(text: &str) -> Program {
    crate::expression::parse(text).unwrap().bind(&crate::expression::Scope::default(), true).unwrap()
}
