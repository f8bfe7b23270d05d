//! Records of pages that nodes share in software.

use numalab_results::{NodePages, NodeTime, PageFaults, PageSharing, PageStop, PhaseSharing};
use numalab_simulator as outcome;
use std::collections::BTreeMap;

/// Faults by kind.
pub(crate) fn faults(faults: outcome::PageFaults) -> PageFaults {
    let outcome::PageFaults { read, write, upgrade } = faults;
    PageFaults { read, write, upgrade }
}

/// A phase by its nodes.
pub(crate) fn phase(sharing: outcome::PhaseSharing) -> PhaseSharing {
    let outcome::PhaseSharing { nodes, written_by_several } = sharing;
    let time = |outcome::NodeTime { compute, stop, idle }| NodeTime {
        compute_ps: compute.0,
        stop_ps: stop.0,
        idle_ps: idle.0,
    };
    PhaseSharing { nodes: nodes.into_iter().map(time).collect(), written_by_several }
}

/// Nodes, and stops of threads.
pub(crate) fn sharing(pages: &outcome::PageSharing) -> PageSharing {
    PageSharing {
        nodes: pages.nodes.iter().map(node).collect(),
        stops: pages.stops.iter().map(stop).collect(),
    }
}

fn node(counts: &outcome::NodeCounts) -> NodePages {
    let kinds = outcome::MessageKind::ALL.iter().zip(counts.messages);
    NodePages {
        faults: PageFaults { read: counts.read_faults, write: counts.write_faults, upgrade: counts.upgrades },
        marked_faults: counts.marked_faults,
        presends: counts.presends,
        ahead: counts.ahead,
        ahead_used: counts.ahead_used,
        ahead_late: counts.ahead_late,
        invalidations: counts.invalidations,
        messages: kinds.map(|(kind, count)| (kind.name().to_owned(), count)).collect(),
        bytes: counts.bytes,
        received: counts.received,
        bytes_received: counts.bytes_received,
        daemon_busy_ps: counts.daemon_busy.0,
    }
}

fn stop(stop: &outcome::Stop) -> PageStop {
    let parts = outcome::Part::ALL.iter().zip(stop.0);
    let by_part_ps: BTreeMap<String, u64> =
        parts.map(|(part, span)| (part.name().to_owned(), span.0)).collect();
    PageStop { stop_ps: stop.total().0, by_part_ps }
}
