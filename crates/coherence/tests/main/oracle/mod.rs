//! The oracle: one transaction after another, without time, over a tree of directories. It finds every copy by
//! looking at all of them, and knows of each whether it has what was written last.

mod moves;
mod world;

pub use moves::{Move, Mover, Supply};
pub use world::{Inside, Member, World};
