//! Memory tiers: which nodes are how fast, and each node's `kswapd`, which demotes pages beside the threads. Promotions are
//! the time of the thread whose fault tells of the page, as in Linux, and steps of its plan.

use crate::account::books::Cause;
use crate::account::observer::Listener;
use crate::engine::actor::Actor;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::team::Member;
use crate::os::processors::Service;
use numalab_base::{Snapshot, Span};
use numalab_machine::{Fabric, Machine, NodeId};
use numalab_memory::{Demoted, TierSettings};
use std::collections::{BTreeMap, BTreeSet};

/// Abstract distance of memory like that of the processors' nodes, and the range of one tier (`include/linux/memory-tiers.h`).
const OF_PROCESSORS: f64 = 576.0;
const TIER: f64 = 128.0;

/// The tier of every node. Linux multiplies the distance of ordinary memory by the ratio of latencies and divides it by that
/// of bandwidths (`mt_perf_to_adistance` of `mm/memory-tiers.c`).
fn tiers(fabric: &Fabric) -> Vec<u32> {
    let facts = |node: u32| {
        let node = NodeId(node);
        (fabric.memory_latency(node).as_secs(), fabric.capacity(fabric.memory(node).total).0)
    };
    let (latency, bandwidth) = facts(0);
    let tier = |node: u32| {
        if node < fabric.nodes() {
            return (OF_PROCESSORS / TIER) as u32;
        }
        let (its_latency, its_bandwidth) = facts(node);
        (OF_PROCESSORS * (its_latency / latency) * (bandwidth / its_bandwidth) / TIER) as u32
    };
    (0..fabric.memory_nodes()).map(tier).collect()
}

/// Settings of promotion and demotion on a machine.
pub(crate) fn settings(machine: &Machine, fabric: &Fabric, balanced: bool) -> TierSettings {
    let tiering = &machine.os.tiering;
    TierSettings {
        tiers: tiers(fabric),
        hot_threshold: tiering.hot_threshold,
        promote_rate: tiering.promote_rate.0 as u64,
        watermark_scale: tiering.watermark_scale,
        balanced,
    }
}

/// The nodes whose `kswapd` is in the middle of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reclaimers {
    copying: BTreeSet<NodeId>,
    /// Steps that took a thread's processor, by node: the processors take turns.
    turns: BTreeMap<NodeId, usize>,
}

impl Reclaimers {
    /// Writes down whose turn it is; nobody copies at an instant that is written down.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Reclaimers { copying: _, turns } = self;
        into.add(turns);
    }
}

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// Begins what faults have woken `kswapd` for.
    pub(crate) fn wake_reclaimers(&mut self, state: &mut SegmentState<'a, '_>) {
        let copying = &self.world.reclaimers.copying;
        let woken: Vec<NodeId> = self.world.store.awake().filter(|node| !copying.contains(node)).collect();
        for node in woken {
            self.demote(state, node);
        }
    }

    /// A step of a node's `kswapd` is over: the next one begins, if there is more to do.
    pub(crate) fn reclaimed(&mut self, state: &mut SegmentState<'a, '_>, node: NodeId) {
        self.world.reclaimers.copying.remove(&node);
        self.demote(state, node);
    }

    /// Begins a step: pages are copied through a core of the node. If threads of the team have all of its processors,
    /// one of them loses the time.
    fn demote(&mut self, state: &mut SegmentState<'a, '_>, node: NodeId) {
        let Some(Demoted { to, pages, bytes }) = self.world.store.demote(node) else { return };
        self.world.counts.pages_moved += pages;
        self.world.counts.pages_demoted += pages;
        let members = &self.team.members;
        let mut beside: Vec<&Member> = members.iter().filter(|member| member.node == node).collect();
        beside.sort_by_key(|member| member.processor);
        beside.dedup_by_key(|member| member.processor);
        let turn = self.world.reclaimers.turns.entry(node).or_default();
        *turn += 1;
        // Whose fault woke it has a processor there.
        let Some(member) = beside.get(*turn % beside.len().max(1)) else { return };
        let alone = Member { core_mates: 1, ..**member };
        let now = self.world.now;
        let network = &mut self.world.network;
        let (class, each) = network.copying(node, to, &alone, self.setup.machine);
        let token = Actor::Reclaimer(node.0).token();
        network.begin((class, bytes.0, token), now, O::ACTIVE);
        self.world.reclaimers.copying.insert(node);
        let fabric = self.setup.fabric;
        let processors = fabric.cores_per_node() as usize * fabric.threads_per_core() as usize;
        if beside.len() >= processors {
            let system = &mut state.planner.system;
            // Linux interrupts the other processors once for all pages of a step.
            let span = Span(system.os.page_migration.0.saturating_mul(pages))
                + system.shootdown(&alone)
                + Span::from_secs_ceil(each * bytes.0 as f64);
            let processor = alone.processor;
            self.request_service(state, processor, Service { span, cause: Cause::Scanner });
        }
    }
}
