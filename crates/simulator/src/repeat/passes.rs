//! Passes through a construct inside one phase: microbenchmarks execute a barrier or a lock thousands of times. As
//! between phases (`steady`), a state that returns is found, and the rest is counted. The state is taken at the
//! instant at which the first thread begins a pass; other threads can be anywhere.

use crate::account::books::Ledger;
use crate::account::observer::Listener;
use crate::account::outcome::Losses;
use crate::engine::Sources;
use crate::engine::script::Level;
use crate::engine::segment::team_of;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::setup::LONGEST;
use crate::engine::worker::{Arrival, Worker};
use crate::error::SimulationError;
use crate::repeat::steady::{PROOF, Proof, Search};
use numalab_base::{Snapshot, Span, Time};
use numalab_runtime::Decisions;
use numalab_workload::{Construct, Phase};

/// Sums over the passes that were counted instead of simulated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counted {
    pub took: Span,
    pub events: u64,
    pub transactions: u64,
}

/// Search for a period among the passes of a segment.
pub(crate) struct Passes {
    /// Pass that the first thread began last; `None` if every pass is simulated.
    at: Option<u32>,
    search: Search,
    periods: Option<Periods>,
    pub counted: Counted,
}

/// Two periods of passes that are being proved.
struct Periods {
    proof: Proof,
    /// Number of passes in a period.
    length: u32,
    /// The first thread's pass at the end of the present period.
    until: u32,
    /// Decisions made before the present period began, kept aside.
    noted: Decisions,
    /// Ledgers and losses before the second period; `None` during the first period.
    mark: Option<Mark>,
}

struct Mark {
    at: Time,
    events: u64,
    transactions: u64,
    ledgers: Vec<Ledger>,
    losses: Losses,
}

impl Passes {
    /// Search for the passes of a phase. Every pass is simulated if an observer is present, if the phase accesses or
    /// allocates memory or is a pipeline, or if it has at most 2 × [`PROOF`] passes.
    pub fn new<O: Listener>(phase: &Phase) -> Passes {
        let flows = matches!(phase.construct, Construct::Pipeline { .. });
        let plain = phase.accesses.is_empty() && phase.allocation.is_none() && !flows;
        let many = u64::from(phase.times) > 2 * PROOF;
        let at = (!O::ACTIVE && plain && many).then_some(0);
        Passes { at, search: Search::default(), periods: None, counted: Counted::default() }
    }

    /// True if the first thread has begun another pass.
    #[inline]
    pub fn is_due(&self, first: &Worker) -> bool {
        self.at.is_some_and(|at| first.position.pass() != at)
    }
}

impl<O: Listener> Segment<'_, '_, O> {
    /// Called when the first thread begins a pass. Searches for a period, proves it, and counts its repetitions.
    /// `events`: number of events since the phase began.
    pub fn pass(
        &mut self,
        passes: &mut Passes,
        sources: &mut Sources,
        state: &mut SegmentState<'_, '_>,
        events: u64,
    ) -> Result<(), SimulationError> {
        let pass = state.workers[0].position.pass();
        let before = passes.at.replace(pass).unwrap_or(pass);
        let Some(periods) = &mut passes.periods else {
            passes.search.passed += u64::from(pass - before);
            let left = u64::from(self.phase.times - pass);
            if let Some((length, first)) = passes.search.period(left, || self.snapshot(sources, state)) {
                passes.periods = Some(Periods {
                    proof: Proof::new(first, self.world.clocked() + sources.clocked()),
                    length: length as u32,
                    until: pass + length as u32,
                    noted: self.world.sync.exec.note_decisions(),
                    mark: None,
                });
            }
            return Ok(());
        };
        if pass < periods.until {
            return Ok(());
        }
        if pass > periods.until {
            // Several passes began at one instant, so there is no state at the end of the period.
            self.end_passes(passes);
            passes.at = None;
            return Ok(());
        }
        let noted = std::mem::take(&mut periods.noted);
        let decisions = self.world.sync.exec.take_decisions(noted);
        periods.proof.end_period(self.snapshot(sources, state), decisions);
        let Some(mark) = periods.mark.take() else {
            periods.until += periods.length;
            periods.noted = self.world.sync.exec.note_decisions();
            periods.mark = Some(self.mark(events));
            return Ok(());
        };
        let Periods { proof, length, .. } = passes.periods.take().expect("looked at above");
        let took = self.world.now - mark.at;
        let most = u64::from(Worker::passes_ahead(&state.workers, self.phase.times) / length);
        let clocked = self.world.clocked() + sources.clocked();
        let more = if proof.holds(clocked) { sources.undisturbed(self.world.now, took, most) } else { 0 };
        passes.search.conclude(&proof, clocked);
        let counted = &mut passes.counted;
        let until =
            self.world.now.0.saturating_add(counted.took.0).saturating_add(took.0.saturating_mul(more));
        if until > LONGEST.0 {
            return Err(SimulationError::TooLong { phase: self.phase.name.clone() });
        }
        counted.took += more * took;
        counted.events += more * (events - mark.events);
        counted.transactions += more * (self.world.sync.exec.counts().transactions() - mark.transactions);
        self.restore(mark, 1 + more);
        if self.hands_out() {
            self.progress.advance((more * u64::from(length)).saturating_mul(self.phase.iterations));
        }
        self.world.pass(more * took);
        sources.pass(more * took);
        for worker in &mut state.workers {
            worker.position.skip(more as u32 * length);
        }
        passes.at = Some(state.workers[0].position.pass());
        Ok(())
    }

