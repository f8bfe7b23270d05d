//! Memory tiers: speed of nodes, and state of each node's `kswapd`. As in Linux, promotions are steps of the thread
//! whose fault reveals a hot page.

use numalab_base::Snapshot;
use numalab_machine::{Fabric, Machine, NodeId};
use numalab_memory::TierSettings;
use std::collections::{BTreeMap, BTreeSet};

/// Abstract distance of memory as fast as that of nodes with processors. `TIER`: range of distances in one tier
/// (`include/linux/memory-tiers.h`).
const OF_PROCESSORS: f64 = 576.0;
const TIER: f64 = 128.0;

/// Tier of every node. Linux multiplies the distance of ordinary memory by the ratio of latencies and divides it by
/// the ratio of bandwidths (`mt_perf_to_adistance` of `mm/memory-tiers.c`).
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

/// Settings of promotion and demotion on a machine. `balanced`: automatic balancing also moves pages inside the
/// fastest tier.
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

/// State of each node's `kswapd`. `copying`: nodes in which a step is under way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reclaimers {
    pub copying: BTreeSet<NodeId>,
    /// Number of each node's steps so far, by which the node's processors are used in turn.
    pub turns: BTreeMap<NodeId, usize>,
}

impl Reclaimers {
    /// Adds the numbers of steps to a snapshot; no copy is under way at that time.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Reclaimers { copying: _, turns } = self;
        into.add(turns);
    }
}
