//! Which resources are tight, and what rates follow.

use super::Fluid;

/// A tight resource goes slack only when demand falls below this part of its capacity, so that one
/// flow coming and going does not rearrange bundles every time.
const SLACK_AGAIN: f64 = 0.75;

/// A resource's part in the component being solved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    stamp: u32,
    /// Capacity not yet given away.
    left: f64,
    /// Weight of the bundles not yet fixed.
    weight: f64,
    /// Number of bundles not yet fixed.
    open: u32,
}

/// Buffers kept between solves.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    stamp: u32,
    seeds: Vec<u32>,
    resources: Vec<u32>,
    bundles: Vec<u32>,
    open: Vec<u32>,
}

impl Fluid {
    /// Brings tightness, rates and finish times up to date with the flows.
    pub(super) fn solve(&mut self) {
        self.retighten();
        self.relist();
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.stamp = scratch.stamp.wrapping_add(1);
        self.collect_component(&mut scratch);
        if !scratch.resources.is_empty() {
            self.fill(&mut scratch);
            self.apply(&scratch);
        }
        self.scratch = scratch;
        let mut touched = std::mem::take(&mut self.touched_bundles);
        for bundle in touched.drain(..) {
            self.bundles[bundle as usize].touched = false;
            self.reschedule(bundle);
        }
        self.touched_bundles = touched;
    }

    /// Decides anew for every resource whose flows changed whether it could be full.
    fn retighten(&mut self) {
        let mut touched = std::mem::take(&mut self.touched_resources);
        for id in touched.drain(..) {
            let resource = &mut self.resources[id as usize];
            resource.touched = false;
            if let Some(curve) = &resource.curve {
                resource.capacity = resource.nominal * curve.at(resource.crowd as f64 * 1e-3);
            }
            let fullness = resource.demand as f64 / resource.capacity;
            let tight = fullness > if resource.tight { SLACK_AGAIN } else { 1.0 };
            if !tight {
                resource.peak = resource.peak.max(fullness);
            }
            if tight != resource.tight {
                resource.tight = tight;
                self.epoch += 1;
                let classes = std::mem::take(&mut resource.classes);
                for &class in &classes {
                    self.rebundle(class);
                }
                self.resources[id as usize].classes = classes;
            }
        }
        self.touched_resources = touched;
    }

    /// Enters bundles that got their first flow into the lists of their resources, takes out those
    /// that lost their last, and notes where counts changed.
    fn relist(&mut self) {
        let mut seeds = std::mem::take(&mut self.scratch.seeds);
        seeds.clear();
        for at in 0..self.touched_bundles.len() {
            let id = self.touched_bundles[at];
            let bundle = &mut self.bundles[id as usize];
            let present = bundle.count > 0;
            if bundle.count == bundle.solved && present == bundle.listed {
                continue;
            }
            bundle.solved = bundle.count;
            seeds.extend(bundle.tight.iter().map(|tight| tight.resource));
            if present == bundle.listed {
                continue;
            }
            bundle.listed = present;
            for hop in 0..bundle.tight.len() {
                if present {
                    let tight = &mut self.bundles[id as usize].tight[hop];
                    let list = &mut self.resources[tight.resource as usize].bundles;
                    tight.at = list.len() as u32;
                    list.push(id);
                } else {
                    let tight = self.bundles[id as usize].tight[hop];
                    let list = &mut self.resources[tight.resource as usize].bundles;
                    list.swap_remove(tight.at as usize);
                    if let Some(&moved) = list.get(tight.at as usize) {
                        let hops = &mut self.bundles[moved as usize].tight;
                        if let Some(hop) = hops.iter_mut().find(|hop| hop.resource == tight.resource) {
                            hop.at = tight.at;
                        }
                    }
                }
            }
        }
        self.scratch.seeds = seeds;
    }

