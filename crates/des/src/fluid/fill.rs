//! Max-min fair rates around a change.
//!
//! The solver starts with the bundles whose numbers of members changed and the full resources on their routes, fills
//! these resources, and looks at their neighbours. A resource joins the set if it is crossed by a bundle whose rate
//! changed, and is full or would be overfilled; then the larger set is filled again. When no resource joins, every
//! bundle still has its bottleneck (its ceiling, or a full resource on which no bundle has a higher level). This
//! makes the rates *the* max-min fair rates.

use super::bundle::{Bundle, BundleNo};
use super::solve::{NEARLY_FULL, Scratch};
use super::{Crossing, Fluid, ResourceNo};

/// Relative difference below which rates are equal, so that rounding does not spread over the machine.
const SAME: f64 = 1e-12;

/// Number of rounds of filling after which the whole connected component joins at once.
const PATIENCE: u32 = 6;

impl Fluid {
    /// Fills growing neighbourhoods of the change until no resource outside is affected.
    pub(super) fn solve_around_change(&mut self, scratch: &mut Scratch) {
        scratch.solve = scratch.solve.wrapping_add(1);
        scratch.joined.clear();
        scratch.undo.restart();
        for at in 0..scratch.changed.len() {
            let bundle = scratch.changed[at];
            for hop in 0..self.bundles[bundle.index()].tight.len() {
                let id = self.bundles[bundle.index()].tight[hop].resource;
                if self.resources[id.index()].solving.level < f64::INFINITY {
                    self.join_solve(id, scratch);
                }
            }
        }
        for at in 0..scratch.recapped.len() {
            let id = scratch.recapped[at];
            if self.is_full(id) {
                self.join_solve(id, scratch);
            } else if self.resources[id.index()].tied.is_some() {
                // The resource is no longer full, so it limits no flow equally with another.
                self.mark_backlog(id);
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

    fn join_solve(&mut self, id: ResourceNo, scratch: &mut Scratch) {
        let cell = &mut self.resources[id.index()].solving;
        if cell.joined != scratch.solve {
            cell.joined = scratch.solve;
            scratch.joined.push(id);
            scratch.undo.keep(id, cell.level, cell.load);
        }
    }

    /// Adds all resources that bundles connect to the joined resources.
    fn join_component(&mut self, scratch: &mut Scratch) {
        let mut next = 0;
        while let Some(&id) = scratch.joined.get(next) {
            next += 1;
            for at in 0..self.resources[id.index()].bundles.len() {
                let bundle = self.resources[id.index()].bundles[at].of;
                self.visits += self.bundles[bundle.index()].tight.len() as u64;
                for hop in 0..self.bundles[bundle.index()].tight.len() {
                    self.join_solve(self.bundles[bundle.index()].tight[hop].resource, scratch);
                }
            }
        }
    }

    /// Collects the changed bundles and the bundles on joined resources, each with its limit: the level at which it
    /// reaches its ceiling, or the lowest level of the full resources on its route that have not joined.
    fn gather(&mut self, scratch: &mut Scratch) {
        let Scratch { solve, round, changed, joined, bundles: gathered, .. } = scratch;
        let Fluid { resources, bundles, visits, .. } = self;
        gathered.clear();
        let mut gather = |id: BundleNo, bundle: &mut Bundle| {
            if bundle.stamp != *round {
                bundle.stamp = *round;
                gathered.push((0.0, id));
            }
        };
        for &id in joined.iter() {
            let resource = &mut resources[id.index()];
            let cell = &mut resource.solving;
            (cell.left, cell.weight, cell.open) = (resource.capacity, 0.0, resource.bundles.len() as u32);
            *visits += resource.bundles.len() as u64;
            for member in &resource.bundles {
                gather(member.of, &mut bundles[member.of.index()]);
            }
        }
        for &id in changed.iter() {
            let bundle = &mut bundles[id.index()];
            if bundle.count > 0 {
                gather(id, bundle);
            }
        }
        for (limit, id) in gathered.iter_mut() {
            let bundle = &mut bundles[id.index()];
            let weight = bundle.weight * f64::from(bundle.count);
            *limit = bundle.top;
            *visits += bundle.tight.len() as u64;
            for tight in &bundle.tight {
                let cell = &mut resources[tight.resource.index()].solving;
                if cell.joined == *solve {
                    cell.weight += tight.share * weight;
                } else if cell.level < *limit {
                    (*limit, bundle.next_limit) = (cell.level, Some(tight.resource));
                }
            }
        }
    }

    /// Progressive filling: the lowest level at which a bundle meets its limit or a resource fills up fixes the rates
    /// of the bundles concerned; the other bundles share the remaining capacity.
    fn fill(&mut self, scratch: &mut Scratch) {
        let Scratch { solve, round, joined, bundles, filling, open, .. } = scratch;
        filling.clear();
        filling.extend_from_slice(joined);
        for &id in joined.iter() {
            self.resources[id.index()].solving.level = f64::INFINITY;
        }
        open.clear();
        open.extend_from_slice(bundles);
        let mut least_limit = 0.0;
        loop {
            let (mut lowest, mut fullest) = (f64::INFINITY, None);
            self.visits += filling.len() as u64;
            let mut at = 0;
            while let Some(&id) = filling.get(at) {
                let cell = &self.resources[id.index()].solving;
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
                // Every limit up to the lowest level is met, in any order: levels only rise.
                let before = open.len();
                self.visits += before as u64;
                least_limit = f64::INFINITY;
                let mut at = 0;
                while let Some(&(limit, id)) = open.get(at) {
                    let unfixed = self.bundles[id.index()].fixed != *round;
                    if unfixed && limit > lowest {
                        least_limit = least_limit.min(limit);
                        at += 1;
                        continue;
                    }
                    if unfixed {
                        self.fix(id, limit, *solve, *round);
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
            self.resources[full.index()].solving.level = lowest;
            let members = std::mem::take(&mut self.resources[full.index()].bundles);
            self.visits += members.len() as u64;
            for &Crossing { of: id, .. } in &members {
                if self.bundles[id.index()].fixed != *round {
                    self.bundles[id.index()].next_limit = Some(full);
                    self.fix(id, lowest, *solve, *round);
                }
            }
            self.resources[full.index()].bundles = members;
        }
    }

    fn fix(&mut self, id: BundleNo, level: f64, solve: u32, round: u32) {
        let Fluid { bundles, resources, visits, .. } = self;
        let bundle = &mut bundles[id.index()];
        *visits += bundle.tight.len() as u64;
        bundle.fixed = round;
        // A flow at rate zero would never end; a rate of zero can only result from rounding at a full resource.
        let rate = (level * bundle.weight).clamp(bundle.ceiling * 1e-12, bundle.ceiling);
        let same = (rate - bundle.rate).abs() <= SAME * bundle.rate && bundle.solved > 0;
        bundle.next_rate = if same { bundle.rate } else { rate };
        let count = f64::from(bundle.count);
        let (total, weight) = (bundle.next_rate * count, bundle.weight * count);
        for tight in &bundle.tight {
            let cell = &mut resources[tight.resource.index()].solving;
            if cell.joined == solve {
                cell.left -= tight.share * total;
                cell.weight -= tight.share * weight;
                cell.open -= 1;
            }
        }
    }

    /// Adds resources that have not joined and that the new rates affect. Returns false if there are none.
    fn grow(&mut self, scratch: &mut Scratch) -> bool {
        let Scratch { solve, round, changed, joined, watched, bundles: gathered, undo, .. } = scratch;
        let Fluid { bundles, resources, visits, .. } = self;
        let before = joined.len();
        watched.clear();
        let mut feel = |bundle: &Bundle| {
            let growth = bundle.next_total() - bundle.total;
            // A changed count has an effect even if the sum of rates stays: the count changes the crowding.
            if growth == 0.0 && bundle.count == bundle.solved {
                return;
            }
            *visits += bundle.tight.len() as u64;
            for tight in &bundle.tight {
                let cell = &mut resources[tight.resource.index()].solving;
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
        gathered.iter().for_each(|&(_, id)| feel(&bundles[id.index()]));
        changed.iter().map(|id| &bundles[id.index()]).filter(|bundle| bundle.count == 0).for_each(feel);
        for &id in watched.iter() {
            let resource = &mut resources[id.index()];
            let cell = &mut resource.solving;
            let full = cell.load + cell.left > NEARLY_FULL * resource.capacity;
            if cell.level < f64::INFINITY || full {
                cell.joined = *solve;
                joined.push(id);
                undo.keep(id, cell.level, cell.load);
            }
        }
        joined.len() > before
    }
}
