//! Aligns the parts of the members of a team.

use super::Part;
use crate::work::instance::Sample;
use std::collections::BTreeMap;

/// The constructs of a member: address, and number of earlier executions of the same construct.
pub(super) fn keys(parts: &[Part]) -> Vec<(u64, usize)> {
    let mut met: BTreeMap<u64, usize> = BTreeMap::new();
    let codes = parts.iter().filter_map(Part::code);
    codes
        .map(|code| {
            let times = met.entry(code).or_default();
            *times += 1;
            (code, *times - 1)
        })
        .collect()
}

/// A member's constructs and the work between them, in the order of constructs that all members share.
pub(super) struct Lined<'p> {
    pub constructs: Vec<Option<&'p Part>>,
    /// Work outside of constructs: before the first one, and after each.
    pub bodies: Vec<Sample>,
}

impl<'p> Lined<'p> {
    pub fn of(parts: &'p [Part], keys: &[(u64, usize)]) -> Lined<'p> {
        let places: BTreeMap<(u64, usize), usize> =
            keys.iter().enumerate().map(|(at, key)| (*key, at)).collect();
        let empty = Sample { count: 1, ..Sample::default() };
        let mut lined = Lined { constructs: vec![None; keys.len()], bodies: vec![empty; keys.len() + 1] };
        let mut met: BTreeMap<u64, usize> = BTreeMap::new();
        let mut slot = 0;
        for part in parts {
            match part {
                Part::Body(sample) => {
                    let body = &mut lined.bodies[slot];
                    body.ns = body.ns.saturating_add(sample.ns);
                    body.disturbed |= sample.disturbed;
                    if body.touched == 0 {
                        body.touched = sample.touched;
                    }
                }
                Part::Loop { code, .. } | Part::Single { code, .. } => {
                    let times = met.entry(*code).or_default();
                    if let Some(at) = places.get(&(*code, *times)) {
                        lined.constructs[*at] = Some(part);
                        slot = at + 1;
                    }
                    *times += 1;
                }
                Part::Barrier => {}
            }
        }
        lined
    }
}
