//! Timeline of a run: an observer that records spans and traffic in bounded memory.

mod bins;
mod kinds;
mod shortest;
mod spans;
mod typed;

use crate::ResolvedRun;
use bins::Bins;
use kinds::{Kind, Kinds};
use numalab_base::{ThreadId, Time};
use numalab_machine::{Fabric, NodeId, ResourceId, Route};
use numalab_results::{
    Handover, Layout, PairTraffic, ResourceKind, Sharing, TaskDistance, Timeline, TimelinePhase,
    TimelineResource, TimelineThread,
};
use numalab_simulator::{BookedSpan, GrantedWork, Member, Observer, Portion, Served};
use numalab_workload::Schedule;
use shortest::shortest;
use spans::Spans;
use std::collections::BTreeMap;
use std::ops::Range;
pub use typed::{trace_limit, trace_window};

/// Largest number of groups of nodes between which traffic is recorded.
const GROUPS: u32 = 64;

/// Part of a run to record, and limits of the recorded data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Recorded interval, in picoseconds since the start of the run; `None` for the whole run.
    pub window: Option<Range<u64>>,
    /// Largest number of spans to keep. If a run has more, short spans are merged.
    pub spans: usize,
    /// Largest number of bins of time over all resources and pairs of nodes.
    pub amounts: usize,
    /// True to record the domain (board or socket) of data, which multiplies the kinds of spans.
    pub domains: bool,
}

impl Watch {
    /// Approximate size of a span in a file, in bytes.
    const SPAN_BYTES: u64 = 40;
    /// Approximate size of a bin in a file, in bytes: its amount, and the amount as a share of a limit.
    const AMOUNT_BYTES: u64 = 64;

    /// Limits with which timeline files have approximately `bytes` bytes.
    pub fn of_bytes(window: Option<Range<u64>>, bytes: u64) -> Watch {
        let part = |each: u64| usize::try_from(bytes / 4 / each).unwrap_or(usize::MAX);
        let (spans, amounts) = (part(Watch::SPAN_BYTES).saturating_mul(3), part(Watch::AMOUNT_BYTES));
        Watch { window, spans, amounts, domains: false }
    }

    /// Also records the domains of data.
    pub fn with_domains(self) -> Watch {
        Watch { domains: true, ..self }
    }

    /// Number of bins that each of `series` series may have.
    fn bins(&self, series: usize) -> usize {
        (self.amounts / series.max(1)).clamp(16, 512)
    }

    fn kept(&self) -> Range<u64> {
        self.window.clone().unwrap_or(0..u64::MAX)
    }
}

/// Observer that records the timeline of a run.
pub(crate) struct Recorder<'a> {
    run: &'a ResolvedRun,
    policy: Schedule,
    /// Current node of each thread.
    nodes: Vec<u32>,
    layout: Layout,
    spans: Spans,
    kinds: Kinds,
    /// Distance between each thread and the creator of the task that it executes; `None` outside of tasks.
    tasks: Vec<Option<TaskDistance>>,
    /// Domain (board or socket) of the data that each thread accesses; the outer `None` if domains are not recorded.
    domains: Option<Vec<Option<u32>>>,
    phases: Vec<TimelinePhase>,
    /// Bytes that crossed each resource; `carried` maps a resource to its series.
    over: Bins,
    carried: Vec<Option<usize>>,
    /// Bytes between groups of nodes, and time in tasks by distance between a task's thread and its creator.
    between: Bins,
    groups: u32,
    /// Number of nodes per group.
    each: u32,
    /// Index of each pair's series in `between`, by group of the data's home, then by group of the reader.
    pairs: Vec<Option<usize>>,
    /// Index of each distance's series in `between`, in the order of `TaskDistance::ALL`.
    distances: [Option<usize>; TaskDistance::ALL.len()],
    handovers: Vec<Handover>,
    /// One of `stride` handovers is kept; the others are dropped.
    stride: u64,
    handed: u64,
    most_handovers: usize,
    kept: Range<u64>,
    /// End of the last observed span, in picoseconds.
    now: u64,
}

