//! Instances of constructs: one execution by a team in one run of the program.

use super::{Form, Recorded, TaskNode};

/// Properties that all instances of a class have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Address of the construct.
    pub site: u64,
    pub form: Form,
    pub iterations: u64,
    /// Size of the team.
    pub team: u32,
    pub schedule: Recorded,
    /// For serial parts, the address of the parallel region before: the part before a program's first
    /// region differs from the parts between regions.
    pub after: u64,
}

#[derive(Clone, Debug)]
pub struct Instance {
    pub key: Key,
    /// Costs, in the order of iterations.
    pub samples: Vec<Sample>,
    /// True if chunks were not observed one by one.
    pub filled: bool,
    /// Time in critical sections, in nanoseconds.
    pub locked_ns: u64,
    /// True if parts of iterations are executed in their order.
    pub ordered: bool,
    /// Tasks, as many as samples; empty without tasks.
    pub tasks: Vec<TaskNode>,
}

/// One measured cost of consecutive iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Number of iterations.
    pub count: u64,
    /// Time in nanoseconds.
    pub ns: u64,
    /// True if the thread lost its processor during the measurement.
    pub disturbed: bool,
    /// Index of the list of bytes touched during the measurement; 0 for none.
    pub touched: u32,
}

impl Instance {
    /// An instance without tasks.
    pub fn new(key: Key, samples: Vec<Sample>) -> Instance {
        Instance { key, samples, filled: false, locked_ns: 0, ordered: false, tasks: Vec::new() }
    }
}
