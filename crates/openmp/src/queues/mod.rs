//! Task queues: their number, the queue of a new task, the search order of a thread, and the failed attempts of
//! random thieves. There is no clock, and no tasks are stored.
//!
//! | file | contents |
//! |---|---|
//! | `layout` | queues and their owners |
//! | `bound` | limit of a queue's length |
//! | `order` | end of the queue to take from, and the order of other queues |
//! | `chance` | random numbers for thieves |

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
