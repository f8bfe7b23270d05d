//! A run as flat figures: the columns of a CSV row and of a sweep point.

use crate::{Bottleneck, Cell, CellKind, Member, Resource, Run, TaskCounts, TeamTime};
use serde::{Deserialize, Serialize};

/// Utilisation of a resource.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Busiest<'a> {
    /// The resource.
    pub resource: &'a Resource,
    /// Bytes divided by capacity × makespan.
    pub mean: f64,
}

/// A resource with at least this peak utilisation was full and delayed traffic.
const FULL: f64 = 0.999;

impl Run {
    /// The resource with the highest mean utilisation among those that were full at some time, or among
    /// all if none was. A resource that was never full delayed no traffic, however busy it was.
    pub fn busiest(&self) -> Option<Busiest<'_>> {
        let seconds = self.makespan_ps as f64 / 1e12;
        let rank = |busiest: &Busiest<'_>| (busiest.resource.peak_utilisation >= FULL, busiest.mean);
        let mut best: Option<Busiest<'_>> = None;
        for resource in &self.resources {
            let could = resource.capacity_bytes_per_s * seconds;
            let mean = if could > 0.0 { resource.bytes as f64 / could } else { 0.0 };
            let candidate = Busiest { resource, mean };
            if best.is_none_or(|best| rank(&candidate) > rank(&best)) {
                best = Some(candidate);
            }
        }
        best
    }
}

