//! Work of one case, up to a budget.

use super::cases::Case;
use numalab_simulator::{Progress, SimulationError, Work, prepare};
use numalab_study::Files;
use std::fs;
use std::sync::{Mutex, PoisonError};

/// Work and time of a case until its end, or until its budget is used up.
pub struct Measured {
    pub work: Work,
    /// Time of the processor in nanoseconds, from the resolved run on; 0 where the system does not tell.
    pub cpu_ns: u64,
}

impl Measured {
    /// Work per event, in visits of the solver. An event itself is 32 of these.
    pub fn per_event(&self) -> u64 {
        self.work.units() / self.work.events.max(1)
    }
}

/// Keeps the work of a run and ends it when it exceeds the budget.
struct Meter {
    budget: u64,
    work: Mutex<Work>,
}

impl Progress for Meter {
    fn advance(&self, _: u64) {}

    fn stops(&self, work: Work) -> bool {
        *self.work.lock().unwrap_or_else(PoisonError::into_inner) = work;
        work.units() > self.budget
    }
}

/// Simulates a case until its work exceeds `budget`. `None` if the machine cannot have this run: its pages do not fit,
/// or its nodes share no such data.
pub fn measure(case: &Case, files: &Files, budget: u64) -> Option<Measured> {
    let run = case.resolve(files)?;
    let schedule = *run.schedules.first()?;
    let meter = Meter { budget, work: Mutex::default() };
    let before = cpu_ns();
    let setup = run.setup();
    let ended = prepare(&setup, &meter).and_then(|prepared| prepared.run_last(schedule, &meter));
    let cpu_ns = cpu_ns() - before;
    let work = meter.work.into_inner().unwrap_or_else(PoisonError::into_inner);
    let counts = matches!(ended, Ok(_) | Err(SimulationError::Stopped)) && work.events > 0;
    counts.then_some(Measured { work, cpu_ns })
}

/// Time that this thread has had a processor.
fn cpu_ns() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|first| first.parse().ok()).unwrap_or(0)
}