impl<'a> Recorder<'a> {
    pub fn new(run: &'a ResolvedRun, policy: Schedule, watch: &Watch) -> Recorder<'a> {
        let (fabric, threads) = (&run.machine.fabric, run.team.members.len());
        let layout = crate::simulate::layout(&run.machine.loaded.value);
        let each = nodes_per_group(fabric.memory_nodes());
        let groups = fabric.memory_nodes().div_ceil(each);
        let shortest = shortest(run).0;
        // All series have bins of the same width.
        let bins = watch.bins(fabric.resources().max(groups * groups) as usize);
        Recorder {
            run,
            policy,
            nodes: run.team.members.iter().map(|member| member.node.0).collect(),
            layout,
            spans: Spans::new(threads, watch.kept(), watch.spans),
            kinds: Kinds::default(),
            tasks: vec![None; threads],
            domains: watch.domains.then(|| vec![None; threads]),
            phases: Vec::new(),
            over: Bins::new(watch.kept(), bins, shortest),
            carried: vec![None; fabric.resources() as usize],
            between: Bins::new(watch.kept(), bins, shortest),
            groups,
            each,
            pairs: vec![None; (groups * groups) as usize],
            distances: [None; TaskDistance::ALL.len()],
            handovers: Vec::new(),
            stride: 1,
            handed: 0,
            most_handovers: (watch.spans / 4).max(16),
            kept: watch.kept(),
            now: 0,
        }
    }

    /// Smallest part of the machine that contains the nodes of two threads.
    fn sharing(&self, thread: usize, other: usize) -> Sharing {
        let node = |thread: usize| self.nodes[thread];
        self.layout.sharing(node(thread), node(other))
    }

    /// Ends the recording after the run, and returns its timeline.
    pub fn finish(mut self) -> Timeline {
        let (from_ps, to_ps) = (self.kept.start, self.spans.end());
        let fabric = &self.run.machine.fabric;
        if let Some(last) = self.phases.last_mut() {
            last.to_ps = self.now;
        }
        let bin_ps = self.over.width_until(to_ps).max(self.between.width_until(to_ps));
        let mut bytes = self.over.into_series(to_ps, bin_ps);
        let mut between = self.between.into_series(to_ps, bin_ps);
        let memories = (0..fabric.memory_nodes()).map(|node| (fabric.memory(NodeId(node)).total, node));
        let memories: BTreeMap<ResourceId, u32> = memories.collect();
        let resources = (0..).map(ResourceId).zip(&self.carried).filter_map(|(id, series)| {
            let bytes = std::mem::take(&mut bytes[(*series)?]);
            let there = bytes.iter().any(|bytes| *bytes > 0.0);
            there.then(|| resource(fabric, &memories, id, bytes))
        });
        let resources = resources.collect();
        let nodes_per_group = self.each;
        let mut take = |series: &Option<usize>| series.map(|series| std::mem::take(&mut between[series]));
        let traffic = (0..).zip(&self.pairs).filter_map(|(at, series): (u32, _)| {
            let (home, reader) = (at / self.groups, at % self.groups);
            let limit_bytes_per_s = (nodes_per_group == 1).then(|| limit(fabric, home, reader));
            Some(PairTraffic { home, reader, limit_bytes_per_s, bytes: take(series)? })
        });
        let traffic = traffic.collect();
        let tasks = TaskDistance::ALL.into_iter().zip(&self.distances);
        let tasks = tasks.filter_map(|(distance, series)| Some((distance, take(series)?))).collect();
        Timeline {
            workload: self.run.experiment.workload.value.name.clone(),
            machine: self.run.machine.loaded.value.name.clone(),
            policy: self.policy.to_string(),
            from_ps,
            to_ps,
            run_ps: self.now,
            threads: threads(self.run, self.layout),
            kinds: self.kinds.into_list(&self.run.machine.loaded.value, fabric),
            grain_ps: self.spans.grain(),
            spans_seen: self.spans.seen(),
            spans: self.spans.into_threads(),
            phases: self
                .phases
                .into_iter()
                .filter(|phase| phase.to_ps > from_ps && phase.from_ps < to_ps)
                .collect(),
            bin_ps,
            resources,
            nodes_per_group,
            groups: self.groups,
            traffic,
            handovers: self.handovers,
            handovers_seen: self.handed,
            tasks,
        }
    }
}

impl Observer for Recorder<'_> {
    fn phase(&mut self, name: &str, measured: bool, at: Time) {
        if let Some(last) = self.phases.last_mut() {
            last.to_ps = at.0;
            // Immediate repetitions of a phase are joined.
            if last.name == name && last.measured == measured {
                return;
            }
        }
        self.phases.push(TimelinePhase { name: name.to_owned(), measured, from_ps: at.0, to_ps: at.0 });
    }

    fn team(&mut self, members: &[Member]) {
        self.nodes.iter_mut().zip(members).for_each(|(node, member)| *node = member.node.0);
    }

