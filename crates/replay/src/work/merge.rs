//! Merges instances into classes.

use super::instance::{Instance, Key, Sample};
use super::open::{Groups, Open};
use super::{Class, Footprint, Order};
use numalab_nlt::RecorderCosts;
use std::collections::BTreeMap;

/// Length of an order that is always short enough.
const FEW_STEPS: usize = 64;

/// Instances of each class.
#[derive(Debug, Default)]
pub struct Merger {
    numbers: BTreeMap<Key, u32>,
    open: Vec<Open>,
    /// Footprints by class, each of the first instance with watched pages.
    footprints: BTreeMap<Key, Vec<Footprint>>,
}

impl Merger {
    /// Begins another run of the program: instances are those of the runs before again, in the same order.
    pub fn next_run(&mut self) {
        self.open.iter_mut().for_each(Open::next_run);
    }

    /// Adds an instance and returns the number of its class.
    pub fn add(&mut self, instance: Instance) -> u32 {
        let next = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(instance.key).or_insert(next);
        if number == next {
            self.open.push(Open::new(&instance));
        }
        self.open[number as usize].add(instance);
        number
    }

    /// Adds the pages that an instance touched, unless its class has pages of an earlier instance.
    pub fn footprints(&mut self, key: Key, footprint: Vec<Footprint>) {
        if !footprint.is_empty() {
            self.footprints.entry(key).or_insert(footprint);
        }
    }

    /// The classes without the recorder's costs, and the order of their instances, from the `list` of the first run.
    ///
    /// Instances of a class that cost differently become classes of their own, unless the order gets more than twice
    /// as long, and than some steps.
    pub fn finish(self, costs: &RecorderCosts, list: &[u32], left_out_ns: u64) -> (Vec<Class>, Order) {
        let Merger { open, mut footprints, .. } = self;
        let whole = Order::of(list, left_out_ns);
        let groups: Vec<Groups> = open.iter().map(Open::groups).collect();
        let parted = Order::of(&parted(list, &groups), left_out_ns);
        let parts = parted.length() <= FEW_STEPS.max(2 * whole.length());
        let mut classes = Vec::new();
        for (open, groups) in open.into_iter().zip(groups) {
            let footprint = footprints.remove(&open.key).unwrap_or_default();
            let one = Groups::one(groups.of.len());
            let groups = if parts { groups } else { one };
            for group in 0..groups.count {
                let class = open.class(&|instance| groups.of[instance as usize] == group, costs);
                classes.push(Class { footprint: footprint.clone(), ..class });
            }
        }
        (classes, if parts { parted } else { whole })
    }
}

/// The list of classes with each group of instances as a class of its own.
fn parted(list: &[u32], groups: &[Groups]) -> Vec<u32> {
    let mut firsts = Vec::with_capacity(groups.len());
    let mut next = 0u32;
    for groups in groups {
        firsts.push(next);
        next += groups.count;
    }
    let mut met = vec![0usize; groups.len()];
    let number = |class: &u32| {
        let class = *class as usize;
        let group = groups[class].of.get(met[class]).copied().unwrap_or(0);
        met[class] += 1;
        firsts[class] + group
    };
    list.iter().map(number).collect()
}

/// Redistributes costs over chunks of `counts` iterations: each iteration of a sample has an equal part of its cost.
pub(super) fn resample(samples: &[Sample], counts: &[u64]) -> Vec<Sample> {
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

    fn finished(merger: Merger) -> Vec<Class> {
        merger.finish(&RecorderCosts::default(), &[0], 0).0
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
            merger.next_run();
            assert_eq!(merger.add(instance(&costs)), 0);
        }
        let classes = finished(merger);
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
        merger.next_run();
        merger.add(instance(&[(4, 40, false), (2, 50, false)]));
        let class = &finished(merger)[0];
        assert_eq!(class.chunks.iter().map(|chunk| chunk.cost_ns).collect::<Vec<_>>(), [30, 60]);
        assert!(class.chunks.iter().all(|chunk| chunk.spread_ns == 0));
    }

    // Two runs of four instances that take 10, 10, 100 and 10 us of one chunk: the third is a class of its own, and the
    // order has three steps instead of one.
    #[test]
    fn instances_that_differ_keep_their_cost() {
        let mut merger = Merger::default();
        for _ in 0..2 {
            merger.next_run();
            for ns in [10_000, 10_000, 100_000, 10_000] {
                merger.add(instance(&[(8, ns, false)]));
            }
        }
        let list = [0, 1, 0, 1, 0, 1, 0, 1];
        merger.add(Instance { key: Key { site: 2, ..instance(&[]).key }, ..instance(&[(1, 7, false)]) });
        let (classes, order) = merger.finish(&RecorderCosts::default(), &list, 0);
        let cost: u64 = order
            .steps()
            .map(|(step, rounds)| classes[step.class as usize].cost_ns() * u64::from(step.times * rounds))
            .sum();
        assert_eq!(cost, 130_000 + 4 * 7);
        assert_eq!(classes.iter().map(|class| class.most_ns).collect::<Vec<_>>(), [10_000, 100_000, 7]);
    }

    // Instances of 1 to 5 us in no order: parts would make the order as long as the list, so that all cost the mean.
    #[test]
    fn instances_without_an_order_cost_the_mean() {
        let mut merger = Merger::default();
        merger.next_run();
        let costs: Vec<u64> = (0..200u64).map(|at| 1000 * (1 + 2 * (at * at * 7919 % 211 % 3))).collect();
        for ns in &costs {
            merger.add(instance(&[(8, *ns, false)]));
        }
        let (classes, order) = merger.finish(&RecorderCosts::default(), &[0; 200], 0);
        let [class] = &classes[..] else { panic!("{classes:?}") };
        assert_eq!((order.length(), class.least_ns, class.most_ns), (1, 1000, 5000));
        assert_eq!(class.cost_ns(), costs.iter().sum::<u64>() / 200);
    }

    // Four chunks of 150, 250, 90 and 110 ns, of which 100 each are the recorder's: 200 ns are left, of which the third
    // has none.
    #[test]
    fn costs_of_the_recorder_are_taken_out() {
        let mut merger = Merger::default();
        merger.next_run();
        merger.add(instance(&[(1, 150, false), (1, 250, false), (1, 90, false), (1, 110, false)]));
        let costs = RecorderCosts { dynamic_chunk_ns: 100, ..RecorderCosts::default() };
        let class = merger.finish(&costs, &[0], 0).0.remove(0);
        assert_eq!(class.recorder_ns, 399);
        let chunks: Vec<u64> = class.chunks.iter().map(|chunk| chunk.cost_ns).collect();
        assert_eq!(chunks, [48, 143, 0, 10]);
    }
}
