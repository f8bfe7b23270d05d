//! Memory tiers: which nodes are how fast, and each node's `kswapd`, which demotes pages beside the threads. Promotions are
//! the time of the thread whose fault tells of the page, as in Linux, and steps of its plan.

use numalab_base::Snapshot;
use numalab_machine::{Fabric, Machine, NodeId};
use numalab_memory::TierSettings;
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
    pub copying: BTreeSet<NodeId>,
    /// Steps that took a thread's processor, by node: the processors take turns.
    pub turns: BTreeMap<NodeId, usize>,
}

impl Reclaimers {
    /// Writes down whose turn it is; nobody copies at an instant that is written down.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Reclaimers { copying: _, turns } = self;
        into.add(turns);
    }
}
