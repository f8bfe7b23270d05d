//! Merges instances into classes, by medians of undisturbed samples.

use super::instance::{Instance, Key, Sample};
use super::packed::Costs;
use super::{Chunk, Class, Footprint, TaskNode};
use std::collections::BTreeMap;

/// Instances of each class.
#[derive(Debug, Default)]
pub struct Merger {
    numbers: BTreeMap<Key, u32>,
    open: Vec<Open>,
    /// Footprints by class, each of the first instance with watched pages.
    footprints: BTreeMap<Key, Vec<Footprint>>,
}

#[derive(Debug)]
struct Open {
    key: Key,
    counts: Vec<u64>,
    tasks: Vec<TaskNode>,
    /// Costs of each instance, chunk by chunk. For tasks, `samples` are the costs until a wait and `after` those
    /// after the wait.
    samples: Vec<Costs>,
    after: Vec<Costs>,
    instances: u32,
    filled: bool,
    varies: bool,
    locked: Vec<u64>,
    /// Number of instances without costs after a wait.
    without_after: usize,
}

impl Merger {
    /// Adds an instance and returns the number of its class.
    pub fn add(&mut self, instance: Instance) -> u32 {
        let Instance { key, samples, filled, locked_ns, tasks } = instance;
        let next = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.open.push(Open {
                key,
                counts: samples.iter().map(|sample| sample.count).collect(),
                samples: Vec::new(),
                after: Vec::new(),
                tasks: tasks.clone(),
                instances: 0,
                filled: false,
                varies: false,
                locked: Vec::new(),
                without_after: 0,
            });
        }
        let open = &mut self.open[number as usize];
        open.instances += 1;
        open.filled |= filled;
        open.locked.push(locked_ns);
        let same_graph = tasks.len() == open.tasks.len()
            && tasks.iter().zip(&open.tasks).all(|(one, other)| {
                (one.parent, one.waits, &one.predecessors) == (other.parent, other.waits, &other.predecessors)
            });
        if !same_graph {
            // The tasks differ from those before, so their costs cannot be merged.
            open.varies = true;
            return number;
        }
        let same = samples.iter().map(|sample| sample.count).eq(open.counts.iter().copied());
        let samples = if same { samples } else { resample(&samples, &open.counts) };
        open.samples.push(Costs::of(samples.iter().map(|sample| (sample.ns, sample.disturbed))));
        if tasks.iter().any(|task| task.after_ns > 0) {
            open.after.push(Costs::of(tasks.iter().map(|task| (task.after_ns, false))));
        } else if !tasks.is_empty() {
            open.without_after += 1;
        }
        number
    }

    /// Adds the pages that an instance touched, unless its class has pages of an earlier instance.
    pub fn footprints(&mut self, key: Key, footprint: Vec<Footprint>) {
        if !footprint.is_empty() {
            self.footprints.entry(key).or_insert(footprint);
        }
    }

    pub fn finish(self) -> Vec<Class> {
        let Merger { open, mut footprints, .. } = self;
        let one = |open: Open| {
            let footprint = footprints.remove(&open.key).unwrap_or_default();
            Class { footprint, ..open.class() }
        };
        open.into_iter().map(one).collect()
    }
}

impl Open {
    fn class(mut self) -> Class {
        let mut rows: Vec<_> = self.samples.iter().map(Costs::iter).collect();
        let mut column = Vec::with_capacity(rows.len());
        let one = |count: &u64| {
            column.clear();
            column.extend(rows.iter_mut().filter_map(Iterator::next));
            chunk(*count, &column)
        };
        let chunks = self.counts.iter().map(one).collect();
        let mut rows: Vec<_> = self.after.iter().map(Costs::iter).collect();
        let mut column = Vec::with_capacity(rows.len());
        for task in &mut self.tasks {
            column.clear();
            column.resize(self.without_after, 0);
            column.extend(rows.iter_mut().filter_map(Iterator::next).map(|(ns, _)| ns));
            task.after_ns = median(&mut column);
        }
        let Key { site, form, iterations, team, schedule, after: _ } = self.key;
        Class {
            site,
            form,
            iterations,
            team,
            schedule,
            instances: self.instances,
            filled: self.filled,
            varies: self.varies,
            locked_ns: median(&mut self.locked),
            chunks,
            tasks: self.tasks,
            footprint: Vec::new(),
        }
    }
}

