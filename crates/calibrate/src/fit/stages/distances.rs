//! Substitute rows for latencies between nodes that were not measured.

use crate::fit::inputs::Inputs;
use crate::fit::observation::Observation;
use crate::fit::subject::Subject;
use numalab_imports::measurements::{Limits, Row, Sample};
use std::collections::BTreeSet;

/// Latencies between nodes from stated distances, where 10 is the node's own memory. Firmware rounds distances and
/// often invents them, so these rows weigh little. One row for each distance from the first node.
pub(super) fn from_distances(inputs: &Inputs, subject: &Subject) -> Vec<Observation> {
    const CLAIM: f64 = 0.15;
    /// Footprint of the chase in bytes, if no row states one.
    const USUAL: f64 = 1e9;
    let Some(own) = inputs.distances.as_ref().and_then(|distances| distances.first()) else {
        return Vec::new();
    };
    let local = subject.machine.memory.latency.as_secs() * 1e9;
    // The footprint is at most half of a node's memory.
    let room = subject.machine.memory.capacity.0 as f64 / 2.0;
    let smaller = (room < USUAL).then(|| ("footprint", room.floor().to_string()));
    let mut seen = BTreeSet::new();
    // The way to memory without processors is not that of links alone.
    let nodes = numalab_machine::totals(&subject.machine).nodes as usize;
    let farther = own.iter().enumerate().take(nodes).filter(|(_, distance)| **distance > 10.0);
    let rows = farther.filter(|(_, distance)| seen.insert(distance.to_bits())).map(|(node, distance)| {
        let row = Row {
            experiment: "pointer_chase".to_owned(),
            quantity: "latency".to_owned(),
            params: smaller
                .clone()
                .into_iter()
                .chain([("from", "0".to_owned()), ("node", node.to_string())])
                .map(|(key, value)| (key.to_owned(), value))
                .collect(),
            unit: "ns".to_owned(),
            samples: vec![Sample::of(local * distance / 10.0)],
            source: format!("a distance of {distance}"),
        };
        Observation { error: CLAIM, ..Observation::of(&row, &Limits::default()) }
    });
    rows.collect()
}
