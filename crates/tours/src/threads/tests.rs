//! The published example, and laws over random tables.

use super::heads::{Heads, place_all};
use super::*;
use proptest::prelude::*;

/// Published example: eight threads on four nodes. The publication numbers nodes and threads from 1; here they start
/// at 0.
fn published() -> AccessCounts {
    let text = include_str!("../../../../reference/tnt-mg8.csv");
    let row = |line: &str| line.split(',').skip(1).map(|cell| cell.parse().unwrap()).collect();
    AccessCounts::new(&text.lines().skip(1).map(row).collect::<Vec<_>>()).unwrap()
}

fn rules(cores_per_node: usize, numa_factor: f64) -> Rules {
    Rules::new(cores_per_node, numa_factor).unwrap()
}

/// Each entry that `critical_path` chose, with the load that it compared.
fn critical_steps(counts: &AccessCounts, rules: &Rules) -> Vec<(usize, usize, f64)> {
    let mut state = (vec![0.0; counts.nodes()], Vec::new());
    place_all(
        counts,
        rules,
        &mut state,
        |state, one| state.0[one.node] + rules.impact(counts, one.thread, one.node),
        |state, one| {
            state.0[one.node] += rules.impact(counts, one.thread, one.node);
            state.1.push((one.thread, one.node, state.0[one.node]));
        },
    );
    state.1
}

// Thread 1 has 1 770 108 accesses to node 1 and 1 765 296 + 1 766 348 + 1 765 584 = 5 297 228 to
// others; the published impact is 9 715 950 = 1 770 108 + 1.5 * 5 297 228, so the NUMA factor is
// 1.5.
//
// 1. The largest entry is that of thread 1 on node 1; its entries are the largest on the other
//    nodes too, with impacts 9 718 356, 9 717 830 and 9 718 212. The least is on node 1.
// 2. The largest is thread 2 on node 1, 1 631 249, with an impact of 1 631 249 + 1.5 * 4 592 431 =
//    8 519 895.5, on top of 9 715 950. Thread 3 has more than 1 631 249 / 1.5 = 1 087 499 on node
//    2: 1 554 991, with an impact of 1 554 991 + 1.5 * 4 658 883 = 8 543 315.5 on an empty node.
#[test]
fn the_published_example_step_by_step() {
    let (counts, rules) = (published(), rules(2, 1.5));
    assert_eq!(rules.impact(&counts, 0, 0), 9_715_950.0);
    assert_eq!(rules.impact(&counts, 1, 0), 8_519_895.5);
    let steps = critical_steps(&counts, &rules);
    assert_eq!(steps[0], (0, 0, 9_715_950.0));
    assert_eq!(steps[1], (2, 1, 8_543_315.5));
}

// Placement by the largest entries. Nodes and threads are numbered from 1; "2 on 4" is thread 2 on node 4. 1 on 1 is
// the largest entry. Of the candidates 2 on 1 and 3 on 2, 3 and 4, the largest on an empty node is 3 on 2. Likewise 2
// on 4 and 7 on 3. Then the local accesses of the nodes are 1 770 108, 1 554 991, 989 070 and 1 532 284: 5 on 3. Node
// 3 is full: 6 on 4, 8 on 2, and 4 on the last free core.
//
// Placement by the critical path: the steps are the same until thread 6. Node 2 would have 8 543 315.5 + 5 425 921,
// node 4 8 569 378 + 5 424 920 = 13 994 298, so thread 6 goes to node 2. Thread 8 then goes to node 4, where the sum
// is 8 569 378 + 5 423 679 = 13 993 057.
#[test]
fn the_published_example_placed() {
    let (counts, rules) = (published(), rules(2, 1.5));
    let by_size = largest(&counts, &rules);
    assert_eq!(by_size.node_of, [0, 3, 1, 0, 2, 3, 2, 1]);
    assert_eq!(by_size.critical_path(&counts, &rules), 13_994_298.0);
    let by_path = critical_path(&counts, &rules);
    assert_eq!(by_path.node_of, [0, 3, 1, 0, 2, 1, 2, 3]);
    assert_eq!(by_path.critical_path(&counts, &rules), 13_993_057.0);
    // Threads 1 and 2 have their most accesses on node 1, which has two cores; likewise two threads for each other
    // node.
    let most = exhaustive(&counts, &rules);
    assert_eq!(most.node_of, [0, 0, 1, 1, 2, 3, 2, 3]);
    assert_eq!(most.local(&counts), 9_238_103);
}

/// Largest number of local accesses over all placements, tried one by one.
fn tried_one_by_one(counts: &AccessCounts, free: &mut [usize], thread: usize) -> u64 {
    if thread == counts.threads() {
        return 0;
    }
    let mut most = 0;
    for node in 0..free.len() {
        if free[node] > 0 {
            free[node] -= 1;
            most = most.max(counts.of(thread, node) + tried_one_by_one(counts, free, thread + 1));
            free[node] += 1;
        }
    }
    most
}

