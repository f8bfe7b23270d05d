//! One instance of a construct, as one run of the program had it.

use super::{Form, Recorded, TaskNode};

/// Properties that instances of a class have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Address of the construct.
    pub site: u64,
    /// Construct.
    pub form: Form,
    /// Iterations.
    pub iterations: u64,
    /// Size of the team.
    pub team: u32,
    /// Schedule.
    pub schedule: Recorded,
    /// Address of the region before it, for what is outside of regions: what leads up to a program's first region is another
    /// work than what comes between regions.
    pub after: u64,
}

/// An instance.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its class.
    pub key: Key,
    /// Costs, in the order of iterations.
    pub samples: Vec<Sample>,
    /// Whether chunks were not seen one by one.
    pub filled: bool,
    /// Time under locks.
    pub locked_ns: u64,
    /// Tasks, as many as samples.
    pub tasks: Vec<TaskNode>,
}

/// Cost that consecutive iterations had once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Number of iterations.
    pub count: u64,
    /// Nanoseconds.
    pub ns: u64,
    /// Whether something else ran in between.
    pub disturbed: bool,
    /// Number of the list of what was touched, 0 for nothing.
    pub touched: u32,
}

impl Instance {
    /// An instance without tasks.
    pub fn new(key: Key, samples: Vec<Sample>) -> Instance {
        Instance { key, samples, filled: false, locked_ns: 0, tasks: Vec::new() }
    }
}
