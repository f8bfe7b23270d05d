//! Shares of phases in a parallel region that several of them share. Without barriers threads can be in different
//! phases at one instant. The time of a phase ends when its last thread has left it, and begins where the time of the
//! phase before ends, so that the times sum to that of the region. Lost time and pages go to the phase in whose time
//! they fall, bytes to the phase of the thread that accesses them.

use crate::account::books::Ledger;
use crate::account::observer::Listener;
use crate::account::outcome::{Loss, LostTime, lose};
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::world::World;
use numalab_base::Time;
use numalab_counts::{Count, PhaseCounts};
use numalab_des::fluid::ResourceNo;
use numalab_workload::Phase;
use std::collections::VecDeque;

/// Bytes that a thread has accessed so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServedBytes {
    all: u64,
    remote: u64,
    cached: u64,
}

/// Share of one phase, with instants on the clock of the run.
pub(crate) struct PartOutcome {
    pub counts: PhaseCounts,
    pub lost: Vec<LostTime>,
}

/// Executions of the phases of a region that are under way, and the shares of those that are over.
pub(crate) struct Parts {
    /// Number of executions that each thread has left, and the thread's bytes until then.
    threads: Vec<(u64, ServedBytes)>,
    /// Number of executions of phases in the segment, which follow each other in turn.
    executions: u64,
    /// Number of threads that have left each execution that not all threads have left.
    left: VecDeque<usize>,
    /// Number of executions that all threads have left.
    over: u64,
    /// End of the last execution that is over, and the world's counts then.
    ended: Time,
    counts: PhaseCounts,
    /// Picoseconds of delays by each resource until then.
    late_ps: Vec<f64>,
    pub outcomes: Vec<PartOutcome>,
}

impl ServedBytes {
    fn of(ledger: &Ledger) -> ServedBytes {
        ServedBytes {
            all: ledger.streamed + ledger.cached,
            remote: ledger.by_level.remote(),
            cached: ledger.cached,
        }
    }
}

impl Parts {
    /// Shares of `phases`, which the threads with these ledgers execute from now on; `None` for a single phase.
    pub fn new(phases: &[Phase], ledgers: &[Ledger], world: &World<'_>) -> Option<Parts> {
        let outcome = |phase: &Phase| PartOutcome {
            counts: PhaseCounts { name: phase.name.clone(), ..PhaseCounts::default() },
            lost: Vec::new(),
        };
        (phases.len() > 1).then(|| Parts {
            threads: ledgers.iter().map(|ledger| (0, ServedBytes::of(ledger))).collect(),
            executions: phases.len() as u64 * u64::from(phases[0].times),
            left: VecDeque::new(),
            over: 0,
            ended: world.now,
            counts: PhaseCounts { time_ps: world.now.0, ..world.counted() },
            late_ps: Vec::new(),
            outcomes: phases.iter().map(outcome).collect(),
        })
    }

    /// Notes that a thread leaves an execution, having accessed `served` so far, and adds the bytes to the execution's
    /// phase. Returns true if the execution is over.
    fn leave(&mut self, thread: u32, phase: u16, served: ServedBytes) -> bool {
        let (left, before) = &mut self.threads[thread as usize];
        let counts = &mut self.outcomes[phase as usize].counts;
        counts.bytes += served.all - before.all;
        counts.remote_bytes += served.remote - before.remote;
        counts.cached_bytes += served.cached - before.cached;
        let at = (*left - self.over) as usize;
        (*left, *before) = (*left + 1, served);
        if at == self.left.len() {
            self.left.push_back(0);
        }
        self.left[at] += 1;
        let is_over = self.left.front() == Some(&self.threads.len());
        if is_over {
            self.left.pop_front();
        }
        is_over
    }
}

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// Moves a thread to the phase at position `place` of its region.
    pub(crate) fn enter_phase(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        thread: u32,
        place: u32,
        now: Time,
    ) {
        let worker = &state.workers[thread as usize];
        if place > 0 || worker.position.pass() > 0 {
            self.leave_phase(state, thread, now);
        }
        state.workers[thread as usize].phase = place as u16;
    }

    /// Takes a thread out of its phase, and ends the execution of the phase if the thread is the last one.
    pub(crate) fn leave_phase(&mut self, state: &mut SegmentState<'a, '_>, thread: u32, now: Time) {
        let Some(parts) = &mut state.parts else { return };
        let served = ServedBytes::of(self.books.ledger(thread));
        let is_over = parts.leave(thread, state.workers[thread as usize].phase, served);
        if is_over {
            self.end_execution(parts, now);
            let planner = &state.planners[((parts.over - 1) % self.phases.len() as u64) as usize];
            if planner.streams {
                self.world.caches.clear();
            }
        }
    }

    /// Adds the time since the last end of an execution to the phase that all threads have left now.
    fn end_execution(&mut self, parts: &mut Parts, now: Time) {
        let phases = self.phases.len() as u64;
        let outcome = &mut parts.outcomes[(parts.over % phases) as usize];
        parts.over += 1;
        let before =
            std::mem::replace(&mut parts.counts, PhaseCounts { time_ps: now.0, ..self.world.counted() });
        outcome.counts.grow(&before, &parts.counts, 1);
        let (from_ps, to_ps) = (std::mem::replace(&mut parts.ended, now).0, now.0);
        let network = &mut self.world.network;
        let mut losses = std::mem::take(self.books.losses);
        for (level, span) in network.take_spared() {
            losses.spare_latency(level, span);
        }
        for (to, time_ps) in losses.iter() {
            lose(&mut outcome.lost, LostTime { to, time_ps, from_ps, to_ps });
        }
        let numbers = ResourceNo::first(network.used.len() as u32);
        parts.late_ps.resize(network.used.len(), 0.0);
        for ((number, resource), known) in numbers.zip(&network.used).zip(&mut parts.late_ps) {
            let late_ps = network.fluid.usage(number).delays.late_ps;
            let more = late_ps - std::mem::replace(known, late_ps);
            if more >= 1.0 {
                // A resource that is none of the machine's is the lock of a node's free pages.
                let to =
                    resource.map_or(Loss::Fault, |resource| Loss::Full(self.setup.fabric.class(resource)));
                lose(&mut outcome.lost, LostTime { to, time_ps: more as u128, from_ps, to_ps });
            }
        }
        if parts.over < parts.executions {
            self.show_loads(true);
            let next = &self.phases[(parts.over % phases) as usize];
            self.books.observer.phase(&next.name, next.measured, now);
        }
    }
}
