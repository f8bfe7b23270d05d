//! `KMP_AFFINITY`, worked out by hand from the documented rules. libomp 19 prints these processors for the same
//! machines, written as `/proc/cpuinfo`.

use super::super::{Binding, KmpValue, KmpWord, Site, ThreadBinding, place_nested, place_team};
use crate::places::model::Model;
use crate::places::{Allowed, Topology};
use numalab_base::ProcessorId;
use numalab_workload::PlaceRules;

/// Two sockets of four cores of two hardware threads: core `c` has processors `c` and `c + 8`.
const SMT: Model = Model { boards: 1, sockets: 2, nodes: 1, caches: 1, cores: 4, threads: 2 };
/// As `SMT`, with one hardware thread per core.
const PLAIN: Model = Model { threads: 1, ..SMT };

fn binding(text: &str) -> Binding {
    match KmpValue::parse(text).unwrap().word {
        KmpWord::Bound(binding) => binding,
        other @ (KmpWord::Listed(_) | KmpWord::Nothing) => panic!("{other:?}"),
    }
}

fn placed(machine: &Model, allowed: &Allowed, text: &str, threads: u32) -> ThreadBinding {
    let site = Site { topology: machine, allowed, rules: PlaceRules::Llvm };
    place_team(&binding(text), threads, site).unwrap()
}

/// Places of the threads, each as text.
fn places(machine: Model, text: &str, threads: u32) -> String {
    let bound = placed(&machine, &Allowed::all(machine.processors()), text, threads);
    let place = |thread: &super::super::BoundThread| super::super::ranges(bound.places.get(thread.place));
    bound.threads.iter().map(place).collect::<Vec<_>>().join(" ")
}

#[test]
fn threads_take_processors_in_the_order_of_the_type() {
    for (text, expected) in [
        ("compact", "0 8 1 9 2 10"),
        // One level of permutation: first all first hardware threads, core by core.
        ("compact,1", "0 1 2 3 4 5"),
        ("compact,1,0", "0 1 2 3 4 5"),
        // Two levels: the hardware threads' number first, then the core's, then the socket's. More count as two.
        ("compact,2", "0 4 1 5 2 6"),
        ("compact,7", "0 4 1 5 2 6"),
        ("scatter", "0 4 1 5 2 6"),
        ("scatter,1", "0 1 2 3 4 5"),
        ("scatter,5", "0 8 1 9 2 10"),
        ("compact,0,3", "9 2 10 3 11 4"),
        ("scatter,1,2", "2 3 4 5 6 7"),
        ("balanced", "0 1 2 3 4 5"),
    ] {
        assert_eq!(places(SMT, &format!("granularity=fine,{text}"), 6), expected, "{text}");
    }
    // More threads than processors start over.
    let twenty = places(SMT, "scatter,granularity=thread", 20);
    assert_eq!(twenty, "0 4 1 5 2 6 3 7 8 12 9 13 10 14 11 15 0 4 1 5");
}

#[test]
fn threads_may_move_inside_the_unit_of_the_granularity() {
    assert_eq!(places(SMT, "compact", 4), "0,8 0,8 1,9 1,9");
    assert_eq!(places(SMT, "scatter", 3), "0,8 4,12 1,9");
    assert_eq!(places(SMT, "granularity=socket,scatter", 2), "0-3,8-11 4-7,12-15");
    let nodes = Model { sockets: 1, nodes: 2, caches: 2, cores: 2, threads: 1, boards: 1 };
    assert_eq!(places(nodes, "granularity=numa_domain,compact", 5), "0-3 0-3 0-3 0-3 4-7");
    assert_eq!(places(nodes, "granularity=ll_cache,compact", 3), "0-1 0-1 2-3");
    // Two threads on a core get both of its processors.
    let bound = placed(&SMT, &Allowed::all(16), "compact", 4);
    assert_eq!(bound.processors().map(ProcessorId::number).collect::<Vec<_>>(), [0, 8, 1, 9]);
}

/// Twenty threads on eight cores are two each and four more: three on each of the first four. The third starts over at
/// the core's first processor.
#[test]
fn balanced_gives_cores_even_shares() {
    let fine = "granularity=fine,balanced";
    assert_eq!(places(SMT, fine, 20), "0 8 0 1 9 1 2 10 2 3 11 3 4 12 5 13 6 14 7 15");
    assert_eq!(places(SMT, "balanced", 10), "0,8 0,8 1,9 1,9 2,10 3,11 4,12 5,13 6,14 7,15");
    // Without further hardware threads, sockets are the units: six threads are three each.
    for text in [fine, "balanced"] {
        assert_eq!(places(PLAIN, text, 6), "0 1 2 4 5 6");
    }
    assert_eq!(places(PLAIN, "granularity=socket,balanced", 2), "0-3 4-7");
    let one = Model { sockets: 1, ..SMT };
    assert_eq!(places(one, fine, 6), "0 4 1 5 2 3");
}

