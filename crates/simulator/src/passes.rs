//! Passes through a construct that are all alike, inside one phase: microbenchmarks execute a barrier or a lock
//! thousands of times. As between phases (`steady`), a state that comes back is found, and what happens from it on
//! is counted as often as it would happen. Here the state is that of the instant at which the first thread begins a
//! pass; the others are wherever they are.

use crate::SimulationError;
use crate::books::Ledger;
use crate::observer::Observer;
use crate::resume::team_of;
use crate::script::Level;
use crate::segment::{LONGEST, Segment, SegmentState};
use crate::steady::{PROOF, Search};
use crate::worker::{Arrival, Worker};
use numalab_runtime::Decisions;
use numalab_units::{Snapshot, Span, Time};
use numalab_workload::{Construct, Phase};

/// Work that was counted instead of simulated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counted {
    pub took: Span,
    pub events: u64,
    pub transactions: u64,
}

/// The passes of a segment.
pub(crate) struct Passes {
    /// The pass that the first thread began last; nobody looks at them, if there is none.
    at: Option<u32>,
    search: Search,
    proof: Option<Proof>,
    pub counted: Counted,
}

/// Two periods of passes, to be compared with each other.
struct Proof {
    period: u32,
    /// The first thread's pass at the end of the present period.
    until: u32,
    scans: u64,
    /// States so far, and what decided the course between them.
    states: Vec<Snapshot>,
    decisions: Vec<u128>,
    /// Decisions noted before it began.
    noted: Decisions,
    /// The state of all counts at the beginning of the last period.
    mark: Option<Mark>,
}

struct Mark {
    at: Time,
    events: u64,
    transactions: u64,
    ledgers: Vec<Ledger>,
}

impl Passes {
    /// Passes of a phase in which no data and no work that is shared out makes a difference.
    pub fn new<O: Observer>(phase: &Phase) -> Passes {
        let shares = matches!(phase.construct, Construct::ParallelFor | Construct::For { .. });
        let plain = phase.accesses.is_empty() && phase.allocation.is_none() && !shares;
        let many = u64::from(phase.times) > 2 * PROOF;
        let at = (!O::ACTIVE && plain && many).then_some(0);
        Passes { at, search: Search::default(), proof: None, counted: Counted::default() }
    }

    /// Whether the first thread has begun another pass.
    #[inline]
    pub fn is_due(&self, first: &Worker) -> bool {
        self.at.is_some_and(|at| first.position.pass() != at)
    }
}

impl<O: Observer> Segment<'_, '_, O> {
    /// The first thread begins a pass.
    pub fn pass(
        &mut self,
        passes: &mut Passes,
        state: &mut SegmentState<'_, '_>,
        events: u64,
    ) -> Result<(), SimulationError> {
        let pass = state.workers[0].position.pass();
        passes.at = Some(pass);
        let Some(proof) = &mut passes.proof else {
            passes.search.passed += 1;
            let left = u64::from(self.phase.times - pass);
            let found = passes.search.period(left, || self.snapshot(state));
            if let Some((period, first)) = found {
                let period = period as u32;
                passes.proof = Some(Proof {
                    period,
                    until: pass + period,
                    scans: self.world.scans(),
                    states: vec![first],
                    decisions: Vec::new(),
                    noted: self.world.sync.exec.note_decisions(),
                    mark: None,
                });
            }
            return Ok(());
        };
        if pass < proof.until {
            return Ok(());
        }
        proof.states.push(self.snapshot(state));
        let noted = std::mem::take(&mut proof.noted);
        proof.decisions.push(self.world.sync.exec.take_decisions(noted));
        let Some(mark) = proof.mark.take() else {
            proof.until = pass + proof.period;
            proof.noted = self.world.sync.exec.note_decisions();
            proof.mark = Some(self.mark(events));
            return Ok(());
        };
        let (period, alike) = (proof.period, proof.is_proved() && proof.scans == self.world.scans());
        passes.proof = None;
        let took = self.world.now - mark.at;
        let most = u64::from(Worker::passes_ahead(&state.workers, self.phase.times) / period);
        let more = if alike { self.world.undisturbed(took, most) } else { 0 };
        passes.search = if alike { Search::default() } else { std::mem::take(&mut passes.search).failed() };
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
        self.world.pass(more * took);
        for worker in &mut state.workers {
            worker.position.skip(more as u32 * period);
        }
        passes.at = Some(state.workers[0].position.pass());
        Ok(())
    }

    /// The phase is over: what was being proved is counted as it is.
    pub fn end_passes(&mut self, passes: &mut Passes) {
        let Some(proof) = passes.proof.take() else { return };
        self.world.sync.exec.take_decisions(proof.noted);
        if let Some(mark) = proof.mark {
            self.restore(mark, 1);
        }
    }

    /// From now on everything is counted from nothing.
    fn mark(&mut self, events: u64) -> Mark {
        let transactions = self.world.sync.exec.counts().transactions();
        let each = self.books.ledgers.iter_mut().map(|ledger| {
            let next = ledger.next();
            std::mem::replace(ledger, next)
        });
        Mark { at: self.world.now, events, transactions, ledgers: each.collect() }
    }

    /// Takes the counts before a mark back, and adds those since then so often.
    fn restore(&mut self, mark: Mark, times: u64) {
        for (ledger, before) in self.books.ledgers.iter_mut().zip(mark.ledgers) {
            let since = std::mem::replace(ledger, before);
            ledger.add(&since, times);
        }
    }

    /// All that the next pass depends on.
    fn snapshot(&self, state: &SegmentState<'_, '_>) -> Snapshot {
        let mut into = self.world.snapshot();
        let SegmentState { teams, outer, workers, address_space, woken, released, .. } = state;
        if address_space.served().is_some() || !woken.is_empty() {
            into.refuse();
        }
        into.add(released);
        teams.iter().chain([outer]).for_each(|team| team.snapshot(&mut into));
        let pass = workers[0].position.pass();
        for (thread, worker) in (0..).zip(workers) {
            worker.snapshot(pass, &mut into);
            if let Some(Arrival { level, meeting, .. }) = worker.arrived {
                let team = if level == Level::Outer { outer } else { &teams[team_of(state, thread)] };
                into.time(team.last(meeting).0);
            }
        }
        self.books.ledgers.iter().for_each(|ledger| into.add(&ledger.owed()));
        into
    }
}

impl Proof {
    fn is_proved(&self) -> bool {
        let ([first, middle, last], [decided, decided_again]) = (&self.states[..], &self.decisions[..])
        else {
            return false;
        };
        let alike = middle.is_like(first) && last.is_like(middle);
        alike && last.counts_on(middle, first) && decided == decided_again
    }
}
