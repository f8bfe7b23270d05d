//! Work that an explanation may do after its first run, in the units of `Work::units`. The
//! units depend on the runs alone, so a budget leaves out the same parts on every host and with any number of workers.

use numalab_simulator::{SimulationError, Work};
use numalab_study::in_order;
use std::sync::atomic::{AtomicU64, Ordering};

/// Done and expected work of all parts, for a progress bar.
pub(crate) struct Expected<'a> {
    listener: &'a dyn numalab_study::Progress,
    done: AtomicU64,
    total: AtomicU64,
}

impl<'a> Expected<'a> {
    pub fn new(listener: &'a dyn numalab_study::Progress) -> Expected<'a> {
        Expected { listener, done: AtomicU64::new(0), total: AtomicU64::new(0) }
    }

    fn add(&self, done: u64) {
        let done = self.done.fetch_add(done, Ordering::Relaxed) + done;
        let total = self.total.load(Ordering::Relaxed).max(done);
        self.listener.report(done, total.max(1));
    }
}

/// Work that one part of an explanation may still do.
pub(crate) struct Budget<'a> {
    left: u64,
    /// Work of the run without changes, as the estimate of any other run; at least 1.
    each: u64,
    expected: &'a Expected<'a>,
}

impl<'a> Budget<'a> {
    pub fn new(left: u64, each: u64, expected: &'a Expected<'a>) -> Budget<'a> {
        Budget { left, each: each.max(1), expected }
    }

    /// Number of runs that fit, by the estimate.
    pub fn room(&self) -> u64 {
        self.left / self.each
    }

    /// Moves the fraction `part / of` of this budget to a budget of its own.
    pub fn split(&mut self, part: u64, of: u64) -> Budget<'a> {
        let moved = (u128::from(self.left) * u128::from(part) / u128::from(of.max(1))) as u64;
        self.left -= moved;
        Budget { left: moved, ..*self }
    }

    /// Takes back what is left of a budget that was split off.
    pub fn join(&mut self, other: Budget<'a>) {
        self.left += other.left;
    }

    /// Computes the first of `items` that fit, in parallel; `cost` estimates the number of runs of an item. Each may
    /// do a share of the budget in proportion to its cost. `None` for items that do not fit, and for items that ended
    /// with [`SimulationError::Stopped`].
    pub fn all<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        cost: impl Fn(&T) -> u64,
        compute: impl Fn(&T, &Meter<'_>) -> Result<R, SimulationError> + Sync,
    ) -> Result<Vec<Option<R>>, SimulationError> {
        self.all_whole(items, cost, compute, |_| true)
    }

    /// Like [`Budget::all`]. Items that end without a result, or with one that is not `whole`, are computed again with
    /// what the others left of the budget, if that is twice their share or more.
    pub fn all_whole<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        cost: impl Fn(&T) -> u64,
        compute: impl Fn(&T, &Meter<'_>) -> Result<R, SimulationError> + Sync,
        whole: impl Fn(&R) -> bool,
    ) -> Result<Vec<Option<R>>, SimulationError> {
        let costs: Vec<u64> = items.iter().map(cost).collect();
        let (room, mut sum) = (self.room(), 0u64);
        let fits = costs.iter().take_while(|cost| {
            sum += **cost;
            sum <= room
        });
        let mut pending: Vec<usize> = (0..fits.count()).collect();
        let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
        let mut last = 0u64;
        loop {
            let runs: u64 = pending.iter().map(|at| costs[*at]).sum();
            let share = self.left.checked_div(runs).unwrap_or(0);
            if share == 0 || share < last.saturating_mul(2) || self.expected.listener.stops() {
                return Ok(results);
            }
            self.expected.total.fetch_add(runs.saturating_mul(self.each), Ordering::Relaxed);
            let one = |at: &usize| {
                let meter = Meter::new(share.saturating_mul(costs[*at]), self.expected);
                let found = match compute(&items[*at], &meter) {
                    Ok(found) => Some(found),
                    Err(SimulationError::Stopped) => None,
                    Err(error) => return Err(error),
                };
                let used = meter.used();
                // Cheaper runs than expected must not keep the bar from its end.
                self.expected.add(costs[*at].saturating_mul(self.each).saturating_sub(used));
                Ok((*at, found, used))
            };
            for found in in_order(&pending, one) {
                let (at, found, used) = found?;
                self.left = self.left.saturating_sub(used);
                results[at] = found.or(results[at].take());
            }
            pending.retain(|at| !results[*at].as_ref().is_some_and(&whole));
            last = share;
        }
    }
}

