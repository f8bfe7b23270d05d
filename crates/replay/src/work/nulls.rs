//! Costs of the recorder, of runs of a program whose constructs do nothing.

use super::instance::Sample;
use super::open::median;
use super::region::Part;
use super::walk::{Course, Walk};
use numalab_nlt::RecorderCosts;
use numalab_nlt::ompt::work;

/// Times of one kind of construct: undisturbed ones, and the least of disturbed ones.
#[derive(Default)]
struct Times(Vec<u64>, Option<u64>);

impl Times {
    fn add(&mut self, sample: Sample) {
        if sample.disturbed {
            self.1 = Some(self.1.map_or(sample.ns, |least| least.min(sample.ns)));
        } else {
            self.0.push(sample.ns);
        }
    }

    /// The median of undisturbed times; without one the least of disturbed ones, or 0.
    fn median(mut self) -> u64 {
        if self.0.is_empty() { self.1.unwrap_or(0) } else { median(&mut self.0) }
    }
}

impl Walk {
    /// Medians of the constructs that the walk has seen. Each run's first serial part is the runtime's start; a
    /// single construct creates all tasks of its region.
    pub fn null_costs(&self) -> RecorderCosts {
        let [mut start, mut serial, mut body, mut fixed, mut dynamic, mut task, mut create] =
            [(); 7].map(|()| Times::default());
        for thread in self.threads.values() {
            let mut is_first = true;
            for course in thread.course.iter() {
                if let Course::Serial(site, sample) = course {
                    match (is_first, site) {
                        (true, _) => start.add(sample),
                        (false, 0) => {}
                        (false, _) => serial.add(sample),
                    }
                    is_first = false;
                }
            }
        }
        let mut created: std::collections::BTreeMap<(u32, u64), u64> = Default::default();
        let rounds: std::collections::BTreeSet<u32> = self.threads.keys().map(|key| key.0).collect();
        for round in rounds {
            for (_, record) in self.tasks.of_round(round) {
                if record.place.0 != 0 {
                    *created.entry((round, record.place.0)).or_default() += 1;
                    task.add(record.sample());
                }
            }
        }
        for (key, region) in &self.regions {
            let members = region.parts.by_member();
            let is_plain = members.iter().all(|parts| !parts.iter().any(Part::is_construct));
            for part in members.iter().flatten() {
                match part {
                    Part::Body(sample) if is_plain => body.add(*sample),
                    Part::Loop { work: work::STATIC, chunks, .. } => {
                        chunks.iter().for_each(|taken| fixed.add(taken.sample));
                    }
                    Part::Loop { chunks, .. } => chunks.iter().for_each(|taken| dynamic.add(taken.sample)),
                    Part::Single { sample: Some(sample), .. } => {
                        if let Some(tasks) = created.get(key) {
                            create.add(Sample { ns: sample.ns / tasks, ..*sample });
                        }
                    }
                    Part::Body(_) | Part::Single { sample: None, .. } | Part::Barrier => {}
                }
            }
        }
        RecorderCosts {
            start_ns: start.median(),
            serial_ns: serial.median(),
            body_ns: body.median(),
            static_chunk_ns: fixed.median(),
            dynamic_chunk_ns: dynamic.median(),
            task_ns: task.median(),
            create_ns: create.median(),
            bandwidth: 0,
        }
    }

    /// Takes these costs of the recorder out of all times.
    pub fn take_out(&mut self, costs: RecorderCosts) {
        self.costs = costs;
    }
}
