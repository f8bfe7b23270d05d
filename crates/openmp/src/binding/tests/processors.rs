//! Processors in places, and start processors of unbound threads.

use super::super::{Affinity, Binding, Site, ThreadBinding, place_team};
use crate::places::model::Model;
use crate::places::{Allowed, Topology};
use numalab_base::ProcessorId;
use numalab_workload::PlaceRules;

fn site<'a>(topology: &'a Model, allowed: &'a Allowed) -> Site<'a> {
    Site { topology, allowed, rules: PlaceRules::Standard }
}

fn placed(machine: Model, places: Option<&str>, policy: Option<&str>, threads: u32) -> ThreadBinding {
    let binding = Binding::parse(places, policy).unwrap();
    place_team(&binding, threads, site(&machine, &Allowed::all(machine.processors()))).unwrap()
}

fn processors(machine: Model, places: Option<&str>, policy: Option<&str>, threads: u32) -> Vec<u32> {
    placed(machine, places, policy, threads).processors().map(ProcessorId::number).collect()
}

/// Two sockets of two cores of two hardware threads: socket 0 has processors 0, 1, 4, 5.
const SMT: Model = Model { boards: 1, sockets: 2, nodes: 1, caches: 1, cores: 2, threads: 2 };

#[test]
fn cores_of_a_place_fill_before_their_second_threads() {
    // Socket 0: cores 0 and 1, then their siblings 4 and 5, then from the start again.
    assert_eq!(processors(SMT, Some("sockets"), Some("primary"), 6), [0, 1, 4, 5, 0, 1]);
    // Ten threads on two places: five each, consecutive ones together.
    assert_eq!(processors(SMT, Some("sockets"), Some("close"), 10), [0, 1, 4, 5, 0, 2, 3, 6, 7, 2]);
    assert_eq!(processors(SMT, Some("sockets"), Some("spread"), 2), [0, 2]);
}

#[test]
fn overlapping_places_use_least_loaded_processor() {
    // Threads 0 and 1 are on place 0, {0,1}, and take processors 0 and 1. Threads 2 and 3 are on place 1, {1,2}:
    // thread 2 takes the idle processor 2, and thread 3 the lower of two processors with one thread each.
    let machine = Model::sockets(1, 4, 1);
    assert_eq!(processors(machine, Some("{0,1},{1,2}"), Some("close"), 4), [0, 1, 2, 1]);
    // A sibling counts as part of its core: 4 belongs to core 0, which is busy; 1 is idle.
    assert_eq!(processors(SMT, Some("{0},{4,1}"), None, 2), [0, 1]);
}

#[test]
fn without_places_policies_bind_to_cores() {
    let placement = placed(SMT, None, Some("spread"), 2);
    assert_eq!(placement.places.len(), 4);
    assert_eq!(placement.places.get(1), [1, 5]);
    assert_eq!(placement.threads[1].partition, 2..4);
    assert_eq!(processors(SMT, None, Some("spread"), 2), [0, 2]);
}

#[test]
fn without_a_policy_places_are_bound_to_next_to_each_other() {
    let placement = placed(SMT, Some("cores"), None, 3);
    assert_eq!(placement.affinity, Some(Affinity::Close));
    assert_eq!(placement.processors().map(ProcessorId::number).collect::<Vec<_>>(), [0, 1, 2]);
}

/// Boards first, then sockets of a board, nodes, caches, cores; second hardware threads last.
#[test]
fn unbound_threads_start_in_the_idlest_group() {
    let machine = Model { boards: 2, sockets: 2, nodes: 1, caches: 1, cores: 2, threads: 2 };
    // Board 0 has sockets 0 (cores 0, 1) and 1 (cores 2, 3); board 1 sockets 2 (4, 5) and 3 (6, 7).
    let firsts = [0, 4, 2, 6, 1, 5, 3, 7];
    let seconds = firsts.map(|core| core + 8);
    let all: Vec<u32> = firsts.into_iter().chain(seconds).collect();
    assert_eq!(processors(machine, None, Some("false"), 16), all);
    // All processors are busy: further threads are spread evenly again.
    assert_eq!(processors(machine, None, Some("false"), 20)[16..], firsts[..4]);
}

#[test]
fn unbound_threads_use_the_larger_group_first() {
    // Of two sockets only processor 0 of the first and 2 and 3 of the second are allowed. Socket 1 has
    // two idle ones, so it comes first; then each has one, and the first wins.
    let machine = Model::sockets(2, 2, 1);
    let binding = Binding::parse(None, Some("false")).unwrap();
    let allowed = Allowed::only(4, [0, 2, 3]);
    let placement = place_team(&binding, 7, site(&machine, &allowed)).unwrap();
    // Socket 0 has 1 thread on 1 processor, socket 1 has 2 threads on 2: a tie, so socket 0. Then socket 0 has 2
    // threads per processor: socket 1 is next twice, until it has 2 as well; then socket 0 again.
    assert_eq!(placement.processors().map(ProcessorId::number).collect::<Vec<_>>(), [2, 0, 3, 0, 2, 3, 0]);
    assert_eq!(placement.places.get(0), [0, 2, 3]);
    assert_eq!(placement.affinity, None);
}
