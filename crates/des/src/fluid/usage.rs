//! Activity of resources and flows, present and past.

use super::bundle::Bundle;
use super::{ClassId, Fluid, Pull, Resource, ResourceNo};
use numalab_base::{Span, Time};

numalab_base::index_type! {
    /// Delays of a resource, in the list of those that had any.
    pub(super) DelaysNo
}

/// Work of a resource so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// Time during which at least one flow crossed it.
    pub busy: Span,
    /// Highest fraction of its capacity (as crowded then) in use. For a resource that never could be
    /// full this is the most that the flows on it could have asked for.
    pub peak: f64,
    /// Delays that it caused to flows.
    pub delays: Delays,
}

/// Limit of a flow that does not have all that it asks for.
///
/// What the resource does not keep from a flow would take as long with nobody else on the way; but it takes no less if
/// lines come sooner, as long as the resource is full. So that time goes to the resource too, unless the flow is so near
/// to waiting for nothing but its lines that these would limit it if they took twice as long: then it is divided, as the
/// time would grow if either were half as fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The resource that is full.
    pub resource: ResourceNo,
    /// The part of its ceiling that is kept from the flow, and so of its time that it is late by.
    pub late: f64,
    /// The resource's part of its time beyond that.
    pub rest: f64,
}

impl Bundle {
    /// The limit of its flows, if they have one.
    #[inline]
    pub(super) fn limited(&self, resources: &[Resource]) -> Option<Limit> {
        let Bundle { limit, rate, ceiling, weight, waits, written, .. } = *self;
        let limit = limit?;
        if rate >= ceiling * (1.0 - 1e-9) {
            return None;
        }
        // Lines wait as long at a full resource whoever asks for more.
        let unshared = Pull { ceiling, weight, waits, written }.rate(resources[limit.index()].full_wait);
        let longer = (2.0 * rate / unshared - 1.0).clamp(0.0, 1.0);
        let late = 1.0 - rate / ceiling;
        Some(Limit { resource: limit, late, rest: (1.0 / (1.0 + longer) - late).max(0.0) })
    }
}

/// Delays of flows behind one full resource.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delays {
    /// The sum over flows of the time that they were late by (a flow at a part of its ceiling is late by the rest of the
    /// time), and of the part of their waiting otherwise that goes to it: see [`Limit`].
    pub late_ps: f64,
    /// Instant at which it first delayed a flow.
    pub from: Time,
    /// Until when it did; before `from` where it never did.
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
    /// Work of a resource so far; delays of flows that have not ended are counted up to the last change of their rate.
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

    /// Bytes that started so far, by resource: the sum over classes of bytes × share.
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

    /// Sets the part of its time at its ceiling that a flow of a class waits, before any flow is of it; none, if nobody does.
    pub fn set_waiting(&mut self, class: ClassId, part: f64) {
        self.classes[class.index()].waiting = part;
    }

    /// Picoseconds of waiting at their ceiling that went to resources which limited flows of a class, since this was last
    /// asked. No flow is of it at present.
    pub fn take_rest(&mut self, class: ClassId) -> f64 {
        let class = &mut self.classes[class.index()];
        debug_assert!(class.count == 0);
        class.waiting * std::mem::take(&mut class.rest)
    }

    /// Resources, bundles and flows looked at so far: what the flows cost, in a unit that no host changes.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// The present rate of one flow of a class that has flows.
    pub fn rate(&mut self, class: ClassId) -> Option<f64> {
        self.next_finish();
        let class = &self.classes[class.index()];
        (class.count > 0).then(|| self.bundles[class.bundle.index()].rate)
    }
}
