//! Set-up of software-shared memory: its parameters, its regions, and latencies between nodes.

use crate::engine::setup::Setup;
use numalab_base::{Bandwidth, Span};
use numalab_dsm::{Cards, Dsm, PageRow};
use numalab_machine::{CoreId, Dsm as Parameters, Fabric, NodeId, Route};
use std::sync::Arc;

/// Bytes of a pipeline flag.
pub(crate) const FLAG: u64 = 4;

/// Software-shared memory of a run; `None` if the machine has none.
pub(crate) fn shared_memory(setup: &Setup<'_>) -> Option<Dsm> {
    /// Factor by which times are divided under the ideal `pages`.
    const QUICKER: u64 = 1000;
    let Setup { machine, fabric, team, ideal, .. } = *setup;
    let (parameters, level) = (machine.dsm.as_ref()?, machine.levels.first()?);
    let quicker = if ideal.pages { QUICKER } else { 1 };
    let nodes = level.count;
    let per_node = fabric.nodes() / nodes;
    let workers = team.members.iter().map(|member| member.node.0 / per_node).collect();
    let link = level.interconnect.as_ref().and_then(|interconnect| machine.links.get(interconnect.link.0));
    let bandwidth = link.map_or(machine.memory.bandwidth.0, |link| link.bandwidth.0 * f64::from(link.lanes));
    let cards = Cards {
        bandwidth: Bandwidth(bandwidth * quicker as f64),
        crowding: link.map(|link| link.crowding.clone()).unwrap_or_default(),
    };
    let latencies = latencies(fabric, nodes, per_node).iter().map(|span| Span(span.0 / quicker)).collect();
    let mut dsm = Dsm::new(&quick(parameters, quicker), &cards, latencies, nodes, workers);
    region_sizes(setup).for_each(|bytes| dsm.add_region(bytes));
    Some(dsm)
}

/// Bytes of the regions in shared pages: the program's regions, and an integer flag of each thread for pipelines.
fn region_sizes(setup: &Setup<'_>) -> impl Iterator<Item = u64> {
    let flags = FLAG * setup.team.members.len() as u64;
    setup.workload.regions.iter().map(|region| region.size.0).chain([flags])
}

/// Ranges of pages by which faults are counted; empty without software-shared memory.
pub(crate) fn page_rows(setup: &Setup<'_>) -> Vec<PageRow> {
    let (Some(parameters), Some(level)) = (&setup.machine.dsm, setup.machine.levels.first()) else {
        return Vec::new();
    };
    numalab_dsm::page_rows(region_sizes(setup), parameters.page.0, level.count)
}

/// Parameters with all times divided by `quicker`.
fn quick(parameters: &Parameters, quicker: u64) -> Parameters {
    let mut quick = parameters.clone();
    let Parameters {
        page: _,
        master: _,
        migrate: _,
        daemon: _,
        trap,
        handle,
        handle_page,
        wake,
        hold,
        header: _,
        vsp_pages: _,
        drop_buffer: _,
        presend_writes: _,
        queue: _,
        window: _,
        resend,
        technique: _,
        reductions: _,
        consistency: _,
        twin,
        diff_create,
        diff_apply,
    } = &mut quick;
    for span in [trap, handle, handle_page, wake, hold, twin, diff_create, diff_apply, resend] {
        span.0 /= quicker;
    }
    quick
}

/// Latency over the links between the nodes that share pages, by source and destination. `per_node`: NUMA nodes in
/// each.
fn latencies(fabric: &Fabric, nodes: u32, per_node: u32) -> Arc<[Span]> {
    let cores = fabric.cores() / nodes;
    let mut route = Route::default();
    let mut between = |from: u32, to: u32| {
        fabric.route(NodeId(from * per_node), fabric.reader_of(CoreId(to * cores)), &mut route);
        route.toward_reader.iter().fold(Span::ZERO, |sum, hop| sum + fabric.crossing(hop.resource))
    };
    (0..nodes * nodes).map(|pair| between(pair / nodes, pair % nodes)).collect()
}
