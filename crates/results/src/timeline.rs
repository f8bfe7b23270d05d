//! A run over time: activities of every thread, and traffic of every resource.

use crate::Sharing;

/// Account that a span of a thread's time belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Account {
    /// Executing instructions.
    Compute,
    /// Waiting for memory.
    Stall,
    /// In the runtime or the operating system.
    Overhead,
    /// Waiting for other threads.
    Idle,
}

impl Account {
    /// All accounts, in the order in which they are shown.
    pub const ALL: [Account; 4] = [Account::Compute, Account::Stall, Account::Overhead, Account::Idle];

    /// Name in files and pictures.
    pub fn name(self) -> &'static str {
        match self {
            Account::Compute => "compute",
            Account::Stall => "memory",
            Account::Overhead => "overhead",
            Account::Idle => "idle",
        }
    }
}

/// A thread of the team and its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineThread {
    /// The operating system's number of the processor.
    pub processor: u32,
    /// NUMA node of the processor.
    pub node: u32,
    /// Number of the socket within the machine.
    pub socket: u32,
    /// Number of the board within the machine; 0 on machines without boards.
    pub board: u32,
}

/// Activity of a span of time. Spans refer to their kind by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanKind {
    /// The account that the time belongs to.
    pub account: Account,
    /// The activity in words: `computing`, `data of another board`.
    pub reason: String,
    /// Location of the awaited data, relative to the thread; `None` if the thread did not wait for data.
    pub data: Option<crate::Sharing>,
    /// Name of the resource that limited the awaited stream; `None` if none did.
    pub limit: Option<String>,
    /// Distance between the thread and the creator of the executed task; `None` outside of tasks.
    pub creator: Option<TaskDistance>,
    /// Number of the board (the socket on machines without boards) that holds most of the span's data. `None` without
    /// data, and if domains were not recorded.
    pub domain: Option<u32>,
}

impl std::fmt::Display for SpanKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason)?;
        if let Some(limit) = &self.limit {
            write!(f, ", limited by {limit}")?;
        }
        match self.creator {
            Some(creator) => write!(f, " (task of {})", creator.owner()),
            None => Ok(()),
        }
    }
}

/// Distance between the thread that executes a task and its creator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskDistance {
    /// The creator executes the task itself.
    Creator,
    /// Another thread of the creator's socket executes the task.
    Socket,
    /// A thread of another socket on the creator's board executes the task.
    Board,
    /// A thread of another board, or of another socket on machines without boards, executes the task.
    Remote,
}

impl From<Sharing> for TaskDistance {
    /// Distance of two threads, given the smallest part of the machine that contains both.
    fn from(sharing: Sharing) -> TaskDistance {
        match sharing {
            Sharing::Node | Sharing::Socket => TaskDistance::Socket,
            Sharing::Board => TaskDistance::Board,
            Sharing::Machine | Sharing::MemoryOnly => TaskDistance::Remote,
        }
    }
}

impl TaskDistance {
    /// All distances, from near to far.
    pub const ALL: [TaskDistance; 4] =
        [TaskDistance::Creator, TaskDistance::Socket, TaskDistance::Board, TaskDistance::Remote];

    /// Name in files and pictures.
    pub fn name(self) -> &'static str {
        match self {
            TaskDistance::Creator => "creator",
            TaskDistance::Socket => "same socket",
            TaskDistance::Board => "same board",
            TaskDistance::Remote => "remote",
        }
    }

    /// Owner of the task, such as the thread itself or another board, in words.
    fn owner(self) -> &'static str {
        match self {
            TaskDistance::Creator => "its own",
            TaskDistance::Socket => "the same socket",
            TaskDistance::Board => "the same board",
            TaskDistance::Remote => "far away",
        }
    }
}

/// A span of a thread's time. It begins where the thread's previous span ends, the first at the start of the
/// timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineSpan {
    /// End of the span.
    pub to_ps: u64,
    /// Index into [`Timeline::kinds`].
    pub kind: u32,
}

/// One execution of a phase; immediate repetitions are joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelinePhase {
    /// Name of the phase, as in the workload file.
    pub name: String,
    /// True if the phase counts in the makespan.
    pub measured: bool,
    /// Start of the execution.
    pub from_ps: u64,
    /// End of the execution.
    pub to_ps: u64,
}

/// Kind of a resource, by which pictures place it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceKind {
    /// The memory of a node, by node number.
    Memory(u32),
    /// One direction of a link, as names of its start and end.
    Link(String, String),
    /// Any other resource, such as ports of a memory, requests in flight, directions of a controller.
    Other,
}

/// A resource and the bytes that crossed it, in bins of time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineResource {
    /// Kind and location of the resource, such as `memory of node 3`.
    pub name: String,
    /// Memory, link or other resource.
    pub kind: ResourceKind,
    /// Nominal capacity, without the slowdown under load.
    pub capacity_bytes_per_s: f64,
    /// Bytes that crossed the resource in each bin.
    pub bytes: Vec<f64>,
}

/// Bytes that threads of one group of nodes read from another group, in bins of time.
#[derive(Clone, Debug, PartialEq)]
pub struct PairTraffic {
    /// Number of the group of nodes that holds the data.
    pub home: u32,
    /// Number of the group of nodes whose threads read the data.
    pub reader: u32,
    /// Smallest capacity on the route from the home: of its memory or a link. `None` if groups have several nodes.
    pub limit_bytes_per_s: Option<f64>,
    /// Bytes between the two groups in each bin.
    pub bytes: Vec<f64>,
}

