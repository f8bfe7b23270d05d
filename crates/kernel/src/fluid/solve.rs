//! Which resources are tight, and what rates follow.
//!
//! A change is solved where it is felt. The solver starts with the bundles whose counts changed and
//! the full resources on their routes, fills those, and looks at what lies next to them: a full
//! resource that a changed rate crosses, or a tight one that a changed rate would overfill, joins, and
//! the larger set is filled again. When nothing joins, every bundle still has its bottleneck (its
//! ceiling, or a full resource where nobody has a higher level), and that makes the rates *the*
//! max-min fair ones.

use super::Fluid;
use super::bundle::Bundle;

/// A tight resource goes slack only when demand falls below this part of its capacity, so that one
/// flow coming and going does not rearrange bundles every time.
pub(super) const SLACK_AGAIN: f64 = 0.75;

/// Rates that differ by less are the same: rounding must not travel through the machine.
const SAME: f64 = 1e-12;

/// A resource this close to its capacity is looked at as if it were full.
const NEARLY_FULL: f64 = 1.0 - 1e-9;

/// After so many rounds of growing step by step the whole connected component joins at once.
const PATIENCE: u32 = 6;

/// What solving knows about a resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Rate over weight of the bundles that this resource limits; infinite while it is not full.
    pub level: f64,
    /// Bytes per second in use, while it is tight.
    pub load: f64,
    /// Marks resources that joined in this solve, and those next to them.
    joined: u32,
    watched: u32,
    /// Capacity not yet given away; for a watched resource, how much its load grows.
    left: f64,
    /// Weight and number of the bundles not yet fixed.
    weight: f64,
    open: u32,
}

impl Default for Cell {
    fn default() -> Cell {
        Cell { level: f64::INFINITY, load: 0.0, joined: 0, watched: 0, left: 0.0, weight: 0.0, open: 0 }
    }
}

/// Buffers kept between solves.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// One number per solve and one per round of it.
    solve: u32,
    round: u32,
    /// Bundles whose counts changed.
    changed: Vec<u32>,
    /// Resources being filled, and those looked at.
    joined: Vec<u32>,
    watched: Vec<u32>,
    /// Bundles being fixed, each with the level of its limit.
    bundles: Vec<(f64, u32)>,
    /// Resources with bundles, and bundles, that are not fixed yet.
    filling: Vec<u32>,
    open: Vec<(f64, u32)>,
}

impl Fluid {
    /// Brings tightness, rates and finish times up to date with the flows.
    pub(super) fn solve(&mut self) {
        self.retighten();
        let mut scratch = std::mem::take(&mut self.scratch);
        self.relist(&mut scratch.changed);
        if !scratch.changed.is_empty() {
            self.settle(&mut scratch);
            self.apply(&scratch);
        }
        scratch.changed.clear();
        self.scratch = scratch;
        let mut touched = std::mem::take(&mut self.touched_bundles);
        for bundle in touched.drain(..) {
            self.bundles[bundle as usize].touched = false;
            self.reschedule(bundle);
        }
        self.touched_bundles = touched;
    }

    /// Decides for the resources whose flows changed much whether they could be full.
    fn retighten(&mut self) {
        let mut touched = std::mem::take(&mut self.touched_resources);
        for id in touched.drain(..) {
            let resource = &mut self.resources[id as usize];
            resource.touched = false;
            if let Some(curve) = &resource.curve {
                resource.capacity = resource.nominal * curve.at(resource.crowd as f64 * 1e-3);
                resource.tight_above = resource.capacity as u64;
                resource.slack_at = (resource.capacity * SLACK_AGAIN) as u64;
            }
            if !resource.turns() {
                if !resource.tight {
                    resource.peak = resource.peak.max(resource.demand as f64 / resource.capacity);
                }
                continue;
            }
            resource.tight = !resource.tight;
            resource.solving.level = f64::INFINITY;
            resource.solving.load = 0.0;
            self.epoch += 1;
            let classes = std::mem::take(&mut resource.classes);
            for &class in &classes {
                self.rebundle(class);
            }
            self.resources[id as usize].classes = classes;
        }
        self.touched_resources = touched;
    }

