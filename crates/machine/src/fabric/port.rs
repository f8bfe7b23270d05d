//! Ports of chips and clusters to their node: whatever the cores of one chip or cluster read from any memory or from
//! another socket's caches, or write there, crosses its port.

use super::{Fabric, Hop, Route, Tier};
use crate::{NodePort, ReaderId, ResourceId};
use numalab_base::Bandwidth;
use std::ops::Range;

/// Ports of all children of a level.
#[derive(Debug)]
pub(super) struct TierPort {
    pub bandwidths: NodePort,
    /// Resource numbers: for each child the direction to the child, then the direction from the child.
    pub resources: Range<u32>,
}

impl TierPort {
    /// Bandwidth of a direction: to the child if `inward`. Unlimited if the machine states none.
    pub fn bandwidth(&self, inward: bool) -> Bandwidth {
        let NodePort { read_bandwidth, write_bandwidth } = self.bandwidths;
        (if inward { read_bandwidth } else { write_bandwidth }).unwrap_or(Bandwidth(f64::MAX))
    }

    fn resource(&self, child: u32, inward: bool) -> Option<ResourceId> {
        let NodePort { read_bandwidth, write_bandwidth } = self.bandwidths;
        let limited = if inward { read_bandwidth } else { write_bandwidth }.is_some();
        limited.then(|| ResourceId(self.resources.start + 2 * child + u32::from(!inward)))
    }
}

impl Fabric {
    /// Tiers inside the nodes whose children have ports, outermost first.
    pub(super) fn ported(&self) -> impl Iterator<Item = &Tier> {
        self.tiers[self.node_depth..].iter().filter(|tier| tier.port.is_some())
    }

    /// Ports between a reader and its node, outermost first: to the reader if `inward`, otherwise from it.
    pub fn node_ports(&self, reader: ReaderId, inward: bool) -> impl Iterator<Item = ResourceId> {
        let core = self.core_of_reader(reader);
        self.ported().filter_map(move |tier| {
            tier.port.as_ref().and_then(|port| port.resource(core / tier.cores, inward))
        })
    }

    /// Appends the ports of a reader to a route.
    pub(super) fn pass_ports(&self, reader: ReaderId, route: &mut Route) {
        let hop = |resource| Hop { resource, share: 1.0 };
        route.toward_reader.extend(self.node_ports(reader, true).map(hop));
        route.toward_home.extend(self.node_ports(reader, false).map(hop));
    }
}
