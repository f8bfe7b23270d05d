//! Checks that a machine has the threads, processors and nodes that a measurement used.

use numalab_calibrate::fit::Observation;
use numalab_machine::{Machine, totals};

/// Text about a thread count, processor or node of the measurement that the machine lacks; `None` if it lacks none.
pub fn misfit(row: &Observation, machine: &Machine) -> Option<String> {
    let totals = totals(machine);
    let has = |count: u32, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{} has {count} {what}{plural}", machine.name)
    };
    if let Some(threads) = row.numbers("threads").into_iter().find(|threads| *threads > totals.processors) {
        return Some(format!("it ran on {threads} threads, {}", has(totals.processors, "processor")));
    }
    if let Some(proc) = row.numbers("procs").into_iter().find(|proc| *proc >= totals.processors) {
        return Some(format!("it ran on processor {proc}, {}", has(totals.processors, "processor")));
    }
    for key in ["from", "node"] {
        if let Some(node) = row.numbers(key).into_iter().find(|node| *node >= totals.nodes) {
            return Some(format!("it is about node {node}, {}", has(totals.nodes, "node")));
        }
    }
    None
}