// Glossary: handover: Work that went from one thread to another: iterations that were stolen, or a task that
//   another thread created.
/// Work that moved from one thread to another: stolen iterations, or a task that another thread
/// created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handover {
    /// Thread that owned the iterations, or created the task.
    pub from: u32,
    /// Thread that executes the iterations or the task.
    pub to: u32,
    /// Number of iterations of the loop or of the task that move.
    pub iterations: u64,
    /// Time at which the receiving thread began the work.
    pub at_ps: u64,
}

// Glossary: timeline: Record of a run over time: spans of threads, bytes of resources in bins of time,
//   handovers.
/// A run over time. All times are picoseconds since the start of the run, including its unmeasured
/// phases.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// Name of the workload, as in its file.
    pub workload: String,
    /// Name of the machine, as in its file.
    pub machine: String,
    /// Policy of the run, as typed.
    pub policy: String,
    /// Start of the recorded interval.
    pub from_ps: u64,
    /// End of the recorded interval.
    pub to_ps: u64,
    /// End of the run, which may be outside of the interval.
    pub run_ps: u64,
    /// The threads of the team, in thread order.
    pub threads: Vec<TimelineThread>,
    /// Kinds of spans, to which spans refer by index.
    pub kinds: Vec<SpanKind>,
    /// Spans of each thread, which cover the interval without gaps.
    pub spans: Vec<Vec<TimelineSpan>>,
    /// Length of the intervals within which spans were merged by kind; 0 if all spans are present.
    pub grain_ps: u64,
    /// Number of spans before merging.
    pub spans_seen: u64,
    /// Executions of phases, in order of time.
    pub phases: Vec<TimelinePhase>,
    /// Length of a bin of time. The first bin begins at `from_ps`.
    pub bin_ps: u64,
    /// Resources that carried bytes, with their traffic.
    pub resources: Vec<TimelineResource>,
    /// Number of nodes in each group of `traffic`.
    pub nodes_per_group: u32,
    /// Number of groups of nodes in `traffic`.
    pub groups: u32,
    /// Traffic for each pair of groups of nodes.
    pub traffic: Vec<PairTraffic>,
    /// Work that moved between threads.
    pub handovers: Vec<Handover>,
    /// Number of handovers in the whole run, including those outside of the interval.
    pub handovers_seen: u64,
    /// Time of all threads in tasks, by distance from the creator and bin; empty without tasks.
    pub tasks: Vec<(TaskDistance, Vec<f64>)>,
}

impl Timeline {
    /// Number of bins of time that cover the recorded interval.
    pub fn bins(&self) -> usize {
        (self.to_ps - self.from_ps).div_ceil(self.bin_ps.max(1)) as usize
    }

    /// Bytes per second of each bin; the last bin may be shorter.
    pub fn rates(&self, bytes: &[f64]) -> Vec<f64> {
        let bins = (self.from_ps..).step_by(self.bin_ps.max(1) as usize);
        let long = |from: u64| (from + self.bin_ps).min(self.to_ps).saturating_sub(from).max(1);
        bytes.iter().zip(bins).map(|(bytes, from)| bytes / (long(from) as f64 / 1e12)).collect()
    }

    /// Number of spans over all threads.
    pub fn spans_kept(&self) -> u64 {
        self.spans.iter().map(|spans| spans.len() as u64).sum()
    }

    /// Merges short spans until at most `most` remain, or the merging interval is as long as the timeline.
    pub fn coarsen(&mut self, most: u64) {
        let long = self.to_ps - self.from_ps;
        while self.spans_kept() > most && self.grain_ps < long {
            self.grain_ps = (2 * self.grain_ps).max((long / most.max(1)).max(1)).min(long);
            let (start, grain) = (self.from_ps, self.grain_ps);
            self.spans.iter_mut().for_each(|spans| put_together(spans, start, grain));
        }
    }

    /// Spans of a thread, each with its start in picoseconds.
    pub fn spans_of(&self, thread: usize) -> impl Iterator<Item = (u64, TimelineSpan)> + '_ {
        let mut from = self.from_ps;
        self.spans[thread].iter().map(move |span| (std::mem::replace(&mut from, span.to_ps), *span))
    }
}

/// Merges consecutive spans shorter than `grain` that begin in the same interval of length `grain`, counted from
/// `start`: one span of each kind remains. The sum of time by kind is kept, and spans remain contiguous.
pub fn put_together(spans: &mut Vec<TimelineSpan>, start: u64, grain: u64) {
    let mut kept: Vec<TimelineSpan> = Vec::new();
    // Time by kind in the present interval, in the order of first occurrence.
    let mut together: Vec<(u32, u64)> = Vec::new();
    let (mut stretch, mut from) = (0, start);
    let mut end = start;
    let flush = |together: &mut Vec<(u32, u64)>, end: &mut u64, kept: &mut Vec<TimelineSpan>| {
        for (kind, took) in together.drain(..) {
            *end += took;
            kept.push(TimelineSpan { to_ps: *end, kind });
        }
    };
    for span in spans.iter() {
        let (at, took) = ((from - start) / grain, span.to_ps - from);
        if at != stretch || took >= grain {
            flush(&mut together, &mut end, &mut kept);
            stretch = at;
        }
        if took >= grain {
            end = span.to_ps;
            kept.push(*span);
        } else {
            match together.iter_mut().find(|(kind, _)| *kind == span.kind) {
                Some((_, sum)) => *sum += took,
                None => together.push((span.kind, took)),
            }
        }
        from = span.to_ps;
    }
    flush(&mut together, &mut end, &mut kept);
    *spans = kept;
}
