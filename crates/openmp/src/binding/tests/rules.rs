//! Teams on places by the rules of libgomp and libomp, worked out by hand. GCC 12 and LLVM 19 print these numbers for
//! the same teams (`omp_get_place_num`, `omp_get_partition_place_nums`).

use super::super::Affinity::{Close, Spread};
use super::super::{Affinity, Binding, Opener, ProcBind, Site, ThreadBinding, assign, place_team};
use crate::places::model::Model;
use crate::places::{Allowed, Topology};
use numalab_base::ProcessorId;
use numalab_workload::PlaceRules::{self, Gnu, Llvm, Standard};
use std::ops::Range;

fn places(rules: PlaceRules, affinity: Affinity, threads: u32, places: u32) -> Vec<u32> {
    let all = assign(rules, affinity, threads, &Opener::initial(0..places));
    all.iter().map(|to| to.place).collect()
}

/// Eleven threads on eight places are one each and three more. libgomp: the last three start over. libomp: the largest
/// distance at which three places have a second thread is 8 / 3 = 2.
#[test]
fn threads_that_remain_go_to_different_places() {
    for affinity in [Close, Spread] {
        assert_eq!(places(Standard, affinity, 11, 8), [0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7]);
        assert_eq!(places(Gnu, affinity, 11, 8), [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2]);
        assert_eq!(places(Llvm, affinity, 11, 8), [0, 0, 1, 2, 2, 3, 4, 4, 5, 6, 7]);
    }
    assert_eq!(places(Gnu, Close, 17, 7), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 0, 1, 2]);
    assert_eq!(places(Llvm, Close, 17, 7), [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6]);
    // A distance of 12 / 8 = 1: the first eight places.
    assert_eq!(places(Llvm, Close, 20, 12), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11]);
}

/// Five threads on eight places. libgomp: parts of 2, 2, 2, 1, 1 places. libomp: parts of 9 / 5 = 1.8 places, that
/// begin at 0, 1.8, 3.6, 5.4, 7.2.
#[test]
fn parts_of_spread_begin_at_different_places() {
    assert_eq!(places(Gnu, Spread, 5, 8), [0, 2, 4, 6, 7]);
    assert_eq!(places(Llvm, Spread, 5, 8), [0, 1, 3, 5, 7]);
    assert_eq!(places(Gnu, Spread, 3, 7), [0, 3, 5]);
    assert_eq!(places(Llvm, Spread, 3, 7), [0, 2, 5]);
    assert_eq!(places(Gnu, Spread, 7, 12), [0, 2, 4, 6, 8, 10, 11]);
    assert_eq!(places(Llvm, Spread, 7, 12), [0, 1, 3, 5, 7, 9, 11]);
    for rules in [Standard, Gnu, Llvm] {
        assert_eq!(places(rules, Spread, 4, 8), [0, 2, 4, 6]);
        assert_eq!(places(rules, Spread, 12, 12), Vec::from_iter(0..12));
        assert_eq!(places(rules, Spread, 0, 8), [0; 0]);
        assert_eq!(places(rules, Close, 5, 8), [0, 1, 2, 3, 4]);
    }
}

/// Inner teams, in places that the outer team has left them.
#[test]
fn inner_teams_start_at_their_opener() {
    let team = |rules, affinity, threads, place, partition: Range<u32>| -> Vec<(u32, Range<u32>)> {
        let opener = Opener { place, partition, places: 8 };
        let all = assign(rules, affinity, threads, &opener);
        all.into_iter().map(|to| (to.place, to.partition)).collect()
    };
    // The whole list, from place 2: parts begin at 2, 3.8, 5.6, 7.4 and 9.2, which is 1.2; the last one ends before 2.
    let whole = team(Llvm, Spread, 5, 2, 0..8);
    assert_eq!(whole, [(2, 2..3), (3, 3..5), (5, 5..7), (7, 7..8), (1, 1..2)]);
    // Three places among two threads: libomp gives the first part one more, as libgomp does.
    for rules in [Gnu, Llvm] {
        assert_eq!(team(rules, Spread, 2, 3, 3..6), [(3, 3..5), (5, 5..6)]);
        assert_eq!(team(rules, Spread, 3, 0, 0..4), [(0, 0..2), (2, 2..3), (3, 3..4)]);
    }
    // Five threads on two places.
    let crowded = |rules| team(rules, Close, 5, 6, 6..8).into_iter().map(|to| to.0).collect::<Vec<_>>();
    assert_eq!(crowded(Gnu), [6, 6, 7, 7, 6]);
    assert_eq!(crowded(Llvm), [6, 6, 6, 7, 7]);
}

/// Two sockets of two cores of two hardware threads: core 0 has processors 0 and 4.
const SMT: Model = Model { boards: 1, sockets: 2, nodes: 1, caches: 1, cores: 2, threads: 2 };

fn placed(rules: PlaceRules, list: Option<&str>, policy: Option<&str>, threads: u32) -> ThreadBinding {
    let allowed = Allowed::all(SMT.processors());
    let site = Site { topology: &SMT, allowed: &allowed, rules };
    place_team(&Binding::parse(list, policy).unwrap(), threads, site).unwrap()
}

#[test]
fn variables_that_are_not_set_have_other_defaults() {
    let processors = |rules, list, policy| -> Vec<u32> {
        placed(rules, list, policy, 2).processors().map(ProcessorId::number).collect()
    };
    // Without places libgomp binds to hardware threads, of which those of a core are next to each other.
    assert_eq!(processors(Standard, None, Some("close")), [0, 1]);
    assert_eq!(processors(Gnu, None, Some("close")), [0, 4]);
    assert_eq!(processors(Llvm, None, Some("close")), [0, 1]);
    // Without a policy, and with `true`, libomp spreads.
    for policy in [None, Some("true")] {
        assert_eq!(processors(Standard, Some("cores"), policy), [0, 1]);
        assert_eq!(processors(Gnu, Some("cores"), policy), [0, 1]);
        assert_eq!(processors(Llvm, Some("cores"), policy), [0, 2]);
    }
    assert_eq!(ProcBind::False.affinity(Llvm), None);
}
