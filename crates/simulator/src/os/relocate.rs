//! Relocation of placed pages at the beginning of the measured phases.

use crate::os::replicas;
use numalab_machine::NodeId;
use numalab_workload::{Access, Mode, Phase, Pieces, Placement, RegionId, Schedule, Slice, Workload};

/// One loop for each region whose placement moves or copies pages. Every thread moves its part of a region with
/// placement `fetch`, and copies its part of one with placement `replicate`; one thread moves each other region.
/// `nodes`: nodes of the team's threads. `page`: size of a page, in bytes.
pub(crate) fn phases(workload: &Workload, nodes: &[NodeId], page: u64) -> Vec<Phase> {
    let threads = nodes.len() as u64;
    let moving = |placement: &Placement| match placement {
        Placement::Fetch => Some((Mode::Fetch, threads)),
        Placement::Migrate(node) => Some((Mode::Migrate(*node), 1)),
        Placement::NextTouch => Some((Mode::NextTouch, 1)),
        Placement::Replicate => Some((Mode::Replicate, threads)),
        Placement::FirstTouch
        | Placement::Bind(_)
        | Placement::Preferred(_)
        | Placement::PreferredMany(_)
        | Placement::Interleave(_)
        | Placement::WeightedInterleave(_)
        | Placement::HighBandwidth
        | Placement::Balancing
        | Placement::Tiering => None,
    };
    let regions = workload.regions.iter().enumerate().filter(|(_, region)| region.size.0 > 0);
    regions
        .filter_map(|(at, region)| {
            let (mode, parts) = moving(&region.placement)?;
            let slice = match mode == Mode::Replicate {
                true => Slice::Explicit(Pieces::new(replicas::parts(region.size.0, page, nodes).into())),
                false => Slice::evenly(region.size.0, parts),
            };
            Some(Phase {
                schedule: Some(Schedule::Static { chunk: None }),
                accesses: vec![Access::new(RegionId(at), slice, mode)],
                ..Phase::new(format!("{} {}", region.placement, region.name), parts)
            })
        })
        .collect()
}
