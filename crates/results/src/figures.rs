//! A run as flat figures: the columns of a CSV row and of a sweep point.

use crate::{Cell, CellKind, Executed, Member, Resource, Run, TaskCounts, TeamTime};
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
    ($($(#[$doc:meta])* $name:ident: $type:ty, $kind:ident;)*) => {
        /// A run as flat figures. Times are sums over the team, except the makespan. Figures of tasks are
        /// empty for runs without tasks.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Figures {
            $($(#[$doc])* #[serde(default, skip_serializing_if = "is_empty")] pub $name: $type,)*
        }

        impl Figures {
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
    makespan_ps: u64, Count;
    /// Number of events that the engine processed.
    events: u64, Count;
    /// Bytes from the thread's own node.
    bytes_node: u64, Count;
    /// Bytes from another node of its socket.
    bytes_socket: u64, Count;
    /// Bytes from another socket of its board.
    bytes_board: u64, Count;
    /// Bytes from further away.
    bytes_machine: u64, Count;
    /// Bytes from memory-only nodes; empty if there were none.
    bytes_memory_only: Option<u64>, Count;
    /// Time of executing instructions.
    compute_ps: TeamTime, Count;
    /// Time of waiting for memory.
    stall_ps: TeamTime, Count;
    /// Time in the runtime and the operating system.
    overhead_ps: TeamTime, Count;
    /// Time of waiting for other threads.
    idle_ps: TeamTime, Count;
    /// Iterations executed.
    iterations: u64, Count;
    /// Iterations among these that were stolen from another thread.
    stolen: u64, Count;
    /// Cause with the largest part of the team's lost time.
    bottleneck: Option<String>, Text;
    /// Fraction of threads × makespan lost to it.
    bottleneck_share: Option<f64>, Real;
    /// The phase in which most of that was lost.
    bottleneck_phase: Option<String>, Text;
    /// The resource to which most of that was lost.
    bottleneck_resource: Option<String>, Text;
    /// Fraction of threads × makespan lost to that resource.
    bottleneck_resource_share: Option<f64>, Real;
    /// Start of the interval in which time was lost to the bottleneck, counted in the measured phases.
    bottleneck_from_ps: Option<u64>, Count;
    /// End of that interval.
    bottleneck_to_ps: Option<u64>, Count;
    /// The resource with the highest mean utilisation among those that were full.
    busiest_resource: Option<String>, Text;
    /// Highest fraction of its capacity in use.
    busiest_peak_utilisation: Option<f64>, Real;
    /// Its bytes divided by capacity × makespan.
    busiest_mean_utilisation: Option<f64>, Real;
    /// Time of the team's work if all data were local and there were no contention.
    ideal_work_ps: u64, Count;
    /// Time that the team worked longer than that.
    memory_penalty_ps: i64, Signed;
    /// Working time of one thread that executes the same program alone.
    sequential_ps: Option<u64>, Count;
    /// Work-time inflation: the time that the team worked longer than one thread.
    inflation_ps: Option<i64>, Signed;
    /// Cache lines that moved for synchronisation.
    transactions: u64, Count;
    /// Tasks created.
    tasks_created: Option<u64>, Count;
    /// Tasks executed without being queued.
    tasks_at_once: Option<u64>, Count;
    /// Tasks executed by their creator.
    tasks_by_creator: Option<u64>, Count;
    /// Tasks executed by another thread of the creator's socket.
    tasks_same_socket: Option<u64>, Count;
    /// Tasks executed on another socket of the creator's board.
    tasks_same_board: Option<u64>, Count;
    /// Tasks executed further away.
    tasks_remote: Option<u64>, Count;
    /// Time in tasks executed by their creator.
    by_creator_ps: Option<u64>, Count;
    /// Time in tasks executed on the creator's socket.
    same_socket_ps: Option<u64>, Count;
    /// Time in tasks executed on the creator's board.
    same_board_ps: Option<u64>, Count;
    /// Time in tasks executed further away.
    remote_ps: Option<u64>, Count;
    /// Tasks taken from another queue.
    steals: Option<u64>, Count;
    /// Attempts to steal that found no task.
    failed_steals: Option<u64>, Count;
    /// Most tasks in one queue.
    longest_queue: Option<u64>, Count;
    /// Threads that created tasks.
    creators: Option<u64>, Count;
    /// Time spent creating tasks.
    creating_ps: Option<u64>, Count;
    /// Part of this time of the busiest creator.
    busiest_creator_ps: Option<u64>, Count;
    /// Time spent fetching tasks.
    fetching_ps: Option<u64>, Count;
    /// Time spent searching for tasks.
    searching_ps: Option<u64>, Count;
    /// Time spent in tasks.
    working_ps: Option<u64>, Count;
    /// Time of the longest task.
    longest_task_ps: Option<u64>, Count;
    /// Names of the findings, separated by spaces.
    findings: Option<String>, Text;
}

impl Figures {
    /// Figures of a run.
    pub fn of(run: &Run) -> Figures {
        let sum = |part: fn(&Member) -> u64| run.team.iter().map(part).sum::<TeamTime>();
        let count = |part: fn(&Member) -> u64| run.team.iter().map(part).fold(0, u64::saturating_add);
        let tasks = |part: fn(&TaskCounts) -> u64| run.tasks.as_ref().map(part);
        let place = |place: fn(&TaskCounts) -> &Executed| {
            let place = run.tasks.as_ref().map(place);
            (place.map(|done| done.tasks), place.map(|done| done.time_ps))
        };
        let (tasks_by_creator, by_creator_ps) = place(|tasks| &tasks.by_creator);
        let (tasks_same_socket, same_socket_ps) = place(|tasks| &tasks.same_socket);
        let (tasks_same_board, same_board_ps) = place(|tasks| &tasks.same_board);
        let (tasks_remote, remote_ps) = place(|tasks| &tasks.remote);
        let findings: Vec<&str> = run.findings.iter().map(|finding| finding.name.as_str()).collect();
        let (busiest, lost) = (run.busiest(), run.bottleneck.as_ref());
        Figures {
            makespan_ps: run.makespan_ps,
            events: run.events,
            bytes_node: run.bytes_by_level.node,
            bytes_socket: run.bytes_by_level.socket,
            bytes_board: run.bytes_by_level.board,
            bytes_machine: run.bytes_by_level.machine,
            bytes_memory_only: Some(run.bytes_by_level.memory_only).filter(|bytes| *bytes > 0),
            compute_ps: sum(|member| member.compute_ps),
            stall_ps: sum(|member| member.stall_ps),
            overhead_ps: sum(|member| member.overhead_ps),
            idle_ps: sum(|member| member.idle_ps),
            iterations: count(|member| member.iterations),
            stolen: count(|member| member.stolen),
            bottleneck: lost.map(|lost| lost.name.clone()),
            bottleneck_share: lost.map(|lost| lost.share),
            bottleneck_phase: lost.map(|lost| lost.phase.clone()),
            bottleneck_resource: lost.and_then(|lost| lost.resource.clone()),
            bottleneck_resource_share: lost.and_then(|lost| lost.resource_share),
            bottleneck_from_ps: lost.map(|lost| lost.from_ps),
            bottleneck_to_ps: lost.map(|lost| lost.to_ps),
            busiest_resource: busiest.map(|busiest| busiest.resource.name.clone()),
            busiest_peak_utilisation: busiest.map(|busiest| busiest.resource.peak_utilisation),
            busiest_mean_utilisation: busiest.map(|busiest| busiest.mean),
            ideal_work_ps: run.ideal_work_ps,
            memory_penalty_ps: run.memory_penalty_ps,
            sequential_ps: run.sequential_ps,
            inflation_ps: run.inflation_ps,
            transactions: run.transactions,
            tasks_created: tasks(|tasks| tasks.created),
            tasks_at_once: tasks(|tasks| tasks.at_once),
            tasks_by_creator,
            tasks_same_socket,
            tasks_same_board,
            tasks_remote,
            by_creator_ps,
            same_socket_ps,
            same_board_ps,
            remote_ps,
            steals: tasks(|tasks| tasks.steals),
            failed_steals: tasks(|tasks| tasks.failed_steals),
            longest_queue: tasks(|tasks| tasks.longest_queue),
            creators: tasks(|tasks| tasks.creators.into()),
            creating_ps: tasks(|tasks| tasks.creating_ps),
            busiest_creator_ps: tasks(|tasks| tasks.busiest_creator_ps),
            fetching_ps: tasks(|tasks| tasks.fetching_ps),
            searching_ps: tasks(|tasks| tasks.searching_ps),
            working_ps: tasks(|tasks| tasks.working_ps),
            longest_task_ps: tasks(|tasks| tasks.longest_task_ps),
            findings: (!findings.is_empty()).then(|| findings.join(" ")),
        }
    }
}
