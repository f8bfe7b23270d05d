//! Threads that spin for a limited time.

use super::{Exec, State};

impl Exec<'_> {
    /// The first alarm: its thread gives up spinning, with the value that it read last. Only threads that
    /// spin on a copy have one; who lost the copy looks at the line once more.
    pub(super) fn ring(&mut self) {
        let Some((now, agent)) = self.alarms.pop() else { return };
        let thread = &mut self.agents[agent as usize];
        if let State::Watching(line) = thread.state {
            self.memory.waiting(line).forget(agent);
            thread.at += 1;
            thread.state = State::Due;
            self.lines.timer(now, agent);
        }
    }
}
