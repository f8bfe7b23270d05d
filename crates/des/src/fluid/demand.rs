//! Demand on a resource: the maximum rate that its flows can ask for.
//!
//! Flows from one memory controller cannot put more on a link than the controller delivers. So demand is summed by
//! source, each sum capped by its source; a resource's demand is the sum over sources. Demands are in whole bytes per
//! second, rounded up: exact, so that sums do not drift as flows start and end.

use super::bundle::Hop;
use super::{Fluid, ResourceNo};

numalab_base::index_type! {
    /// Number of an account: the flows on one resource from one source.
    pub(super) SourceNo
}

/// Account of the flows on one resource from one source, in bytes per second.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// Sum of the demands of the account's flows, in bytes per second.
    sum: u64,
    /// Maximum rate that the source can send over the resource, in bytes per second.
    cap: u64,
}

impl Source {
    /// A flow starts. Returns the growth of the resource's demand.
    pub fn add(&mut self, demand: u64) -> u64 {
        let before = self.sum.min(self.cap);
        self.sum += demand;
        self.sum.min(self.cap) - before
    }

    /// True if the account has flows.
    pub fn is_used(&self) -> bool {
        self.sum > 0
    }

    /// A flow ends. Returns the decrease of the resource's demand.
    pub fn remove(&mut self, demand: u64) -> u64 {
        let before = self.sum.min(self.cap);
        self.sum -= demand;
        before - self.sum.min(self.cap)
    }
}

/// A flow starts on a hop. Returns the growth of the resource's demand.
#[inline]
pub(super) fn add(sources: &mut [Source], hop: &Hop) -> u64 {
    match hop.source {
        Some(source) => sources[source.index()].add(hop.demand),
        None => hop.demand,
    }
}

/// A flow ends on a hop. Returns the decrease of the resource's demand.
#[inline]
pub(super) fn remove(sources: &mut [Source], hop: &Hop) -> u64 {
    match hop.source {
        Some(source) => sources[source.index()].remove(hop.demand),
        None => hop.demand,
    }
}

impl Fluid {
    /// Account of flows that come from `from` and send `share` of their bytes over `resource`, added if missing.
    /// `None` if the resource is the source: then the flows' ceilings alone decide whether they could fill the
    /// resource.
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
        // Classes of one source can send different shares over the resource; the largest decides.
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

    /// A source of 100 B/s with flows of 60 B/s: the first adds 60 to the demand, the second 40, the third 0.
    #[test]
    fn a_source_caps_its_flows() {
        let mut source = Source { sum: 0, cap: 100 };
        assert_eq!([60, 60, 60].map(|demand| source.add(demand)), [60, 40, 0]);
        assert_eq!([60, 60, 60].map(|demand| source.remove(demand)), [0, 40, 60]);
    }
}
