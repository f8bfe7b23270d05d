//! State that outlives phases: clock, calendar, flows, lines and programs, pages, caches.

use crate::engine::calendar::Calendar;
use crate::engine::elsewhere::Elsewhere;
use crate::engine::setup::Setup;
use crate::engine::watchdog::Watchdog;
use crate::error::Work;
use crate::flow::carried::Carried;
use crate::flow::flow_network::FlowNetwork;
use crate::flow::loads::Loads;
use crate::flow::origin::{Blended, Blends, Origin};
use crate::os::balancer::Balancer;
use crate::os::nodes::nodes;
use crate::os::policies;
use crate::os::processors::Processors;
use crate::os::replicas::Replicas;
use crate::os::sleep::Sleepers;
use crate::os::tiers::{self, Reclaimers};
use crate::pages::aligned::Aligned;
use crate::pages::shared_memory::shared_memory;
use crate::sync_state::SyncState;
use numalab_base::{Bytes, Snapshot, Span, Time};
use numalab_coherence::AgentId;
use numalab_counts::{EngineCounts, PhaseCounts};
use numalab_dsm::Dsm;
use numalab_machine::NodeId;
use numalab_memory::{Caches, Home, PageMap, PageSize};
use numalab_openmp::Measured;
use numalab_workload::{PageKind, Placement, RegionId};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Size of a transparent huge page of x86.
const HUGE: Bytes = Bytes(2 << 20);

#[derive(Clone, Debug)]
pub(crate) struct World<'a> {
    /// Present instant on the clock of the whole run.
    pub now: Time,
    pub calendar: Calendar,
    pub network: FlowNetwork<'a>,
    /// Waiting time of a coherence message behind flows, by resource.
    pub loads: Loads,
    pub processors: Processors,
    /// Time that was counted instead of simulated. The clock of the page map is ahead of `now` by this time. `None`
    /// if no page keeps times.
    pub store_lags: Option<Span>,
    /// Load balancer; `None` if the system moves no thread.
    pub balancer: Option<Box<Balancer>>,
    /// Bound threads that sleep; `None` if none does, or if no other thread computes faster meanwhile.
    pub sleepers: Option<Box<Sleepers>>,
    pub store: PageMap<'a>,
    /// Copies of replicated regions.
    pub replicas: Replicas,
    /// State of each node's `kswapd`, which moves pages to a lower memory tier.
    pub reclaimers: Reclaimers,
    pub caches: Caches,
    pub blends: Blends,
    /// Counts since the run began. Counts of a phase are the growth during the phase.
    pub counts: PhaseCounts,
    /// Programs of the runtime and the lines that they access, for the team of the present phase.
    pub sync: SyncState<'a>,
    /// Synchronisation state of the teams that rest during the present phase.
    pub elsewhere: Elsewhere<'a>,
    /// Software shared memory: pages that are copied between nodes. `None` if the hardware shares memory.
    pub dsm: Option<Dsm>,
    /// State of the schedule `align`: measurements, and the limits of iterations that it has learned.
    pub aligned: Aligned,
    /// Times of chunks of loops whose policy measures them, by phase and team.
    pub measured: BTreeMap<(String, usize), Measured>,
    pub watchdog: Watchdog,
    /// Number of times so far that an event source fired.
    pub fired: u64,
    /// Nodes of one access with their bytes. Scratch space.
    found: Vec<(NodeId, u64)>,
}

