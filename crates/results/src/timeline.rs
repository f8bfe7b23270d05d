//! Course of a run over time: what every thread did when, and what crossed every resource.

use crate::Sharing;

/// Accounts of a thread's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Account {
    /// Executing instructions.
    Compute,
    /// Waiting for memory.
    Stall,
    /// In the runtime or the operating system.
    Overhead,
    /// Waiting for others.
    Idle,
}

impl Account {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Account; 4] = [Account::Compute, Account::Stall, Account::Overhead, Account::Idle];

    /// Its name in files and pictures.
    pub fn name(self) -> &'static str {
        match self {
            Account::Compute => "compute",
            Account::Stall => "memory",
            Account::Overhead => "overhead",
            Account::Idle => "idle",
        }
    }
}

/// A thread of the team and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineThread {
    /// The operating system's number of its processor.
    pub processor: u32,
    /// Its NUMA node.
    pub node: u32,
    /// Its socket, counted through the machine.
    pub socket: u32,
    /// Its board; 0 where the machine has no such level.
    pub board: u32,
}

/// Purpose of a span of time. Spans name their kind by its place in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanKind {
    /// The account.
    pub account: Account,
    /// The reason in words: `computing`, `data of another board`.
    pub reason: String,
    /// Place of the data that was waited for.
    pub data: Option<crate::Sharing>,
    /// The resource that limited the stream which was waited for.
    pub limit: Option<String>,
    /// In a task: where the thread is that created it; `None` outside of tasks.
    pub creator: Option<TaskDistance>,
    /// The board, or the socket where there are no boards, that holds most of the data which the span is about; `None`
    /// without data, and where nobody asked.
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

/// Distance of the thread that executes a task from the one that created it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskDistance {
    /// The same thread.
    Creator,
    /// The same socket.
    Socket,
    /// Another socket of the same board.
    Board,
    /// Another board, or another socket where there are no boards.
    Remote,
}

impl From<Sharing> for TaskDistance {
    /// Distance of two threads by what they share.
    fn from(sharing: Sharing) -> TaskDistance {
        match sharing {
            Sharing::Node | Sharing::Socket => TaskDistance::Socket,
            Sharing::Board => TaskDistance::Board,
            Sharing::Machine | Sharing::MemoryOnly => TaskDistance::Remote,
        }
    }
}

impl TaskDistance {
    /// All of them, from near to far.
    pub const ALL: [TaskDistance; 4] =
        [TaskDistance::Creator, TaskDistance::Socket, TaskDistance::Board, TaskDistance::Remote];

    /// Its name in files and pictures.
    pub fn name(self) -> &'static str {
        match self {
            TaskDistance::Creator => "creator",
            TaskDistance::Socket => "same socket",
            TaskDistance::Board => "same board",
            TaskDistance::Remote => "remote",
        }
    }

    /// Owner of the task, in words.
    fn owner(self) -> &'static str {
        match self {
            TaskDistance::Creator => "its own",
            TaskDistance::Socket => "the same socket",
            TaskDistance::Board => "the same board",
            TaskDistance::Remote => "far away",
        }
    }
}

/// A part of a thread's time; it begins where the one before it ends, the first at the timeline's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineSpan {
    /// Its end.
    pub to_ps: u64,
    /// Its kind.
    pub kind: u32,
}

/// A phase, as often as it began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelinePhase {
    /// Its name.
    pub name: String,
    /// Whether its time counts.
    pub measured: bool,
    /// Its start.
    pub from_ps: u64,
    /// Its end.
    pub to_ps: u64,
}

/// Kind of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceKind {
    /// The memory of a node, all that is read and written.
    Memory(u32),
    /// A direction of a link, from and to.
    Link(String, String),
    /// Anything else: lanes of a memory, requests in flight, directions of a controller.
    Other,
}

/// A resource that bytes crossed, in bins of time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineResource {
    /// Its name.
    pub name: String,
    /// Kind of the resource.
    pub kind: ResourceKind,
    /// Bytes per second that it delivers when it is not crowded.
    pub capacity_bytes_per_s: f64,
    /// Bytes that crossed it in each bin.
    pub bytes: Vec<f64>,
}

/// Bytes that threads of a node accessed whose home is another's, or its own, in bins of time.
#[derive(Clone, Debug, PartialEq)]
pub struct PairTraffic {
    /// The home, in groups of nodes.
    pub home: u32,
    /// Place of the threads, in groups of nodes.
    pub reader: u32,
    /// The least capacity on the way, if that is known: of a link, or within a node of its memory.
    pub limit_bytes_per_s: Option<f64>,
    /// Bytes in each bin.
    pub bytes: Vec<f64>,
}

