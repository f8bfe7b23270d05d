//! Tasks of a phase, and the threads that create the first tasks.

use numalab_base::ThreadId;
use numalab_openmp::share;
use numalab_workload::{Phase, Producers, Task, Tasking};
use std::ops::Range;

/// Tasks of a phase by number: those of a tree, or pieces of a loop.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub tasking: &'a Tasking,
    iterations: u64,
    grain: u64,
    threads: u32,
}

impl<'a> Plan<'a> {
    pub fn new(phase: &'a Phase, threads: u32) -> Plan<'a> {
        let tasking = &phase.tasking;
        Plan { tasking, iterations: phase.iterations, grain: tasking.grain.max(1), threads }
    }

    /// Number of tasks in the whole tree, or of pieces of the loop.
    pub fn numbers(&self) -> u64 {
        match &self.tasking.tree {
            Some(tree) => tree.tasks.len() as u64,
            None => self.iterations.div_ceil(self.grain),
        }
    }

    /// Indices of the first tasks (roots of the tree, or pieces of the loop) that a thread's implicit task creates.
    pub fn produces(&self, thread: u32) -> Range<u64> {
        let all = self.tasking.tree.as_ref().map_or(self.numbers(), |tree| tree.roots.len() as u64);
        match self.tasking.producers {
            Producers::Parallel => share(all, self.threads, ThreadId::new(thread)),
            Producers::Single if thread == 0 => 0..all,
            Producers::Single => all..all,
        }
    }

    /// Task number of the first task with index `at` (see `produces`).
    pub fn first(&self, at: u64) -> u64 {
        self.tasking.tree.as_ref().map_or(at, |tree| u64::from(tree.roots[at as usize]))
    }

    /// Iterations that a task itself executes.
    pub fn iterations(&self, number: u64) -> Range<u64> {
        match &self.tasking.tree {
            Some(_) => number..number + 1,
            None => number * self.grain..((number + 1) * self.grain).min(self.iterations),
        }
    }

    /// Task of the tree with this number; `None` for a piece of a loop.
    pub fn task(&self, number: u64) -> Option<&Task> {
        self.tasking.tree.as_ref().map(|tree| &tree.tasks[number as usize])
    }

    /// Number of the step after a step of a task; `None` after the last one.
    pub fn next_step(&self, step: u32) -> Option<u32> {
        self.tasking.tree.as_ref()?.next_step(step)
    }

    /// Bytes that the creator of a task copies for it.
    pub fn copied(&self, number: u64) -> u64 {
        self.tasking.copied.get(number as usize).copied().unwrap_or(0).into()
    }

    /// Children of a step, as indices in the list of the children of all tasks.
    pub fn creates(&self, number: u64) -> Range<u32> {
        self.task(number).map_or(0..0, |task| task.first..task.first + task.count)
    }

    /// Number of a child, by its index `at` in the list of the children of all tasks.
    pub fn child(&self, at: u32) -> u64 {
        self.tasking.tree.as_ref().map_or(0, |tree| u64::from(tree.children[at as usize]))
    }

    /// Successors of a task, as a range of the list of successors.
    pub fn successors(&self, number: u64) -> Range<usize> {
        match &self.tasking.dependences {
            Some(all) => all.first[number as usize] as usize..all.first[number as usize + 1] as usize,
            None => 0..0,
        }
    }

    /// Task number of the successor at index `at` of the list of successors.
    pub fn successor(&self, at: usize) -> u64 {
        self.tasking.dependences.as_ref().map_or(0, |all| u64::from(all.successors[at]))
    }

    /// Number of predecessors of each task plus one for its own creation; empty if no task has predecessors.
    pub fn waits(&self) -> Vec<u32> {
        match &self.tasking.dependences {
            Some(all) => all.predecessors.iter().map(|count| count + 1).collect(),
            None => Vec::new(),
        }
    }
}
