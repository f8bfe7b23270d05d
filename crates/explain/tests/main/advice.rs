//! Tests that known remedies are found, with the gain of the same change made by hand.

use crate::resolved;
use numalab_explain::{Remedy, Request, blame, explain};
use numalab_results::{Advice, Explanation};
use numalab_study::Files;

fn explained(machine: &str, workload: &str, policy: Option<&str>, set: &[&str]) -> Explanation {
    let run = resolved(machine, workload, policy, set);
    let how = |remedy: &Remedy| remedy.words();
    let request = Request {
        files: &Files::default(),
        budget: u64::MAX,
        progress: &(),
        jobs: Some(2),
        how: &how,
        on_machine: &|_| None,
    };
    explain(&run, blame(&run, &()).unwrap(), &request).unwrap_or_else(|error| panic!("{error}"))
}

fn makespan(machine: &str, workload: &str, policy: Option<&str>, set: &[&str]) -> f64 {
    crate::case(machine, workload, policy, set).run().unwrap().makespan_ps as f64
}

/// Advice with as many changes as `words`, each word contained in one of the changes.
fn find<'a>(explanation: &'a Explanation, words: &[&str]) -> &'a Advice {
    let has = |advice: &&Advice| {
        advice.changes.len() == words.len()
            && words.iter().all(|word| advice.changes.iter().any(|change| change.contains(word)))
    };
    let all: Vec<&Vec<String>> = explanation.advice.iter().map(|advice| &advice.changes).collect();
    explanation.advice.iter().find(has).unwrap_or_else(|| panic!("no {words:?} in {all:?}"))
}

#[track_caller]
fn near(advice: &Advice, by_hand: f64) {
    let off = advice.makespan_ps as f64 / by_hand - 1.0;
    assert!(off.abs() < 0.1, "{:?} takes {off:+.3} of what it takes by hand", advice.changes);
}

/// Parameters of a smaller matrix, still larger than the caches of its threads.
const CG: [&str; 3] = ["workload.n=700000", "workload.nnz=98000000", "workload.steps=1"];

/// Parts of the matrix are only read; copies on both nodes pay off over many products.
#[test]
fn data_that_is_only_read_gets_replicas() {
    let set =
        ["workload.variant=serial_init", "workload.n=70000", "workload.nnz=9800000", "workload.steps=50"];
    let explanation = explained("socket:2 core:4", "cg", Some("static"), &set);
    let advice = find(&explanation, &["replicate"]);
    assert!(advice.changes[0].contains("values") && advice.gain > 0.05, "{advice:?}");
}

#[test]
fn conjugate_gradients_are_initialised_in_parallel_and_balanced() {
    let by_hand = |variant: &str| {
        let variant = format!("workload.variant={variant}");
        makespan("bcs16", "cg", None, &[&variant, CG[0], CG[1], CG[2]])
    };
    let explanation = explained("bcs16", "cg", None, &["workload.variant=serial_init", CG[0], CG[1], CG[2]]);
    near(find(&explanation, &["first touch in parallel"]), by_hand("parallel_init"));
    near(find(&explanation, &["first touch in parallel", "split by cost"]), by_hand("nnz_balanced"));
    let best = &explanation.advice[0];
    assert!(best.changes.iter().any(|change| change.contains("first touch in parallel")), "{best:?}");
    // Waits are blamed on the matrix's region `values`.
    assert!(explanation.blame.iter().any(|row| row.region.as_deref() == Some("values")));
}

#[test]
fn a_matrix_is_initialised_in_parallel() {
    let set = ["workload.products=20", "workload.n=2048", "workload.numa_balancing=off"];
    let explanation = explained("bcs16", "matvec", None, &set);
    let by_hand = makespan("bcs16", "matvec", None, &[set[0], set[1], set[2], "workload.init=parallel"]);
    near(find(&explanation, &["first touch in parallel"]), by_hand);
}

#[test]
fn vectors_are_touched_in_parallel_interleaved_or_moved() {
    let explanation = explained("bcs16", "migration_daxpy", None, &["workload.accesses=20"]);
    let by_hand = |placement: &str| {
        let placement = format!("workload.placement={placement}");
        let set = [&*placement, "workload.accesses=20"];
        makespan("bcs16", "migration_daxpy", None, &set)
    };
    near(find(&explanation, &["first touch in parallel"]), by_hand("parallel"));
    near(find(&explanation, &["all pages: interleave"]), by_hand("interleaved"));
}

#[test]
fn counters_get_lines_of_their_own() {
    let explanation = explained("bcs16", "false_sharing", None, &["workload.stores=100"]);
    let by_hand = makespan("bcs16", "false_sharing", None, &["workload.stores=100", "workload.array=padded"]);
    near(find(&explanation, &["elements 64 bytes apart"]), by_hand);
}

/// The runtime's central barrier costs most of a region. The advised barrier has the same makespan as the change by
/// hand.
#[test]
fn a_runtime_gets_another_barrier() {
    let set = ["workload.construct=barrier", "workload.executions=50", "runtime.barrier.kind=central"];
    let explanation = explained("bcs16", "epcc", None, &set);
    let set = [set[0], set[1], "runtime.barrier.kind=hierarchical", "runtime.fork.release=hierarchical"];
    near(find(&explanation, &["barriers hierarchical"]), makespan("bcs16", "epcc", None, &set));
}

/// A vector that both nodes write is cut inside of a page, so the page moves back and forth. Techniques of the DSM
/// are advised, each with the makespan of the same change by hand. Ideal shared pages leave little of the lost time.
#[test]
fn shared_pages_are_sent_ahead_or_written_by_several() {
    let small = ["workload.n=100000", "workload.rounds_of_loops=6"];
    let explanation = explained("marenostrum8", "dsm_synthetic", None, &small);
    for (words, set) in [
        ("(presend)", "machine.dsm.technique=presend"),
        ("(final)", "machine.dsm.technique=final"),
        ("home-based lazy release consistency", "machine.dsm.consistency=hlrc"),
    ] {
        let by_hand = makespan("marenostrum8", "dsm_synthetic", None, &[small[0], small[1], set]);
        near(find(&explanation, &[words]), by_hand);
    }
    let ideals = explanation.ideals.as_ref().unwrap();
    let pages = ideals.shares.iter().find(|share| share.name == "shared pages").unwrap();
    let stops: u64 = explanation
        .blame
        .iter()
        .filter(|row| row.kind.starts_with("shared pages"))
        .map(|row| row.time_ps())
        .sum();
    assert!(pages.alone_ps > 0 && stops > 0, "{pages:?}");
    assert!(pages.share_ps <= explanation.makespan_ps as f64);
}
