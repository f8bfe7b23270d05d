//! The placement `replicate` as users type it.

use crate::support::{Desk, says};
use numalab_results::Comparison;

fn comparison(placement: &str) -> Comparison {
    let words = ["sim", "socket:2 core:4", "cg", "--set", "workload.variant=serial_init", "-p", "static"];
    let rest = ["--no-series", "--placement", placement, "--format", "json"];
    serde_json::from_str(&Desk::empty().answer(&[&words[..], &rest].concat())).unwrap()
}

/// Without a region, the data that is only read has copies; the product reads its own node and takes less time, and
/// the copies take time of their own.
#[test]
fn data_that_is_only_read_is_copied() {
    let [plain, replicated] = ["first-touch", "replicate"].map(|name| comparison(name).runs.remove(0));
    let names: Vec<&str> = replicated.phases.iter().map(|phase| &*phase.name).collect();
    assert_eq!(names[..2], ["replicate values", "replicate columns"]);
    let product = |run: &numalab_results::Run| {
        let phase = run.phases.iter().find(|phase| phase.name == "product").unwrap();
        phase.time_ps
    };
    assert!(product(&replicated) < product(&plain));
    assert!(replicated.phases[0].pages_faulted > 0);
    let local =
        |run: &numalab_results::Run| run.bytes_by_level.node as f64 / run.bytes_by_level.total() as f64;
    assert!(local(&replicated) > local(&plain) + 0.2, "{} {}", local(&replicated), local(&plain));
}

#[test]
fn data_that_is_written_is_refused() {
    let desk = Desk::empty();
    let refused = desk.refusal(&["sim", "bcs16", "cg", "--placement", "p=replicate"]);
    says(&refused, &["region \"p\" has copies on all nodes, and phase \"add-p\" writes it", "only read"]);
    let refused = desk.refusal(&["sim", "bcs16", "random_access", "--placement", "replicate"]);
    says(&refused, &["random_access writes every region"]);
    let refused = desk.refusal(&["sim", "kandake6", "cg", "--placement", "replicate"]);
    says(&refused, &["shared in software"]);
}

#[test]
fn placements_that_have_no_effect_are_refused() {
    let desk = Desk::empty();
    let fixed = ["sim", "scalemp16", "serial_bandwidth", "-t", "1", "--no-series"];
    for [flag, value] in [["--membind", "20"], ["--interleave", "0-3"], ["--placement", "interleave"]] {
        let refused = desk.refusal(&[&fixed[..], &[flag, value]].concat());
        says(&refused, &["has no effect on scalemp16", "pages move in software", "machine.dsm.master"]);
    }
    desk.answer(&[&fixed[..], &["--placement", "first-touch"]].concat());
}
