//! Passes through a construct inside one phase: microbenchmarks execute a barrier or a lock thousands of times. As
//! between phases (`steady`), a state that returns is found, and the rest is counted. The state is taken at the
//! instant at which one thread, the leader, begins a pass; other threads can be anywhere.

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
use crate::repeat::pass_sample::PassSample;
use crate::repeat::sample::Samples;
use crate::repeat::steady::{PROOF, Proof, Search};
use numalab_base::{Snapshot, Span, Time};
use numalab_runtime::Decisions;
use numalab_workload::{Construct, ConstructWords, Phase};

/// Sums over the passes that were counted instead of simulated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counted {
    pub took: Span,
    pub events: u64,
    pub transactions: u64,
    /// Passes of leaders for which samples stood.
    pub estimated: u64,
}

/// Search for a period among the passes of a segment.
pub(crate) struct Passes {
    /// Thread whose passes are counted: the first one, and after its last pass the first that has passes ahead.
    pub(super) leader: usize,
    /// Pass that the leader began last; `None` if every pass is simulated.
    pub(super) at: Option<u32>,
    pub(super) search: Search,
    /// Number of times of requests drawn before the last pass.
    drawn: u64,
    periods: Option<Periods>,
    pub(super) samples: Samples,
    pub(super) sample: Option<PassSample>,
    pub counted: Counted,
}

/// Two periods of passes that are being proved.
struct Periods {
    proof: Proof,
    /// Number of passes in a period.
    length: u32,
    /// The leader's pass at the end of the present period.
    until: u32,
    /// Decisions made before the present period began, kept aside.
    noted: Decisions,
    /// Ledgers and losses before the second period; `None` during the first period.
    mark: Option<Mark>,
}

/// Ledgers, losses and sums at an instant before what may be counted several times.
pub(super) struct Mark {
    pub at: Time,
    events: u64,
    transactions: u64,
    ledgers: Vec<Ledger>,
    losses: Losses,
}

impl Passes {
    /// Search for the passes of a phase. Every pass is simulated if an observer is present, if the phase accesses or
    /// allocates memory or is a pipeline, if it shares a region, or if it has at most 2 × [`PROOF`] passes.
    /// Samples stand for passes of constructs whose threads do not meet, unless `exact`.
    pub fn new<O: Listener>(phases: &[Phase], exact: bool) -> Passes {
        let phase = &phases[0];
        let flows = matches!(phase.construct, Construct::Pipeline { .. });
        let plain = phase.accesses.is_empty() && phase.allocation.is_none() && !flows;
        let many = u64::from(phase.times) > 2 * PROOF;
        let at = (!O::ACTIVE && plain && many && phases.len() == 1).then_some(0);
        let apart = match phase.construct.facts().words {
            ConstructWords::Lock(_) | ConstructWords::Atomic | ConstructWords::Elements { .. } => true,
            ConstructWords::None
            | ConstructWords::Claim
            | ConstructWords::Ordered
            | ConstructWords::Flags => false,
        };
        Passes {
            leader: 0,
            at,
            search: Search::default(),
            drawn: 0,
            periods: None,
            samples: Samples::of_passes(apart && !exact),
            sample: None,
            counted: Counted::default(),
        }
    }

    /// Makes the first thread with passes ahead the leader, if samples are taken; otherwise simulates all that remain.
    fn follow(&mut self, workers: &[Worker], times: u32) {
        let next = workers.iter().position(|worker| worker.position.passes_ahead(times) > 0);
        self.at = None;
        if let Some(next) = next.filter(|_| self.samples.begin_again()) {
            (self.leader, self.at) = (next, Some(workers[next].position.pass()));
            self.search = Search::default();
        }
    }

    /// True if the leader has begun another pass.
    #[inline]
    pub fn is_due(&self, workers: &[Worker]) -> bool {
        self.at.is_some_and(|at| workers[self.leader].position.pass() != at)
    }
}

impl<O: Listener> Segment<'_, '_, O> {
    /// Called when the leader begins a pass. Searches for a period, proves it, and counts its repetitions.
    /// `events`: number of events since the phase began.
    pub fn pass(
        &mut self,
        passes: &mut Passes,
        sources: &mut Sources,
        state: &mut SegmentState<'_, '_>,
        events: u64,
    ) -> Result<(), SimulationError> {
        let leader = &state.workers[passes.leader].position;
        if leader.passes_ahead(self.phase.times) == 0 {
            self.end_passes(passes);
            passes.follow(&state.workers, self.phase.times);
            return Ok(());
        }
        let pass = leader.pass();
        let before = passes.at.replace(pass).unwrap_or(pass);
        if passes.sample.is_some() {
            return self.sample(passes, sources, state, events);
        }
        let Some(periods) = &mut passes.periods else {
            passes.search.passed += u64::from(pass - before);
            let left = u64::from(self.phase.times - pass);
            if let Some(length) = passes.samples.due(passes.search.passed, left) {
                let clocked = self.world.clocked() + sources.clocked();
                passes.sample = Some(PassSample::new(length, self.mark(events), clocked, &state.workers));
                return Ok(());
            }
            // After a draw no state is like one before.
            let drawn = self.world.sync.exec.draws();
            if std::mem::replace(&mut passes.drawn, drawn) != drawn {
                return Ok(());
            }
            if let Some((length, first)) = passes.search.period(left, || self.snapshot(pass, sources, state))
            {
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
        periods.proof.end_period(self.snapshot(pass, sources, state), decisions);
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
        self.count(&mut passes.counted, mark, more, (sources, events))?;
        if self.hands_out() {
            self.progress.advance((more * u64::from(length)).saturating_mul(self.phase.iterations));
        }
        for worker in &mut state.workers {
            worker.position.skip(more as u32 * length);
        }
        passes.at = Some(state.workers[passes.leader].position.pass());
        Ok(())
    }

    /// Adds what happened since `mark`, and `more` times as much that is not simulated.
    pub(super) fn count(
        &mut self,
        counted: &mut Counted,
        mark: Mark,
        more: u64,
        (sources, events): (&mut Sources, u64),
    ) -> Result<(), SimulationError> {
        let took = self.world.now - mark.at;
        let until =
            self.world.now.0.saturating_add(counted.took.0).saturating_add(took.0.saturating_mul(more));
        if until > LONGEST.0 {
            return Err(SimulationError::TooLong { phase: self.phase.name.clone() });
        }
        counted.took += more * took;
        counted.events += more * (events - mark.events);
        counted.transactions += more * (self.world.sync.exec.counts().transactions() - mark.transactions);
        self.restore(mark, 1 + more);
        self.world.pass(more * took);
        sources.pass(more * took);
        Ok(())
    }

    /// Ends the sample or proof that is under way, if any. Its ledgers and losses are added once.
    pub fn end_passes(&mut self, passes: &mut Passes) {
        if let Some(sample) = passes.sample.take() {
            self.restore(sample.mark, 1);
        }
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

    /// State that the next pass depends on, with passes counted from `pass`.
    fn snapshot(&self, pass: u32, sources: &Sources, state: &SegmentState<'_, '_>) -> Snapshot {
        let mut into = self.world.snapshot();
        sources.snapshot(&mut into);
        let SegmentState {
            // Constant during the phase.
            planners: _,
            scripts: _,
            sources: handed_out,
            parts: _,
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
