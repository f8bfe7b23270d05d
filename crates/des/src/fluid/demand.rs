//! Demand on a resource: the most that its flows could ask for.
//!
//! Flows that come from one memory controller cannot together put more on a link than the controller
//! delivers, however many they are. So demand is summed by source, each sum capped by the source, and
//! a resource's demand is the sum over sources. All in whole bytes per second, rounded up: exact, so
//! that nothing drifts however long flows come and go.

use super::Fluid;
use super::bundle::Hop;

/// The flows on one resource that come from one source.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// Sum of what the flows could ask for one by one.
    sum: u64,
    /// The most that the source could send here.
    cap: u64,
}

impl Source {
    /// A flow starts; returns by how much the resource's demand grows.
    pub fn add(&mut self, demand: u64) -> u64 {
        let before = self.sum.min(self.cap);
        self.sum += demand;
        self.sum.min(self.cap) - before
    }

    /// Whether it has flows.
    pub fn is_used(&self) -> bool {
        self.sum > 0
    }

    /// A flow ends; returns by how much the resource's demand falls.
    pub fn remove(&mut self, demand: u64) -> u64 {
        let before = self.sum.min(self.cap);
        self.sum -= demand;
        before - self.sum.min(self.cap)
    }
}

/// No account: the resource is the source itself, and whether that could be full is a question of ceilings alone.
const ITSELF: u32 = u32::MAX;

/// A flow starts on a hop; returns by how much the resource's demand grows.
#[inline]
pub(super) fn add(sources: &mut [Source], hop: &Hop) -> u64 {
    if hop.source == ITSELF { hop.demand } else { sources[hop.source as usize].add(hop.demand) }
}

/// A flow ends on a hop; returns by how much the resource's demand falls.
#[inline]
pub(super) fn remove(sources: &mut [Source], hop: &Hop) -> u64 {
    if hop.source == ITSELF { hop.demand } else { sources[hop.source as usize].remove(hop.demand) }
}

impl Fluid {
    /// The account of flows that come from `from` and send `share` of their bytes over `resource`.
    pub(super) fn source(&mut self, resource: u32, share: f64, from: (u32, f64)) -> u32 {
        if resource == from.0 {
            return ITSELF;
        }
        let cap = (self.resources[from.0 as usize].nominal * share / from.1).ceil() as u64;
        let Fluid { sources, free_sources, source_of, .. } = self;
        let id = *source_of.entry((resource, from.0)).or_insert_with(|| {
            let fresh = Source { sum: 0, cap };
            let Some(number) = free_sources.pop() else {
                sources.push(fresh);
                return sources.len() as u32 - 1;
            };
            sources[number as usize] = fresh;
            number
        });
        // Classes of one source may send different shares this way: the largest decides.
        let source = &mut sources[id as usize];
        let before = source.sum.min(source.cap);
        source.cap = source.cap.max(cap);
        self.resources[resource as usize].demand += source.sum.min(source.cap) - before;
        id
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    /// A source of 100 with flows of 60: the first counts 60, the second 40, a third nothing.
    #[test]
    fn a_source_caps_its_flows() {
        let mut source = Source { sum: 0, cap: 100 };
        assert_eq!([60, 60, 60].map(|demand| source.add(demand)), [60, 40, 0]);
        assert_eq!([60, 60, 60].map(|demand| source.remove(demand)), [0, 40, 60]);
    }
}
