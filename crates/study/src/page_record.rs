//! Converts counts of software shared memory to results.

use numalab_base::Span;
use numalab_results::{PageRow, PageSharing, PageStop};
use numalab_simulator as outcome;
use numalab_workload::Region;
use std::collections::BTreeMap;

pub(crate) fn sharing(pages: &outcome::PageSharing, regions: &[Region]) -> PageSharing {
    let row = |row: &outcome::PageRow| PageRow {
        // Pages with the flags of pipelines belong to no region of the workload.
        region: regions.get(row.region).map_or("flags", |region| &region.name).to_owned(),
        first: row.pages.start,
        pages: row.pages.end - row.pages.start,
    };
    PageSharing {
        rows: pages.rows.iter().map(row).collect(),
        nodes: pages.nodes.iter().cloned().map(Into::into).collect(),
        stops: pages.stops.iter().map(stop).collect(),
    }
}

fn stop(stop: &outcome::Stop) -> PageStop {
    let parts = outcome::Part::ALL.iter().zip(stop.0);
    let parts = parts.filter(|(part, span)| **part != outcome::Part::Diffs || *span > Span::ZERO);
    let by_part_ps: BTreeMap<String, u64> =
        parts.map(|(part, span)| (part.name().to_owned(), span.0)).collect();
    PageStop { stop_ps: stop.total().0, by_part_ps }
}