impl<'a> World<'a> {
    /// World at time zero, before any page is touched.
    pub fn new(setup: &Setup<'a>) -> World<'a> {
        let Setup { machine, fabric, workload, .. } = *setup;
        let distance = move |from, to| fabric.firmware_distance(from, to);
        let mut store = PageMap::new(&nodes(fabric), machine.memory.page, distance);
        let page_size = |RegionId(region): RegionId| match workload.regions[region].page {
            PageKind::Base => PageSize::Base,
            PageKind::Fixed(size) if size == machine.memory.page => PageSize::Base,
            PageKind::Fixed(size) => PageSize::Explicit(size),
            PageKind::Transparent if machine.memory.page < HUGE => PageSize::Transparent { huge: HUGE },
            PageKind::Transparent => PageSize::Base,
        };
        for (at, region) in workload.regions.iter().enumerate() {
            let policy = policies::page_policy(&region.placement, fabric);
            store.add(region.size, page_size(RegionId(at)), policy);
        }
        let replicas = Replicas::new(workload, fabric, &mut store, page_size);
        let any = |placement| workload.regions.iter().any(|region| region.placement == placement);
        let (balanced, tiered) = (any(Placement::Balancing), any(Placement::Tiering));
        if tiered {
            store = store.with_tiers(fabric.nodes(), tiers::settings(machine, fabric, balanced));
        }
        let node_of = |core| fabric.node_of(core);
        let dsm = shared_memory(setup);
        let caches = Caches::new(&machine.caches, fabric.cores(), machine.memory.line, node_of)
            .covered(machine.memory.directory_coverage);
        World {
            now: Time::ZERO,
            calendar: Calendar::default(),
            network: FlowNetwork::new(fabric, setup.ideal),
            loads: Loads::default(),
            processors: Processors::default(),
            store_lags: (balanced || tiered).then_some(Span::ZERO),
            balancer: Balancer::new(setup).map(Box::new),
            sleepers: Sleepers::new(setup).map(Box::new),
            store,
            replicas,
            reclaimers: Reclaimers::default(),
            caches,
            blends: Blends::new(setup.exact),
            counts: PhaseCounts::default(),
            sync: SyncState::new(setup, setup.team),
            elsewhere: Elsewhere::default(),
            watchdog: Watchdog::new(setup, dsm.as_ref()),
            dsm,
            aligned: Aligned::default(),
            measured: BTreeMap::new(),
            fired: 0,
            found: Vec::new(),
        }
    }

    /// State as a snapshot, without the scanner's next walk. The snapshot is marked as not whole (`Snapshot::refuse`)
    /// in states that it cannot describe, for example while a flow or a service of a processor is under way.
    pub fn snapshot(&self) -> Snapshot {
        let World {
            now,
            calendar,
            network,
            loads,
            processors,
            store_lags: _,
            balancer,
            sleepers,
            store,
            replicas,
            reclaimers,
            caches,
            blends,
            counts: _,
            sync,
            elsewhere,
            dsm,
            aligned,
            measured,
            watchdog: _,
            fired: _,
            found: _,
        } = self;
        let mut into = Snapshot::new(*now);
        if !processors.are_idle() || !network.fluid.is_idle() {
            into.refuse();
            return into;
        }
        // What is measured decides later chunks, and never comes back.
        if !measured.is_empty() {
            into.refuse();
            return into;
        }
        into.add(&(network.used.len(), blends.len()));
        calendar.snapshot(&mut into);
        loads.snapshot(&mut into);
        store.snapshot(&mut into);
        replicas.snapshot(&mut into);
        reclaimers.snapshot(&mut into);
        caches.snapshot(&mut into);
        sync.snapshot(&mut into);
        elsewhere.snapshot(&mut into);
        if let Some(balancer) = balancer {
            balancer.snapshot(&mut into);
        }
        if let Some(sleepers) = sleepers {
            sleepers.snapshot(&mut into);
        }
        if let Some(dsm) = dsm {
            dsm.snapshot(&mut into);
            aligned.snapshot(&mut into);
        }
        into
    }

    /// Work of the engine so far.
    pub fn work(&self) -> Work {
        Work { events: self.fired, engine: self.engine_counts() }
    }

    /// Counts of the engine's own work so far.
    pub fn engine_counts(&self) -> EngineCounts {
        EngineCounts {
            solver_visits: self.network.fluid.visits(),
            cache_visits: self.caches.visits(),
            operations: self.syncs().map(|sync| sync.exec.operations()).sum(),
        }
    }

    /// Sets the clock of the page map, if pages keep times.
    pub fn tell_store(&mut self) {
        if let Some(counted) = self.store_lags {
            self.store.tell(self.now + counted);
        }
    }

    /// Part of `time`, the length of a thread's last program, that overlaps with later work: the core predicted the
    /// program's course and continued.
    pub fn foreseen(&self, thread: u32, time: Span) -> Span {
        match self.dsm {
            Some(_) => Span::ZERO,
            None => self.sync.exec.foreseen(AgentId::new(thread), time),
        }
    }

    /// Number of times so far that the balancer scheduled a periodic search; 0 without balancer.
    pub fn clocked(&self) -> u64 {
        self.balancer.as_ref().map_or(0, |balancer| balancer.waits)
    }

    /// Advances the balancer and the clock of the page map by `span`, the time of repetitions that were counted
    /// instead of simulated.
    pub fn pass(&mut self, span: Span) {
        if let Some(balancer) = &mut self.balancer {
            balancer.pass(span);
        }
        if let Some(counted) = &mut self.store_lags {
            *counted += span;
        }
    }

    /// Records in the directories of the home nodes that memory delivers `bytes` of a region to caches. Interleaved
    /// pages are left out.
    pub fn track(&mut self, region: RegionId, bytes: &Range<u64>) {
        let World { store, caches, .. } = self;
        let mut at = bytes.start;
        store.homes(region.0, bytes.clone(), |home, length| {
            if let Home::Node(node) = home {
                caches.fill(node, region.0, at..at + length);
            }
            at += length;
        });
    }

    /// Bytes of a range on each node, for the pages that are placed; by number of the node.
    pub fn bytes_by_home(&self, region: RegionId, bytes: Range<u64>) -> Vec<(NodeId, u64)> {
        let mut found = Vec::new();
        self.store.homes(region.0, bytes, |home, bytes| match home {
            Home::Node(node) => found.push((node, bytes)),
            Home::Cycle { nodes, first, page } => deal(nodes, first, page, bytes, &mut found),
        });
        found.sort_unstable_by_key(|(node, _)| *node);
        found.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            kept.1 += if is_same { next.1 } else { 0 };
            is_same
        });
        found
    }

    /// Calls `visit` with the origins that serve a range of bytes from memory. Alternating homes, and homes met in
    /// random order (`scattered`), serve as one blend. Other homes are visited one after another, each once with all
    /// its bytes.
    pub fn homes(
        &mut self,
        region: RegionId,
        bytes: Range<u64>,
        scattered: bool,
        carried: &mut Carried,
        mut visit: impl FnMut(Origin, u64),
    ) {
        let World { store, blends, found, counts, .. } = self;
        found.clear();
        let (mut visited, mut cycles) = (0, false);
        let mut dealt = Dealt::default();
        store.homes(region.0, bytes, |home, bytes| match home {
            Home::Node(node) => {
                visited += 1;
                dealt.single(bytes);
                match found.iter_mut().find(|entry| entry.0 == node) {
                    Some(entry) => entry.1 += bytes,
                    None => found.push((node, bytes)),
                }
            }
            Home::Cycle { nodes, first, page } => {
                let pages = bytes.div_ceil(page);
                cycles |= pages >= 2 * nodes.len() as u64;
                dealt.cycle(nodes, page);
                deal(nodes, first, page, bytes, found);
            }
        });
        /// Homes count as alternating if, in the mean, each occurs more often than this.
        const OFTEN: usize = 4;
        if found.len() > 1 && (scattered || cycles || visited > OFTEN * found.len()) {
            let total = found.iter().map(|entry| entry.1).sum();
            if let Some(Blended { origin, is_rounded }) = blends.origin(region, found, dealt.nodes(), carried)
            {
                counts.rounded_accesses += u64::from(is_rounded);
                visit(origin, total);
            }
            return;
        }
        for &(node, bytes) in found.iter() {
            visit(Origin::Node(node), bytes);
        }
    }
}