/// Chunk of `count` iterations that costs the median of the undisturbed samples; if all are disturbed, their minimum.
fn chunk(count: u64, samples: &[(u64, bool)]) -> Chunk {
    let mut undisturbed: Vec<u64> =
        samples.iter().filter(|sample| !sample.1).map(|sample| sample.0).collect();
    if undisturbed.is_empty() {
        let least = samples.iter().map(|sample| sample.0).min().unwrap_or(0);
        return Chunk { count, cost_ns: least, spread_ns: 0, samples: 0 };
    }
    let cost_ns = median(&mut undisturbed);
    let mut far: Vec<u64> = undisturbed.iter().map(|ns| ns.abs_diff(cost_ns)).collect();
    Chunk { count, cost_ns, spread_ns: median(&mut far), samples: undisturbed.len() as u32 }
}

/// The median; of two middle values the lower value, so that the result is a measured value. 0 if empty.
fn median(values: &mut [u64]) -> u64 {
    values.sort_unstable();
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

/// Redistributes costs over chunks of `counts` iterations: each iteration of a sample has an equal part of its cost.
fn resample(samples: &[Sample], counts: &[u64]) -> Vec<Sample> {
    let mut from = samples.iter().copied();
    let mut current = from.next().unwrap_or_default();
    let mut left = current.count;
    counts
        .iter()
        .map(|&count| {
            let (mut need, mut ns, mut disturbed) = (count, 0.0, false);
            while need > 0 {
                if left == 0 {
                    let Some(next) = from.next() else { break };
                    (current, left) = (next, next.count);
                    continue;
                }
                let taken = need.min(left);
                ns += current.ns as f64 * taken as f64 / current.count as f64;
                disturbed |= current.disturbed;
                need -= taken;
                left -= taken;
            }
            Sample { count, ns: ns.round() as u64, disturbed, touched: 0 }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{Form, Recorded};

    fn instance(costs: &[(u64, u64, bool)]) -> Instance {
        let iterations = costs.iter().map(|cost| cost.0).sum();
        let schedule = Recorded::Dynamic(1);
        let key = Key { site: 1, form: Form::Loop, iterations, team: 2, schedule, after: 0 };
        let samples =
            costs.iter().map(|&(count, ns, disturbed)| Sample { count, ns, disturbed, touched: 0 }).collect();
        Instance::new(key, samples)
    }

    // Of 10, 12 and 90 (disturbed) the lower median of the undisturbed two is 10; of 20, 24, 22 it is
    // 22, and the distances 2, 2, 0 have the median 2.
    #[test]
    fn disturbed_samples_do_not_count() {
        let mut merger = Merger::default();
        for costs in [
            [(1, 10, false), (1, 20, false)],
            [(1, 90, true), (1, 24, false)],
            [(1, 12, false), (1, 22, false)],
        ] {
            assert_eq!(merger.add(instance(&costs)), 0);
        }
        let classes = merger.finish();
        assert_eq!(classes.len(), 1);
        let [first, second] = classes[0].chunks[..] else { panic!("{classes:?}") };
        assert_eq!((first.cost_ns, first.samples), (10, 2));
        assert_eq!((second.cost_ns, second.spread_ns, second.samples), (22, 2, 3));
    }

    // 4 iterations of 40 and 2 of 50 over chunks of 3: 3 x 10 = 30, and 10 + 2 x 25 = 60.
    #[test]
    fn costs_are_redistributed_evenly() {
        let mut merger = Merger::default();
        merger.add(instance(&[(3, 30, false), (3, 60, false)]));
        merger.add(instance(&[(4, 40, false), (2, 50, false)]));
        let class = &merger.finish()[0];
        assert_eq!(class.chunks.iter().map(|chunk| chunk.cost_ns).collect::<Vec<_>>(), [30, 60]);
        assert!(class.chunks.iter().all(|chunk| chunk.spread_ns == 0));
    }
}
