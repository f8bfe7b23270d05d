//! Resources that could be full but are not.
//!
//! An allocation that is max-min fair without a resource, and does not fill it, is max-min fair with it, too: every flow
//! still has its bottleneck elsewhere. So the solver leaves such a resource out of the keys of bundles: flows that
//! differ only in these resources are one bundle. Instead the load of the resource is kept: a sum over bundles, whose
//! **parts** change when flows start and end and when a rate changes. If a solve fills an unfilled resource, the
//! resource becomes tight, and the same instant is solved again. A tight resource whose load stays low becomes
//! unfilled.
//!
//! Resources whose capacity depends on their flows (see `capacity`) are tight instead: their load decides how much they
//! deliver.

// Glossary: unfilled resource: A resource that its flows could fill, but do not at their present rates, so that the
//   solver only adds up its load.

use super::bundle::{Bundle, BundleNo, Hop};
use super::solve::{NEARLY_FULL, SLACK_AGAIN, Scratch};
use super::{ClassId, Fluid, Resource, ResourceNo, Standing, touch};

numalab_base::index_type! {
    /// Index of a part in the list of a bundle (`Bundle::parts`).
    pub(super) PartNo
}

/// Successive solves that find a low load, after which a tight resource becomes unfilled.
const LOW_LOADS: u8 = if cfg!(test) { 3 } else { 32 };

/// Unfilled resource on the routes of a bundle's classes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// `None` if the resource is no longer unfilled.
    resource: Option<ResourceNo>,
    /// Position of the bundle's entry in the resource's list of loads.
    at: u32,
}

/// Load of a bundle's flows on an unfilled resource.
#[derive(Clone, Copy, Debug)]
struct LoadOf {
    bundle: BundleNo,
    part: PartNo,
    /// Number of flows, the sum of their shares, and their bytes per second on the resource.
    flows: u32,
    shares: f64,
    load: f64,
}

impl LoadOf {
    /// Updates the load for a rate of each member. Returns the growth.
    fn reload(&mut self, rate: f64) -> f64 {
        let before = std::mem::replace(&mut self.load, self.shares * rate);
        self.load - before
    }

    fn count(&mut self, share: f64, flows: i32) {
        self.flows = self.flows.saturating_add_signed(flows);
        self.shares = if self.flows == 0 { 0.0 } else { self.shares + f64::from(flows) * share };
    }
}

/// Account of a resource's load.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    /// Bytes per second in use, while the resource is unfilled; and their parts by bundle.
    load: f64,
    loads: Vec<LoadOf>,
    /// True if the last solve filled the unfilled resource.
    full: bool,
    /// True if the resource is listed in `Fluid::reloaded`.
    reloaded: bool,
    /// Number of the last solves that left the tight resource with a low load.
    pub low: u8,
}

impl Account {
    pub fn clear(&mut self) {
        *self = Account::default();
    }
}

impl Resource {
    /// Standing of a resource whose flows could fill it, by its load.
    pub(super) fn standing_by_load(&self) -> Standing {
        let varies = self.crowding.is_some() || self.waiting.is_some() || self.opposite.is_some();
        let unfilled = match self.standing {
            Standing::Slack => !varies,
            Standing::Unfilled => !self.unfilled.full,
            Standing::Tight => self.unfilled.low >= LOW_LOADS && !varies,
        };
        if unfilled { Standing::Unfilled } else { Standing::Tight }
    }
}

/// Counts a flow that starts (1) or ends (-1) on an unfilled resource.
pub(super) fn count(
    resource: &mut Resource,
    bundle: &Bundle,
    (part, hop): (PartNo, &Hop),
    flows: i32,
    reloaded: &mut Vec<ResourceNo>,
) {
    let Account { load, loads, reloaded: listed, .. } = &mut resource.unfilled;
    let of = &mut loads[bundle.parts[part.index()].at as usize];
    of.count(hop.share, flows);
    *load += of.reload(bundle.rate);
    if !std::mem::replace(listed, true) {
        reloaded.push(hop.resource);
    }
}

impl Fluid {
    /// Adds the flows of a class to the loads of the unfilled resources on its route.
    pub(super) fn enter_loads(&mut self, class: ClassId) {
        let mut next = 0;
        for hop in 0..self.classes[class.index()].hops.len() {
            let Hop { resource, part, .. } = self.classes[class.index()].hops[hop];
            if part.is_none() && self.resources[resource.index()].standing == Standing::Unfilled {
                next = self.enter_load(class, hop, next);
            }
        }
    }

    /// Adds the flows of a class to the load of one resource. `guess`: index at which the part of the bundle is looked
    /// for first; classes of a bundle have their parts in similar orders. Returns the guess for the next hop.
    fn enter_load(&mut self, class: ClassId, hop: usize, guess: usize) -> usize {
        let Fluid { classes, bundles, resources, reloaded, visits, .. } = self;
        let class = &mut classes[class.index()];
        let number = class.bundle;
        let bundle = &mut bundles[number.index()];
        let hop = &mut class.hops[hop];
        let resource = &mut resources[hop.resource.index()];
        let wanted = Some(hop.resource);
        let known = match bundle.parts.get(guess) {
            Some(part) if part.resource == wanted => Some(guess),
            _ => {
                *visits += bundle.parts.len() as u64;
                bundle.parts.iter().position(|part| part.resource == wanted)
            }
        };
        let at = known.unwrap_or_else(|| {
            let loads = &mut resource.unfilled.loads;
            let fresh = Part { resource: wanted, at: loads.len() as u32 };
            let at =
                bundle.parts.iter().position(|part| part.resource.is_none()).unwrap_or(bundle.parts.len());
            match bundle.parts.get_mut(at) {
                Some(vacant) => *vacant = fresh,
                None => bundle.parts.push(fresh),
            }
            loads.push(LoadOf {
                bundle: number,
                part: PartNo::new(at as u32),
                flows: 0,
                shares: 0.0,
                load: 0.0,
            });
            at
        });
        let part = PartNo::new(at as u32);
        hop.part = Some(part);
        if class.count > 0 {
            count(resource, bundle, (part, hop), class.count as i32, reloaded);
        }
        at + 1
    }