    /// Enters bundles that got their first flow into the lists of their resources, takes out those
    /// that lost their last, and notes whose counts changed.
    fn relist(&mut self, changed: &mut Vec<u32>) {
        for at in 0..self.touched_bundles.len() {
            let id = self.touched_bundles[at];
            let bundle = &mut self.bundles[id as usize];
            if bundle.tight.is_empty() || bundle.count == bundle.solved {
                continue;
            }
            changed.push(id);
            let present = bundle.count > 0;
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
    }

    /// Fills larger and larger neighbourhoods of the change until nothing outside feels it.
    fn settle(&mut self, scratch: &mut Scratch) {
        scratch.solve = scratch.solve.wrapping_add(1);
        scratch.joined.clear();
        for at in 0..scratch.changed.len() {
            let bundle = scratch.changed[at];
            for hop in 0..self.bundles[bundle as usize].tight.len() {
                let id = self.bundles[bundle as usize].tight[hop].resource;
                if self.resources[id as usize].solving.level < f64::INFINITY {
                    self.join_solve(id, scratch);
                }
            }
        }
        for round in 0.. {
            scratch.round = scratch.round.wrapping_add(1);
            self.gather(scratch);
            self.fill(scratch);
            if !self.grow(scratch) {
                return;
            }
            if round == PATIENCE {
                self.join_component(scratch);
            }
        }
    }

    fn join_solve(&mut self, id: u32, scratch: &mut Scratch) {
        let cell = &mut self.resources[id as usize].solving;
        if cell.joined != scratch.solve {
            cell.joined = scratch.solve;
            scratch.joined.push(id);
        }
    }

    /// Everything that tight resources connect to what joined so far.
    fn join_component(&mut self, scratch: &mut Scratch) {
        let mut next = 0;
        while let Some(&id) = scratch.joined.get(next) {
            next += 1;
            for at in 0..self.resources[id as usize].bundles.len() {
                let bundle = self.resources[id as usize].bundles[at];
                for hop in 0..self.bundles[bundle as usize].tight.len() {
                    self.join_solve(self.bundles[bundle as usize].tight[hop].resource, scratch);
                }
            }
        }
    }

    /// The bundles concerned, each with its limit: its ceiling, or the level of a full resource that
    /// did not join.
    fn gather(&mut self, scratch: &mut Scratch) {
        let Scratch { solve, round, changed, joined, bundles: gathered, .. } = scratch;
        let Fluid { resources, bundles, .. } = self;
        gathered.clear();
        let mut gather = |id: u32, bundle: &mut Bundle| {
            if bundle.stamp != *round {
                bundle.stamp = *round;
                gathered.push((0.0, id));
            }
        };
        for &id in joined.iter() {
            let resource = &mut resources[id as usize];
            let cell = &mut resource.solving;
            (cell.left, cell.weight, cell.open) = (resource.capacity, 0.0, resource.bundles.len() as u32);
            for &member in &resource.bundles {
                gather(member, &mut bundles[member as usize]);
            }
        }
        for &id in changed.iter() {
            let bundle = &mut bundles[id as usize];
            if bundle.count > 0 {
                gather(id, bundle);
            }
        }
        for (limit, id) in gathered.iter_mut() {
            let bundle = &mut bundles[*id as usize];
            let weight = bundle.weight * f64::from(bundle.count);
            *limit = bundle.top;
            for tight in &bundle.tight {
                let cell = &mut resources[tight.resource as usize].solving;
                if cell.joined == *solve {
                    cell.weight += tight.share * weight;
                } else {
                    *limit = limit.min(cell.level);
                }
            }
        }
    }

    /// Progressive filling: the lowest level at which a bundle meets its limit or a resource fills up
    /// fixes the rates concerned; the rest share what is left.
    fn fill(&mut self, scratch: &mut Scratch) {
        let Scratch { solve, round, joined, bundles, filling, open, .. } = scratch;
        filling.clear();
        filling.extend_from_slice(joined);
        for &id in joined.iter() {
            self.resources[id as usize].solving.level = f64::INFINITY;
        }
        open.clear();
        open.extend_from_slice(bundles);
        let mut least_limit = 0.0;
        loop {
            let (mut lowest, mut fullest) = (f64::INFINITY, None);
            let mut at = 0;
            while let Some(&id) = filling.get(at) {
                let cell = &self.resources[id as usize].solving;
                if cell.open == 0 {
                    filling.swap_remove(at);
                    continue;
                }
                let level = cell.left.max(0.0) / cell.weight;
                if level < lowest {
                    (lowest, fullest) = (level, Some(id));
                }
                at += 1;
            }
            if least_limit <= lowest {
                // Every limit up to the lowest level is met, in whatever order: levels only rise.
                let before = open.len();
                least_limit = f64::INFINITY;
                let mut at = 0;
                while let Some(&(limit, id)) = open.get(at) {
                    if limit <= lowest && self.bundles[id as usize].fixed != *round {
                        self.fix(id, limit, *solve, *round);
                    } else if self.bundles[id as usize].fixed != *round {
                        least_limit = least_limit.min(limit);
                        at += 1;
                        continue;
                    }
                    open.swap_remove(at);
                }
                if open.is_empty() {
                    return;
                }
                if open.len() < before {
                    continue;
                }
            }
            let Some(full) = fullest else { return };
            self.resources[full as usize].solving.level = lowest;
            let members = std::mem::take(&mut self.resources[full as usize].bundles);
            for &id in &members {
                if self.bundles[id as usize].fixed != *round {
                    self.fix(id, lowest, *solve, *round);
                }
            }
            self.resources[full as usize].bundles = members;
        }
    }

    fn fix(&mut self, id: u32, level: f64, solve: u32, round: u32) {
        let Fluid { bundles, resources, .. } = self;
        let bundle = &mut bundles[id as usize];
        bundle.fixed = round;
        // A rate of zero would never end; it can only come from rounding at a full resource.
        let rate = (level * bundle.weight).clamp(bundle.ceiling * 1e-12, bundle.ceiling);
        let same = (rate - bundle.rate).abs() <= SAME * bundle.rate && bundle.solved > 0;
        bundle.next_rate = if same { bundle.rate } else { rate };
        let count = f64::from(bundle.count);
        let (total, weight) = (bundle.next_rate * count, bundle.weight * count);
        for tight in &bundle.tight {
            let cell = &mut resources[tight.resource as usize].solving;
            if cell.joined == solve {
                cell.left -= tight.share * total;
                cell.weight -= tight.share * weight;
                cell.open -= 1;
            }
        }
    }

    /// Resources outside that feel the new rates join; false when there are none.
    fn grow(&mut self, scratch: &mut Scratch) -> bool {
        let Scratch { solve, round, changed, joined, watched, bundles: gathered, .. } = scratch;
        let Fluid { bundles, resources, .. } = self;
        let before = joined.len();
        watched.clear();
        let mut feel = |bundle: &Bundle| {
            let growth = bundle.next_total() - bundle.total;
            // A changed count is felt even where the sum of the rates stays: it crowds.
            if growth == 0.0 && bundle.count == bundle.solved {
                return;
            }
            for tight in &bundle.tight {
                let cell = &mut resources[tight.resource as usize].solving;
                if cell.joined == *solve {
                    continue;
                }
                if cell.watched != *round {
                    cell.watched = *round;
                    cell.left = 0.0;
                    watched.push(tight.resource);
                }
                cell.left += tight.share * growth;
            }
        };
        gathered.iter().for_each(|&(_, id)| feel(&bundles[id as usize]));
        changed.iter().map(|id| &bundles[*id as usize]).filter(|bundle| bundle.count == 0).for_each(feel);
        for &id in watched.iter() {
            let resource = &mut resources[id as usize];
            let cell = &mut resource.solving;
            let full = cell.load + cell.left > NEARLY_FULL * resource.capacity;
            if cell.level < f64::INFINITY || full {
                cell.joined = *solve;
                joined.push(id);
            }
        }
        joined.len() > before
    }

    /// Takes the new rates over.
    fn apply(&mut self, scratch: &Scratch) {
        for &id in &scratch.changed {
            let bundle = &mut self.bundles[id as usize];
            bundle.solved = bundle.count;
            bundle.total = bundle.next_total();
        }
        for &(_, id) in &scratch.bundles {
            let bundle = &mut self.bundles[id as usize];
            if bundle.next_rate == bundle.rate {
                continue;
            }
            bundle.total = bundle.next_total();
            self.advance(id);
            let bundle = &mut self.bundles[id as usize];
            bundle.rate = bundle.next_rate;
            if !bundle.touched {
                self.reschedule(id);
            }
        }
        for &id in &scratch.watched {
            let cell = &mut self.resources[id as usize].solving;
            cell.load += cell.left;
        }
        for &id in &scratch.joined {
            // The sum made while filling carries no history, so loads do not drift.
            let resource = &mut self.resources[id as usize];
            resource.solving.load = resource.capacity - resource.solving.left;
        }
        for &id in scratch.joined.iter().chain(&scratch.watched) {
            let resource = &mut self.resources[id as usize];
            resource.peak = resource.peak.max((resource.solving.load / resource.capacity).min(1.0));
        }
    }

    fn reschedule(&mut self, bundle: u32) {
        match self.bundles[bundle as usize].finish(&self.flows) {
            Some(time) if self.bundles[bundle as usize].count > 0 => self.finishes.set(bundle, time),
            _ => self.finishes.remove(bundle),
        }
    }
}