// Glossary: handover: Work that went from one thread to another: iterations that were stolen, or a task that
//   another thread created.
/// Work that went from one thread to another: iterations stolen, or a task that another thread created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handover {
    /// Thread whose share it was, or that created it.
    pub from: u32,
    /// Thread that executes it.
    pub to: u32,
    /// Number of iterations.
    pub iterations: u64,
    /// Instant at which it began there.
    pub at_ps: u64,
}

// Glossary: timeline: Record of a run over time: spans of threads, bytes of resources in bins of time,
//   handovers.
/// A run over time. All times are picoseconds since the start of the run, its unmeasured phases included.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// The workload's name.
    pub workload: String,
    /// The machine's name.
    pub machine: String,
    /// The policy.
    pub policy: String,
    /// Start of what was kept.
    pub from_ps: u64,
    /// End of what was kept.
    pub to_ps: u64,
    /// End of the run, also where that is not kept.
    pub run_ps: u64,
    /// The threads of the team.
    pub threads: Vec<TimelineThread>,
    /// Kinds that spans name.
    pub kinds: Vec<SpanKind>,
    /// Spans of each thread, which tile its time from the start to the end.
    pub spans: Vec<Vec<TimelineSpan>>,
    /// Spans that were shorter are put together by kind within stretches of this length; 0: every span is there.
    pub grain_ps: u64,
    /// Number of spans before any were put together.
    pub spans_seen: u64,
    /// The phases in order.
    pub phases: Vec<TimelinePhase>,
    /// Length of a bin of time; the first begins at the start.
    pub bin_ps: u64,
    /// Resources that bytes crossed.
    pub resources: Vec<TimelineResource>,
    /// Nodes in each group of [`PairTraffic`].
    pub nodes_per_group: u32,
    /// Groups of nodes.
    pub groups: u32,
    /// Traffic by home and reader.
    pub traffic: Vec<PairTraffic>,
    /// Work that changed hands.
    pub handovers: Vec<Handover>,
    /// Number of times that work changed hands, also where that is not kept.
    pub handovers_seen: u64,
    /// Picoseconds that threads spent on tasks by distance from the creator, in bins; empty without tasks.
    pub tasks: Vec<(TaskDistance, Vec<f64>)>,
}

impl Timeline {
    /// Number of bins of time.
    pub fn bins(&self) -> usize {
        (self.to_ps - self.from_ps).div_ceil(self.bin_ps.max(1)) as usize
    }

    /// Bytes per second of each bin, the last of which ends with what is kept.
    pub fn rates(&self, bytes: &[f64]) -> Vec<f64> {
        let bins = (self.from_ps..).step_by(self.bin_ps.max(1) as usize);
        let long = |from: u64| (from + self.bin_ps).min(self.to_ps).saturating_sub(from).max(1);
        bytes.iter().zip(bins).map(|(bytes, from)| bytes / (long(from) as f64 / 1e12)).collect()
    }

    /// Number of spans that are kept.
    pub fn spans_kept(&self) -> u64 {
        self.spans.iter().map(|spans| spans.len() as u64).sum()
    }

    /// Puts short spans together until no more than so many are left, as far as that is possible.
    pub fn coarsen(&mut self, most: u64) {
        let long = self.to_ps - self.from_ps;
        while self.spans_kept() > most && self.grain_ps < long {
            self.grain_ps = (2 * self.grain_ps).max((long / most.max(1)).max(1)).min(long);
            let (start, grain) = (self.from_ps, self.grain_ps);
            self.spans.iter_mut().for_each(|spans| put_together(spans, start, grain));
        }
    }

    /// Spans of a thread with their starts.
    pub fn spans_of(&self, thread: usize) -> impl Iterator<Item = (u64, TimelineSpan)> + '_ {
        let mut from = self.from_ps;
        self.spans[thread].iter().map(move |span| (std::mem::replace(&mut from, span.to_ps), *span))
    }
}

/// Puts spans shorter than `grain` together that begin in the same stretch of it, stretches being counted from `start`.
/// Time by kind stays what it is, and spans still follow each other.
pub fn put_together(spans: &mut Vec<TimelineSpan>, start: u64, grain: u64) {
    let mut kept: Vec<TimelineSpan> = Vec::new();
    // Time by kind in the present stretch, in the order in which kinds were met first.
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
