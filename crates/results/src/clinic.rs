//! Schedules of each loop of a program, compared; and what learning a schedule costs.

use crate::{Advice, Binding, Input, Replay};
use serde::Serialize;

/// Every schedule of the portfolio for each loop of a program.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clinic {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Seed of all random streams.
    pub seed: u64,
    /// Machine after all overrides.
    pub machine: Input,
    /// Workload after all overrides.
    pub workload: Input,
    /// The OpenMP runtime.
    pub runtime: Input,
    /// Placement of all pages that replaces the workload's placements; `None` if those apply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// Places and binding policies; `None` if not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binding: Option<Binding>,
    /// Accuracy of the replay, for a recorded program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    /// Size of the OpenMP team.
    pub threads: u32,
    /// Makespan with the present schedules.
    pub makespan_ps: u64,
    /// Loops of the measured phases, in program order.
    pub loops: Vec<LoopSchedules>,
    /// Whole program with the best schedule in each loop; `None` if no schedules are better than the present ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Together>,
    /// Like `best`, of the schedules that common compilers' runtimes have; `None` if those of `best` are such, or if none
    /// of them gains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub typed: Option<Together>,
    /// Changes of placement, binding and runtime that shorten the program with the schedules of `typed`, or else of
    /// `best`; the best first.
    pub advice: Vec<Advice>,
    /// Number of changes that gain nothing.
    pub tried: u64,
    /// Number of schedules that the machine or the runtime refuses.
    pub refused: u64,
    /// Number of runs that did not fit the budget, or that the user stopped.
    pub left_out: u64,
}

/// Schedules of one loop, or queues of the tasks of one phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoopSchedules {
    /// Name of the phase, as in the workload file.
    pub name: String,
    /// Number of iterations; `None` for tasks that create tasks or depend on each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// Number of executions: time steps in which a schedule can be learned.
    pub steps: u64,
    /// Present schedule, as typed.
    pub present: String,
    /// Part of the present makespan that the loop takes.
    pub share: f64,
    /// Simulated schedules, the best first.
    pub schedules: Vec<LoopSchedule>,
    /// Methods that learn a schedule while the program runs; empty if fewer than two of their schedules are known.
    pub learners: Vec<Learner>,
}

/// One loop under one schedule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoopSchedule {
    /// The schedule, as typed.
    pub schedule: String,
    /// Time of all executions of the loop in the run whose times do not vary.
    pub time_ps: u64,
    /// Smallest time over the replicas.
    pub low_ps: u64,
    /// Median over the replicas; the lower one of two.
    pub median_ps: u64,
    /// Largest time over the replicas.
    pub high_ps: u64,
    /// Number of runs, the nominal one included.
    pub replicas: u32,
    /// Time lost beside the best schedule, as a part of the best one's time.
    pub regret: f64,
    /// True if the ranges of this schedule and of the best one overlap.
    pub ties: bool,
    /// True if the times of the replicas differ by more than a fifth.
    pub unstable: bool,
    /// Percent imbalance: waiting time for the last thread, as a part of the loop's time; `None` in a parallel region
    /// that several phases share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imbalance: Option<f64>,
    /// Text that sets the schedule in a program; `None` if no compiler and no runtime has the schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub typed: Option<String>,
    /// Compilers or runtimes that have the schedule, such as `any compiler`.
    pub needs: String,
    /// True if a common compiler's runtime has the schedule.
    pub is_common: bool,
}

/// A whole program with a schedule for each of its loops.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Together {
    /// Schedule of each loop, in the order of [`Clinic::loops`].
    pub schedules: Vec<String>,
    /// Makespan of the program.
    pub makespan_ps: u64,
    /// Part of the present makespan that is saved.
    pub gain: f64,
}

/// Cost and result of learning a schedule, one schedule per time step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Learner {
    /// Name of the method.
    pub name: String,
    /// Schedules that the method chooses from, in its order.
    pub candidates: Vec<String>,
    /// Time steps until the method has tried what it tries on purpose; 0 for methods that never do.
    pub exploration: u64,
    /// Time lost beside the best candidate over [`Learner::STEPS`] time steps, in time steps of the best one.
    pub lost_steps: f64,
    /// Schedule that the method chooses most in the last tenth of [`Learner::STEPS`] time steps.
    pub settles: String,
    /// Time steps after which the method has saved more than it cost, beside the present schedule; `None` if it never
    /// does within [`Learner::STEPS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pays_after: Option<u64>,
}

impl Learner {
    /// Time steps over which methods are simulated.
    pub const STEPS: u64 = 10_000;
}
