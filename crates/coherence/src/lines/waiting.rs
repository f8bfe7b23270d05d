//! Queue of a line, in the order in which requests arrive at their service points.
//!
//! A request joins the queue when it leaves, at the position that its time of arrival gives it. So the arrival itself
//! is no event, unless the request is the first.

use super::agent::{Agent, AgentId, Phase};
use super::turn::Turn;
use super::{LineId, Lines};
use numalab_base::Time;

impl Lines<'_> {
    /// Adds an agent's request to the queue of a line, by time of arrival and then by agent.
    pub(super) fn enqueue(&mut self, now: Time, agent: AgentId, line: LineId) {
        let agents = &mut self.agents;
        let mine = (agents[agent.index()].arrives, agent);
        let state = &mut self.lines[line.index()];
        // Requests that leave one place together arrive in a row, so the search starts at the last one that joined.
        let mut before = state.joined;
        let mut after = before.map_or(state.first, |before| agents[before.index()].next);
        while let Some(other) = before.filter(|other| (agents[other.index()].arrives, *other) > mine) {
            after = before;
            before = agents[other.index()].previous;
        }
        while let Some(other) = after.filter(|other| (agents[other.index()].arrives, *other) < mine) {
            before = after;
            after = agents[other.index()].next;
        }
        let group = agents[agent.index()].group;
        let beside = before.or(after);
        state.one_group = beside.is_none_or(|other| state.one_group && agents[other.index()].group == group);
        state.joined = Some(agent);
        let promised = state.promised;
        match before {
            None => state.first = Some(agent),
            Some(before) => agents[before.index()].next = Some(agent),
        }
        if let Some(after) = after {
            agents[after.index()].previous = Some(agent);
        }
        let this = &mut agents[agent.index()];
        this.phase = Phase::Queued;
        (this.previous, this.next) = (before, after);
        if !promised && (before.is_none() || self.is_near(agent)) {
            self.follow_up(now, line);
        }
    }

    /// Takes an agent out of a line's queue.
    pub(super) fn dequeue(&mut self, line: LineId, agent: AgentId) {
        let Agent { previous, next, .. } = self.agents[agent.index()];
        let state = &mut self.lines[line.index()];
        if state.joined == Some(agent) {
            state.joined = next.or(previous);
        }
        match previous {
            None => state.first = next,
            Some(previous) => self.agents[previous.index()].next = next,
        }
        if let Some(next) = next {
            self.agents[next.index()].previous = previous;
        }
        self.await_turn(line, None);
    }

    /// Names the agent of a line's queue that has an entry in the agenda, and removes the entry of another one.
    fn await_turn(&mut self, line: LineId, due: Option<AgentId>) {
        let before = std::mem::replace(&mut self.lines[line.index()].due, due);
        if let Some(before) = before.filter(|_| before != due) {
            self.agenda.remove(before);
        }
    }

    /// Sets the event of the next request in a line's queue, at the time at which the line can leave its owner. No
    /// effect while the line is promised to an agent: the time is then unknown.
    pub(super) fn follow_up(&mut self, now: Time, line: LineId) {
        if self.lines[line.index()].promised {
            return;
        }
        if let Some(turn) = self.turn(line) {
            self.expect(line, turn, now);
        }
    }

    /// Sets the event of the next request in a line's queue.
    pub(super) fn expect(&mut self, line: LineId, turn: Turn, now: Time) {
        self.await_turn(line, Some(turn.agent));
        // The time has passed if the owner that the request waited for is gone; the request is then served now.
        self.agenda.set(turn.agent, turn.leaves.max(now));
    }

    /// Handles the due entry of a line's queue.
    pub(super) fn serve_first(&mut self, now: Time, agent: AgentId) {
        let line = self.agents[agent.index()].line;
        let free_at = self.exclusive[line.index()].free_at;
        if now < free_at {
            // The line is held until after the present time.
            self.agenda.set(agent, free_at);
        } else {
            self.serve_next(now, line);
        }
    }
}
