//! Backlogs: lines that wait at full resources.
//!
//! A flow has as many lines outstanding as its weight. Without contention the flow moves these lines at its ceiling.
//! At a lower rate only the fraction rate / ceiling of the lines is under way; the other lines wait at the resource
//! that limits the flow. If several resources limit the flow equally, its lines wait at the first of these resources
//! on the route, since the next resource gets no more than it can serve.
//!
//! Callers poll only backlogs that changed. A backlog changes with the level of its resource; the solver marks
//! resources whose level changed. Flows that two resources limit equally are the exception: if one of the two stops
//! limiting the flows, the backlog of the other changes although its level stays. So resources with such flows are
//! listed, and checked again with their neighbours.

use super::bundle::{BundleNo, Tight};
use super::solve::NEARLY_FULL;
use super::{Crossing, Fluid, ResourceNo};

numalab_base::index_type! {
    /// Position of a resource in the list of resources that limit a flow equally with another resource.
    pub(super) Place
}

/// Ratio of levels below which the levels count as equal, to allow for rounding.
const EQUAL: f64 = 1.0 + 1e-9;

/// Lines that wait at a resource, and the resource's present capacity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Backlog {
    /// Number of waiting lines, in the unit of the flows' weights.
    pub lines: f64,
    /// Present capacity of the resource under crowding and load, in bytes per second.
    pub bytes_per_s: f64,
}

/// Intermediate results of one query of backlogs. If hundreds of flows cross hundreds of resources, most backlogs
/// need the same results.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// Number of the present query; entries of other queries are stale.
    question: u32,
    /// By resource: number of the query, and lowest level of a flow that the resource limits; infinite if the
    /// resource is not full.
    limits: Vec<(u32, f64)>,
    /// By bundle: its bottleneck, with the number of the query.
    limited: Vec<Limited>,
    /// By bundle: number of the query in which the bundle's resources were last searched for neighbours.
    passed: Vec<u32>,
    /// Resources found to limit a flow equally with another resource, but not yet listed in `Backlogs::tied`.
    ties: Vec<ResourceNo>,
    /// Number of resources and bundles visited by queries.
    visits: u64,
}

/// The bottleneck of a bundle's flows, valid for one query.
#[derive(Clone, Copy, Debug, Default)]
struct Limited {
    question: u32,
    /// First resource on the bundle's route that limits its flows.
    by: Option<ResourceNo>,
    /// True if other resources limit the bundle's flows equally.
    tied: bool,
}

/// State that is kept between queries of backlogs.
#[derive(Clone, Debug, Default)]
pub(super) struct Backlogs {
    /// Resources whose backlog may have changed since the last query.
    stale: Vec<ResourceNo>,
    /// Resources that limit some flow equally with another resource.
    tied: Vec<ResourceNo>,
    seen: Seen,
}

impl Seen {
    /// Begins a query over this number of resources and bundles.
    fn begin(&mut self, resources: usize, bundles: usize) {
        self.question = self.question.wrapping_add(1);
        if self.question == 0 {
            // Query numbers have wrapped around, so old entries would seem valid.
            *self = Seen { question: 1, ..Seen::default() };
        }
        self.limits.resize(resources.max(self.limits.len()), (0, 0.0));
        self.limited.resize(bundles.max(self.limited.len()), Limited::default());
        self.passed.resize(bundles.max(self.passed.len()), 0);
    }
}

impl Backlogs {
    /// Empties the list of resources that limit a flow equally with another resource.
    pub fn untie(&mut self) {
        self.tied.clear();
    }
}

impl Fluid {
    /// True if [`Fluid::backlogs`] has changes to report.
    #[inline]
    pub fn backlogs_changed(&mut self) -> bool {
        if !self.touched_bundles.is_empty() {
            self.solve();
        }
        !self.backlogs.stale.is_empty()
    }

    /// Visits every resource whose backlog may have changed since the last call, in no particular order.
    pub fn backlogs(&mut self, mut visit: impl FnMut(ResourceNo, Backlog)) {
        if !self.backlogs_changed() {
            return;
        }
        let mut seen = std::mem::take(&mut self.backlogs.seen);
        seen.begin(self.resources.len(), self.bundles.len());
        self.mark_tied_backlogs(&mut seen);
        let mut at = 0;
        while let Some(&id) = self.backlogs.stale.get(at) {
            at += 1;
            let (backlog, tied) = self.backlog(id, &mut seen);
            visit(id, backlog);
            self.tie(id, tied);
            for other in seen.ties.drain(..) {
                if self.resources[other.index()].tied.is_none() {
                    self.tie(other, true);
                    self.mark_backlog(other);
                }
            }
        }
        self.visits += seen.visits + self.backlogs.stale.len() as u64;
        seen.visits = 0;
        let Fluid { resources, backlogs, .. } = self;
        backlogs.seen = seen;
        for id in backlogs.stale.drain(..) {
            resources[id.index()].stale = false;
        }
    }

