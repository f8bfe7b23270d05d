//! Queues of lines at full resources.
//!
//! A flow keeps as many lines outstanding as it weighs. By itself it would move them at its ceiling;
//! at a lower rate only the part rate / ceiling of them is under way, and the others wait at the resource
//! that limits the flow. Where several do, equally, it is the first on the route: what comes out of that
//! finds no queue at the next.
//!
//! Whoever asks wants to hear only of what changed. A queue changes when its resource's level does; the
//! solver marks those. Flows that two resources limit equally are the exception: one of them may stop doing
//! so without the other's noticing, and so all queues are looked at as long as there are such flows.

use super::Fluid;
use super::bundle::Bundle;
use super::solve::NEARLY_FULL;

/// Levels so close are the same, whatever rounding says.
const EQUAL: f64 = 1.0 + 1e-9;

/// The queue at a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Queue {
    /// In units of the flows' weights: lines.
    pub lines: f64,
    /// Rate that the resource serves, as crowded now.
    pub bytes_per_s: f64,
}

/// Things met while looking at queues.
#[derive(Default)]
pub(super) struct Seen {
    /// A flow that two resources limit equally.
    tie: bool,
    /// Number of resources and bundles that were looked at.
    visits: u64,
}

/// Answers to the last questions.
#[derive(Clone, Debug, Default)]
pub(super) struct Queues {
    /// Resources whose queue may have changed since the last question.
    stale: Vec<u32>,
    /// Some flows are limited by two resources equally.
    ties: bool,
}

impl Fluid {
    /// Whether [`Fluid::queues`] has anything to tell.
    #[inline]
    pub fn queues_changed(&mut self) -> bool {
        if !self.touched_bundles.is_empty() {
            self.solve();
        }
        !self.queues.stale.is_empty()
    }

    /// Visits every resource whose queue may be another than when this was last asked, in no particular
    /// order, some of them twice.
    pub fn queues(&mut self, mut visit: impl FnMut(u32, Queue)) {
        if !self.queues_changed() {
            return;
        }
        let mut stale = std::mem::take(&mut self.queues.stale);
        let mut seen = Seen { visits: stale.len() as u64, ..Seen::default() };
        if !self.queues.ties {
            for &id in &stale {
                visit(id, self.queue(id, &mut seen));
            }
        }
        if self.queues.ties || seen.tie {
            seen.tie = false;
            seen.visits += self.resources.len() as u64;
            for id in 0..self.resources.len() as u32 {
                let resource = &self.resources[id as usize];
                if resource.tight || resource.stale {
                    visit(id, self.queue(id, &mut seen));
                }
            }
            self.queues.ties = seen.tie;
        }
        self.visits += seen.visits;
        for id in stale.drain(..) {
            self.resources[id as usize].stale = false;
        }
        self.queues.stale = stale;
    }

    /// The queue at a resource; notes whether it might as well be another's.
    fn queue(&self, id: u32, seen: &mut Seen) -> Queue {
        let resource = &self.resources[id as usize];
        let mut lines = 0.0;
        if resource.tight && self.is_full(id) {
            seen.visits += resource.bundles.len() as u64;
            for &member in &resource.bundles {
                let bundle = &self.bundles[member as usize];
                let here = bundle.ceiling > bundle.rate * EQUAL && self.limit(bundle, seen) == Some(id);
                if here {
                    lines += f64::from(bundle.count) * bundle.weight * (1.0 - bundle.rate / bundle.ceiling);
                }
            }
        }
        Queue { lines, bytes_per_s: resource.capacity }
    }

    /// The resource that limits a bundle which is below its ceiling.
    pub(super) fn limit(&self, bundle: &Bundle, seen: &mut Seen) -> Option<u32> {
        let [only] = bundle.tight[..] else {
            let level = bundle.rate / bundle.weight;
            let mut visits = 0;
            let mut limits = (bundle.tight.iter().map(|tight| tight.resource))
                .filter(|id| self.limits(*id, level, &mut visits));
            let first = limits.next();
            seen.tie |= limits.next().is_some();
            seen.visits += visits;
            return first;
        };
        Some(only.resource)
    }

    fn is_full(&self, id: u32) -> bool {
        let resource = &self.resources[id as usize];
        let cell = &resource.solving;
        cell.level < f64::INFINITY || cell.load > NEARLY_FULL * resource.capacity
    }

    /// Whether a resource is full and nobody there has a higher level than this.
    fn limits(&self, id: u32, level: f64, visits: &mut u64) -> bool {
        let resource = &self.resources[id as usize];
        *visits += 1;
        if resource.solving.level < f64::INFINITY {
            return resource.solving.level <= level * EQUAL;
        }
        // It was full in the moment when another had limited everybody already.
        let low = |id: &u32| {
            *visits += 1;
            let bundle = &self.bundles[*id as usize];
            bundle.rate <= level * bundle.weight * EQUAL
        };
        self.is_full(id) && resource.bundles.iter().all(low)
    }

    /// The queue at a resource may have changed.
    pub(super) fn requeue(&mut self, id: u32) {
        let stale = &mut self.resources[id as usize].stale;
        if !std::mem::replace(stale, true) {
            self.queues.stale.push(id);
        }
    }
}