/// Cores 0 and 1 with both hardware threads, core 2 with one: processors 0, 8, 1, 9, 2.
#[test]
fn balanced_on_cores_of_different_width() {
    let allowed = Allowed::only(16, [0, 8, 1, 9, 2]);
    let on = |text: &str, threads| -> Vec<u32> {
        placed(&SMT, &allowed, text, threads).processors().map(ProcessorId::number).collect()
    };
    let fine = "granularity=fine,balanced";
    assert_eq!(on(fine, 2), [0, 1]);
    // One on each core, the fourth on the first core with two processors.
    assert_eq!(on(fine, 4), [0, 8, 1, 2]);
    assert_eq!(on(fine, 5), [0, 8, 1, 9, 2]);
    // The sixth and seventh go to the first processors of the first cores.
    assert_eq!(on(fine, 7), [0, 0, 8, 1, 1, 9, 2]);
    assert_eq!(on("balanced", 4), [0, 8, 1, 2]);
}

/// Only allowed processors are numbered: cores 1 and 2 of each socket, their second hardware threads.
#[test]
fn orders_count_allowed_processors() {
    let allowed = Allowed::only(16, [9, 10, 13, 14]);
    let bound = placed(&SMT, &allowed, "granularity=fine,scatter", 5);
    assert_eq!(bound.processors().map(ProcessorId::number).collect::<Vec<_>>(), [9, 13, 10, 14, 9]);
}

#[test]
fn explicit_lists_may_have_sets() {
    let text = "granularity=fine,explicit,proclist=[3, 1, {0,8}, 4-6:2]";
    assert_eq!(places(SMT, text, 7), "3 1 0,8 4 6 3 1");
    assert_eq!(places(SMT, "explicit,proclist=[3,{0,1},4-6:2]", 4), "3,11 0-1,8-9 4,12 6,14");
}

/// Threads of inner teams take the next processors in the order of their creation: both openers, then one team's
/// others, then the other's.
#[test]
fn inner_teams_go_on_in_the_order_of_creation() {
    let site = Site { topology: &SMT, allowed: &Allowed::all(16), rules: PlaceRules::Llvm };
    let bound = place_nested(&binding("granularity=fine,compact,1"), 2, 3, site).unwrap();
    assert_eq!(bound.processors().map(ProcessorId::number).collect::<Vec<_>>(), [0, 2, 3, 1, 4, 5]);
}

#[test]
fn words() {
    let word = |text: &str| KmpValue::parse(text).unwrap().word;
    for text in ["none", "disabled", " NONE ", "granularity=core,none"] {
        assert_eq!(word(text), KmpWord::Bound(Binding::unbound()), "{text}");
    }
    for text in ["verbose", "granularity=fine", "noverbose,warnings"] {
        assert_eq!(word(text), KmpWord::Nothing, "{text}");
    }
    let listed = KmpWord::Listed("0,2,4-6".parse().unwrap());
    for text in
        ["explicit,proclist=[0,2,4-6]", "proclist=[0,2,4-6]", "granularity=fine,proclist=[0,2,4-6],explicit"]
    {
        assert_eq!(word(text), listed, "{text}");
    }
    for (text, idle) in [
        ("verbose,norespect,compact", &["verbose", "norespect"][..]),
        ("balanced,1,2", &["1,2"]),
        ("noverbose,respect,nowarnings,noreset,scatter,1", &[]),
    ] {
        assert_eq!(KmpValue::parse(text).unwrap().idle, idle, "{text}");
    }
}

#[test]
fn wrong_words_are_shown() {
    for (text, column, part) in [
        ("sactter", 1, "\"sactter\"; expected one of none, disabled, compact"),
        ("compact,scatter", 9, "\"scatter\" is a second type"),
        ("compact,1,2,3", 13, "a third number"),
        ("compact,-1", 9, "a type such as compact"),
        ("compact,", 9, "the text ends"),
        ("granularity=tile,compact", 13, "\"tile\"; expected one of fine, thread, core"),
        ("granularity", 12, "the text ends"),
        ("explicit", 1, "proclist=[0,2,4-6]"),
        ("explicit,proclist=[0,a]", 22, "\"a\" is no processor"),
        ("explicit,proclist=[0,{1]", 22, "\"{1\" is no processor"),
        ("explicit,proclist=[0", 21, "the text ends"),
        ("explicit,proclist=[]", 20, "is no processor"),
        ("compact scatter", 9, "\",\" or the end"),
    ] {
        let error = KmpValue::parse(text).unwrap_err();
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.message.contains(part), "{text}: {error}");
    }
}