    /// Marks listed resources that share a flow with a stale resource: if both limit the flow equally, the backlog of
    /// the listed one changes, too.
    fn mark_tied_backlogs(&mut self, seen: &mut Seen) {
        if self.backlogs.tied.is_empty() {
            return;
        }
        for &id in &self.backlogs.stale {
            let members = &self.resources[id.index()].bundles;
            seen.visits += members.len() as u64;
            members.iter().for_each(|member| seen.passed[member.of.index()] = seen.question);
        }
        let Fluid { resources, backlogs: Backlogs { stale, tied, .. }, .. } = self;
        for &id in tied.iter() {
            let resource = &mut resources[id.index()];
            if resource.stale {
                continue;
            }
            let mut members = resource.bundles.iter();
            let here = members.position(|member| seen.passed[member.of.index()] == seen.question);
            seen.visits += here.map_or(resource.bundles.len(), |at| at + 1) as u64;
            if here.is_some() {
                resource.stale = true;
                stale.push(id);
            }
        }
    }

    /// Adds a resource to the list of resources that limit some flow equally with another (`ties`), or removes it.
    fn tie(&mut self, id: ResourceNo, ties: bool) {
        let Fluid { resources, backlogs: Backlogs { tied, .. }, .. } = self;
        let resource = &mut resources[id.index()];
        match (resource.tied, ties) {
            (None, true) => {
                resource.tied = Some(Place::new(tied.len() as u32));
                tied.push(id);
            }
            (Some(place), false) => {
                resource.tied = None;
                tied.swap_remove(place.index());
                if let Some(&moved) = tied.get(place.index()) {
                    resources[moved.index()].tied = Some(place);
                }
            }
            (None, false) | (Some(_), true) => {}
        }
    }

    /// Backlog at a resource; true if the resource limits some flow equally with another resource.
    fn backlog(&self, id: ResourceNo, seen: &mut Seen) -> (Backlog, bool) {
        let resource = &self.resources[id.index()];
        let (mut lines, mut tied) = (0.0, false);
        let least = self.limits_from(id, seen);
        if least < f64::INFINITY {
            seen.visits += resource.bundles.len() as u64;
            for &Crossing { of: member, .. } in &resource.bundles {
                let bundle = &self.bundles[member.index()];
                if bundle.ceiling <= bundle.rate * EQUAL {
                    continue;
                }
                // Most bundles have their bottleneck elsewhere: their level is lower than any level that this
                // resource sets.
                if bundle.tight.len() > 1 && bundle.rate / bundle.weight * EQUAL < least {
                    continue;
                }
                let limited = self.limited(member, seen);
                tied |= limited.tied;
                if limited.by == Some(id) {
                    lines += f64::from(bundle.count) * bundle.weight * (1.0 - bundle.rate / bundle.ceiling);
                }
            }
        }
        (Backlog { lines, bytes_per_s: resource.capacity }, tied)
    }

    /// Finds the bottleneck of a bundle that is below its ceiling and limited by some resource.
    fn limited(&self, id: BundleNo, seen: &mut Seen) -> Limited {
        let bundle = &self.bundles[id.index()];
        if let [only] = bundle.tight[..] {
            return Limited { question: seen.question, by: Some(only.resource), tied: false };
        }
        let known = seen.limited[id.index()];
        if known.question == seen.question {
            return known;
        }
        let level = bundle.rate / bundle.weight * EQUAL;
        let mut limited = Limited { question: seen.question, by: None, tied: false };
        seen.visits += bundle.tight.len() as u64;
        for &Tight { resource, .. } in &bundle.tight {
            if self.limits_from(resource, seen) > level {
                continue;
            }
            match (limited.by, limited.tied) {
                (None, _) => limited.by = Some(resource),
                (Some(first), false) => {
                    limited.tied = true;
                    seen.ties.extend([first, resource]);
                }
                (Some(_), true) => seen.ties.push(resource),
            }
        }
        seen.limited[id.index()] = limited;
        limited
    }

    pub(super) fn is_full(&self, id: ResourceNo) -> bool {
        let resource = &self.resources[id.index()];
        let cell = &resource.solving;
        cell.level < f64::INFINITY || cell.load > NEARLY_FULL * resource.capacity
    }

    /// Lowest level of the flows that a resource limits: the resource's own level. If other resources already limited
    /// all of its flows when it became full: the highest level of these flows. Infinite if the resource is not full.
    fn limits_from(&self, id: ResourceNo, seen: &mut Seen) -> f64 {
        let (question, known) = seen.limits[id.index()];
        if question == seen.question {
            return known;
        }
        let resource = &self.resources[id.index()];
        let level = match resource.solving.level {
            _ if !resource.tight() || !self.is_full(id) => f64::INFINITY,
            f64::INFINITY => {
                seen.visits += resource.bundles.len() as u64;
                let members = resource.bundles.iter().map(|member| &self.bundles[member.of.index()]);
                members.map(|bundle| bundle.rate / bundle.weight).fold(0.0, f64::max)
            }
            level => level,
        };
        seen.limits[id.index()] = (seen.question, level);
        level
    }

    /// Marks a resource whose backlog may have changed.
    pub(super) fn mark_backlog(&mut self, id: ResourceNo) {
        let stale = &mut self.resources[id.index()].stale;
        if !std::mem::replace(stale, true) {
            self.backlogs.stale.push(id);
        }
    }
}
