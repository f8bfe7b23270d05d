//! Queues of lines at full resources.
//!
//! A flow keeps as many lines outstanding as it weighs. By itself it would move them at its ceiling;
//! at a lower rate only the part rate / ceiling of them is under way, and the others wait at the resource
//! that limits the flow. Where several do, equally, it is the first on the route: what comes out of that
//! finds no queue at the next.
//!
//! Whoever asks wants to hear only of what changed. A queue changes when its resource's level does; the
//! solver marks those. Flows that two resources limit equally are the exception: when one of them stops doing
//! so, the queue of the other changes though its level stays. So resources remember that they share flows in
//! this way, and are looked at again when one of their neighbours is.

use super::bundle::Bundle;
use super::solve::NEARLY_FULL;
use super::{Fluid, Resource};

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
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// The resources that limit a flow, where several do equally.
    ties: Vec<u32>,
    /// Number of resources and bundles that were looked at.
    visits: u64,
}

/// Answers to the last questions.
#[derive(Clone, Debug, Default)]
pub(super) struct Queues {
    /// Resources whose queue may have changed since the last question.
    stale: Vec<u32>,
    /// Number of resources that limit some flow equally with another.
    tied: u32,
    seen: Seen,
}

impl Queues {
    /// No flows, no ties.
    pub fn untie(&mut self) {
        self.tied = 0;
    }
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
    /// order.
    pub fn queues(&mut self, mut visit: impl FnMut(u32, Queue)) {
        if !self.queues_changed() {
            return;
        }
        let mut seen = std::mem::take(&mut self.queues.seen);
        self.requeue_tied(&mut seen);
        let mut at = 0;
        while let Some(&id) = self.queues.stale.get(at) {
            at += 1;
            visit(id, self.queue(id, &mut seen));
            let tied = seen.ties.contains(&id);
            self.tie(id, tied);
            for other in seen.ties.drain(..) {
                if !self.resources[other as usize].tied {
                    self.tie(other, true);
                    self.requeue(other);
                }
            }
        }
        self.visits += seen.visits + self.queues.stale.len() as u64;
        seen.visits = 0;
        let Fluid { resources, queues, .. } = self;
        queues.seen = seen;
        for id in queues.stale.drain(..) {
            resources[id as usize].stale = false;
        }
    }

    /// Looks again at what limits flows of a stale resource equally with another.
    fn requeue_tied(&mut self, seen: &mut Seen) {
        if self.queues.tied == 0 {
            return;
        }
        for at in 0..self.queues.stale.len() {
            let Resource { bundles, .. } = &self.resources[self.queues.stale[at] as usize];
            for &bundle in bundles {
                let tight = &self.bundles[bundle as usize].tight;
                seen.visits += tight.len() as u64;
                seen.ties.extend(tight.iter().map(|tight| tight.resource).filter(|id| {
                    let resource = &self.resources[*id as usize];
                    resource.tied && !resource.stale
                }));
            }
            for id in seen.ties.drain(..) {
                self.requeue(id);
            }
        }
    }

    /// Notes whether a resource limits some flow equally with another.
    fn tie(&mut self, id: u32, tied: bool) {
        let before = std::mem::replace(&mut self.resources[id as usize].tied, tied);
        self.queues.tied = self.queues.tied + u32::from(tied) - u32::from(before);
    }

    /// The queue at a resource. The ties seen are those of flows that it limits equally with others.
    fn queue(&self, id: u32, seen: &mut Seen) -> Queue {
        let resource = &self.resources[id as usize];
        let mut lines = 0.0;
        if resource.tight && self.is_full(id) {
            seen.visits += resource.bundles.len() as u64;
            for &member in &resource.bundles {
                let bundle = &self.bundles[member as usize];
                if bundle.ceiling <= bundle.rate * EQUAL {
                    continue;
                }
                // Most are limited elsewhere, and need not be looked at from there.
                let level = bundle.rate / bundle.weight;
                if bundle.tight.len() > 1 && !self.limits(id, level, &mut seen.visits) {
                    continue;
                }
                let before = seen.ties.len();
                if self.limit(bundle, seen) == Some(id) {
                    lines += f64::from(bundle.count) * bundle.weight * (1.0 - bundle.rate / bundle.ceiling);
                }
                if !seen.ties[before..].contains(&id) {
                    seen.ties.truncate(before);
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
            if let Some(second) = limits.next() {
                seen.ties.extend(first.into_iter().chain([second]).chain(limits));
            }
            seen.visits += visits;
            return first;
        };
        Some(only.resource)
    }

    pub(super) fn is_full(&self, id: u32) -> bool {
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
