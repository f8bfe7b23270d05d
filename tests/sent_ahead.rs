//! Pages that nodes share in software, sent ahead and dropped ahead.

use crate::support::Desk;
use serde_json::Value;

/// Time of the phase `direction` of NAS CG in picoseconds, and its upgrades.
fn direction(desk: &Desk, threads: &str, technique: &str) -> (u64, u64) {
    let words = ["sim", "marenostrum8", "nas_cg", "-t", threads, "-p", "align", "--dsm", technique];
    // Computing as published [dsm.cga.1.static].
    let set = [
        "--set",
        "workload.outer=2",
        "--set",
        "workload.computing=12.29",
        "--no-series",
        "--no-sequential",
        "--format",
        "json",
    ];
    let answer: Value = serde_json::from_str(&desk.answer(&[&words[..], &set[..]].concat())).expect("JSON");
    let phases = answer["runs"][0]["phases"].as_array().expect("phases");
    let phase = phases.iter().find(|phase| phase["name"] == "direction").expect("the phase");
    (phase["time_ps"].as_u64().unwrap(), phase["page_faults"]["upgrade"].as_u64().unwrap())
}

/// Law: A vector that all nodes read, then its owner alone, is its owner's before the owner writes it.
///
/// In NAS CG all nodes read p in `product`, its owner alone reads it in `dot` and `axpy`, and writes it in `direction`.
/// The source's loop gains by this technique on each number of nodes.
#[test]
fn copies_of_a_vector_are_gone_before_it_is_written() {
    let desk = Desk::empty();
    for threads in ["2", "4"] {
        let (time, upgrades) = direction(&desk, threads, "none");
        for technique in ["preinvalidate", "final"] {
            let (shorter, fewer) = direction(&desk, threads, technique);
            assert!(fewer * 10 < upgrades, "{threads} nodes, {technique}: {fewer} of {upgrades} upgrades");
            assert!(shorter < time, "{threads} nodes, {technique}: {shorter} of {time} ps");
        }
    }
}
