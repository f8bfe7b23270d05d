//! Applies the rates of a solve to the bundles, and reverts the last solve.
//!
//! A thread that asks for its next chunk pauses briefly and then mostly streams from the same home again: one flow
//! fewer, then the same flows as before. The second solve would find the same rates as before the first solve, so the
//! values that the last solve replaced are kept to revert it.

use super::bundle::{Bundle, BundleNo};
use super::solve::Scratch;
use super::{Fluid, ResourceNo};

/// Result of a solve for a bundle: limiting resource, rate of a member, sum over its members.
type Given = (Option<ResourceNo>, f64, f64);

/// A bundle, and its result before the last solve.
type Replaced = (BundleNo, Given);

/// State that the last solve replaced, to revert that solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Undo {
    /// The bundle whose number of members was the only change before the last solve, with its earlier number; `None`
    /// after other changes.
    change: Option<(BundleNo, u32)>,
    /// Epoch of the last solve. Bundles are unchanged only while the epoch is the same.
    epoch: u64,
    bundles: Vec<Replaced>,
    /// Resources with their level and load before the last solve.
    resources: Vec<(ResourceNo, f64, f64)>,
}

impl Bundle {
    fn kept(&self, id: BundleNo) -> Replaced {
        (id, (self.limit, self.rate, self.total))
    }
}

impl Undo {
    /// Clears the saved state: the last solve can no longer be reverted.
    pub fn restart(&mut self) {
        self.change = None;
        self.bundles.clear();
        self.resources.clear();
    }

    /// Saves a resource's level and load before they change.
    pub fn keep(&mut self, resource: ResourceNo, level: f64, load: f64) {
        self.resources.push((resource, level, load));
    }
}

impl Fluid {
    pub(super) fn apply(&mut self, scratch: &mut Scratch) {
        let Scratch { changed, recapped, bundles, joined, watched, undo, .. } = scratch;
        self.visits += (changed.len() + bundles.len() + joined.len() + watched.len()) as u64;
        // A solve after several changes is not reverted: a later single change cannot restore the earlier state.
        let only = if let ([only], []) = (&changed[..], &recapped[..]) { Some(*only) } else { None };
        undo.change = only.map(|id| (id, self.bundles[id.index()].solved));
        undo.epoch = self.epoch;
        for &id in changed.iter() {
            let bundle = &mut self.bundles[id.index()];
            undo.bundles.push(bundle.kept(id));
            bundle.solved = bundle.count;
            bundle.total = bundle.next_total();
        }
        for &(_, id) in bundles.iter() {
            let bundle = &mut self.bundles[id.index()];
            if bundle.next_rate != bundle.rate {
                // The changed bundle is saved already. If several changed, nothing is reverted.
                if only.is_some_and(|only| only != id) {
                    undo.bundles.push(bundle.kept(id));
                }
                let limited = bundle.next_rate < bundle.ceiling;
                let limit = if limited { bundle.next_limit } else { None };
                let given = (limit, bundle.next_rate, bundle.next_total());
                self.take_over(id, given);
            }
        }
        for &id in watched.iter() {
            let cell = &mut self.resources[id.index()].solving;
            undo.keep(id, cell.level, cell.load);
            cell.load += cell.left;
            // The level of the resource stays, but the resource may no longer limit any flow.
            if self.resources[id.index()].tied.is_some() && !self.is_full(id) {
                self.mark_backlog(id);
            }
        }
        for &id in joined.iter() {
            // The sum made during filling has no history, so loads do not drift.
            let resource = &mut self.resources[id.index()];
            resource.solving.load = resource.capacity - resource.solving.left;
            self.mark_backlog(id);
        }
        for &id in joined.iter().chain(watched.iter()) {
            let resource = &mut self.resources[id.index()];
            resource.peak = resource.peak.max((resource.solving.load / resource.crowded).min(1.0));
        }
    }

    /// Reverts the last solve if the only change since then restores the flows before that solve; otherwise returns
    /// false. Reverting twice restores the last solve.
    pub(super) fn take_back(&mut self, scratch: &mut Scratch) -> bool {
        let Scratch { changed, recapped, undo, .. } = scratch;
        let (Some((id, before)), [only], []) = (undo.change, &changed[..], &recapped[..]) else {
            return false;
        };
        let bundle = &mut self.bundles[id.index()];
        if id != *only || bundle.count != before || undo.epoch != self.epoch {
            return false;
        }
        self.visits += (undo.bundles.len() + undo.resources.len()) as u64;
        undo.change = Some((id, std::mem::replace(&mut bundle.solved, before)));
        for kept in &mut undo.bundles {
            let (id, given) = *kept;
            *kept = self.bundles[id.index()].kept(id);
            self.take_over(id, given);
        }
        for (id, level, load) in &mut undo.resources {
            let cell = &mut self.resources[id.index()].solving;
            std::mem::swap(&mut cell.level, level);
            std::mem::swap(&mut cell.load, load);
            self.mark_backlog(*id);
        }
        true
    }

    fn take_over(&mut self, id: BundleNo, given: Given) {
        self.advance(id);
        let bundle = &mut self.bundles[id.index()];
        (bundle.limit, bundle.rate, bundle.total) = given;
        if !bundle.touched {
            self.reschedule(id);
        }
        self.reload(id);
    }
}
