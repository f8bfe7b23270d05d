//! Task queues: which there are, where a new task goes, where a thread that wants one looks, and how long
//! thieves who choose at random go without finding anything. Nothing here has a clock or holds a task.
//!
//! | file | what |
//! |---|---|
//! | `shape` | which queues there are, and whose |
//! | `bound` | how many tasks a queue takes |
//! | `order` | from which end, and in which other queues after one's own |
//! | `chance` | draws for thieves who choose at random |

mod bound;
mod chance;
mod order;
mod shape;

pub use bound::Bound;
pub use chance::{fruitless, part_of};
pub use order::{End, Order};
pub use shape::{Audience, Shape, Spot};

#[cfg(test)]
mod tests;
