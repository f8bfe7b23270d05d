//! Inner teams side by side: each thread of an outer team opens an inner team.
//!
//! With a policy for each level the specification's rule is applied twice: the outer team's threads
//! get places and partitions, and each inner team is assigned within the partition of its opening
//! thread. With `spread,close` the teams are disjoint. With `close,close` each team uses all places
//! from its opening thread's onwards, so teams overlap, as the specification demands.
//!
//! With `true` the implementation decides. By standard rules, and with `pool` of workload files, threads are bound one after another as they are created
//! and come from one pool: first the outer team's threads, then those of the inner teams, team by
//! team, each on the next place. libgomp of GCC 4.8 does this (`gomp_init_thread_affinity` counts
//! all threads that it has bound, of whichever team). libomp does it with `KMP_AFFINITY`;
//! its `true` is `spread` at every level.

use super::team::resolve;
use super::within::PlaceLoads;
use super::{
    Assignment, Binding, BindingError, BoundThread, Opener, Site, ThreadBinding, assign, place_team,
};

/// Places `teams` inner teams of `size` threads each. The result lists the threads team by team; the opening thread
/// is the first of its team.
pub fn place_nested(
    binding: &Binding,
    teams: u32,
    size: u32,
    site: Site<'_>,
) -> Result<ThreadBinding, BindingError> {
    let created = creation(teams, size);
    let policies = match binding.affinity {
        Some(_) => [None; 2],
        None => [0, 1].map(|level| binding.policy(level).explicit(site.rules)),
    };
    let [Some(outer), Some(inner)] = policies else {
        let mut pool = place_team(binding, teams * size, site)?;
        pool.threads = in_team_order(&created, std::mem::take(&mut pool.threads));
        return Ok(pool);
    };
    let places = resolve(binding, site)?;
    let opened =
        |by: Assignment| Opener { place: by.place, partition: by.partition, places: places.all().end };
    let assignments: Vec<Assignment> = assign(site.rules, outer, teams, &Opener::initial(places.all()))
        .into_iter()
        .flat_map(|opener| assign(site.rules, inner, size, &opened(opener)))
        .collect();
    let mut loads = PlaceLoads::new(site.topology, &places);
    let bind = |thread: &usize| {
        let Assignment { place, partition } = assignments.get(*thread)?.clone();
        Some(BoundThread { processor: loads.put(place)?, place, partition })
    };
    let bound = created.iter().filter_map(bind).collect();
    let threads = in_team_order(&created, bound);
    Ok(ThreadBinding { places, affinity: Some(inner), threads })
}

/// Indices of the threads in team order, listed in the order of their creation.
fn creation(teams: u32, size: u32) -> Vec<usize> {
    let openers = (0..teams).map(|team| team * size);
    let others = (0..teams).flat_map(|team| team * size + 1..(team + 1) * size);
    openers.chain(others).map(|thread| thread as usize).collect()
}

/// Sorts `made`, the threads in the order of their creation, into team order. `created`: the result of [`creation`].
fn in_team_order(created: &[usize], made: Vec<BoundThread>) -> Vec<BoundThread> {
    let mut threads: Vec<(usize, BoundThread)> = created.iter().copied().zip(made).collect();
    threads.sort_by_key(|(thread, _)| *thread);
    threads.into_iter().map(|(_, bound)| bound).collect()
}
