//! Laws of the specification that hold for every assignment.

use super::super::{Affinity, Assignment, Binding, Opener, ProcBind, Site, place_team};
use crate::places::model::Model;
use crate::places::{Allowed, Topology};
use numalab_workload::PlaceRules;
use proptest::prelude::*;
use std::ops::Range;

/// Number of threads, a partition (start and length) and a place in it.
fn teams() -> impl Strategy<Value = (u32, u32, u32, u32)> {
    (1..60u32, 0..20u32, 1..40u32).prop_flat_map(|(threads, start, count)| {
        (Just(threads), Just(start), Just(count), start..start + count)
    })
}

fn assign(affinity: Affinity, threads: u32, partition: Range<u32>, place: u32) -> Vec<Assignment> {
    let opener = Opener { place, places: partition.end, partition };
    super::super::assign(PlaceRules::Standard, affinity, threads, &opener)
}

fn per_place(assigned: &[Assignment], start: u32, count: u32) -> Vec<u32> {
    (start..start + count)
        .map(|place| assigned.iter().filter(|to| to.place == place).count() as u32)
        .collect()
}

/// Distance from the parent's place, going upwards with wrap-around.
fn step(place: u32, parent: u32, count: u32) -> u32 {
    (place + count - parent) % count
}

proptest! {
    #[test]
    fn all_threads_are_in_the_partition((threads, start, count, parent) in teams()) {
        for affinity in [Affinity::Primary, Affinity::Close, Affinity::Spread] {
            let assigned = assign(affinity, threads, start..start + count, parent);
            prop_assert_eq!(assigned.len() as u32, threads);
            prop_assert_eq!(assigned[0].place, parent);
            for to in &assigned {
                prop_assert!(to.partition.contains(&to.place));
                prop_assert!(to.partition.start >= start && to.partition.end <= start + count);
            }
        }
    }

    #[test]
    fn close_goes_from_place_to_place((threads, start, count, parent) in teams()) {
        let assigned = assign(Affinity::Close, threads, start..start + count, parent);
        let steps: Vec<u32> = assigned.iter().map(|to| step(to.place, parent, count)).collect();
        prop_assert!(steps.windows(2).all(|pair| pair[1] == pair[0] || pair[1] == pair[0] + 1));
        let counts = per_place(&assigned, start, count);
        let most = counts.iter().max().unwrap();
        prop_assert!(counts.iter().all(|one| one + 1 >= *most), "even: {counts:?}");
    }

    #[test]
    fn spread_gives_parts_of_the_partition((threads, start, count, parent) in teams()) {
        let assigned = assign(Affinity::Spread, threads, start..start + count, parent);
        let counts = per_place(&assigned, start, count);
        if threads > count {
            prop_assert!(counts.iter().all(|one| *one == threads / count || *one == threads.div_ceil(count)));
            prop_assert!(assigned.iter().all(|to| to.partition == (to.place..to.place + 1)));
            let steps: Vec<u32> = assigned.iter().map(|to| step(to.place, parent, count)).collect();
            prop_assert!(steps.is_sorted());
            return Ok(());
        }
        // Together they cover the partition, so they are disjoint.
        let mut parts: Vec<_> = assigned.iter().map(|to| to.partition.clone()).collect();
        parts.sort_by_key(|part| part.start);
        prop_assert_eq!(parts[0].start, start);
        prop_assert_eq!(parts.last().unwrap().end, start + count);
        prop_assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
        let sizes: Vec<u32> = parts.iter().map(|part| part.end - part.start).collect();
        let even = |size: &u32| *size == count / threads || *size == count.div_ceil(threads);
        prop_assert!(sizes.iter().all(even));
        // The next thread gets the next part, with wrap-around.
        for pair in assigned.windows(2) {
            let end = pair[0].partition.end;
            prop_assert_eq!(pair[1].partition.start, if end == start + count { start } else { end });
            prop_assert_eq!(pair[1].place, pair[1].partition.start);
        }
    }

    /// The processor of a thread belongs to the thread's place. No processor of a place is idle while another
    /// processor of the place has several threads. No core has two unbound threads while another core of the machine
    /// is idle.
    #[test]
    fn processors_belong_to_places_and_are_evenly_used(
        sockets in 1..4u32, cores in 1..5u32, smt in 1..3u32, threads in 1..80u32,
        list in prop::sample::select(vec!["threads", "cores", "sockets", "{0:2},{1:2}", "0"]),
        policy in prop::sample::select(vec!["false", "true", "primary", "close", "spread"]),
        rules in prop::sample::select(PlaceRules::ALL.to_vec()),
    ) {
        let machine = Model::sockets(sockets, cores, smt);
        let allowed = Allowed::all(machine.processors());
        let binding = Binding::parse(Some(list), Some(policy)).unwrap();
        let placement = place_team(&binding, threads, Site { topology: &machine, allowed: &allowed, rules }).unwrap();
        prop_assert_eq!(placement.threads.len() as u32, threads);
        let mut used = vec![0u32; machine.processors() as usize];
        for thread in &placement.threads {
            prop_assert!(placement.places.get(thread.place).contains(&thread.processor.number()));
            used[thread.processor.index()] += 1;
        }
        let disjoint = !list.contains("{1");
        for place in placement.places.iter().filter(|_| disjoint) {
            let counts: Vec<u32> = place.iter().map(|number| used[*number as usize]).collect();
            prop_assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
        }
        if binding.policy(0) == ProcBind::False {
            let on_core = |core: u32| -> u32 { (0..smt).map(|t| used[(t * machine.all_cores() + core) as usize]).sum() };
            let counts: Vec<u32> = (0..machine.all_cores()).map(on_core).collect();
            prop_assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
        }
    }

    #[test]
    fn any_text_is_handled(text in any::<String>(), policies in "[a-z, ]{0,30}") {
        let _ = Binding::parse(Some(&text), Some(&policies));
        let _ = super::super::proc_bind(&text);
        let _ = super::super::thread_counts(&text);
    }

    #[test]
    fn any_format_is_handled(text in "[%0.1-9{}a-zA-Zü]{0,30}") {
        if let Err(error) = text.parse::<super::super::AffinityFormat>() {
            prop_assert!(text.get(error.span.clone()).is_some(), "{error:?}");
        }
    }
}