/// 16 threads on four nodes of four cores, the size that is published: 63 063 000 placements. Threads 4k to 4k + 3 have
/// the most accesses to node 3 - k, all others are equal.
#[test]
fn sixteen_threads_are_placed_at_once() {
    let row = |thread: usize| (0..4).map(|node| if node == 3 - thread / 4 { 9 } else { 5 }).collect();
    let counts = AccessCounts::new(&(0..16).map(row).collect::<Vec<Vec<u64>>>()).unwrap();
    let most = exhaustive(&counts, &rules(4, 1.5));
    assert_eq!(most.node_of, [3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0]);
    // Without a difference the first threads have the lowest nodes.
    let counts = AccessCounts::new(&vec![vec![1; 4]; 16]).unwrap();
    let most = exhaustive(&counts, &rules(4, 1.5));
    assert_eq!(most.node_of, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
    let counts = AccessCounts::new(&vec![vec![1]; 100]).unwrap();
    assert_eq!(exhaustive(&counts, &rules(100, 1.5)).node_of, [0; 100]);
}

// Each placement of a thread visits each node once and passes each entry at most once: no more than
// twice the 4096 * 512 entries.
#[test]
fn steps_are_linear_in_entries() {
    let (threads, nodes) = (4096, 512);
    let count = |thread: usize, node: usize| ((thread * 7919 + node * 104_729) % 10_007) as u64;
    let rows: Vec<Vec<u64>> =
        (0..threads).map(|thread| (0..nodes).map(|node| count(thread, node)).collect()).collect();
    let counts = AccessCounts::new(&rows).unwrap();
    let mut heads = Heads::new(&counts, &rules(8, 1.5));
    let mut candidates = Vec::new();
    for _ in 0..threads {
        heads.collect(&mut candidates);
        let chosen = *candidates.iter().max_by_key(|one| one.count).unwrap();
        heads.take(&chosen);
    }
    assert!(heads.steps <= 2 * threads * nodes, "{} steps", heads.steps);
}

#[test]
fn wrong_tables_and_rules() {
    assert_eq!(AccessCounts::new(&[]), Err(AccessCountsError::Empty));
    assert_eq!(AccessCounts::new(&[vec![]]), Err(AccessCountsError::Empty));
    let ragged = AccessCounts::new(&[vec![1, 2], vec![1]]).unwrap_err();
    assert_eq!(ragged.to_string(), "row 1 of the thread-node table has 1 counts; the first row has 2");
    assert_eq!(AccessCounts::new(&[vec![u64::MAX, 1]]), Err(AccessCountsError::TooMany));
    assert_eq!(Rules::new(0, 1.5), None);
    assert_eq!(Rules::new(1, 0.5), None);
    assert_eq!(Rules::new(1, f64::INFINITY), None);
}

fn tables() -> impl Strategy<Value = (AccessCounts, Rules)> {
    (1usize..=6, 1usize..=4, 0usize..=2, 1.0..4.0f64).prop_flat_map(|(threads, nodes, spare, factor)| {
        let count = prop_oneof![0u64..4, 0u64..1_000_000];
        let row = prop::collection::vec(count, nodes);
        prop::collection::vec(row, threads).prop_map(move |rows| {
            let cores = threads.div_ceil(nodes) + spare;
            (AccessCounts::new(&rows).unwrap(), rules(cores, factor))
        })
    })
}

proptest! {
    /// Law: No placement has more local accesses than the one found by chains of moves.
    #[test]
    fn every_thread_has_a_core_and_exhaustive_is_best((counts, rules) in tables()) {
        prop_assert!(rules.fit(&counts));
        let most = exhaustive(&counts, &rules);
        for placement in [&most, &largest(&counts, &rules), &critical_path(&counts, &rules)] {
            prop_assert_eq!(placement.node_of.len(), counts.threads());
            for node in 0..counts.nodes() {
                let there = placement.node_of.iter().filter(|&&at| at == node).count();
                prop_assert!(there <= rules.cores_per_node);
            }
            prop_assert!(placement.local(&counts) <= most.local(&counts));
        }
        let mut free = vec![rules.cores_per_node; counts.nodes()];
        prop_assert_eq!(most.local(&counts), tried_one_by_one(&counts, &mut free, 0));
    }

    #[test]
    fn single_thread_goes_to_its_data(row in prop::collection::vec(0u64..1000, 1..6), factor in 1.0..4.0f64) {
        let counts = AccessCounts::new(std::slice::from_ref(&row)).unwrap();
        let rules = rules(1, factor);
        let most = *row.iter().max().unwrap();
        for placement in [largest(&counts, &rules), critical_path(&counts, &rules)] {
            prop_assert_eq!(placement.local(&counts), most);
        }
    }
}