/// Nodes to which the pages of an access are dealt in turn, if nearly all are dealt to the same nodes: all but a part
/// of a page at each end.
#[derive(Default)]
struct Dealt {
    nodes: Option<Arc<[NodeId]>>,
    page: u64,
    /// True if the access has pages that are dealt to other nodes.
    mixed: bool,
    /// Bytes that are not dealt.
    others: u64,
}

impl Dealt {
    fn single(&mut self, bytes: u64) {
        self.others += bytes;
    }

    fn cycle(&mut self, nodes: &Arc<[NodeId]>, page: u64) {
        self.mixed |= self.nodes.as_ref().is_some_and(|known| known != nodes);
        (self.nodes, self.page) = (Some(nodes.clone()), page);
    }

    fn nodes(&self) -> Option<&[NodeId]> {
        self.nodes.as_deref().filter(|_| !self.mixed && self.others < 2 * self.page)
    }
}

/// Divides `bytes` among the nodes of an interleaving cycle, page by page from index `first`, and adds each node's
/// bytes to `found`.
fn deal(nodes: &[NodeId], first: u32, page: u64, bytes: u64, found: &mut Vec<(NodeId, u64)>) {
    let count = nodes.len() as u64;
    let pages = bytes / page;
    let (rounds, rest) = (pages / count, pages % count);
    for turn in 0..count {
        let node = nodes[((u64::from(first) + turn) % count) as usize];
        let whole = (rounds + u64::from(turn < rest)) * page;
        let tail = if turn == rest { bytes % page } else { 0 };
        if whole + tail > 0 {
            found.push((node, whole + tail));
        }
    }
}
