//! Activity of resources and flows, present and past.

use super::bundle::Bundle;
use super::{ClassId, Fluid, Pull, Resource, ResourceNo};
use numalab_base::{Span, Time};

numalab_base::index_type! {
    /// Index in the list of resources that delayed a flow.
    pub(super) DelaysNo
}

/// Work of a resource so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// Picoseconds with at least one flow.
    pub busy: Span,
    /// Highest part of its capacity (under the crowd of the time) in use. For a resource that could never be full:
    /// the highest demand of its flows.
    pub peak: f64,
    /// Delays that it caused to flows.
    pub delays: Delays,
}

/// Limit of a flow below its ceiling.
///
/// Latency-bound time would be as long without contention, but it would not shrink with faster lines while the
/// resource is full. So it is charged to the resource, too, unless the flow is so close to latency-bound that lines
/// of twice the latency would limit it: then it is divided, in the ratio in which the time would grow if either were
/// half as fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Full resource that limits the flow.
    pub resource: ResourceNo,
    /// Lateness: 1 - rate / ceiling, as a part of the flow's time.
    pub late: f64,
    /// Part of the remaining, latency-bound time that is charged to the resource.
    pub rest: f64,
}

impl Bundle {
    /// Limit of the bundle's flows, if any.
    #[inline]
    pub(super) fn limited(&self, resources: &[Resource]) -> Option<Limit> {
        let Bundle { limit, rate, ceiling, weight, waits, written, .. } = *self;
        let limit = limit?;
        if rate >= ceiling * (1.0 - 1e-9) {
            return None;
        }
        // Lines wait equally long at a full resource, at any demand.
        let unshared = Pull { ceiling, weight, waits, written }.rate(resources[limit.index()].full_wait);
        let longer = (2.0 * rate / unshared - 1.0).clamp(0.0, 1.0);
        let late = 1.0 - rate / ceiling;
        Some(Limit { resource: limit, late, rest: (1.0 / (1.0 + longer) - late).max(0.0) })
    }
}

/// Delays of flows behind one full resource.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delays {
    /// Sum over flows of their lateness (a flow at half its ceiling is late by half of the time), and of the part of
    /// their other waiting that is charged to the resource: see [`Limit`].
    pub late_ps: f64,
    /// Time of the first delay.
    pub from: Time,
    /// End of the last delay; before `from` if there was none.
    pub to: Time,
}

impl Default for Delays {
    fn default() -> Delays {
        Delays { late_ps: 0.0, from: Time::NEVER, to: Time::ZERO }
    }
}

impl Delays {
    #[inline]
    pub(super) fn add(&mut self, late: f64, from: Time, to: Time) {
        self.late_ps += late;
        (self.from, self.to) = (self.from.min(from), self.to.max(to));
    }
}

impl Fluid {
    /// Work of a resource so far. Delays of flows under way are counted up to their last change of rate.
    pub fn usage(&self, resource: ResourceNo) -> Usage {
        let resource = &self.resources[resource.index()];
        let open = if resource.users > 0 { self.now - resource.busy_since } else { Span::ZERO };
        let peak = resource.peak.max(resource.peak_demand as f64 / resource.nominal);
        Usage {
            busy: resource.busy + open,
            peak,
            delays: resource.delays.map(|at| self.delays[at.index()]).unwrap_or_default(),
        }
    }

    /// Bytes started so far, by resource: sum over classes of bytes × share.
    pub fn bytes(&self) -> Vec<u64> {
        let mut bytes = self.forgotten.clone();
        bytes.resize(self.resources.len(), 0.0);
        for class in &self.classes {
            for hop in &class.hops {
                bytes[hop.resource.index()] += class.bytes as f64 * hop.share;
            }
        }
        bytes.into_iter().map(|sum| sum.round() as u64).collect()
    }

    /// Sets the part of its time that a flow at its ceiling waits for lines, before any flow of the class exists; 0
    /// for none.
    pub fn set_waiting(&mut self, class: ClassId, part: f64) {
        self.classes[class.index()].waiting = part;
    }

    /// Latency-bound picoseconds of a class that were charged to resources since the last call. The class has no
    /// flows at present.
    pub fn take_rest(&mut self, class: ClassId) -> f64 {
        let class = &mut self.classes[class.index()];
        debug_assert!(class.count == 0);
        class.waiting * std::mem::take(&mut class.rest)
    }

    /// Resources, bundles and flows visited so far: the cost of the flows, in a unit independent of the host.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// Present rate of one flow of a class that has flows.
    pub fn rate(&mut self, class: ClassId) -> Option<f64> {
        self.next_finish();
        let class = &self.classes[class.index()];
        (class.count > 0).then(|| self.bundles[class.bundle.index()].rate)
    }
}
