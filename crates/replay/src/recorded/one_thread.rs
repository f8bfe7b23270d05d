//! The sum of what was recorded in regions, held against runs with one thread in which only regions were recorded.

use crate::Recording;
use crate::work::{Class, Form};

/// Largest relative difference of the two sums at which a recording is taken as right.
const MOST_OFF: f64 = 0.15;
/// Time of an empty region of one thread, in nanoseconds, which is in its sum only: two system calls for the processor
/// time, and the runtime.
const REGION_NS: u64 = 2_500;

/// Nanoseconds in regions: as recorded, and the least of the runs with one thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sums {
    pub recorded_ns: u64,
    pub one_thread_ns: u64,
    regions: u64,
}

impl Sums {
    /// `None` if the program was not run with one thread, or was not recorded to its end.
    pub fn of(recording: &Recording) -> Option<Sums> {
        if recording.meta.partial {
            return None;
        }
        // Other work only lengthens a run.
        let one_thread_ns = recording.meta.one_thread.as_ref()?.regions_ns.iter().copied().min()?;
        let work = &recording.work;
        let (mut recorded_ns, mut regions) = (0u64, 0u64);
        for (step, rounds) in work.order.steps() {
            let class = &work.classes[step.class as usize];
            let times = u64::from(step.times).saturating_mul(rounds.into());
            if class.form != Form::Serial {
                recorded_ns = recorded_ns.saturating_add(alone_ns(class).saturating_mul(times));
                regions = regions.saturating_add(times);
            }
        }
        Some(Sums { recorded_ns, one_thread_ns, regions })
    }

    /// True if the sums differ by more than they may.
    pub fn differ(&self) -> bool {
        let may = (MOST_OFF * self.one_thread_ns as f64) as u64 + self.regions.saturating_mul(REGION_NS);
        self.recorded_ns.abs_diff(self.one_thread_ns) > may
    }

    /// Part of the recorded costs that one thread takes, if that is less by more than it may be; otherwise 1.
    pub fn part(&self) -> f64 {
        if self.differ() && self.one_thread_ns < self.recorded_ns {
            self.one_thread_ns as f64 / self.recorded_ns as f64
        } else {
            1.0
        }
    }
}

/// Nanoseconds of an instance on a team of one, which executes the part of one member.
pub fn alone_ns(class: &Class) -> u64 {
    match class.form {
        Form::Loop | Form::Tasks => class.cost_ns(),
        Form::Serial | Form::Single | Form::Body => class.chunks.first().map_or(0, |chunk| chunk.cost_ns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{Chunk, Order, Work};
    use numalab_nlt::{Free, Meta};

    /// A recording of ten instances of a loop of 100 us, which one thread takes in `one_thread_us`.
    fn recording(one_thread_us: u64) -> Recording {
        let chunk = Chunk { count: 1, cost_ns: 100_000, ..Chunk::default() };
        let text = r#"{"site":1,"form":"loop","iterations":1,"team":2,"schedule":"static","instances":10,"filled":false,
            "varies":false,"locked_ns":0}"#;
        let class = Class { chunks: vec![chunk], ..serde_json::from_str(text).unwrap() };
        let order = Order::of(&[0; 10], 0);
        let runs = Free { threads: 1, regions_ns: vec![u64::MAX, 1000 * one_thread_us], ..Free::default() };
        let meta = Meta { one_thread: Some(runs), ..Meta::default() };
        Recording {
            meta,
            work: Work { classes: vec![class], order, refusals: Vec::new() },
            ..Recording::default()
        }
    }

    // 1000 us are recorded in ten regions, which may be 25 us. 15 % of 900 us are 135 us; of 250 us it is less than the
    // difference, and the costs are four times too large. More than what was recorded is no part of it.
    #[test]
    fn a_sum_far_from_one_thread_is_known() {
        let of = |us| Sums::of(&recording(us)).unwrap();
        assert!(!of(900).differ() && of(250).differ() && of(2000).differ());
        assert_eq!([of(900).part(), of(250).part(), of(2000).part()], [1.0, 0.25, 1.0]);
    }
}
