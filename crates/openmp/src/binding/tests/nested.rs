//! Inner teams, worked out by hand, on two sockets of four cores.

use super::super::{Binding, Site, ThreadBinding, place_nested, place_team};
use crate::places::model::Model;
use crate::places::{Allowed, Topology};
use numalab_base::ProcessorId;
use numalab_workload::PlaceRules;
use proptest::prelude::*;

fn site<'a>(topology: &'a Model, allowed: &'a Allowed) -> Site<'a> {
    Site { topology, allowed, rules: PlaceRules::Standard }
}

fn placed(policy: Option<&str>, teams: u32, size: u32) -> ThreadBinding {
    let machine = Model::sockets(2, 4, 1);
    let binding = Binding::parse(Some("cores"), policy).unwrap();
    place_nested(&binding, teams, size, site(&machine, &Allowed::all(machine.processors()))).unwrap()
}

fn processors(policy: Option<&str>, teams: u32, size: u32) -> Vec<u32> {
    placed(policy, teams, size).processors().map(ProcessorId::number).collect()
}

#[test]
fn spread_outer_threads_keep_their_teams_apart() {
    assert_eq!(processors(Some("spread,close"), 2, 4), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(processors(Some("spread,spread"), 2, 2), [0, 2, 4, 6]);
    assert_eq!(placed(Some("spread,close"), 2, 4).threads[5].partition, 4..8);
    // Three parts of 3, 3 and 2 places; the third team wraps round in its part.
    assert_eq!(processors(Some("spread,close"), 3, 3), [0, 1, 2, 3, 4, 5, 6, 6, 7]);
}

/// With `close,close` the second team begins one place after the first.
#[test]
fn close_teams_overlap() {
    assert_eq!(processors(Some("close,close"), 2, 4), [0, 1, 2, 3, 1, 2, 3, 4]);
    assert_eq!(processors(Some("close"), 2, 4), [0, 1, 2, 3, 1, 2, 3, 4]);
    assert_eq!(processors(Some("primary,close"), 2, 2), [0, 1, 0, 1]);
}

/// With `true`, outer threads are on 0 and 1; the first inner team takes 2, 3 and 4, the second the rest.
#[test]
fn true_takes_nested_threads_from_one_pool() {
    assert_eq!(processors(Some("true"), 2, 4), [0, 2, 3, 4, 1, 5, 6, 7]);
    assert_eq!(processors(None, 2, 4), [0, 2, 3, 4, 1, 5, 6, 7]);
    // Linux starts unbound threads on the idlest socket: 0, 4 | 1, 5, 2 | 6, 3, 7.
    assert_eq!(processors(Some("false"), 2, 4), [0, 1, 5, 2, 4, 6, 3, 7]);
}

/// Law: What `true` means to inner teams is the runtime's; `pool` of workload files is one pool of threads for all.
///
/// libomp spreads at every level: two outer threads have four places each, and so have their teams.
#[test]
fn true_is_the_runtimes_and_pool_is_not() {
    let (machine, all) = (Model::sockets(2, 4, 1), Allowed::all(8));
    for rules in [PlaceRules::Standard, PlaceRules::Gnu, PlaceRules::Llvm] {
        let placed = |policy| {
            let binding = Binding::of_file(Some("cores"), Some(policy)).unwrap();
            let site = Site { topology: &machine, allowed: &all, rules };
            let threads = place_nested(&binding, 2, 4, site).unwrap();
            threads.processors().map(ProcessorId::number).collect::<Vec<_>>()
        };
        assert_eq!(placed("pool"), [0, 2, 3, 4, 1, 5, 6, 7], "{rules:?}");
        if rules == PlaceRules::Llvm {
            assert_eq!(placed("true"), [0, 1, 2, 3, 4, 5, 6, 7]);
        }
    }
    assert!(Binding::parse(None, Some("pool")).is_err(), "OMP_PROC_BIND has no such value");
}

proptest! {
    /// One inner team in an outer team of one thread equals a single team. All threads are placed for any numbers of
    /// teams and threads.
    #[test]
    fn single_nested_team_equals_plain_team(size in 0_u32..20, teams in 1_u32..5, policy in 0_usize..6) {
        let policy = ["close", "spread", "primary", "true", "false", "spread,close"][policy];
        let machine = Model::sockets(2, 4, 1);
        let (binding, all) = (Binding::parse(None, Some(policy)).unwrap(), Allowed::all(8));
        prop_assert_eq!(placed(Some(policy), teams, size).threads.len() as u32, teams * size);
        let team = place_team(&binding, size, site(&machine, &all)).unwrap();
        if policy == "true" || policy == "false" {
            prop_assert_eq!(&place_nested(&binding, 1, size, site(&machine, &all)).unwrap(), &team);
        }
    }
}
