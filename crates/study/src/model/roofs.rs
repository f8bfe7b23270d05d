//! Roofs: limits of the machine's parts, and bandwidths of all its cores from caches.

use super::character::Character;
use crate::StudyError;
use numalab_machine::{Fabric, Machine, NodeId, totals};
use numalab_results::{CacheRoof, Roof};
use numalab_simulator::Team;
use numalab_workload::Mode;
use std::cmp::Reverse;

/// Roofs of one core, one node, one board and the whole machine, with one thread per core.
pub(super) fn of_parts(machine: &Machine, fabric: &Fabric) -> Result<Vec<Roof>, StudyError> {
    let totals = totals(machine);
    // Of unequal nodes the one with memory and most cores stands for all.
    let cores_of = |node: NodeId| fabric.online_cores(node).count() as u32;
    let nodes = (0..fabric.nodes()).map(NodeId);
    let largest = nodes.clone().max_by_key(|&node| (fabric.has_memory(node), cores_of(node), Reverse(node)));
    let largest = largest.unwrap_or(NodeId(0));
    let (node, all) = (cores_of(largest), totals.cores);
    let board = totals.boards.map(|boards| all / boards.max(1));
    let whole = match totals.nodes {
        1 => "1 node".to_owned(),
        nodes => format!("{nodes} nodes"),
    };
    let parts = [
        Some(("1 core".to_owned(), 1)),
        Some(("1 node".to_owned(), node)),
        board.map(|cores| ("1 board".to_owned(), cores)),
        Some((whole, all)),
    ];
    let mut parts: Vec<(String, u32)> = parts.into_iter().flatten().collect();
    // If two parts have the same cores, the name of the larger part is used.
    parts.dedup_by(|next, kept| {
        let same = next.1 == kept.1;
        if same {
            kept.0.clone_from(&next.0);
        }
        same
    });
    let roof = |(name, cores): (String, u32)| {
        let team = match cores <= node {
            true => {
                let cores = fabric.online_cores(largest).take(cores as usize);
                Team::on(fabric, cores.filter_map(|core| fabric.online_threads(core).next()))
            }
            false => Team::close(fabric, cores),
        };
        let bandwidth_bytes_per_s = Character::new(machine, fabric, &team).triad()?;
        Ok(Roof { name, cores, bandwidth_bytes_per_s, peak_flop_per_s: super::peak(machine, &team) })
    };
    parts.into_iter().map(roof).collect()
}

/// Bandwidth of all cores together from each cache level, nearest level first. Every core repeatedly reads a part
/// that fits this level but not the nearer one. A level that adds no capacity per core is left out.
pub(super) fn of_caches(machine: &Machine, fabric: &Fabric) -> Result<Vec<CacheRoof>, StudyError> {
    let mut caches: Vec<_> = machine.caches.iter().collect();
    caches.sort_by_key(|cache| cache.level);
    let all = totals(machine).cores;
    let team = Team::close(fabric, all);
    let mut character = Character::new(machine, fabric, &team);
    let mut roofs = Vec::new();
    let mut nearer = 0;
    for cache in caches {
        let room = cache.size.0 / u64::from(cache.shared_by.max(1));
        if room <= nearer {
            continue;
        }
        let part = (nearer + (room - nearer) / 2).max(1);
        let parts: Vec<(u64, u64)> = (0..u64::from(all)).map(|core| (core * part, part)).collect();
        let bandwidth_bytes_per_s = character.stream(&parts, Mode::Read)?;
        roofs.push(CacheRoof { level: cache.level, bandwidth_bytes_per_s });
        nearer = room;
    }
    Ok(roofs)
}
