//! A run as flat figures: the columns of a CSV row and of a sweep point.

use crate::{Bottleneck, Cell, CellKind, Member, Resource, Run, TaskCounts, TeamTime};
use serde::{Deserialize, Serialize};

/// A resource with its mean utilisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Busiest<'a> {
    /// Resource with the highest mean utilisation of those considered: full ones, or all.
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
        /// A run as flat figures, one per column. Times of activities and of tasks are sums over the team. Figures of
        /// tasks are `None` for runs without tasks.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Figures {
            $($(#[$doc])* #[serde(default, skip_serializing_if = "is_empty")] pub $name: $type,)*
        }

        impl Figures {
            /// Reads the figures of a run from its record.
            pub fn of(run: &Run) -> Figures {
                let reading = Reading { run, busiest: run.busiest(), lost: run.bottleneck.as_ref() };
                $(let $name: fn(&Reading<'_>) -> $type = $read;)*
                Figures { $($name: $name(&reading)),* }
            }

            /// Column names and cell kinds, in order.
            pub const COLUMNS: &'static [(&'static str, CellKind)] =
                &[$((stringify!($name), CellKind::$kind)),*];

            /// The values, in the order of [`Figures::COLUMNS`].
            pub fn cells(&self) -> Vec<Cell> {
                vec![$(Cell::from(self.$name.clone())),*]
            }
        }
    };
}

/// True if the value has no cell in files; a zero has one.
fn is_empty<T: Clone + Into<Cell>>(value: &T) -> bool {
    matches!(value.clone().into(), Cell::Empty)
}

