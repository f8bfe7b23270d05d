//! Task queues: which there are, where a new task goes, where a thread that wants one looks, and how long
//! thieves who choose at random go without finding anything. Nothing here has a clock or holds a task.
//!
//! | file | what |
//! |---|---|
//! | `layout` | which queues there are, and whose |
//! | `bound` | how many tasks a queue takes |
//! | `order` | from which end, and in which other queues after one's own |
//! | `chance` | draws for thieves who choose at random |

// Glossary: queue of tasks: A list from which threads take tasks: one for the team, one for each thread, or
//   a hierarchy.

mod bound;
mod chance;
mod layout;
mod order;

pub use bound::QueueBound;
pub use chance::{fruitless, part_of};
pub use layout::{Audience, QueueLayout, ThreadLocation};
pub use order::{QueueEnd, QueueOrder};

#[cfg(test)]
mod tests;
