//! A class while its instances are added: medians over runs for each instance, means over instances.

use super::instance::{Instance, Key, Sample};
use super::merge::resample;
use super::packed::Costs;
use super::{Chunk, Class, Form, Recorded, TaskNode};
use numalab_nlt::RecorderCosts;

/// Ratio of the costs of two instances from which on they are of different groups.
const APART: f64 = 1.3;
/// Difference of the costs of two instances, in spreads between runs, from which on they are of different groups.
const SPREADS: u64 = 4;
/// Difference in nanoseconds that is always within a group.
const SAME_NS: u64 = 1_000;
/// Largest number of groups of a class.
const MOST_GROUPS: u32 = 6;

#[derive(Debug)]
pub(super) struct Open {
    pub key: Key,
    counts: Vec<u64>,
    tasks: Vec<TaskNode>,
    /// Number of the instance in its run, and the costs of its chunks. For tasks, `samples` are the costs until a wait
    /// and `after` those after the wait.
    samples: Vec<(u32, Costs)>,
    after: Vec<(u32, Costs)>,
    instances: u32,
    /// Instances met in the present run, and the most of any run.
    met: u32,
    most_met: u32,
    filled: bool,
    varies: bool,
    ordered: bool,
    locked: Vec<u64>,
}

/// Groups of instances with similar costs.
#[derive(Debug)]
pub(super) struct Groups {
    pub count: u32,
    /// Group of each instance of a run.
    pub of: Vec<u32>,
}

impl Groups {
    /// A single group.
    pub fn one(instances: usize) -> Groups {
        Groups { count: 1, of: vec![0; instances] }
    }
}

impl Open {
    pub fn new(instance: &Instance) -> Open {
        Open {
            key: instance.key,
            counts: instance.samples.iter().map(|sample| sample.count).collect(),
            tasks: instance.tasks.clone(),
            samples: Vec::new(),
            after: Vec::new(),
            instances: 0,
            met: 0,
            most_met: 0,
            filled: false,
            varies: false,
            ordered: false,
            locked: Vec::new(),
        }
    }

    pub fn next_run(&mut self) {
        self.met = 0;
    }

    pub fn add(&mut self, instance: Instance) {
        let Instance { key: _, samples, filled, locked_ns, ordered, tasks } = instance;
        let number = self.met;
        self.met += 1;
        self.most_met = self.most_met.max(self.met);
        self.instances += 1;
        self.filled |= filled;
        self.ordered |= ordered;
        self.locked.push(locked_ns);
        let same_graph = tasks.len() == self.tasks.len()
            && tasks.iter().zip(&self.tasks).all(|(one, other)| {
                (one.parent, one.waits, &one.predecessors) == (other.parent, other.waits, &other.predecessors)
            });
        if !same_graph {
            // The tasks differ from those before, so their costs cannot be merged.
            self.varies = true;
            return;
        }
        let same = samples.iter().map(|sample| sample.count).eq(self.counts.iter().copied());
        let samples: Vec<Sample> = if same { samples } else { resample(&samples, &self.counts) };
        self.samples.push((number, Costs::of(samples.iter().map(|sample| (sample.ns, sample.disturbed)))));
        if tasks.iter().any(|task| task.after_ns > 0) {
            self.after.push((number, Costs::of(tasks.iter().map(|task| (task.after_ns, false)))));
        } else if !tasks.is_empty() {
            self.after.push((number, Costs::of(std::iter::empty())));
        }
    }

    /// Groups of instances whose costs differ by more than they do from run to run. Instances of tasks are one group.
    pub fn groups(&self) -> Groups {
        let instances = self.most_met as usize;
        let one = Groups::one(instances);
        if instances < 2 || self.key.form == Form::Tasks {
            return one;
        }
        let mut runs: Vec<Vec<u64>> = vec![Vec::new(); instances];
        let columns = Columns::new(&self.samples, |_| true);
        let mut totals = vec![0u64; instances];
        columns.each(self.counts.len(), &mut |column| {
            column.instances(&mut |instance, ns| {
                totals[instance as usize] = totals[instance as usize].saturating_add(ns);
            });
        });
        for (instance, costs) in &self.samples {
            runs[*instance as usize].push(costs.iter().map(|(ns, _)| ns).fold(0, u64::saturating_add));
        }
        let mut spreads: Vec<u64> = runs
            .iter_mut()
            .filter(|totals| totals.len() > 1)
            .map(|totals| {
                let middle = median(totals);
                let mut far: Vec<u64> = totals.iter().map(|total| total.abs_diff(middle)).collect();
                far.sort_unstable();
                far.last().copied().unwrap_or(0)
            })
            .collect();
        let apart = SAME_NS.max(median(&mut spreads).saturating_mul(SPREADS));
        let mut sorted: Vec<usize> = (0..instances).collect();
        sorted.sort_by_key(|instance| totals[*instance]);
        let (mut by_size, mut group) = (vec![0; instances], 0u32);
        let mut first = totals[sorted[0]];
        for instance in sorted {
            let total = totals[instance];
            if total as f64 > APART * first as f64 && total - first > apart {
                (group, first) = (group + 1, total);
            }
            by_size[instance] = group;
        }
        if group >= MOST_GROUPS {
            return one;
        }
        // Classes are numbered in the order of execution.
        let mut numbers: Vec<Option<u32>> = vec![None; group as usize + 1];
        let mut count = 0;
        let mut number = |group: u32| {
            *numbers[group as usize].get_or_insert_with(|| {
                count += 1;
                count - 1
            })
        };
        let of: Vec<u32> = by_size.into_iter().map(&mut number).collect();
        Groups { count, of }
    }

