//! Sums over the phases of a watched run. Periods that the engine counted instead of simulating are added to them.

use super::history::History;
use super::{Delaying, Origins, Share, alone, path, waits};
use numalab_base::{Span, Time};
use numalab_machine::ResourceId;

/// Times of a measured phase, as in `WatchedPhase`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PhaseSums {
    pub time: Span,
    pub alone: Span,
    pub busy_ps: u128,
}

/// Sums of a watched run, or of one of its periods.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    /// Time of each reason, by index of the reason.
    pub shares: Vec<Share>,
    pub phases: Vec<PhaseSums>,
    pub delaying: Vec<Delaying>,
    pub handed_over: u64,
    pub origins: Origins,
}

impl Sums {
    pub fn share(&mut self, reason: u32) -> &mut Share {
        at(&mut self.shares, reason)
    }

    pub fn phase(&mut self, phase: u32) -> &mut PhaseSums {
        at(&mut self.phases, phase)
    }

    /// Adds an execution of a phase with the time of all its threads.
    pub fn add_phase(&mut self, phase: u32, history: &History) {
        let mut busy = 0;
        for (thread, own) in history.threads.iter().enumerate() {
            for (at, piece) in own.pieces.iter().enumerate().filter(|(_, piece)| !piece.idle) {
                let time = u128::from((piece.to - history.from(thread, at)).0);
                self.share(piece.reason).own_ps += time;
                busy += time;
            }
        }
        waits::pass_on(history, |reason, waited| self.share(reason).waited_ps += waited);
        let handed_over = path::critical_path(history, |reason, ps| self.share(reason).path_ps += ps);
        self.handed_over += handed_over;
        let phase = self.phase(phase);
        phase.time += history.end() - history.began;
        phase.alone += alone::alone(history);
        phase.busy_ps += busy;
    }

    /// Extends the interval in which a resource delayed threads in a phase.
    pub fn delays(&mut self, phase: u32, resource: ResourceId, from: Time, to: Time) {
        match self.delaying.iter_mut().find(|known| (known.phase, known.resource) == (phase, resource)) {
            Some(known) => (known.from, known.to) = (known.from.min(from), known.to.max(to)),
            None => self.delaying.push(Delaying { phase, resource, from, to }),
        }
    }

    /// Adds `period` once for the simulated period, and `more` times for counted periods of length `each`.
    pub fn add(&mut self, period: &Sums, more: u64, each: Span) {
        let times = 1 + more;
        for (reason, share) in (0..).zip(&period.shares) {
            let sum = self.share(reason);
            sum.own_ps += u128::from(times) * share.own_ps;
            sum.waited_ps += u128::from(times) * share.waited_ps;
            sum.path_ps += times * share.path_ps;
        }
        for (phase, of) in (0..).zip(&period.phases) {
            let sum = self.phase(phase);
            sum.time += times * of.time;
            sum.alone += times * of.alone;
            sum.busy_ps += u128::from(times) * of.busy_ps;
        }
        for Delaying { phase, resource, from, to } in &period.delaying {
            self.delays(*phase, *resource, *from, *to + more * each);
        }
        self.handed_over += times * period.handed_over;
        self.origins.add(&period.origins, times);
    }
}

/// Entry `number` of a list, which grows by default entries if it is too short.
fn at<T: Clone + Default>(list: &mut Vec<T>, number: u32) -> &mut T {
    if list.len() <= number as usize {
        list.resize(number as usize + 1, T::default());
    }
    &mut list[number as usize]
}