/// Counts the work of some runs, one after the other, and ends the run that exceeds their share of the budget.
pub(crate) struct Meter<'a> {
    most: u64,
    /// Work of the runs that have ended.
    before: AtomicU64,
    /// Work of the present run.
    present: AtomicU64,
    expected: &'a Expected<'a>,
}

impl<'a> Meter<'a> {
    pub fn new(most: u64, expected: &'a Expected<'a>) -> Meter<'a> {
        Meter { most, before: AtomicU64::new(0), present: AtomicU64::new(0), expected }
    }

    /// Work of all runs so far.
    pub fn used(&self) -> u64 {
        self.before.load(Ordering::Relaxed) + self.present.load(Ordering::Relaxed)
    }

    /// Listener for another run.
    pub fn begin(&self) -> &dyn numalab_simulator::Progress {
        self.before.fetch_add(self.present.swap(0, Ordering::Relaxed), Ordering::Relaxed);
        self
    }
}

impl numalab_simulator::Progress for Meter<'_> {
    fn advance(&self, _: u64) {}

    fn stops(&self, work: Work) -> bool {
        let work = work.units();
        let last = self.present.swap(work, Ordering::Relaxed);
        self.expected.add(work.saturating_sub(last));
        self.used() > self.most || self.expected.listener.stops()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_simulator::EngineCounts;

    /// Runs of some work, asked every 10 units like the engine asks.
    fn run(work: u64, meter: &Meter<'_>) -> Result<u64, SimulationError> {
        let progress = meter.begin();
        let after = |step: u64| {
            let engine = EngineCounts { solver_visits: 10 * step, ..EngineCounts::default() };
            Work { engine, ..Work::default() }
        };
        match (0..=work / 10).any(|step| progress.stops(after(step))) {
            true => Err(SimulationError::Stopped),
            false => Ok(work),
        }
    }

    // 4 of 6 runs fit by the estimate of 100, with 100 each. The third does not end within its share, and what the
    // others leave, 110, is less than twice its share. It admits one more run of another call.
    #[test]
    fn runs_beyond_their_share_end_and_the_rest_is_left_out() {
        let expected = Expected::new(&());
        let mut budget = Budget::new(400, 100, &expected);
        let found = budget.all(&[50, 60, 1000, 70, 10, 10], |_| 1, |work, meter| run(*work, meter)).unwrap();
        assert_eq!(found, [Some(50), Some(60), None, Some(70), None, None]);
        assert_eq!(budget.left, 400 - 50 - 60 - 110 - 70);
        assert_eq!(budget.all(&[10, 10], |_| 1, |work, meter| run(*work, meter)).unwrap(), [Some(10), None]);
    }

    // 100 for each of four. The second one then has what is left: 400 - 10 - 110 - 10 - 10 = 260.
    #[test]
    fn what_cheap_runs_leave_goes_to_an_expensive_one() {
        let expected = Expected::new(&());
        let runs = |expensive: u64| {
            let mut budget = Budget::new(400, 50, &expected);
            budget.all(&[10, expensive, 10, 10], |_| 1, |work, meter| run(*work, meter)).unwrap()[1]
        };
        assert_eq!((runs(250), runs(300)), (Some(250), None));
    }

    // A result that is not whole is kept if a second attempt has none.
    #[test]
    fn a_partial_result_is_kept() {
        let expected = Expected::new(&());
        let mut budget = Budget::new(400, 50, &expected);
        let part = |work: &u64, meter: &Meter<'_>| run(*work, meter).or(Ok(1));
        let found = budget.all_whole(&[10, 1000], |_| 1, part, |found| *found > 1).unwrap();
        assert_eq!(found, [Some(10), Some(1)]);
    }

    #[test]
    fn an_item_of_several_runs_has_a_share_for_all_of_them() {
        let expected = Expected::new(&());
        let mut budget = Budget::new(600, 100, &expected);
        let found = budget.all(
            &[2u64, 4, 1],
            |runs| *runs,
            |runs, meter| (0..*runs).map(|_| run(90, meter)).sum::<Result<u64, _>>(),
        );
        assert_eq!(found.unwrap(), [Some(180), Some(360), None]);
        assert_eq!((expected.done.into_inner(), expected.total.into_inner()), (600, 600));
    }

    struct Pressed;

    impl numalab_study::Progress for Pressed {
        fn report(&self, _: u64, _: u64) {}
        fn stops(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_listener_that_stops_leaves_everything_out() {
        let expected = Expected::new(&Pressed);
        let mut budget = Budget::new(u64::MAX, 1, &expected);
        let found = budget.all(&[5, 5], |_| 1, |work, meter| run(*work, meter)).unwrap();
        assert_eq!(found, [None, None]);
    }
}
