//! Watchdog against livelock: ends a run whose events bring no thread forward.

use crate::account::observer::Listener;
use crate::engine::segment::{Next, Segment, SegmentState};
use crate::engine::setup::Setup;
use crate::engine::worker::Doing;
use crate::error::SimulationError;
use crate::plan::{PageUse, Step};
use numalab_dsm::Dsm;

/// Counter of events since a thread last made progress: computed, received data, finished an act of its script, or
/// used a page.
#[derive(Clone, Debug)]
pub(crate) struct Watchdog {
    silent: u64,
    limit: u64,
}

impl Watchdog {
    /// Watchdog of a run. The limit is far above the events between two steps of threads that make progress: all
    /// threads can follow each write to a line that all threads spin on, and all nodes can send all pages ahead at the
    /// end of a loop.
    pub fn new(setup: &Setup<'_>, dsm: Option<&Dsm>) -> Watchdog {
        /// Limit for small teams without shared pages.
        const LEAST: u64 = 1 << 22;
        /// Events of a thread for each write of another, and of a page for each node.
        const EACH: u64 = 64;
        let own = setup.workload.phases.iter().filter_map(|phase| phase.team.as_ref());
        let most = own.map(|team| team.processors.len()).max().unwrap_or(0);
        let threads = most.max(setup.team.members.len()) as u64;
        let pages = dsm.map_or(0, |dsm| dsm.all_pages().saturating_mul(dsm.counts().len() as u64));
        let each = threads.saturating_mul(threads).saturating_add(pages);
        Watchdog { silent: 0, limit: LEAST.saturating_add(each.saturating_mul(EACH)) }
    }

    /// Watchdog that reports more than `limit` events without progress.
    #[cfg(test)]
    pub fn of(limit: u64) -> Watchdog {
        Watchdog { silent: 0, limit }
    }

    /// A thread makes progress.
    #[inline]
    pub fn reset(&mut self) {
        self.silent = 0;
    }

    /// Counts events.
    #[inline]
    pub fn count(&mut self, events: u64) {
        self.silent += events;
    }

    #[inline]
    pub fn is_due(&self) -> bool {
        self.silent > self.limit
    }
}

impl Next {
    /// True if the thread's last act or step is progress. An access that faults, a pause, and the start of a program
    /// are not: the thread may do the same for ever.
    #[inline]
    pub fn is_progress(&self) -> bool {
        match self {
            Next::Again => true,
            Next::For(doing, _) | Next::Until(doing) => doing.facts().is_work,
        }
    }
}

impl<O: Listener> Segment<'_, '_, O> {
    /// Called when events have brought no thread forward for long. An error unless a thread is at work or an echo runs,
    /// whose end is progress.
    #[cold]
    pub(crate) fn check_progress(&mut self, state: &SegmentState<'_, '_>) -> Result<(), SimulationError> {
        let echoes = self.world.dsm.as_ref().is_some_and(Dsm::echoes);
        if echoes || state.workers.iter().any(|worker| worker.doing.facts().is_work) {
            self.world.watchdog.reset();
            return Ok(());
        }
        let mut waits: Vec<(String, Vec<u32>)> = Vec::new();
        for (thread, worker) in (0..).zip(&state.workers).filter(|(_, worker)| !worker.over) {
            let what = self.awaited(&worker.doing, worker.steps.last());
            match waits.iter_mut().find(|(known, _)| *known == what) {
                Some((_, threads)) => threads.push(thread),
                None => waits.push((what, vec![thread])),
            }
        }
        let (phase, events) = (self.phase.name.clone(), self.world.watchdog.silent);
        Err(SimulationError::Livelock { phase, events, waits })
    }

