//! The oracle: executes transactions one after another, without time, on a tree of directories. It finds copies by
//! visiting all caches, and records for each copy if it has the last write.

mod moves;
mod world;

pub use moves::{Move, Mover, Supply};
pub use world::{Inside, Member, World};
