//! Present rates of flows, and past use of resources.

use super::bundle::Bundle;
use super::{ClassId, Fluid, Pull, Resource, ResourceNo};
use numalab_base::{Span, Time};

numalab_base::index_type! {
    /// Index in `Fluid::delays`, the list of resources that delayed a flow.
    pub(super) DelaysNo
}

/// Use of a resource since the solver's last restart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// Time with at least one flow on the resource.
    pub busy: Span,
    /// Highest part of the capacity in use, relative to the capacity under the crowding at that time. For a resource
    /// that could never be full: the highest demand of its flows, as a part of the capacity.
    pub peak: f64,
    /// Delays that the resource caused to flows.
    pub delays: Delays,
}

/// Resource that limits a flow below its ceiling, and the parts of the flow's time that are charged to it.
///
/// Latency-bound time would be as long without contention, but it would not shrink with faster lines while the
/// resource is full. So latency-bound time is charged to the resource, too, unless the flow is so close to
/// latency-bound that lines of twice the latency would limit the flow: then this time is divided, in the ratio in
/// which it would grow if the resource or the lines were half as fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Full resource that limits the flow.
    pub resource: ResourceNo,
    /// Part of the flow's time by which it is late: 1 - rate / ceiling.
    pub late: f64,
    /// Further part of the flow's time, of which only the waiting for lines is charged to the resource.
    pub rest: f64,
}

impl Bundle {
    /// Limit of the bundle's flows; `None` at their ceiling.
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
    /// Sum over flows, in picoseconds, of their lateness (a flow at half its ceiling is late by half of the time) and
    /// of the part of their other waiting time that is charged to the resource: see [`Limit`].
    pub late_ps: f64,
    /// Time of the first delay of a flow.
    pub from: Time,
    /// End of the last delay of a flow; before `from` if there was none.
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
    /// Use of a resource since the last restart. Delays of flows under way are counted up to the last change of their
    /// rate.
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

    /// Bytes of all flows started since the last restart, by resource: sum over classes of bytes × share.
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

    /// Sets the part of the time for which a flow of the class waits for lines when its rate is the ceiling (0:
    /// none). Called before the class has flows.
    pub fn set_waiting(&mut self, class: ClassId, part: f64) {
        self.classes[class.index()].waiting = part;
    }

    /// Latency-bound picoseconds of a class's flows that were charged to resources since the last call. The class
    /// must have no flows at present.
    pub fn take_rest(&mut self, class: ClassId) -> f64 {
        let class = &mut self.classes[class.index()];
        debug_assert!(class.count == 0);
        class.waiting * std::mem::take(&mut class.rest)
    }

    /// Number of resources, bundles and flows visited so far: cost of the solver, in a unit independent of the host.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// Present rate of one flow of a class in bytes per second; `None` if the class has no flows.
    pub fn rate(&mut self, class: ClassId) -> Option<f64> {
        self.next_finish();
        let class = &self.classes[class.index()];
        (class.count > 0).then(|| self.bundles[class.bundle.index()].rate)
    }
}