    /// Name of the thing for which a thread waits. `step`: the thread's next step.
    fn awaited(&self, doing: &Doing, step: Option<&Step>) -> String {
        let what = match (doing, step) {
            (Doing::Paging, Some(Step::Pages(PageUse { pages, .. }))) => return self.page_name(pages.start),
            (Doing::Paging, _) => "the page of the flags",
            (Doing::Meeting, Some(Step::Flag(_))) => "a flag",
            (Doing::Meeting, _) => "a barrier, fork or join",
            (Doing::Parked, _) => "a wake-up",
            (Doing::Overhead(_) | Doing::Interrupted | Doing::Starting, _) => "work",
            (Doing::Program | Doing::Tail, _) => "a program of the runtime",
            (Doing::Turn | Doing::PassingOn, _) => "a lock or turn",
            (Doing::Line, _) => "a cache line",
            (Doing::Nothing, _) => "the start",
            (
                Doing::Compute | Doing::Cached(..) | Doing::Stream(..) | Doing::Copying(_) | Doing::Locked(_),
                _,
            ) => "the end of its work",
        };
        what.to_owned()
    }

    fn page_name(&self, page: u64) -> String {
        let place = self.world.dsm.as_ref().and_then(|dsm| dsm.place(page));
        match place.map(|(region, page)| (self.setup.workload.regions.get(region), page)) {
            Some((Some(region), page)) => format!("page {page} of region \"{}\"", region.name),
            Some((None, _)) | None => "the page of the flags".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::observer::Listeners;
    use crate::account::totals::Record;
    use crate::engine::simulation::Simulation;
    use crate::engine::team::Team;
    use crate::flow::ideal::Ideal;
    use numalab_base::Bytes;
    use numalab_machine::{Dsm as Parameters, Fabric, synthetic};
    use numalab_runtime::Profile;
    use numalab_workload::{Access, BindingText, Mode, Phase, Region, RegionId, Schedule, Slice, Workload};

    /// Result of a loop in which four threads write the whole of a region of 100 pages, two of them on each of two
    /// boards, with a watchdog of this limit.
    fn run(shares_pages: bool, limit: u64) -> Result<(), SimulationError> {
        let mut machine = synthetic("board:2 core:2").expect("a machine");
        machine.dsm = shares_pages.then(Parameters::default);
        let fabric = Fabric::new(&machine).expect("a sound machine");
        let bytes = 100 * 4096;
        let access = Access::new(RegionId(0), Slice::Whole(bytes), Mode::Write);
        let workload = Workload {
            name: "test".to_owned(),
            description: String::new(),
            parameters: Vec::new(),
            regions: vec![Region::new("grid", Bytes(bytes))],
            phases: vec![Phase { accesses: vec![access], ..Phase::new("sweep", 4) }],
            rounds: 1,
            compare: Vec::new(),
            binding: BindingText::default(),
            runtime: None,
        };
        let team = Team::close(&fabric, 4);
        let runtime = Profile::default();
        let setup = Setup {
            machine: &machine,
            fabric: &fabric,
            workload: &workload,
            runtime: &runtime,
            team: &team,
            seed: 0,
            replica: 0,
            ideal: Ideal::default(),
            exact: false,
        };
        let mut simulation = Simulation::new(&setup);
        simulation.world.watchdog = Watchdog::of(limit);
        let listeners = &mut Listeners { progress: &(), observer: &mut () };
        let schedule = Schedule::Static { chunk: None };
        Record::new(&setup).repeat(&setup, &workload.phases[..], schedule, &mut simulation, listeners)
    }
    fn error(shares_pages: bool, limit: u64) -> String {
        run(shares_pages, limit).expect_err("more events").to_string()
    }

    /// Between two steps of progress a page takes some events of messages, and a barrier some of lines.
    #[test]
    fn events_without_progress_are_an_error_that_names_the_waits() {
        assert_eq!(
            error(true, 3),
            "phase \"sweep\" does not end: 4 events bring no thread forward; threads wait for a barrier, fork or join \
             (thread 0), page 1 of region \"grid\" (threads 2-3)"
        );
        let error = error(false, 3);
        assert!(error.ends_with("threads wait for a program of the runtime (threads 0-3)"), "{error}");
        assert_eq!((run(true, 1000), run(false, 1000)), (Ok(()), Ok(())));
    }
}
