//! Converts outcomes of software-shared pages to results.

use numalab_base::Span;
use numalab_results::{NodePages, PageFaults, PageRow, PageSharing, PageStop};
use numalab_simulator as outcome;
use numalab_workload::Region;
use std::collections::BTreeMap;

pub(crate) fn sharing(pages: &outcome::PageSharing, regions: &[Region]) -> PageSharing {
    let row = |row: &outcome::PageRow| PageRow {
        // Flags of pipelines belong to no region of the program.
        region: regions.get(row.region).map_or("flags", |region| &region.name).to_owned(),
        first: row.pages.start,
        pages: row.pages.end - row.pages.start,
    };
    PageSharing {
        rows: pages.rows.iter().map(row).collect(),
        nodes: pages.nodes.iter().map(node).collect(),
        stops: pages.stops.iter().map(stop).collect(),
    }
}

fn node(counts: &outcome::NodeCounts) -> NodePages {
    let kinds = outcome::MessageKind::ALL.iter().zip(counts.messages);
    // Counts that are zero in most programs are omitted.
    let rare = [outcome::MessageKind::Diff, outcome::MessageKind::Echo];
    let kinds = kinds.filter(|(kind, count)| !rare.contains(kind) || *count > 0);
    NodePages {
        faults: PageFaults { read: counts.read_faults, write: counts.write_faults, upgrade: counts.upgrades },
        faults_by_row: counts.by_row.clone(),
        marked_faults: counts.marked_faults,
        presends: counts.presends,
        ahead: counts.ahead,
        ahead_used: counts.ahead_used,
        ahead_late: counts.ahead_late,
        invalidations: counts.invalidations,
        twins: counts.twins,
        diffs: counts.diffs,
        notices: counts.notices,
        messages: kinds.map(|(kind, count)| (kind.name().to_owned(), count)).collect(),
        bytes: counts.bytes,
        received: counts.received,
        bytes_received: counts.bytes_received,
        resent: counts.resent,
        daemon_busy_ps: counts.daemon_busy.0,
    }
}

fn stop(stop: &outcome::Stop) -> PageStop {
    let parts = outcome::Part::ALL.iter().zip(stop.0);
    let parts = parts.filter(|(part, span)| **part != outcome::Part::Diffs || *span > Span::ZERO);
    let by_part_ps: BTreeMap<String, u64> =
        parts.map(|(part, span)| (part.name().to_owned(), span.0)).collect();
    PageStop { stop_ps: stop.total().0, by_part_ps }
}