    /// Takes the flows of a class out of the loads of all unfilled resources.
    pub(super) fn leave_loads(&mut self, class: ClassId) {
        let Fluid { classes, bundles, resources, reloaded, .. } = self;
        let class = &mut classes[class.index()];
        let bundle = &bundles[class.bundle.index()];
        for hop in &mut class.hops {
            if let Some(part) = hop.part.take() {
                let resource = &mut resources[hop.resource.index()];
                count(resource, bundle, (part, hop), -(class.count as i32), reloaded);
            }
        }
    }

    /// Begins to keep the load of a resource that was slack.
    pub(super) fn begin_load(&mut self, id: ResourceNo) {
        let classes = std::mem::take(&mut self.resources[id.index()].classes);
        self.visits += classes.len() as u64;
        for class in &classes {
            self.enter_load(class.of, class.hop as usize, 0);
        }
        self.resources[id.index()].classes = classes;
    }

    /// Ends the load of a resource that is no longer unfilled.
    pub(super) fn end_load(&mut self, id: ResourceNo) {
        let Fluid { classes, bundles, resources, visits, .. } = self;
        let resource = &mut resources[id.index()];
        *visits += (resource.unfilled.loads.len() + resource.classes.len()) as u64;
        for of in resource.unfilled.loads.drain(..) {
            bundles[of.bundle.index()].parts[of.part.index()].resource = None;
        }
        for class in &resource.classes {
            classes[class.of.index()].hops[class.hop as usize].part = None;
        }
        let reloaded = resource.unfilled.reloaded;
        resource.unfilled = Account { reloaded, ..Account::default() };
    }

    /// Updates the loads of a bundle's resources for its new rate.
    pub(super) fn reload(&mut self, id: BundleNo) {
        let Fluid { bundles, resources, reloaded, visits, .. } = self;
        let bundle = &bundles[id.index()];
        *visits += bundle.parts.len() as u64;
        for Part { resource, at } in &bundle.parts {
            let Some(number) = resource else { continue };
            let Account { load, loads, reloaded: listed, .. } = &mut resources[number.index()].unfilled;
            *load += loads[*at as usize].reload(bundle.rate);
            if !std::mem::replace(listed, true) {
                reloaded.push(*number);
            }
        }
    }

    /// Takes a bundle without members out of the lists of its resources.
    pub(super) fn drop_parts(&mut self, id: BundleNo) {
        let mut parts = std::mem::take(&mut self.bundles[id.index()].parts);
        self.visits += parts.len() as u64;
        for Part { resource, at } in parts.drain(..) {
            let Some(resource) = resource else { continue };
            let Account { load, loads, .. } = &mut self.resources[resource.index()].unfilled;
            let gone = loads.swap_remove(at as usize);
            // A sum over nothing has no rounding error.
            *load = if loads.is_empty() { 0.0 } else { *load - gone.load };
            if let Some(moved) = loads.get(at as usize) {
                self.bundles[moved.bundle.index()].parts[moved.part.index()].at = at;
            }
        }
        self.bundles[id.index()].parts = parts;
    }

    /// True if the last solve fills unfilled resources; they are marked, so that the next solve makes them tight.
    /// Otherwise the loads are final, and count as used.
    pub(super) fn fills_a_resource(&mut self) -> bool {
        let Fluid { resources, reloaded, touched_resources, visits, .. } = self;
        *visits += reloaded.len() as u64;
        let mut fills = false;
        for &id in reloaded.iter() {
            let resource = &mut resources[id.index()];
            let unfilled = resource.standing == Standing::Unfilled;
            if unfilled && resource.unfilled.load > NEARLY_FULL * resource.capacity {
                resource.unfilled.full = true;
                touch(resource, id, touched_resources);
                fills = true;
            }
        }
        if fills {
            return true;
        }
        for id in reloaded.drain(..) {
            let resource = &mut resources[id.index()];
            resource.unfilled.reloaded = false;
            if resource.standing == Standing::Unfilled {
                resource.peak = resource.peak.max(resource.unfilled.load / resource.crowded);
            }
        }
        false
    }

    /// Counts the solves that leave a tight resource with a low load.
    pub(super) fn look_at_loads(&mut self, scratch: &Scratch) {
        for &id in scratch.joined.iter().chain(&scratch.watched) {
            let resource = &mut self.resources[id.index()];
            let low = resource.solving.load <= SLACK_AGAIN * resource.capacity;
            resource.unfilled.low = if low { resource.unfilled.low.saturating_add(1) } else { 0 };
            if resource.turns() {
                touch(resource, id, &mut self.touched_resources);
            }
        }
    }
}
