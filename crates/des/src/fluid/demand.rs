//! Demand on a resource: the most that its flows could ask for.
//!
//! Flows that come from one memory controller cannot together put more on a link than the controller
//! delivers, however many they are. So demand is summed by source, each sum capped by the source, and
//! a resource's demand is the sum over sources. All in whole bytes per second, rounded up: exact, so
//! that nothing drifts however long flows come and go.

use super::bundle::Hop;
use super::{Fluid, ResourceNo};

numalab_base::index_type! {
    /// An account of flows on one resource that come from one source.
    pub(super) SourceNo
}

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

/// A flow starts on a hop; returns by how much the resource's demand grows.
#[inline]
pub(super) fn add(sources: &mut [Source], hop: &Hop) -> u64 {
    match hop.source {
        Some(source) => sources[source.index()].add(hop.demand),
        None => hop.demand,
    }
}

/// A flow ends on a hop; returns by how much the resource's demand falls.
#[inline]
pub(super) fn remove(sources: &mut [Source], hop: &Hop) -> u64 {
    match hop.source {
        Some(source) => sources[source.index()].remove(hop.demand),
        None => hop.demand,
    }
}

impl Fluid {
    /// The account of flows that come from `from` and send `share` of their bytes over `resource`. `None` if the resource
    /// is the source: then the ceilings alone decide if it could be full.
    pub(super) fn source(
        &mut self,
        resource: ResourceNo,
        share: f64,
        from: (ResourceNo, f64),
    ) -> Option<SourceNo> {
        if resource == from.0 {
            return None;
        }
        let cap = (self.resources[from.0.index()].nominal * share / from.1).ceil() as u64;
        let Fluid { sources, free_sources, source_of, .. } = self;
        let id = *source_of.entry((resource, from.0)).or_insert_with(|| {
            let fresh = Source { sum: 0, cap };
            let Some(number) = free_sources.pop() else {
                sources.push(fresh);
                return SourceNo::new(sources.len() as u32 - 1);
            };
            sources[number.index()] = fresh;
            number
        });
        // Classes of one source may send different shares this way: the largest decides.
        let source = &mut sources[id.index()];
        let before = source.sum.min(source.cap);
        source.cap = source.cap.max(cap);
        self.resources[resource.index()].demand += source.sum.min(source.cap) - before;
        Some(id)
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
