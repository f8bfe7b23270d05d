//! Checks of processors that are off line, and of nodes whose memory differs.

use super::bounds;
use crate::numbering::ProcessorNumbers;
use crate::problem::Problems;
use crate::{Machine, MemoryAt, Numbering};
use std::collections::BTreeSet;

/// Checks a machine whose levels are valid.
pub(super) fn check(machine: &Machine, problems: &mut Problems) {
    listed(machine, problems);
    offline(machine, problems);
    memory_at(machine, problems);
    let (bytes, _) = machine.memory_of_processors();
    if bytes == 0 && machine.memory_only.is_empty() && problems.is_empty() {
        problems.add("memory_at", "no node has memory; at least one must have some");
    }
    if machine.dsm.is_some() && !machine.memory_at.is_empty() {
        problems.add("memory_at", "nodes that share memory by pages (`dsm`) have equal memory");
    }
}

/// Checks that listed numbers are those from 0 on, each once.
fn listed(machine: &Machine, problems: &mut Problems) {
    let numbers = &machine.processors.0;
    let processors = ProcessorNumbers::of(machine).processors();
    if numbers.is_empty() {
        return;
    }
    if machine.numbering != Numbering::default() {
        problems.add("processors", "`numbering` states an order, too; remove one of the two");
    }
    if numbers.len() != processors as usize {
        let message = format!("lists {} of {processors} hardware threads", numbers.len());
        problems.add_expecting("processors", message, "list all of them, core by core");
    } else if let Some(number) = numbers.iter().find(|number| **number >= processors) {
        let expected = format!("the numbers are 0-{}", processors.saturating_sub(1));
        problems.add_expecting("processors", format!("lists processor {number}"), expected);
    }
}

fn offline(machine: &Machine, problems: &mut Problems) {
    let processors = ProcessorNumbers::of(machine).processors();
    let Some(last) = machine.offline.last() else { return };
    if last >= processors {
        problems.add_expecting(
            "offline",
            format!("the machine has no processor {last}"),
            format!("its processors are 0-{}", processors.saturating_sub(1)),
        );
    } else if machine.in_use().1 == 0 {
        problems.add("offline", "all processors are off line; at least one must be in use");
    }
}

fn memory_at(machine: &Machine, problems: &mut Problems) {
    let nodes = machine.units(machine.node_depth());
    let mut named = BTreeSet::new();
    for some in &machine.memory_at {
        let path = format!("memory_at.{}", some.nodes);
        bounds(some, &path, problems);
        values(machine, some, &path, problems);
        let numbers = match some.numbers() {
            Ok(numbers) => numbers,
            Err(error) => {
                problems.add_expecting(&path, error.message, error.expected);
                continue;
            }
        };
        match numbers.last() {
            None => problems.add_expecting(&path, "names no node", "name nodes, such as \"0,2-4\""),
            Some(last) if last >= nodes => problems.add_expecting(
                &path,
                format!("the machine has no node {last} with processors"),
                match nodes {
                    1 => "its only one is 0".to_owned(),
                    _ => format!("these are 0-{}", nodes.saturating_sub(1)),
                },
            ),
            Some(_) => {
                if let Some(node) = numbers.below(nodes).find(|node| !named.insert(*node)) {
                    problems.add(&path, format!("node {node} is named twice"));
                }
            }
        }
    }
}

/// Checks that a size is that of no module or of some pages.
fn values(machine: &Machine, some: &MemoryAt, path: &str, problems: &mut Problems) {
    let page = machine.memory.page;
    if let Some(capacity) = some.capacity.filter(|capacity| capacity.0 > 0 && *capacity < page) {
        let message = format!("must be 0 B or at least a page, {page}, not {capacity}");
        problems.add(format!("{path}.capacity"), message);
    }
}