figures! {
    /// Time of the measured phases in the nominal run.
    makespan_ps: u64, Count = |of| of.run.makespan_ps;
    /// Number of runs behind the range, the nominal one included; `None` if only that was simulated.
    replicas: Option<u64>, Count = |of| of.run.replicas.map(|replicas| replicas.number.into());
    /// Smallest makespan of the nominal run and its replicas.
    makespan_low_ps: Option<u64>, Count = |of| of.run.replicas.map(|replicas| replicas.low_ps);
    /// Median of these makespans.
    makespan_median_ps: Option<u64>, Count = |of| of.run.replicas.map(|replicas| replicas.median_ps);
    /// Largest of these makespans.
    makespan_high_ps: Option<u64>, Count = |of| of.run.replicas.map(|replicas| replicas.high_ps);
    /// Number of events that the engine processed.
    events: u64, Count = |of| of.run.events;
    /// Bytes from the thread's own node.
    bytes_node: u64, Count = |of| of.run.bytes_by_level.node;
    /// Bytes from another node of the thread's socket.
    bytes_socket: u64, Count = |of| of.run.bytes_by_level.socket;
    /// Bytes from another socket of the thread's board.
    bytes_board: u64, Count = |of| of.run.bytes_by_level.board;
    /// Bytes from another board, or from another socket on a machine without boards.
    bytes_machine: u64, Count = |of| of.run.bytes_by_level.machine;
    /// Bytes from memory-only nodes; empty if there were none.
    bytes_memory_only: Option<u64>, Count = |of| Some(of.run.bytes_by_level.memory_only).filter(|bytes| *bytes > 0);
    /// Time of executing instructions.
    compute_ps: TeamTime, Count = |of| of.sum(|member| member.compute_ps);
    /// Time of waiting for memory.
    stall_ps: TeamTime, Count = |of| of.sum(|member| member.stall_ps);
    /// Time in the runtime and the operating system.
    overhead_ps: TeamTime, Count = |of| of.sum(|member| member.overhead_ps);
    /// Time of waiting for other threads, such as at barriers.
    idle_ps: TeamTime, Count = |of| of.sum(|member| member.idle_ps);
    /// Iterations that all threads executed, own and stolen ones.
    iterations: u64, Count = |of| of.count(|member| member.iterations);
    /// Number of `iterations` that were stolen from another thread.
    stolen: u64, Count = |of| of.count(|member| member.stolen);
    /// Cause with the largest part of the team's lost time; `None` if no time was lost.
    bottleneck: Option<String>, Text = |of| of.lost.map(|lost| lost.name.clone());
    /// Fraction of threads × makespan lost to the `bottleneck`.
    bottleneck_share: Option<f64>, Real = |of| of.lost.map(|lost| lost.share);
    /// Phase in which most of the time was lost to the `bottleneck`.
    bottleneck_phase: Option<String>, Text = |of| of.lost.map(|lost| lost.phase.clone());
    /// Resource to which most of the `bottleneck`'s time was lost; `None` if the cause is no resource.
    bottleneck_resource: Option<String>, Text = |of| of.lost.and_then(|lost| lost.resource.clone());
    /// Fraction of threads × makespan lost to `bottleneck_resource` alone.
    bottleneck_resource_share: Option<f64>, Real = |of| of.lost.and_then(|lost| lost.resource_share);
    /// Start of the interval in which time was lost to the `bottleneck`, in picoseconds of measured
    /// time.
    bottleneck_from_ps: Option<u64>, Count = |of| of.lost.map(|lost| lost.from_ps);
    /// End of the interval in which time was lost to the `bottleneck`.
    bottleneck_to_ps: Option<u64>, Count = |of| of.lost.map(|lost| lost.to_ps);
    /// Resource with the highest mean utilisation among those that were full at some time; among all if none was.
    busiest_resource: Option<String>, Text = |of| of.busiest.map(|busiest| busiest.resource.name.clone());
    /// Highest fraction of the busiest resource's capacity in use at any moment.
    busiest_peak_utilisation: Option<f64>, Real = |of| of.busiest.map(|busiest| busiest.resource.peak_utilisation);
    /// Mean utilisation of the busiest resource: its bytes divided by capacity × makespan.
    busiest_mean_utilisation: Option<f64>, Real = |of| of.busiest.map(|busiest| busiest.mean);
    /// Time of the team's work if all data were local and there were no contention.
    ideal_work_ps: u64, Count = |of| of.run.ideal_work_ps;
    /// Time that the team worked beyond `ideal_work_ps`, because of remote data and contention.
    memory_penalty_ps: i64, Signed = |of| of.run.memory_penalty_ps;
    /// Time that one thread works if it executes the same program alone; `None` if that was not simulated.
    sequential_ps: Option<u64>, Count = |of| of.run.sequential_ps;
    /// Work-time inflation: working time of the team less `sequential_ps`.
    inflation_ps: Option<i64>, Signed = |of| of.run.inflation_ps;
    /// Cache lines that moved for synchronisation.
    transactions: u64, Count = |of| of.run.transactions;
    /// Tasks created, including those executed at once.
    tasks_created: Option<u64>, Count = |of| of.tasks(|tasks| tasks.created);
    /// Tasks executed by their creator at once, because a queue was full.
    tasks_at_once: Option<u64>, Count = |of| of.tasks(|tasks| tasks.at_once);
    /// Tasks executed by the thread that created them, at once or later.
    tasks_by_creator: Option<u64>, Count = |of| of.tasks(|tasks| tasks.by_creator.tasks);
    /// Tasks executed by another thread of the creator's socket.
    tasks_same_socket: Option<u64>, Count = |of| of.tasks(|tasks| tasks.same_socket.tasks);
    /// Tasks executed on another socket of the creator's board.
    tasks_same_board: Option<u64>, Count = |of| of.tasks(|tasks| tasks.same_board.tasks);
    /// Tasks executed on another board than the creator's, or on another socket of a machine without boards.
    tasks_remote: Option<u64>, Count = |of| of.tasks(|tasks| tasks.remote.tasks);
    /// Time in tasks executed by their creator.
    by_creator_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.by_creator.time_ps);
    /// Time in tasks executed on the creator's socket.
    same_socket_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.same_socket.time_ps);
    /// Time in tasks executed on the creator's board.
    same_board_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.same_board.time_ps);
    /// Time in tasks executed further away than on the creator's board.
    remote_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.remote.time_ps);
    /// Tasks stolen from another thread's queue.
    steals: Option<u64>, Count = |of| of.tasks(|tasks| tasks.steals);
    /// Attempts to steal that found no task.
    failed_steals: Option<u64>, Count = |of| of.tasks(|tasks| tasks.failed_steals);
    /// Largest number of waiting tasks at any moment, in all queues together.
    longest_queue: Option<u64>, Count = |of| of.tasks(|tasks| tasks.longest_queue);
    /// Threads that created at least one task in a phase; the largest number over phases.
    creators: Option<u64>, Count = |of| of.tasks(|tasks| tasks.creators.into());
    /// Time spent creating tasks.
    creating_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.creating_ps);
    /// Creating time of the busiest creator of each phase, summed over phases.
    busiest_creator_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.busiest_creator_ps);
    /// Time spent fetching and finishing tasks: queues, their locks, stealing.
    fetching_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.fetching_ps);
    /// Part of `fetching_ps` spent in searches that found no task.
    searching_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.searching_ps);
    /// Time spent in tasks.
    working_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.working_ps);
    /// Time of the longest task.
    longest_task_ps: Option<u64>, Count = |of| of.tasks(|tasks| tasks.longest_task_ps);
    /// Names of the run's findings, such as `tasks-too-fine`, separated by spaces; `None` if there are none.
    findings: Option<String>, Text = |of| of.findings();
}

/// A run with its busiest resource and bottleneck, which several figures read.
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
