//! Bandwidth and latency of memory, in `memattr` of hwloc's version 2, from firmware's HMAT or from a user.

use super::super::Speed;
use super::super::lists::bitmap;
use super::{WrittenNode, span};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::shorten;
use roxmltree::Node as Element;
use std::collections::{BTreeMap, BTreeSet};

/// Attributes that are read, in the order of preference: the first one that is given counts.
const BANDWIDTHS: [&str; 2] = ["Bandwidth", "ReadBandwidth"];
const LATENCIES: [&str; 2] = ["Latency", "ReadLatency"];
/// Largest value that is no mistake: a petabyte a second, a second.
const MOST: u64 = 1_000_000_000;

/// Reads the values by target and initiator, in the order of the targets.
pub(super) fn read(
    root: Element<'_, '_>,
    written: &[WrittenNode],
    processors: &BTreeSet<u32>,
    errors: &mut Vec<Diagnostic>,
) -> Vec<Speed> {
    let named = |names: [&str; 2]| {
        let of = |name: &str| root.children().find(|child| is(*child, name));
        names.into_iter().find_map(of)
    };
    let sets = sets(root);
    let mut speeds: BTreeMap<(u32, Vec<u32>), Speed> = BTreeMap::new();
    for (attribute, is_latency) in [(named(BANDWIDTHS), false), (named(LATENCIES), true)] {
        let values = attribute.into_iter().flat_map(|attribute| attribute.children());
        for value in values.filter(|child| child.has_tag_name("memattr_value")) {
            let number = match of_target(value, written, errors) {
                Some(number) => number,
                None => continue,
            };
            let Some(amount) = amount(value, errors) else { continue };
            let from: Vec<u32> =
                initiator(value, &sets, processors).intersection(processors).copied().collect();
            let speed = speeds.entry((number, from.clone())).or_insert_with(|| Speed {
                node: number,
                from,
                ..Speed::default()
            });
            match is_latency {
                true => speed.latency = Some(amount as f64),
                false => speed.bandwidth = Some(amount as f64 * 1_048_576.0),
            }
        }
    }
    speeds.into_values().collect()
}

fn is(element: Element<'_, '_>, name: &str) -> bool {
    element.has_tag_name("memattr") && element.attribute("name") == Some(name)
}

/// Processors of the objects that are initiators, by identifier.
fn sets<'a>(root: Element<'a, '_>) -> BTreeMap<&'a str, BTreeSet<u32>> {
    let values = root.descendants().filter(|element| element.has_tag_name("memattr_value"));
    let wanted: BTreeSet<&str> =
        values.filter_map(|value| value.attribute("initiator_obj_gp_index")).collect();
    if wanted.is_empty() {
        return BTreeMap::new();
    }
    let objects = root.descendants().filter(|element| element.has_tag_name("object"));
    let set = |object: Element<'a, '_>| {
        let id = object.attribute("gp_index").filter(|id| wanted.contains(id))?;
        Some((id, object.attribute("cpuset").and_then(bitmap)?))
    };
    objects.filter_map(set).collect()
}

/// Number of the node that a value is about; `None` if the target is no node.
fn of_target(value: Element<'_, '_>, written: &[WrittenNode], errors: &mut Vec<Diagnostic>) -> Option<u32> {
    if value.attribute("target_obj_type").is_some_and(|kind| kind != "NUMANode") {
        return None;
    }
    let id = value.attribute("target_obj_gp_index").and_then(|id| id.parse::<u64>().ok());
    let found = written.iter().find(|node| node.id.is_some() && node.id == id).map(|node| node.number);
    if found.is_none() {
        let message = "this value is of no NUMA node of the file";
        errors.push(Diagnostic::new(span(value), message, "expected `target_obj_gp_index` of one"));
    }
    found
}

/// Value of an element; `None` for zero, which means unknown.
fn amount(value: Element<'_, '_>, errors: &mut Vec<Diagnostic>) -> Option<u64> {
    let text = value.attribute("value").unwrap_or_default();
    match text.parse::<u64>() {
        Ok(amount) if amount <= MOST => Some(amount).filter(|amount| *amount > 0),
        _ => {
            let message = format!("`{}` is no bandwidth or latency", shorten(text));
            errors.push(Diagnostic::new(span(value), message, "expected MiB/s or ns as a whole number"));
            None
        }
    }
}

/// Processors that a value holds for; all if no initiator is given.
fn initiator(
    value: Element<'_, '_>,
    sets: &BTreeMap<&str, BTreeSet<u32>>,
    all: &BTreeSet<u32>,
) -> BTreeSet<u32> {
    let given = value.attribute("initiator_cpuset").and_then(bitmap);
    let by_id = || sets.get(value.attribute("initiator_obj_gp_index")?).cloned();
    given.or_else(by_id).unwrap_or_else(|| all.clone())
}
