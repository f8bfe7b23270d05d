//! Processors of a team: evenly over the nodes, after a change of its size, and after a move of its threads.

use numalab_des::Stream;
use numalab_machine::Fabric;
use numalab_study::measured::cores_of;
use std::sync::Arc;

/// Processors of a team whose threads are evenly distributed over nodes, in random order, as the system spreads
/// threads that become ready.
pub fn balanced(fabric: &Fabric, threads: u32, random: &mut Stream) -> Arc<[u32]> {
    let mut cores: Vec<Vec<u32>> = (0..fabric.nodes()).map(|node| cores_of(fabric, node)).collect();
    let mut slots: Vec<usize> = (0..threads as usize).map(|slot| slot % cores.len()).collect();
    for last in (1..slots.len()).rev() {
        slots.swap(last, random.below(last as u64 + 1) as usize);
    }
    slots.into_iter().filter_map(|node| cores[node].pop()).collect()
}

/// Processors of the team `first` after it has grown or shrunk: remaining threads stay, new ones go to the emptiest
/// node.
pub fn resized(fabric: &Fabric, first: &[u32], threads: u32, random: &mut Stream) -> Arc<[u32]> {
    let mut team: Vec<u32> = first.iter().copied().take(threads as usize).collect();
    while team.len() < threads as usize {
        let free = |node: u32| -> Vec<u32> {
            cores_of(fabric, node).into_iter().filter(|core| !team.contains(core)).collect()
        };
        let all: Vec<Vec<u32>> = (0..fabric.nodes()).map(free).collect();
        let most = all.iter().map(Vec::len).max().unwrap_or(0);
        let emptiest: Vec<&Vec<u32>> = all.iter().filter(|free| free.len() == most && most > 0).collect();
        if emptiest.is_empty() {
            break;
        }
        team.push(emptiest[random.below(emptiest.len() as u64) as usize][0]);
    }
    team.into()
}

/// Processors of threads on the processors `before`, after a move to `nodes`. A thread that is already on its node in
/// `nodes` keeps its core.
pub fn moved(fabric: &Fabric, before: &[u32], nodes: &[usize]) -> Arc<[u32]> {
    let mut free: Vec<Vec<u32>> = (0..fabric.nodes()).map(|node| cores_of(fabric, node)).collect();
    let stays: Vec<bool> = before.iter().zip(nodes).map(|(core, node)| free[*node].contains(core)).collect();
    for core in before.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(core, _)| core) {
        free.iter_mut().for_each(|of_node| of_node.retain(|other| other != core));
    }
    let place = |((core, node), stays): ((&u32, &usize), &bool)| match stays {
        true => *core,
        false => free[*node].pop().unwrap_or(*core),
    };
    before.iter().zip(nodes).zip(&stays).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::placement::tests::machine;
    use numalab_des::{Domain, Streams};
    use numalab_study::ResolvedRun;

    fn on_nodes(run: &ResolvedRun, processors: &[u32]) -> Vec<u32> {
        let fabric = &run.machine.fabric;
        let node = |core: &u32| (0..fabric.nodes()).find(|node| cores_of(fabric, *node).contains(core));
        processors.iter().map(|core| node(core).unwrap()).collect()
    }

    /// Eight threads are two on each of four nodes, on cores of their own. A team of four keeps its places; eight new
    /// threads fill the emptiest nodes.
    #[test]
    fn the_system_leaves_threads_where_they_are() {
        let run = machine();
        let fabric = &run.machine.fabric;
        for draw in 0..8 {
            let mut random = Streams::new(draw).stream(Domain::Orders, 0);
            let eight = balanced(fabric, 8, &mut random);
            let mut nodes = on_nodes(&run, &eight);
            assert_eq!(resized(fabric, &eight, 4, &mut random)[..], eight[..4]);
            let sixteen = resized(fabric, &eight, 16, &mut random);
            assert_eq!(sixteen[..8], eight[..]);
            nodes.sort_unstable();
            assert_eq!(nodes, [0, 0, 1, 1, 2, 2, 3, 3]);
            let all: std::collections::BTreeSet<_> = sixteen.iter().collect();
            assert_eq!(all.len(), 16);
        }
    }

    /// Cores 0 to 3 are node 0. The thread on core 1 stays there; the thread on core 5 moves to another core of node
    /// 0.
    #[test]
    fn who_is_there_already_keeps_its_core() {
        let run = machine();
        let after = moved(&run.machine.fabric, &[5, 1, 9], &[0, 0, 2]);
        assert_eq!((after[1], after[2]), (1, 9));
        assert_eq!(on_nodes(&run, &after), [0, 0, 2]);
        assert_ne!(after[0], 1);
    }
}
