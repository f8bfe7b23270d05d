//! Variation of the time until an owner hears of a request.
//!
//! Where an owner writes a line again before it hears of a request, the order of both decides which of two regimes a
//! lock is in: it stays with its owner, or is handed on each time. With exact times that order is the same in each
//! pass, and a picosecond chooses the regime. On real machines requests vary: they meet other traffic, refreshes of
//! memory and the boundaries of clocks. So once an owner has written a line while a request for it was under way
//! ([`Lines::race`]), the time until the owner hears of each request is drawn.

use super::agent::{AgentId, ServicePoint};
use super::{Access, LineId, Lines};
use numalab_base::{Snapshot, Span};
use numalab_des::Stream;

/// Divisor of a transaction's latency: the width of the even distribution from which a time is drawn. Measured
/// latencies between cores of one chip have a distance of 22 to 27 % between their outer deciles.
const SPREAD: u64 = 4;

/// Draws of one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Jitter {
    /// `None`: times do not vary.
    stream: Option<Stream>,
    /// Number of draws so far.
    draws: u64,
}

/// Difference between a drawn time and its mean in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Shift(i32);

impl Shift {
    /// The shifted span; 0 if that is negative.
    #[inline]
    pub fn of(self, Span(span): Span) -> Span {
        Span(span.saturating_add_signed(self.0.into()))
    }

    /// Part of a shift to an earlier time that is beyond a span.
    fn exceeds(self, Span(span): Span) -> Span {
        Span(u64::from(self.0.min(0).unsigned_abs()).saturating_sub(span))
    }
}

impl Jitter {
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Jitter { stream: _, draws } = self;
        into.add(draws);
    }

    fn draw(&mut self, latency: Span) -> Shift {
        let width = i32::try_from((latency / SPREAD).0).unwrap_or(i32::MAX);
        match &mut self.stream {
            Some(stream) if width > 0 => {
                self.draws += 1;
                Shift(stream.below(width as u64 + 1) as i32 - width / 2)
            }
            _ => Shift::default(),
        }
    }
}

impl Lines<'_> {
    /// Draws times from `stream` from now on; without a stream, requests that race with the owner's writes take the
    /// same time always.
    pub fn vary(&mut self, stream: Stream) {
        self.jitter.stream = Some(stream);
    }

    /// Notes that an owner has just written a line without a transaction. If a request for the line is under way, times
    /// of requests for the line vary from now on. A store, unlike an atomic operation, races only with a request to
    /// write: threads that poll the line see its value in any order.
    #[inline]
    pub fn race(&mut self, line: LineId, atomic: bool) {
        let state = &mut self.lines[line.index()];
        let Some(first) = state.first else { return };
        state.raced |= atomic || self.agents[first.index()].access == Access::Own;
    }

    /// Number of times drawn so far.
    pub fn draws(&self) -> u64 {
        self.jitter.draws
    }

    /// Draws the shift of a request that departs to a service point. Returns the time by which the request arrives there
    /// earlier: the part of a shift to an earlier time for which the way from the service point to the owner is too
    /// short.
    pub(super) fn shift(&mut self, agent: AgentId, line: LineId, place: ServicePoint) -> Span {
        let shift = match place {
            _ if !self.lines[line.index()].raced => Shift::default(),
            ServicePoint::Core | ServicePoint::Cache => Shift::default(),
            ServicePoint::Group => self.jitter.draw(self.topology.dirty),
            ServicePoint::Controller | ServicePoint::Home => self.jitter.draw(self.topology.local_miss),
        };
        self.agents[agent.index()].shift = shift;
        match place {
            // Other service points are farther from the owner than half the width of the distribution.
            ServicePoint::Group => shift.exceeds(self.topology.beyond),
            ServicePoint::Core | ServicePoint::Cache | ServicePoint::Controller | ServicePoint::Home => {
                Span::ZERO
            }
        }
    }
}
