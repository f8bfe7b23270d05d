//! Derives classes and their order from the actions of threads.

use super::instance::{Instance, Key, Sample};
use super::merge::Merger;
use super::region::Region;
use super::tasks::{Forest, Roots};
use super::walk::{Course, Walk};
use super::{Allocation, Form, Recorded, Refusal, Work};
use std::collections::{BTreeMap, BTreeSet};

/// Time in nanoseconds below which serial parts are left out.
const SHORT_SERIAL_NS: u64 = 2_000;

impl Walk {
    /// The work, in the order of the first run. Other runs contribute only costs. Runs with watched pages contribute
    /// only footprints, unless all runs are such runs.
    ///
    /// Addresses with the same result of `same` are one place, since a compiler that unrolls a loop makes several
    /// calls of one call in the source.
    pub fn finish(mut self, same: &dyn Fn(u64) -> u64, allocations: &[Allocation]) -> Work {
        let mut merger = Merger::default();
        let mut refusals = BTreeSet::new();
        for ((_, _), region) in self.regions.iter().filter(|(_, region)| region.nested && region.team > 1) {
            refusals.insert(Refusal::NestedTeams { site: region.site, team: region.team });
        }
        let rounds: BTreeSet<u32> = self.threads.keys().map(|key| key.0).collect();
        let mut first = None;
        // Watching pages takes longer than most chunks, so costs come from other runs if there are any.
        let only_watched = rounds.iter().all(|round| self.watched.contains(round));
        // Merged regions are freed.
        let mut regions = std::mem::take(&mut self.regions);
        for round in rounds {
            let watched = self.watched.contains(&round);
            let forest = Forest::of(&self.tasks, round);
            let (mut order, mut left_out) = (Vec::new(), 0u64);
            merger.next_run();
            let mut take = |mut instance: Instance| {
                instance.key.site = same(instance.key.site);
                instance.key.after = same(instance.key.after);
                if watched {
                    let footprint = self.touches.of(&instance.samples, allocations);
                    merger.footprints(instance.key, footprint);
                }
                if !watched || only_watched {
                    order.push(merger.add(instance));
                }
            };
            self.instances(round, &mut regions, &forest, (&mut left_out, &mut refusals), &mut take);
            if !watched || only_watched {
                first.get_or_insert((order, left_out));
            }
        }
        let (order, left_out) = first.unwrap_or_default();
        let (classes, order) = merger.finish(&self.costs, &order, left_out);
        Work { classes, order, refusals: refusals.into_iter().collect() }
    }

    /// Calls `take` with all instances of run `round` of the program, in order.
    fn instances(
        &self,
        round: u32,
        regions: &mut BTreeMap<(u32, u64), Region>,
        forest: &Forest,
        (left_out, refusals): (&mut u64, &mut BTreeSet<Refusal>),
        take: &mut dyn FnMut(Instance),
    ) {
        let none = Roots::new();
        let mut before = 0;
        let threads = self.threads.range((round, 0)..=(round, u32::MAX));
        for course in threads.flat_map(|(_, thread)| thread.course.iter()) {
            match course {
                Course::Serial(_, sample) if sample.ns < SHORT_SERIAL_NS => {
                    *left_out += sample.ns.saturating_sub(self.costs.serial_ns);
                }
                Course::Serial(site, sample) => take(serial(site, before, sample)),
                Course::Region(number) => {
                    let Some(region) = regions.remove(&(round, number)) else { continue };
                    before = region.site;
                    let roots = forest.roots.get(&number).unwrap_or(&none);
                    let created = |slot: u32| roots.get(&slot).map_or(0, |roots| roots.len() as u64);
                    let pieces = region.pieces(&created, &self.costs);
                    *left_out += pieces.left_out_ns;
                    let mut tasks: Vec<(u32, Instance)> = Vec::new();
                    for (slot, roots) in roots {
                        match forest.instance(
                            roots,
                            region.site,
                            region.team,
                            (&self.tasks, &self.clauses),
                            round,
                        ) {
                            Ok(instance) => tasks.push((*slot, instance)),
                            Err(refusal) => drop(refusals.insert(refusal)),
                        }
                    }
                    let mut within = pieces.instances;
                    within.extend(tasks);
                    // Tasks follow the construct that creates them.
                    within.sort_by_key(|(slot, instance)| (*slot, instance.key.form == Form::Tasks));
                    within.into_iter().for_each(|(_, instance)| take(instance));
                }
            }
        }
    }
}

fn serial(site: u64, after: u64, sample: Sample) -> Instance {
    let key = Key { site, form: Form::Serial, iterations: 1, team: 1, schedule: Recorded::None, after };
    Instance::new(key, vec![sample])
}