    /// All tight resources and bundles connected to the seeds.
    fn collect_component(&mut self, scratch: &mut Scratch) {
        let Scratch { stamp, seeds, resources, bundles, .. } = scratch;
        resources.clear();
        bundles.clear();
        for id in seeds.drain(..) {
            let cell = &mut self.resources[id as usize].solving;
            if cell.stamp != *stamp && !self.resources[id as usize].bundles.is_empty() {
                self.resources[id as usize].solving.stamp = *stamp;
                resources.push(id);
            }
        }
        let mut next = 0;
        while let Some(&id) = resources.get(next) {
            next += 1;
            let resource = &mut self.resources[id as usize];
            let members = resource.bundles.len() as u32;
            resource.solving = Cell { stamp: *stamp, left: resource.capacity, weight: 0.0, open: members };
            for at in 0..members as usize {
                let member = self.resources[id as usize].bundles[at];
                let bundle = &mut self.bundles[member as usize];
                if bundle.stamp == *stamp {
                    continue;
                }
                bundle.stamp = *stamp;
                bundles.push(member);
                for tight in &bundle.tight {
                    let cell = &mut self.resources[tight.resource as usize].solving;
                    if cell.stamp != *stamp {
                        cell.stamp = *stamp;
                        resources.push(tight.resource);
                    }
                }
            }
        }
        for &id in bundles.iter() {
            let bundle = &self.bundles[id as usize];
            for tight in &bundle.tight {
                self.resources[tight.resource as usize].solving.weight +=
                    tight.share * bundle.weight * f64::from(bundle.count);
            }
        }
    }

    /// Progressive filling: the lowest level at which a bundle meets its ceiling or a resource fills
    /// up fixes the rates concerned; the rest share what is left.
    fn fill(&mut self, scratch: &mut Scratch) {
        let Scratch { resources, bundles, open, stamp, .. } = scratch;
        open.clear();
        open.extend_from_slice(resources);
        bundles.sort_unstable_by(|&a, &b| {
            let level = |id: u32| self.bundles[id as usize].level();
            level(a).total_cmp(&level(b)).then(a.cmp(&b))
        });
        let mut by_ceiling = 0;
        loop {
            let (mut lowest, mut fullest) = (f64::INFINITY, None);
            let mut at = 0;
            while let Some(&id) = open.get(at) {
                let cell = &self.resources[id as usize].solving;
                if cell.open == 0 {
                    open.swap_remove(at);
                    continue;
                }
                let level = cell.left.max(0.0) / cell.weight;
                if level < lowest {
                    (lowest, fullest) = (level, Some(id));
                }
                at += 1;
            }
            let mut met = false;
            while let Some(&id) = bundles.get(by_ceiling) {
                let bundle = &self.bundles[id as usize];
                if bundle.fixed != *stamp {
                    if bundle.level() > lowest {
                        break;
                    }
                    self.fix(id, bundle.ceiling, *stamp);
                    met = true;
                }
                by_ceiling += 1;
            }
            if met {
                continue;
            }
            let Some(full) = fullest else { return };
            for at in 0..self.resources[full as usize].bundles.len() {
                let id = self.resources[full as usize].bundles[at];
                if self.bundles[id as usize].fixed != *stamp {
                    let rate = lowest * self.bundles[id as usize].weight;
                    self.fix(id, rate, *stamp);
                }
            }
        }
    }

    fn fix(&mut self, id: u32, rate: f64, stamp: u32) {
        let bundle = &mut self.bundles[id as usize];
        bundle.fixed = stamp;
        bundle.next_rate = rate;
        let count = f64::from(bundle.count);
        for tight in &bundle.tight {
            let cell = &mut self.resources[tight.resource as usize].solving;
            cell.left -= tight.share * rate * count;
            cell.weight -= tight.share * bundle.weight * count;
            cell.open -= 1;
        }
    }

    /// Takes the new rates over.
    fn apply(&mut self, scratch: &Scratch) {
        for &id in &scratch.bundles {
            let bundle = &self.bundles[id as usize];
            // A rate of zero would never end; it can only come from rounding at a full resource.
            let rate = bundle.next_rate.max(bundle.ceiling * 1e-12);
            if rate != bundle.rate {
                self.advance(id);
                self.bundles[id as usize].rate = rate;
                self.reschedule(id);
            }
        }
        for &id in &scratch.resources {
            let resource = &mut self.resources[id as usize];
            let used = 1.0 - resource.solving.left.max(0.0) / resource.capacity;
            resource.peak = resource.peak.max(used);
        }
    }

    fn reschedule(&mut self, bundle: u32) {
        match self.bundles[bundle as usize].finish(&self.flows) {
            Some(time) if self.bundles[bundle as usize].count > 0 => self.finishes.set(bundle, time),
            _ => self.finishes.remove(bundle),
        }
    }
}
