//! Numbers of OpenMP's tool interface (OMPT) in event details.

/// Invokers of the body of a region.
pub mod invoker {
    /// The program: built by gcc, whose static loops are not reported.
    pub const PROGRAM: u8 = 1;
    /// The runtime, which reports loops.
    pub const RUNTIME: u8 = 2;
}

/// Types of worksharing.
pub mod work {
    /// A loop with an unknown schedule.
    pub const LOOP: u8 = 1;
    /// Sections.
    pub const SECTIONS: u8 = 2;
    /// A single construct, in the member that executes the block.
    pub const SINGLE: u8 = 3;
    /// A single construct, in the members that do not execute the block.
    pub const SINGLE_OTHER: u8 = 4;
    /// A loop whose chunks are tasks.
    pub const TASKLOOP: u8 = 7;
    /// A scope construct, executed by all members.
    pub const SCOPE: u8 = 8;
    /// A loop under `static`.
    pub const STATIC: u8 = 10;
    /// A loop under `dynamic`.
    pub const DYNAMIC: u8 = 11;
    /// A loop under `guided`.
    pub const GUIDED: u8 = 12;
}

/// Kinds of chunks.
pub mod chunk {
    /// Iterations of a taskloop, which other events report as a task.
    pub const TASKLOOP: u8 = 4;
}

/// Kinds of waits.
pub mod wait {
    /// A barrier.
    pub const BARRIER: u8 = 3;
    /// A taskwait: a task waits for its child tasks.
    pub const TASKS: u8 = 5;
    /// A wait for all tasks of a task group.
    pub const TASK_GROUP: u8 = 6;
}

/// Kinds of locks.
pub mod mutex {
    /// The lock of a critical section.
    pub const CRITICAL: u8 = 5;
    /// The turn of an iteration in an ordered loop.
    pub const ORDERED: u8 = 7;
}

/// Types of dependences.
pub mod dependence {
    /// The location is read.
    pub const IN: u8 = 1;
}
