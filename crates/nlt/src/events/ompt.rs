//! Numbers of OpenMP's tool interface (OMPT) that events have as details.

/// Callers of the body of a region.
pub mod invoker {
    /// The program: it was built by gcc, whose static loops tell nobody.
    pub const PROGRAM: u8 = 1;
    /// The runtime, which tells of loops by themselves.
    pub const RUNTIME: u8 = 2;
}

/// Kinds of worksharing.
pub mod work {
    /// A loop; nobody says how its iterations were divided.
    pub const LOOP: u8 = 1;
    /// Sections.
    pub const SECTIONS: u8 = 2;
    /// Work that one member does for all.
    pub const SINGLE: u8 = 3;
    /// The part of the others.
    pub const SINGLE_OTHER: u8 = 4;
    /// A loop whose chunks are tasks.
    pub const TASKLOOP: u8 = 7;
    /// A part that all execute.
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
    /// Iterations of a taskloop: a task, which other events tell of.
    pub const TASKLOOP: u8 = 4;
}

/// Kinds of waits.
pub mod wait {
    /// A barrier.
    pub const BARRIER: u8 = 3;
    /// For the tasks that a task has created.
    pub const TASKS: u8 = 5;
    /// For all tasks of a group.
    pub const TASK_GROUP: u8 = 6;
}

/// Kinds of locks.
pub mod mutex {
    /// A critical section's.
    pub const CRITICAL: u8 = 5;
}

/// Kinds of dependences.
pub mod dependence {
    /// The place is read.
    pub const IN: u8 = 1;
}
