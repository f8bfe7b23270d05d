//! What is due next: a tournament of the agents, each of which has at most one entry.
//!
//! Most entries go to an agent that has just been due, and a tournament plays only the matches between that
//! agent and the top again, in a number of steps that does not depend on the times.

/// No entry.
const NEVER: u64 = u64::MAX;

/// The winner of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    at: u64,
    agent: u32,
}

/// Entries by time; of equal times the agent with the lower number is first.
#[derive(Clone, Debug)]
pub(super) struct Agenda {
    /// The winner of all at 1, of the halves at 2 and 3, and so on; the agents are the second half.
    matches: Vec<Entry>,
    agents: usize,
    /// The agent that was due last, while its old entry still stands.
    due: Option<u32>,
}

impl Agenda {
    pub fn new() -> Agenda {
        Agenda { matches: vec![Entry { at: NEVER, agent: 0 }; 2], agents: 0, due: None }
    }

    /// One more agent, without an entry.
    pub fn add(&mut self) {
        self.agents += 1;
        let room = self.matches.len() / 2;
        if self.agents > room {
            let mut old = std::mem::take(&mut self.matches).split_off(room);
            old.extend((room..2 * room).map(|agent| Entry { at: NEVER, agent: agent as u32 }));
            self.matches = vec![Entry { at: NEVER, agent: 0 }; 2 * room];
            self.matches.append(&mut old);
            for at in (1..2 * room).rev() {
                let (left, right) = (self.matches[2 * at], self.matches[2 * at + 1]);
                self.matches[at] = if right.at < left.at { right } else { left };
            }
        }
    }

    /// Gives an agent an entry, or moves the one that it has.
    #[inline]
    pub fn set(&mut self, agent: u32, at: u64) {
        debug_assert!(at < NEVER);
        if self.due == Some(agent) {
            self.due = None;
        } else {
            self.clear();
        }
        self.play(agent, at);
    }

    /// Takes an agent's entry away, if it has one.
    pub fn remove(&mut self, agent: u32) {
        self.clear();
        self.play(agent, NEVER);
    }

    /// When the first is due.
    #[inline]
    pub fn next(&self) -> Option<u64> {
        let first = match self.due {
            None => self.matches[1].at,
            Some(agent) => self.without(agent),
        };
        (first != NEVER).then_some(first)
    }

    /// When the first other than an agent is due: the least of those that it has to beat.
    fn without(&self, agent: u32) -> u64 {
        let mut place = self.matches.len() / 2 + agent as usize;
        let mut first = NEVER;
        while place > 1 {
            first = first.min(self.matches[place ^ 1].at);
            place /= 2;
        }
        first
    }

    /// Takes the first entry away.
    #[inline]
    pub fn pop(&mut self) -> Option<(u64, u32)> {
        self.clear();
        let first = self.matches[1];
        if first.at == NEVER {
            return None;
        }
        self.due = Some(first.agent);
        Some((first.at, first.agent))
    }

    #[inline]
    fn clear(&mut self) {
        if let Some(agent) = self.due.take() {
            self.play(agent, NEVER);
        }
    }

    /// Enters an agent again and plays its matches.
    #[inline]
    fn play(&mut self, agent: u32, at: u64) {
        let matches = &mut self.matches[..];
        let mut place = matches.len() / 2 + agent as usize;
        let mut winner = Entry { at, agent };
        matches[place] = winner;
        while place > 1 {
            let other = matches[place ^ 1];
            // Of equal times the left one wins.
            let loses = (other.at < winner.at) | ((other.at == winner.at) & (place & 1 == 1));
            winner.at = if loses { other.at } else { winner.at };
            winner.agent = if loses { other.agent } else { winner.agent };
            place /= 2;
            if matches[place] == winner {
                return;
            }
            matches[place] = winner;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Any sequence of operations leaves the agenda and a plain ordered map in agreement.
        #[test]
        fn agrees_with_a_shadow_map(
            agents in 1u32..40,
            steps in prop::collection::vec((0u32..40, 0u8..4, 0u64..50), 1..400),
        ) {
            let mut agenda = Agenda::new();
            (0..agents).for_each(|_| agenda.add());
            let mut shadow = BTreeMap::new();
            for (agent, step, at) in steps {
                let agent = agent % agents;
                match step {
                    0 => {
                        let first = shadow.iter().map(|(agent, at)| (*at, *agent)).min();
                        prop_assert_eq!(agenda.pop(), first);
                        first.map(|(_, agent)| shadow.remove(&agent));
                    }
                    1 => {
                        agenda.remove(agent);
                        shadow.remove(&agent);
                    }
                    _ => {
                        agenda.set(agent, at);
                        shadow.insert(agent, at);
                    }
                }
                prop_assert_eq!(agenda.next(), shadow.values().min().copied());
            }
        }
    }
}