    fn span(&mut self, span: BookedSpan) {
        self.now = self.now.max(span.to.0);
        let thread = span.thread.index();
        let work = kinds::is_of_task(&span);
        let task = self.tasks[thread].filter(|_| work);
        let domain = self.domains.as_ref().and_then(|all| all[thread]).filter(|_| work);
        let kind = self.kinds.number(Kind { activity: span.activity, cause: span.cause, task, domain });
        self.spans.push(thread, span.from.0..span.to.0, kind);
        if let Some(distance) = task {
            let bins = &mut self.between;
            let series = *self.distances[distance as usize].get_or_insert_with(|| bins.add_series());
            bins.add(series, span.from.0, span.to.0, (span.to - span.from).0 as f64);
        }
    }

    fn data(&mut self, thread: ThreadId, portions: &[Portion]) {
        let Some(domains) = &mut self.domains else { return };
        let most =
            portions.iter().filter(|portion| portion.home.is_some()).max_by_key(|portion| portion.bytes);
        let home = most.and_then(|portion| portion.home);
        domains[thread.index()] = home.map(|NodeId(node)| self.layout.outermost(node));
    }

    fn next_look(&self, after: Time) -> Time {
        Time(self.over.next_edge(after.0))
    }

    fn carried(&mut self, ResourceId(resource): ResourceId, bytes: f64, from: Time, to: Time) {
        let over = &mut self.over;
        let series = *self.carried[resource as usize].get_or_insert_with(|| over.add_series());
        over.add(series, from.0, to.0, bytes);
    }

    fn work(&mut self, work: GrantedWork) {
        let thread = work.thread.index();
        if let Some(domains) = &mut self.domains {
            domains[thread] = None;
        }
        let from = work.from.filter(|from| *from != work.thread);
        self.tasks[thread] = work
            .task
            .then(|| from.map_or(TaskDistance::Creator, |from| self.sharing(thread, from.index()).into()));
        let Some(from) = from.filter(|_| work.iterations > 0 && self.kept.contains(&work.at.0)) else {
            return;
        };
        self.handed += 1;
        if !self.handed.is_multiple_of(self.stride) {
            return;
        }
        let (from, to) = (from.number(), work.thread.number());
        self.handovers.push(Handover { from, to, iterations: work.iterations, at_ps: work.at.0 });
        if self.handovers.len() > self.most_handovers {
            self.stride *= 2;
            let mut at = 0;
            self.handovers.retain(|_| {
                at += 1;
                at % 2 == 0
            });
        }
    }

    fn served(&mut self, served: Served) {
        let reader = self.nodes[served.thread.index()] / self.each;
        let pair = served.home.0 / self.each * self.groups + reader;
        let bins = &mut self.between;
        let series = *self.pairs[pair as usize].get_or_insert_with(|| bins.add_series());
        bins.add(series, served.from.0, served.to.0, served.bytes as f64);
    }
}

/// Number of nodes in each group of the traffic table, so that there are at most `GROUPS` groups.
fn nodes_per_group(nodes: u32) -> u32 {
    nodes.div_ceil(GROUPS).max(1)
}

fn threads(run: &ResolvedRun, layout: Layout) -> Vec<TimelineThread> {
    let each = |groups: u32| layout.nodes.checked_div(groups).unwrap_or(layout.nodes).max(1);
    let (sockets, boards) = (each(layout.sockets), each(layout.boards));
    let members = run.team.members.iter();
    let thread = |member: &numalab_simulator::Member| {
        let NodeId(node) = member.node;
        TimelineThread { processor: member.processor, node, socket: node / sockets, board: node / boards }
    };
    members.map(thread).collect()
}

fn resource(
    fabric: &Fabric,
    memories: &BTreeMap<ResourceId, u32>,
    id: ResourceId,
    bytes: Vec<f64>,
) -> TimelineResource {
    let kind = match (memories.get(&id).copied(), fabric.ends(id)) {
        (Some(node), _) => ResourceKind::Memory(node),
        (None, Some((from, to))) => ResourceKind::Link(from.to_string(), to.to_string()),
        (None, None) => ResourceKind::Other,
    };
    let capacity_bytes_per_s = fabric.capacity(id).0;
    TimelineResource { name: fabric.name(id), kind, capacity_bytes_per_s, bytes }
}

/// Smallest capacity on the way from a node's memory to the cores of another node, in bytes per second. For the
/// node's own cores, the capacity of the memory.
fn limit(fabric: &Fabric, home: u32, reader: u32) -> f64 {
    let memory = fabric.capacity(fabric.memory(NodeId(home)).total).0;
    if home == reader {
        return memory;
    }
    let core = numalab_machine::CoreId(reader * fabric.cores_per_node());
    let mut route = Route::default();
    // The node's cores are behind many ports.
    fabric.links(NodeId(home), fabric.reader_of(core), &mut route);
    let hops = route.toward_reader.iter().map(|hop| fabric.capacity(hop.resource).0 / hop.share);
    hops.fold(memory, f64::min)
}

#[cfg(test)]
mod tests;
