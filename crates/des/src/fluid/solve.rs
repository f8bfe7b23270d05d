//! Brings tightness, rates and finish times up to date after flows started and ended.

use super::apply::Undo;
use super::bundle::BundleNo;
use super::{Crossing, Fluid, ResourceNo, Standing};

/// A tight resource becomes slack only when its demand falls to this part of the demand above which it becomes tight,
/// so that a single flow that starts and ends does not rearrange bundles every time.
pub(super) const SLACK_AGAIN: f64 = 0.75;

/// Part of the capacity from which the solver treats a resource as full.
pub(super) const NEARLY_FULL: f64 = 1.0 - 1e-9;

/// State of a resource for the solver. `level` and `load` stay from one solve to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Rate over weight of the bundles that this resource limits; infinite if it limits none.
    pub level: f64,
    /// Bytes per second in use, while the resource is tight.
    pub load: f64,
    /// Number of the last solve in which the resource joined (`joined`), and of the last round in which it was
    /// watched (`watched`).
    pub joined: u32,
    pub watched: u32,
    /// Capacity not yet assigned to bundles, in bytes per second; for a watched resource, the growth of its load.
    pub left: f64,
    /// Sum of weight × share over the flows whose rates are not yet fixed (`weight`), and the number of their bundles
    /// (`open`).
    pub weight: f64,
    pub open: u32,
}

impl Default for Cell {
    fn default() -> Cell {
        Cell { level: f64::INFINITY, load: 0.0, joined: 0, watched: 0, left: 0.0, weight: 0.0, open: 0 }
    }
}

/// State of the running solve, kept between solves to reuse its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Number of the present solve (`solve`), and of the present round of filling (`round`).
    pub solve: u32,
    pub round: u32,
    /// Bundles whose numbers of members changed since the last solve.
    pub changed: Vec<BundleNo>,
    /// Tight directions of controllers whose capacity may have changed by flows of the other direction.
    pub recapped: Vec<ResourceNo>,
    /// Resources whose capacity was computed lately, to share results: see `capacity`.
    pub rated: Vec<ResourceNo>,
    /// Resources being filled (`joined`), and neighbours watched for overload (`watched`).
    pub joined: Vec<ResourceNo>,
    pub watched: Vec<ResourceNo>,
    /// Bundles whose rates are being fixed, each with the level of its limit.
    pub bundles: Vec<(f64, BundleNo)>,
    /// Resources with bundles whose rates are not fixed yet (`filling`), and these bundles with their limits
    /// (`open`).
    pub filling: Vec<ResourceNo>,
    pub open: Vec<(f64, BundleNo)>,
    /// State before the last solve, to revert it.
    pub undo: Undo,
}

impl Fluid {
    /// Brings tightness, rates and finish times up to date with the flows.
    pub(super) fn solve(&mut self) {
        let mut scratch = self.scratch.take().unwrap_or_default();
        let epoch = self.epoch;
        loop {
            self.retighten(&mut scratch);
            self.relist(&mut scratch.changed);
            let idle = scratch.changed.is_empty() && scratch.recapped.is_empty();
            let solves = !idle && !self.take_back(&mut scratch);
            if solves {
                self.solve_around_change(&mut scratch);
                self.apply(&mut scratch);
            }
            scratch.changed.clear();
            scratch.recapped.clear();
            if !self.fills_a_resource() {
                if solves {
                    self.look_at_loads(&scratch);
                }
                break;
            }
        }
        self.scratch = Some(scratch);
        let mut touched = std::mem::take(&mut self.touched_bundles);
        self.visits += touched.len() as u64;
        for bundle in touched.drain(..) {
            self.bundles[bundle.index()].touched = false;
            self.reschedule(bundle);
            self.rest(bundle);
            if self.bundles[bundle.index()].count == 0 {
                self.drop_parts(bundle);
            }
        }
        self.touched_bundles = touched;
        if self.epoch != epoch {
            self.forget_bundles();
        }
    }

    /// Gives touched resources the standing that their demand and load require, and moves classes to other bundles.
    fn retighten(&mut self, scratch: &mut Scratch) {
        let Scratch { recapped, rated, .. } = scratch;
        rated.clear();
        let mut touched = std::mem::take(&mut self.touched_resources);
        self.visits += touched.len() as u64;
        // Resources change between tight and slack together: a class that crosses many of them changes its bundle
        // once.
        touched.retain(|id| {
            let id = *id;
            self.resources[id.index()].touched = false;
            self.rate_capacity(id, rated);
            let resource = &mut self.resources[id.index()];
            let due = resource.due();
            let before = std::mem::replace(&mut resource.standing, due);
            let turns = (before == Standing::Tight) != (due == Standing::Tight);
            if turns {
                (resource.solving.level, resource.solving.load) = (f64::INFINITY, 0.0);
                resource.unfilled.low = 0;
            }
            match (before, due) {
                (Standing::Slack, Standing::Slack) => {
                    resource.peak = resource.peak.max(resource.demand as f64 / resource.crowded);
                }
                (Standing::Tight, Standing::Tight) if resource.opposite.is_some() => recapped.push(id),
                (Standing::Slack, Standing::Unfilled) => self.begin_load(id),
                (Standing::Unfilled, Standing::Slack | Standing::Tight) => self.end_load(id),
                // Classes enter the load of a formerly tight resource when they change their bundle.
                (Standing::Tight, _)
                | (Standing::Slack, Standing::Tight)
                | (Standing::Unfilled, Standing::Unfilled) => {}
            }
            turns
        });
        self.epoch += u64::from(!touched.is_empty());
        for id in touched.drain(..) {
            let classes = std::mem::take(&mut self.resources[id.index()].classes);
            self.visits += classes.len() as u64;
            for class in &classes {
                self.rebundle(class.of);
            }
            self.resources[id.index()].classes = classes;
            self.mark_backlog(id);
        }
        self.touched_resources = touched;
    }

    /// Enters bundles with a first member in the lists of their resources, removes bundles that lost their last
    /// member, and collects bundles whose numbers of members changed.
    fn relist(&mut self, changed: &mut Vec<BundleNo>) {
        for at in 0..self.touched_bundles.len() {
            let id = self.touched_bundles[at];
            let bundle = &self.bundles[id.index()];
            if bundle.tight.is_empty() || bundle.count == bundle.solved {
                continue;
            }
            changed.push(id);
            let present = bundle.count > 0;
            // The bundle's membership in the lists does not change.
            if present == (bundle.solved > 0) {
                continue;
            }
            self.visits += bundle.tight.len() as u64;
            for hop in 0..bundle.tight.len() {
                if present {
                    let tight = &mut self.bundles[id.index()].tight[hop];
                    let list = &mut self.resources[tight.resource.index()].bundles;
                    tight.at = list.len() as u32;
                    list.push(Crossing { of: id, hop: hop as u32 });
                } else {
                    let tight = self.bundles[id.index()].tight[hop];
                    let list = &mut self.resources[tight.resource.index()].bundles;
                    list.swap_remove(tight.at as usize);
                    if let Some(&moved) = list.get(tight.at as usize) {
                        self.bundles[moved.of.index()].tight[moved.hop as usize].at = tight.at;
                    }
                }
            }
        }
    }

    pub(super) fn reschedule(&mut self, bundle: BundleNo) {
        match self.bundles[bundle.index()].finish(&self.flows) {
            Some(time) if self.bundles[bundle.index()].count > 0 => self.finishes.set(bundle, time),
            _ => self.finishes.remove(bundle),
        }
    }
}
