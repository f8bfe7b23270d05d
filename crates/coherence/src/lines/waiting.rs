//! Queue for a line: requests in the order in which they arrive where they are served.
//!
//! A request joins the queue when it leaves, at the place that its arrival has. So nothing happens when it
//! arrives, unless it is the first.

use super::agent::{Agent, Phase};
use super::{Lines, NOBODY};

impl Lines<'_> {
    /// A request joins the queue of a line.
    pub(super) fn enqueue(&mut self, agent: u32, line: u32) {
        let arrival = |agents: &[Agent], agent: u32| (agents[agent as usize].arrives, agent);
        let mine = arrival(&self.agents, agent);
        let state = &mut self.lines[line as usize];
        // Those that leave together from one place arrive one after the other: look where the last joined.
        let mut before = state.joined;
        let mut after = if before == NOBODY { state.first } else { self.agents[before as usize].next };
        while before != NOBODY && arrival(&self.agents, before) > mine {
            after = before;
            before = self.agents[before as usize].previous;
        }
        while after != NOBODY && arrival(&self.agents, after) < mine {
            before = after;
            after = self.agents[after as usize].next;
        }
        state.joined = agent;
        let promised = state.promised;
        if before == NOBODY {
            state.first = agent;
        } else {
            self.agents[before as usize].next = agent;
        }
        if after != NOBODY {
            self.agents[after as usize].previous = agent;
        }
        let this = &mut self.agents[agent as usize];
        this.phase = Phase::Queued;
        (this.previous, this.next) = (before, after);
        if before == NOBODY && !promised {
            if after != NOBODY {
                self.agenda.remove(after);
            }
            self.follow_up(line);
        }
    }

    /// The first leaves the queue.
    pub(super) fn dequeue(&mut self, line: u32) {
        let state = &mut self.lines[line as usize];
        let first = state.first;
        let next = self.agents[first as usize].next;
        if state.joined == first {
            state.joined = next;
        }
        state.first = next;
        if next != NOBODY {
            self.agents[next as usize].previous = NOBODY;
        }
    }

    /// If it is known when the first in the queue is served, it has an entry for that time.
    pub(super) fn follow_up(&mut self, line: u32) {
        let state = &self.lines[line as usize];
        if state.first != NOBODY && !state.promised {
            let arrives = self.agents[state.first as usize].arrives;
            self.agenda.set(state.first, state.free_at.max(arrives));
        }
    }

    /// The first in the queue of a line has its entry.
    pub(super) fn turn(&mut self, now: u64, agent: u32) {
        let line = self.agents[agent as usize].line;
        let free_at = self.lines[line as usize].free_at;
        if now < free_at {
            // The line is held for longer.
            self.agenda.set(agent, free_at);
        } else {
            self.serve_next(now, line);
        }
    }
}