    /// Ends the proof that is under way, if any. The ledgers and losses of its second period are added once.
    pub fn end_passes(&mut self, passes: &mut Passes) {
        let Some(periods) = passes.periods.take() else { return };
        self.world.sync.exec.take_decisions(periods.noted);
        if let Some(mark) = periods.mark {
            self.restore(mark, 1);
        }
    }

    /// Begins new ledgers and losses. Returns the former ones, with the present instant and the numbers of events and
    /// transactions so far.
    fn mark(&mut self, events: u64) -> Mark {
        let transactions = self.world.sync.exec.counts().transactions();
        let each = self.books.ledgers.iter_mut().map(|ledger| {
            let next = ledger.next();
            std::mem::replace(ledger, next)
        });
        let losses = std::mem::take(self.books.losses);
        Mark { at: self.world.now, events, transactions, ledgers: each.collect(), losses }
    }

    /// Adds ledgers and losses since a mark, multiplied by `times`, to those before the mark.
    fn restore(&mut self, mark: Mark, times: u64) {
        for (ledger, before) in self.books.ledgers.iter_mut().zip(mark.ledgers) {
            let since = std::mem::replace(ledger, before);
            ledger.add(&since, times);
        }
        let since = std::mem::replace(self.books.losses, mark.losses);
        self.books.losses.add(&since, times);
    }

    /// True if the phase's construct hands out iterations.
    fn hands_out(&self) -> bool {
        matches!(self.phase.construct, Construct::ParallelFor | Construct::For { .. })
    }

    /// State that the next pass depends on.
    fn snapshot(&self, sources: &Sources, state: &SegmentState<'_, '_>) -> Snapshot {
        let mut into = self.world.snapshot();
        sources.snapshot(&mut into);
        let SegmentState {
            // Constant during the phase.
            planner: _,
            scripts: _,
            sources: handed_out,
            unreported: _,
            last_release: _,
            told: _,
            // Only pipelines have flags, and their passes are not counted.
            flags: _,
            teams,
            outer,
            workers,
            kernel_locks,
            woken,
            released,
        } = state;
        if kernel_locks.iter().any(|lock| lock.served().is_some()) || !woken.is_empty() {
            into.refuse();
        }
        into.add(released);
        teams.iter().chain([outer]).for_each(|team| team.snapshot(&mut into));
        if self.hands_out() {
            handed_out.iter().for_each(|source| source.snapshot(&mut into));
        }
        let pass = workers[0].position.pass();
        for (thread, worker) in (0..).zip(workers) {
            worker.snapshot(pass, &mut into);
            if let Some(Arrival { level, meeting, .. }) = worker.arrived {
                let team = if level == Level::Outer { outer } else { &teams[team_of(state, thread)] };
                into.time(team.last(meeting).at);
            }
        }
        self.books.ledgers.iter().for_each(|ledger| into.add(&ledger.owed()));
        into
    }
}