macro_rules! figures {
    ($($(#[$doc:meta])* $name:ident: $type:ty, $kind:ident = $read:expr;)*) => {
        /// A run as flat figures. Times are sums over the team, except the makespan. Figures of tasks are
        /// empty for runs without tasks.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Figures {
            $($(#[$doc])* #[serde(default, skip_serializing_if = "is_empty")] pub $name: $type,)*
        }

        impl Figures {
            /// Figures of a run.
            pub fn of(run: &Run) -> Figures {
                let reading = Reading { run, busiest: run.busiest(), lost: run.bottleneck.as_ref() };
                $(let $name: fn(&Reading<'_>) -> $type = $read;)*
                Figures { $($name: $name(&reading)),* }
            }

            /// Names and kinds of all figures.
            pub const COLUMNS: &'static [(&'static str, CellKind)] =
                &[$((stringify!($name), CellKind::$kind)),*];

            /// The values, in the order of [`Figures::COLUMNS`].
            pub fn cells(&self) -> Vec<Cell> {
                vec![$(Cell::from(self.$name.clone())),*]
            }
        }
    };
}

/// True for an empty cell, which is not written; zero is.
fn is_empty<T: Clone + Into<Cell>>(value: &T) -> bool {
    matches!(value.clone().into(), Cell::Empty)
}

figures! {
    /// Time of the measured phases.
    makespan_ps: u64, Count = |of| of.run.makespan_ps;
    /// Number of events that the engine processed.
    events: u64, Count = |of| of.run.events;
    /// Bytes from the thread's own node.
    bytes_node: u64, Count = |of| of.run.bytes_by_level.node;
    /// Bytes from another node of its socket.
    bytes_socket: u64, Count = |of| of.run.bytes_by_level.socket;
    /// Bytes from another socket of its board.
    bytes_board: u64, Count = |of| of.run.bytes_by_level.board;
    /// Bytes from further away.
    bytes_machine: u64, Count = |of| of.run.bytes_by_level.machine;
    /// Bytes from memory-only nodes; empty if there were none.
    bytes_memory_only: Option<u64>, Count = |of| Some(of.run.bytes_by_level.memory_only).filter(|bytes| *bytes > 0);
    /// Time of executing instructions.
    compute_ps: TeamTime, Count = |of| of.sum(|member| member.compute_ps);
    /// Time of waiting for memory.
    stall_ps: TeamTime, Count = |of| of.sum(|member| member.stall_ps);
    /// Time in the runtime and the operating system.
    overhead_ps: TeamTime, Count = |of| of.sum(|member| member.overhead_ps);
    /// Time of waiting for other threads.
    idle_ps: TeamTime, Count = |of| of.sum(|member| member.idle_ps);
    /// Iterations executed.
    iterations: u64, Count = |of| of.count(|member| member.iterations);
    /// Iterations among these that were stolen from another thread.
    stolen: u64, Count = |of| of.count(|member| member.stolen);
    /// Cause with the largest part of the team's lost time.
    bottleneck: Option<String>, Text = |of| of.lost.map(|lost| lost.name.clone());
    /// Fraction of threads × makespan lost to it.
    bottleneck_share: Option<f64>, Real = |of| of.lost.map(|lost| lost.share);
    /// The phase in which most of that was lost.
    bottleneck_phase: Option<String>, Text = |of| of.lost.map(|lost| lost.phase.clone());
    /// The resource to which most of that was lost.
    bottleneck_resource: Option<String>, Text = |of| of.lost.and_then(|lost| lost.resource.clone());
    /// Fraction of threads × makespan lost to that resource.
    bottleneck_resource_share: Option<f64>, Real = |of| of.lost.and_then(|lost| lost.resource_share);
    /// Start of the interval in which time was lost to the bottleneck, counted in the measured phases.
    bottleneck_from_ps: Option<u64>, Count = |of| of.lost.map(|lost| lost.from_ps);
    /// End of that interval.
    bottleneck_to_ps: Option<u64>, Count = |of| of.lost.map(|lost| lost.to_ps);
    /// The resource with the highest mean utilisation among those that were full.
    busiest_resource: Option<String>, Text = |of| of.busiest.map(|busiest| busiest.resource.name.clone());
    /// Highest fraction of its capacity in use.
    busiest_peak_utilisation: Option<f64>, Real = |of| of.busiest.map(|busiest| busiest.resource.peak_utilisation);
    /// Mean utilisation of the busiest resource: its bytes divided by capacity × makespan.
    busiest_mean_utilisation: Option<f64>, Real = |of| of.busiest.map(|busiest| busiest.mean);
    /// Time of the team's work if all data were local and there were no contention.
    ideal_work_ps: u64, Count = |of| of.run.ideal_work_ps;
    /// Time that the team worked longer than that.
    memory_penalty_ps: i64, Signed = |of| of.run.memory_penalty_ps;
    /// Working time of one thread that executes the same program alone.
    sequential_ps: Option<u64>, Count = |of| of.run.sequential_ps;
    /// Work-time inflation: the time that the team worked longer than one thread.
    inflation_ps: Option<i64>, Signed = |of| of.run.inflation_ps;
    /// Cache lines that moved for synchronisation.
    transactions: u64, Count = |of| of.run.transactions;
    /// Tasks created.
    tasks_created: Option<u64>, Count = |of| of.tasks(|tasks| tasks.created);
    /// Tasks executed without being queued.
    tasks_at_once: Option<u64>, Count = |of| of.tasks(|tasks| tasks.at_once);
    /// Tasks executed by their creator.
    tasks_by_creator: Option<u64>, Count = |of| of.tasks(|tasks| tasks.by_creator.tasks);
    /// Tasks executed by another thread of the creator's socket.
    tasks_same_socket: Option<u64>, Count = |of| of.tasks(|tasks| tasks.same_socket.tasks);
    /// Tasks executed on another socket of the creator's board.
    tasks_same_board: Option<u64>, Count = |of| of.tasks(|tasks| tasks.same_board.tasks);
    /// Tasks executed further away.
    tasks_remote: Option<u64>, Count = |of| of.tasks(|tasks| tasks.remote.tasks);
    /// Time in tasks executed by their creator.
    by_creator_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.by_creator.time_ps);
    /// Time in tasks executed on the creator's socket.
    same_socket_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.same_socket.time_ps);
    /// Time in tasks executed on the creator's board.
    same_board_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.same_board.time_ps);
    /// Time in tasks executed further away.
    remote_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.remote.time_ps);
    /// Tasks taken from another queue.
    steals: Option<u64>, Count = |of| of.tasks(|tasks| tasks.steals);
    /// Attempts to steal that found no task.
    failed_steals: Option<u64>, Count = |of| of.tasks(|tasks| tasks.failed_steals);
    /// Largest number of waiting tasks at any moment, in all queues together.
    longest_queue: Option<u64>, Count = |of| of.tasks(|tasks| tasks.longest_queue);
    /// Threads that created tasks.
    creators: Option<u64>, Count = |of| of.tasks(|tasks| tasks.creators.into());
    /// Time spent creating tasks.
    creating_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.creating_ps);
    /// Part of this time of the busiest creator.
    busiest_creator_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.busiest_creator_ps);
    /// Time spent fetching tasks.
    fetching_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.fetching_ps);
    /// Time spent searching for tasks.
    searching_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.searching_ps);
    /// Time spent in tasks.
    working_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.working_ps);
    /// Time of the longest task.
    longest_task_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.longest_task_ps);
    /// Names of the findings, separated by spaces.
    findings: Option<String>, Text = |of| of.findings();
}

/// A run, and what several figures need of it.
struct Reading<'a> {
    run: &'a Run,
    busiest: Option<Busiest<'a>>,
    lost: Option<&'a Bottleneck>,
}

impl Reading<'_> {
    fn sum(&self, part: fn(&Member) -> u64) -> TeamTime {
        self.run.team.iter().map(part).sum()
    }

    fn count(&self, part: fn(&Member) -> u64) -> u64 {
        self.run.team.iter().map(part).fold(0, u64::saturating_add)
    }

    fn tasks(&self, part: fn(&TaskCounts) -> u64) -> Option<u64> {
        self.run.tasks.as_ref().map(part)
    }

    fn findings(&self) -> Option<String> {
        let names: Vec<&str> = self.run.findings.iter().map(|finding| finding.name.as_str()).collect();
        (!names.is_empty()).then(|| names.join(" "))
    }
}