    /// The class of the instances for which `of_group` holds, without the recorder's costs.
    pub fn class(&self, of_group: &dyn Fn(u32) -> bool, costs: &RecorderCosts) -> Class {
        let columns = Columns::new(&self.samples, of_group);
        let (mut chunks, mut totals) =
            (Vec::with_capacity(self.counts.len()), vec![0u64; self.most_met as usize]);
        let mut counts = self.counts.iter();
        columns.each(self.counts.len(), &mut |column| {
            chunks.push(column.chunk(counts.next().copied().unwrap_or(0)));
            column.instances(&mut |instance, ns| {
                totals[instance as usize] = totals[instance as usize].saturating_add(ns);
            });
        });
        let mut tasks = self.tasks.clone();
        let mut after = tasks.iter_mut();
        Columns::new(&self.after, of_group).each(self.tasks.len(), &mut |column| {
            if let Some(task) = after.next() {
                task.after_ns = column.chunk(1).cost_ns;
            }
        });
        let chunk_sum =
            |chunks: &[Chunk]| chunks.iter().map(|chunk| chunk.cost_ns).fold(0, u64::saturating_add);
        let before = chunk_sum(&chunks);
        self.take_out(costs, &mut chunks, &tasks);
        let recorder_ns = before - chunk_sum(&chunks);
        let of_instances = totals.iter().zip(0u32..).filter(|(_, instance)| of_group(*instance));
        let net = |total: u64| total.saturating_sub(self.own(costs));
        let Key { site, form, iterations, team, schedule, after: _ } = self.key;
        let mut locked: Vec<u64> = self.locked.clone();
        Class {
            site,
            form,
            iterations,
            team,
            schedule,
            instances: self.samples.iter().filter(|(instance, _)| of_group(*instance)).count() as u32,
            filled: self.filled,
            varies: self.varies,
            ordered: self.ordered,
            locked_ns: median(&mut locked),
            recorder_ns,
            least_ns: of_instances.clone().map(|(total, _)| net(*total)).min().unwrap_or(0),
            most_ns: of_instances.map(|(total, _)| net(*total)).max().unwrap_or(0),
            chunks,
            tasks,
            footprint: Vec::new(),
        }
    }

    /// Cost of recording one chunk, member or task.
    fn each(&self, costs: &RecorderCosts) -> u64 {
        match (self.key.form, self.key.schedule) {
            (Form::Serial, _) if self.key.after == 0 => costs.start_ns,
            (Form::Serial, _) => costs.serial_ns,
            (Form::Body, _) | (Form::Loop, Recorded::Inline) => costs.body_ns,
            (Form::Loop, Recorded::Static | Recorded::StaticChunk(_)) | (Form::Single, _) => {
                costs.static_chunk_ns
            }
            (Form::Loop, Recorded::Dynamic(_) | Recorded::Guided(_) | Recorded::Other | Recorded::None) => {
                costs.dynamic_chunk_ns
            }
            (Form::Tasks, _) => costs.task_ns,
        }
    }

    /// Cost of recording an instance.
    fn own(&self, costs: &RecorderCosts) -> u64 {
        let seen =
            if self.filled { self.counts.len().min(self.key.team as usize) } else { self.counts.len() };
        let created = self.tasks.iter().filter(|task| task.parent.is_some()).count() as u64;
        let of_parts = self.each(costs).saturating_mul(seen as u64);
        of_parts.saturating_add(costs.create_ns.saturating_mul(created))
    }

