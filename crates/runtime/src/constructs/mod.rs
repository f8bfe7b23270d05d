//! What constructs inside a region share, each in a file of its own: the words, and programs on them.
//! `critical` and `lock` are [`Lock`](crate::Lock).

mod atomic;
mod dynamic;
mod guided;
mod ordered;
mod single;
mod steal;
mod update;

pub use atomic::Atomic;
pub use dynamic::Dynamic;
pub use guided::Guided;
pub use ordered::Ordered;
pub use single::Single;
pub use steal::Steal;
pub use update::Update;

use crate::code::{Builder, CodeId};
use crate::exec::Exec;

/// Writes a program and makes it known.
fn program(exec: &mut Exec<'_>, write: impl FnOnce(&mut Builder)) -> CodeId {
    let mut code = Builder::new();
    write(&mut code);
    exec.add_code(code.build())
}
