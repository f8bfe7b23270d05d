//! Shared words of constructs inside a region, and programs on them, one construct a file. `critical` and `lock` are
//! [`Lock`](crate::Lock).

mod atomic;
mod dynamic;
mod flags;
mod guided;
mod ordered;
mod single;
mod steal;
mod update;

pub use atomic::Atomic;
pub use dynamic::DynamicCounter;
pub use flags::Flags;
pub use guided::GuidedCounter;
pub use ordered::Ordered;
pub use single::Single;
pub use steal::StealRanges;
pub use update::Update;

use crate::code::{CodeBuilder, CodeId};
use crate::exec::Exec;

/// Builds a program with `write` and adds it to the interpreter.
fn program(exec: &mut Exec<'_>, write: impl FnOnce(&mut CodeBuilder)) -> CodeId {
    let mut code = CodeBuilder::new();
    write(&mut code);
    exec.add_code(code.build())
}