    /// Takes the recorder's costs out of chunks: the same of each, and of the chunks that are longer what shorter ones
    /// do not have.
    fn take_out(&self, costs: &RecorderCosts, chunks: &mut [Chunk], tasks: &[TaskNode]) {
        let own = self.own(costs);
        if own == 0 || chunks.is_empty() {
            return;
        }
        let mut children = vec![0u64; tasks.len()];
        for parent in tasks.iter().filter_map(|task| task.parent) {
            children[parent as usize] += 1;
        }
        let created: u64 = children.iter().sum();
        let each = (own - costs.create_ns.saturating_mul(created).min(own)) / chunks.len() as u64;
        let sum = |chunks: &[Chunk]| chunks.iter().map(|chunk| chunk.cost_ns).fold(0, u64::saturating_add);
        let left = sum(chunks).saturating_sub(own);
        for (at, chunk) in chunks.iter_mut().enumerate() {
            let creation = children.get(at).map_or(0, |children| costs.create_ns.saturating_mul(*children));
            chunk.cost_ns = chunk.cost_ns.saturating_sub(each.saturating_add(creation));
        }
        let kept = sum(chunks);
        if kept > left {
            let part = left as f64 / kept as f64;
            chunks.iter_mut().for_each(|chunk| chunk.cost_ns = (chunk.cost_ns as f64 * part).round() as u64);
        }
    }
}

/// Samples of chunks, of some instances.
struct Columns<'c> {
    /// Number of each instance and its costs; samples of an instance are beside each other.
    rows: Vec<(u32, &'c Costs)>,
}

/// Samples of one chunk: number of the instance, nanoseconds, and true if disturbed.
struct Column<'c> {
    samples: &'c [(u32, u64, bool)],
    /// Median of all undisturbed samples; `None` without any.
    middle: Option<u64>,
}

impl<'c> Columns<'c> {
    fn new(samples: &'c [(u32, Costs)], of_group: impl Fn(u32) -> bool) -> Columns<'c> {
        let mut rows: Vec<(u32, &Costs)> = samples
            .iter()
            .filter(|(instance, _)| of_group(*instance))
            .map(|(instance, costs)| (*instance, costs))
            .collect();
        rows.sort_by_key(|row| row.0);
        Columns { rows }
    }

    /// Calls `each` for `count` chunks. Missing samples cost nothing.
    fn each(&self, count: usize, each: &mut dyn FnMut(Column<'_>)) {
        let mut rows: Vec<_> = self.rows.iter().map(|(instance, costs)| (*instance, costs.iter())).collect();
        let (mut samples, mut undisturbed) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
        for _ in 0..count {
            samples.clear();
            undisturbed.clear();
            for (instance, costs) in &mut rows {
                let (ns, disturbed) = costs.next().unwrap_or((0, false));
                samples.push((*instance, ns, disturbed));
                if !disturbed {
                    undisturbed.push(ns);
                }
            }
            let middle = (!undisturbed.is_empty()).then(|| median(&mut undisturbed));
            each(Column { samples: &samples, middle });
        }
    }
}

impl Column<'_> {
    /// Calls `each` with each instance and its cost: the median of its undisturbed samples. If all are disturbed, their
    /// minimum, but at most the median of all instances.
    fn instances(&self, each: &mut dyn FnMut(u32, u64)) {
        let mut own = Vec::new();
        for group in self.samples.chunk_by(|one, other| one.0 == other.0) {
            own.clear();
            own.extend(group.iter().filter(|sample| !sample.2).map(|sample| sample.1));
            let cost = match own.is_empty() {
                true => {
                    let least = group.iter().map(|sample| sample.1).min().unwrap_or(0);
                    self.middle.map_or(least, |middle| least.min(middle))
                }
                false => median(&mut own),
            };
            each(group[0].0, cost);
        }
    }

    /// Chunk of `count` iterations that costs the mean of its instances.
    fn chunk(&self, count: u64) -> Chunk {
        let (mut sum, mut instances) = (0u128, 0u128);
        self.instances(&mut |_, ns| {
            sum += u128::from(ns);
            instances += 1;
        });
        let cost_ns = u64::try_from(sum / instances.max(1)).unwrap_or(u64::MAX);
        let Some(middle) = self.middle else { return Chunk { count, cost_ns, spread_ns: 0, samples: 0 } };
        let undisturbed = self.samples.iter().filter(|sample| !sample.2);
        let mut far: Vec<u64> = undisturbed.map(|sample| sample.1.abs_diff(middle)).collect();
        let samples = far.len() as u32;
        Chunk { count, cost_ns, spread_ns: median(&mut far), samples }
    }
}

/// The median; of two middle values the lower value, so that the result is a measured value. 0 if empty.
pub(super) fn median(values: &mut [u64]) -> u64 {
    values.sort_unstable();
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}
