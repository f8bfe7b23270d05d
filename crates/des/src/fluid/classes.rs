//! Classes of flows: added at the first use of a route, dropped when unused.

use super::bundle::{Class, Hop};
use super::{Fluid, ResourceNo, Standing, solve};
use numalab_base::{Span, Time};

numalab_base::index_type! {
    /// Number of a class of flows, made by [`Fluid::class`].
    pub ClassId
}

/// Demand of one flow of a class on the resources of its route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Ceiling: rate without contention, in bytes per second.
    pub ceiling: f64,
    /// Number of lines outstanding: the flow's weight in sharing.
    pub weight: f64,
    /// Effect of longer latency on the flow; `None` for a flow that waits for no line.
    pub waits: Option<Waits>,
    /// Fraction of a memory's time with this flow that goes to writes, if writes lengthen waits; otherwise 0.
    pub written: f64,
}

/// Seconds per byte of a flow that waits for its lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waits {
    /// Seconds per byte without contention.
    pub idle: f64,
    /// Additional seconds per byte for each second by which latency grows.
    pub per_second: f64,
}

impl Pull {
    /// Demand of a flow that neither waits for lines nor writes.
    pub fn plain(ceiling: f64, weight: f64) -> Pull {
        Pull { ceiling, weight, waits: None, written: 0.0 }
    }

    /// Rate in bytes per second if lines take `longer` seconds more than without contention.
    pub fn rate(&self, longer: f64) -> f64 {
        match self.waits {
            Some(Waits { idle, per_second }) => self.ceiling.min(1.0 / (idle + per_second * longer)),
            None => self.ceiling,
        }
    }
}

impl Fluid {
    /// Adds a class. `route`: resources, each with the part of the bytes that crosses it, the source first. `pull`:
    /// demand of one flow.
    pub fn class(&mut self, route: &[(ResourceNo, f64)], pull: Pull) -> ClassId {
        let Pull { ceiling, weight, .. } = pull;
        debug_assert!(ceiling > 0.0 && weight > 0.0);
        let hops = route
            .iter()
            .map(|&(resource, share)| Hop {
                resource,
                share,
                demand: (share * ceiling).ceil() as u64,
                source: self.source(resource, share, route[0]),
                alike: self.resources[resource.index()].alike(pull, share),
                crowd: (share * weight * 1e3).round() as u64,
                at: 0,
                part: None,
            })
            .collect();
        let class = Class::new(hops, pull);
        let Some(number) = self.free_classes.pop() else {
            self.classes.push(class);
            return ClassId::new(self.classes.len() as u32 - 1);
        };
        self.classes[number.index()] = class;
        if let Some(clocks) = &mut self.clocks {
            clocks.renew(number);
        }
        number
    }

    /// Ceiling of a class: bytes per second of a flow that no resource limits.
    pub fn ceiling(&self, class: ClassId) -> f64 {
        self.classes[class.index()].pull.ceiling
    }

    /// True if flows of a class are under way.
    pub fn flows(&self, class: ClassId) -> bool {
        self.classes[class.index()].count > 0
    }

    /// Drops all classes without flows; numbers of dropped classes are reused.
    pub fn forget_idle(&mut self) {
        let Fluid { classes, free_classes, forgotten, resources, sources, free_sources, source_of, .. } =
            self;
        forgotten.resize(resources.len(), 0.0);
        free_classes.clear();
        for (number, class) in (0..).map(ClassId::new).zip(classes).filter(|(_, class)| class.count == 0) {
            for hop in &std::mem::take(&mut class.hops) {
                forgotten[hop.resource.index()] += class.bytes as f64 * hop.share;
            }
            free_classes.push(number);
        }
        source_of.retain(|_, source| {
            let used = sources[source.index()].is_used();
            if !used {
                free_sources.push(*source);
            }
            used
        });
        // Iteration order of a map is arbitrary.
        free_sources.sort_unstable();
        self.forget_alike();
    }

    /// Resets the use of resources (bytes, busy time, peaks, delays) at `now`. If no flow is under way, all classes
    /// are dropped, too, and their numbers reused; resources stay. Returns true if classes were dropped.
    pub fn restart(&mut self, now: Time) -> bool {
        debug_assert!(now >= self.now);
        self.now = now;
        let idle = self.is_idle();
        if idle {
            self.forget_classes();
        }
        self.classes.iter_mut().for_each(|class| class.bytes = 0);
        self.forgotten.clear();
        self.delays.clear();
        for resource in &mut self.resources {
            (resource.busy, resource.busy_since) = (Span::ZERO, now);
            (resource.peak, resource.peak_demand) = (0.0, 0);
            resource.delays = None;
        }
        idle
    }

    /// Drops all flows and classes: every resource is as after its addition, except for its backlog, which the next
    /// query finds empty.
    fn forget_classes(&mut self) {
        self.flows.clear();
        self.free.clear();
        self.classes.clear();
        self.free_classes.clear();
        self.bundles.clear();
        self.idle_bundles.clear();
        self.free_bundles.clear();
        if let Some(clocks) = &mut self.clocks {
            clocks.clear();
        }
        self.bundle_of_key.clear();
        self.sources.clear();
        self.free_sources.clear();
        self.source_of.clear();
        self.finishes.clear();
        self.touched_resources.clear();
        self.touched_bundles.clear();
        self.reloaded.clear();
        if let Some(scratch) = &mut self.scratch {
            scratch.undo.restart();
        }
        self.backlogs.untie();
        for id in ResourceNo::first(self.resources.len() as u32) {
            let resource = &mut self.resources[id.index()];
            resource.bundles.clear();
            if let Some(waiting) = &mut resource.waiting {
                waiting.clear();
            }
            let was_tight = std::mem::replace(&mut resource.standing, Standing::Slack) == Standing::Tight;
            resource.unfilled.clear();
            resource.touched = false;
            resource.tied = None;
            resource.delivers(resource.nominal, resource.nominal);
            resource.solving = solve::Cell::default();
            if was_tight {
                self.mark_backlog(id);
            }
        }
    }
}
