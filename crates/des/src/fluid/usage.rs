//! Activity of resources and flows, present and past.

use super::bundle::NOTHING;
use super::{ClassId, Fluid};

/// The place of delays where there are none.
pub(super) const NONE: u32 = u32::MAX;

/// Work of a resource so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// Time during which at least one flow crossed it.
    pub busy_ps: u64,
    /// Highest fraction of its capacity (as crowded then) in use. For a resource that never could be
    /// full this is the most that the flows on it could have asked for.
    pub peak: f64,
    /// Delays that it caused to flows.
    pub delays: Delays,
}

/// Delays of flows behind one full resource.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delays {
    /// The sum over flows of the time that they were late by: a flow at a part of its ceiling is late by the rest of
    /// the time.
    pub late_ps: f64,
    /// Instant at which it first delayed a flow.
    pub from_ps: u64,
    /// Until when it did; before `from_ps` where it never did.
    pub to_ps: u64,
}

impl Default for Delays {
    fn default() -> Delays {
        Delays { late_ps: 0.0, from_ps: u64::MAX, to_ps: 0 }
    }
}

impl Delays {
    #[inline]
    pub(super) fn add(&mut self, late: f64, from: u64, to: u64) {
        self.late_ps += late;
        (self.from_ps, self.to_ps) = (self.from_ps.min(from), self.to_ps.max(to));
    }
}

impl Fluid {
    /// Work of a resource so far; delays of flows that have not ended are counted up to the last change of their rate.
    pub fn usage(&self, resource: u32) -> Usage {
        let resource = &self.resources[resource as usize];
        let open = if resource.users > 0 { self.now - resource.busy_since } else { 0 };
        let peak = resource.peak.max(resource.peak_demand as f64 / resource.nominal);
        Usage {
            busy_ps: resource.busy + open,
            peak,
            delays: self.delays.get(resource.delays as usize).copied().unwrap_or_default(),
        }
    }

    /// Bytes that started so far, by resource: the sum over classes of bytes × share.
    pub fn bytes(&self) -> Vec<u64> {
        let mut bytes = self.forgotten.clone();
        bytes.resize(self.resources.len(), 0.0);
        for class in &self.classes {
            for hop in &class.hops {
                bytes[hop.resource as usize] += class.bytes as f64 * hop.share;
            }
        }
        bytes.into_iter().map(|sum| sum.round() as u64).collect()
    }

    /// The resource that limits the flows of a class, as of the last solve, and the part of their ceiling that it
    /// keeps from them; none, if nothing flows or they have all that they ask for.
    pub fn limited(&self, class: ClassId) -> Option<(u32, f64)> {
        let class = &self.classes[class.0 as usize];
        let bundle = &self.bundles[class.bundle as usize];
        let limited =
            class.count > 0 && bundle.limit != NOTHING && bundle.rate < bundle.ceiling * (1.0 - 1e-9);
        limited.then(|| (bundle.limit, 1.0 - bundle.rate / bundle.ceiling))
    }

    /// Resources, bundles and flows looked at so far: what the flows cost, in a unit that no host changes.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// The present rate of one flow of a class that has flows.
    pub fn rate(&mut self, class: ClassId) -> Option<f64> {
        self.next_finish();
        let class = &self.classes[class.0 as usize];
        (class.count > 0).then(|| self.bundles[class.bundle as usize].rate)
    }
}
