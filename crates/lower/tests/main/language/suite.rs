//! Programs of the Barcelona OpenMP task suite: their tasks match independent calculations from the algorithms.

use numalab_files::{Facts, parse_overrides};
use numalab_lower::workload;
use numalab_workload::{Phase, Tree, Workload};

/// Shipped workload with some parameters.
fn load(name: &str, set: &[&str]) -> Workload {
    let set: Vec<String> = set.iter().map(|text| format!("workload.{text}")).collect();
    let set = parse_overrides(&set).unwrap().workload;
    workload(name, &set, &Facts::default()).unwrap().workload.value.clone()
}

/// Last phase of a workload, which holds its tasks.
fn solved(name: &str, set: &[&str]) -> Phase {
    load(name, set).phases.last().unwrap().clone()
}

/// Number of executed tasks. A task counts as often as it is executed.
fn executions(phase: &Phase) -> f64 {
    phase.tasking.tree.as_ref().and_then(Tree::executions).unwrap().iter().sum()
}

/// Counts the tasks of all steps, from the initial blocks by the suite's rules. Step `k` fills in each block (i, j)
/// for which the blocks (i, k) and (k, j) exist.
#[test]
fn sparse_lu_fills_blocks_in() {
    let blocks = 13;
    let first = |i: usize, j: usize| {
        let near = i.abs_diff(j) <= 1;
        let third = |k: usize| k.is_multiple_of(3);
        let left_out = (i < j && !third(i)) || (i > j && !third(j)) || i % 2 == 1 || j % 2 == 1;
        near || !left_out
    };
    let mut there: Vec<Vec<bool>> = (0..blocks).map(|i| (0..blocks).map(|j| first(i, j)).collect()).collect();
    let mut tasks = 0;
    for k in 0..blocks {
        for i in k + 1..blocks {
            tasks += u32::from(there[i][k]) + u32::from(there[k][i]);
            for j in k + 1..blocks {
                if there[i][k] && there[k][j] {
                    tasks += 1;
                    there[i][j] = true;
                }
            }
        }
    }
    let phase = solved("bots_sparselu", &["rows=130", "block=10"]);
    // One task of the program, two for the stages of each step, and the tasks of blocks.
    assert_eq!(executions(&phase), f64::from(1 + 2 * blocks as u32 + tasks));
    let generated = &load("bots_sparselu", &["rows=130", "block=10"]).phases[0];
    let bytes: u128 = generated.accesses.iter().map(|access| access.slice.total(generated.iterations)).sum();
    let all = (0..blocks).flat_map(|i| (0..blocks).map(move |j| (i, j))).filter(|(i, j)| first(*i, *j));
    assert_eq!(bytes, 400 * all.count() as u128);
}

/// A sort creates four sorts and two merges, waits for each group, and merges. A merge halves itself until its second
/// part is short.
#[test]
fn sorting_merges_what_it_sorts() {
    fn merge(count: u32) -> u32 {
        1 + if count / 2 < 2048 { 0 } else { 2 * merge(count / 2) }
    }
    fn sort(count: u32) -> u32 {
        1 + if count < 2048 { 0 } else { 4 * sort(count / 4) + 2 * merge(count / 2) + merge(count) + 2 }
    }
    assert_eq!(executions(&solved("bots_sort", &["millions=0.25"])), f64::from(sort(1 << 18)));
}

/// Three levels of seven products. Every product that is divided ends with a task that adds up. A leaf has the
/// operations of seven products of matrices of half its size.
#[test]
fn strassen_has_seven_products() {
    let phase = solved("bots_strassen", &["n=1024", "leaf=128", "cutoff=9"]);
    assert_eq!(executions(&phase), f64::from(1 + 7 + 49 + 343 + 1 + 7 + 49));
    // A leaf of 128 computes seven products of 64 x 64 each.
    let leaf = 2.0 * 64.0_f64.powi(3) * 7.0;
    assert_eq!(phase.instructions.iter().filter(|each| **each == leaf).count(), 343);
    // Every task stays inside the region.
    let size = load("bots_strassen", &["n=1024", "leaf=128"]).regions[0].size.0;
    let ends =
        phase.accesses.iter().flat_map(|access| (0..phase.iterations).map(|task| access.slice.range(task).1));
    assert_eq!(ends.max(), Some(size));
}

/// Every pair of sequences is aligned once. The mean length of the sequences is near that of the suite's input: 647
/// letters.
#[test]
fn every_pair_is_aligned() {
    let phase = solved("bots_alignment", &["sequences=40"]);
    assert_eq!(executions(&phase), f64::from(40 + 40 * 39 / 2));
    let mean = phase.instructions.iter().sum::<f64>() / (40.0 * 39.0 / 2.0) / 60.0;
    assert!((300.0..1000.0).contains(&mean.sqrt()), "{}", mean.sqrt());
}
