//! Slices of a region for every iteration of a loop, computed from expressions. Each pattern has a module.

mod explicit;
mod gather;
mod halo;
mod partition;
mod partitions;
mod strided;

pub(crate) use explicit::explicit;
pub(crate) use gather::{Gather, gather};
pub(crate) use halo::halo;
pub(crate) use partitions::Partitions;
pub(crate) use strided::{Stride, strided};

use numalab_syntax::expression::{Cursor, Program};
use std::sync::Arc;

/// Column of values, one for every iteration, which `make` computes from the values of several expressions; or the
/// first error of `make`. The column is built in place, since it can be the largest object of all.
fn column<T: Default, const N: usize>(
    programs: [&Program; N],
    count: u64,
    mut make: impl FnMut(u64, [f64; N]) -> Result<T, String>,
) -> Result<Arc<[T]>, String> {
    let mut cursors = programs.map(Cursor::new);
    let mut wrong = None;
    let value = |i| {
        if wrong.is_some() {
            return T::default();
        }
        make(i, cursors.each_mut().map(|cursor| cursor.at(i))).unwrap_or_else(|error| {
            wrong = Some(error);
            T::default()
        })
    };
    let column = (0..count).map(value).collect();
    wrong.map_or(Ok(column), Err)
}

#[cfg(test)]
fn program(text: &str) -> Program {
    numalab_syntax::expression::parse(text)
        .unwrap()
        .bind(&numalab_syntax::expression::Scope::default(), true)
        .unwrap()
}
