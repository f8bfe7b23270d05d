//! What is due next: each agent has at most one entry.
//!
//! Times that are near lie in a ring of short spans, each with a sorted chain of its entries, and a bit
//! that says whether it has any: most entries are put in and taken out in a few steps. What is farther away
//! than the ring reaches, in the past, or in a crowded span, is in a heap.

use numalab_kernel::IndexedQueue;

/// Spans of the ring.
const SPANS: usize = 1024;
/// Words of a bit for each span.
const WORDS: usize = SPANS / 64;

/// A chain is not searched for longer than that.
const SEARCH: u32 = 16;

/// No entry; no agent.
const NEVER: u64 = u64::MAX;
const NOBODY: u32 = u32::MAX;

/// An agent's entry, by agent.
#[derive(Clone, Copy, Debug)]
struct Entry {
    at: u64,
    /// The one after it in its span.
    next: u32,
    in_heap: bool,
}

/// The first and the last entry of a span.
#[derive(Clone, Copy, Debug)]
struct Chain {
    first: u32,
    last: u32,
}

/// Entries by time; of equal times the agent with the lower number is first.
#[derive(Clone, Debug)]
pub(super) struct Agenda {
    entries: Vec<Entry>,
    chains: Box<[Chain; SPANS]>,
    /// Spans that have entries, and words that have such spans.
    used: [u64; WORDS],
    any: u64,
    /// A span in picoseconds, as a power of two.
    shift: u32,
    /// The number of the earliest span of the ring since time zero.
    start: u64,
    heap: IndexedQueue,
    /// The first entry.
    first: (u64, u32),
}

impl Agenda {
    /// A ring that reaches at least so many picoseconds ahead.
    pub fn new(reach: u64) -> Agenda {
        Agenda {
            entries: Vec::new(),
            chains: Box::new([Chain { first: NOBODY, last: NOBODY }; SPANS]),
            used: [0; WORDS],
            any: 0,
            shift: (reach / SPANS as u64).next_power_of_two().trailing_zeros(),
            start: 0,
            heap: IndexedQueue::new(),
            first: (NEVER, NOBODY),
        }
    }

    /// One more agent, without an entry.
    pub fn add(&mut self) {
        self.entries.push(Entry { at: NEVER, next: NOBODY, in_heap: false });
    }

    /// Gives an agent an entry, or moves the one that it has.
    #[inline]
    pub fn set(&mut self, agent: u32, at: u64) {
        debug_assert!(at < NEVER);
        if self.entries[agent as usize].at != NEVER {
            self.remove(agent);
        }
        if !self.chain(agent, at) {
            self.set_far(agent, at);
        }
        if at < self.first.0 || (at == self.first.0 && agent < self.first.1) {
            self.first = (at, agent);
        }
    }

    #[cold]
    fn set_far(&mut self, agent: u32, at: u64) {
        self.entries[agent as usize] = Entry { at, next: NOBODY, in_heap: true };
        self.heap.set(agent, at);
    }

    /// When the first is due.
    #[inline]
    pub fn next(&self) -> Option<u64> {
        (self.first.0 != NEVER).then_some(self.first.0)
    }

    /// Takes the first entry away.
    #[inline]
    pub fn pop(&mut self) -> Option<(u64, u32)> {
        let first = self.first;
        if first.0 == NEVER {
            return None;
        }
        let entry = &mut self.entries[first.1 as usize];
        entry.at = NEVER;
        let next = entry.next;
        self.start = self.start.max(first.0 >> self.shift);
        if entry.in_heap {
            self.heap.pop();
        } else {
            let span = self.span(first.0);
            if next != NOBODY {
                self.chains[span].first = next;
                self.first = self.or_far(next);
                return Some(first);
            }
            self.clear(span);
        }
        self.first = self.least();
        Some(first)
    }

    /// Takes an agent's entry away, if it has one.
    #[cold]
    pub fn remove(&mut self, agent: u32) {
        let Entry { at, next, in_heap } = self.entries[agent as usize];
        if at == NEVER {
            return;
        }
        self.entries[agent as usize].at = NEVER;
        if in_heap {
            self.heap.remove(agent);
        } else {
            self.unchain(agent, self.span(at), next);
        }
        if self.first.1 == agent {
            self.first = self.least();
        }
    }

    /// Where a time is in the ring.
    #[inline]
    fn span(&self, at: u64) -> usize {
        (at >> self.shift) as usize % SPANS
    }

    /// Puts an entry into its span, if that is in the ring and its place is soon found.
    #[inline]
    fn chain(&mut self, agent: u32, at: u64) -> bool {
        // Times in the past are far away as well.
        if (at >> self.shift).wrapping_sub(self.start) >= SPANS as u64 {
            return false;
        }
        let span = self.span(at);
        let chain = &mut self.chains[span];
        let mut next = NOBODY;
        if chain.first == NOBODY {
            *chain = Chain { first: agent, last: agent };
            self.used[span / 64] |= 1 << (span % 64);
            self.any |= 1 << (span / 64);
        } else if (self.entries[chain.last as usize].at, chain.last) < (at, agent) {
            self.entries[chain.last as usize].next = agent;
            chain.last = agent;
        } else {
            let mut before = NOBODY;
            next = chain.first;
            let mut steps = 0;
            while (self.entries[next as usize].at, next) < (at, agent) {
                before = next;
                next = self.entries[next as usize].next;
                steps += 1;
                if steps == SEARCH {
                    return false;
                }
            }
            if before == NOBODY {
                chain.first = agent;
            } else {
                self.entries[before as usize].next = agent;
            }
        }
        self.entries[agent as usize] = Entry { at, next, in_heap: false };
        true
    }

    /// The only entry of a span goes.
    #[inline]
    fn clear(&mut self, span: usize) {
        self.chains[span].first = NOBODY;
        self.used[span / 64] &= !(1 << (span % 64));
        self.any &= !(u64::from(self.used[span / 64] == 0) << (span / 64));
    }

    /// One of a span goes, wherever it is.
    fn unchain(&mut self, agent: u32, span: usize, next: u32) {
        let mut before = self.chains[span].first;
        if before == agent {
            self.chains[span].first = next;
            if next == NOBODY {
                self.clear(span);
            }
            return;
        }
        while self.entries[before as usize].next != agent {
            before = self.entries[before as usize].next;
        }
        self.entries[before as usize].next = next;
        if next == NOBODY {
            self.chains[span].last = before;
        }
    }

    /// The first of all that are left.
    #[inline]
    fn least(&self) -> (u64, u32) {
        if self.any == 0 {
            return self.heap.peek().unwrap_or((NEVER, NOBODY));
        }
        let start = self.start as usize % SPANS;
        let (word, bit) = (start / 64, start % 64);
        let rest = self.used[word] >> bit;
        let span = if rest != 0 {
            start + rest.trailing_zeros() as usize
        } else {
            // The words after this one, around the ring, this one last.
            let later = self.any & (!1 << word);
            let word = if later != 0 { later } else { self.any }.trailing_zeros() as usize;
            word * 64 + self.used[word].trailing_zeros() as usize
        };
        self.or_far(self.chains[span].first)
    }

    /// The first entry of the ring, or what is before it in the heap.
    #[inline]
    fn or_far(&self, agent: u32) -> (u64, u32) {
        let near = (self.entries[agent as usize].at, agent);
        self.heap.peek().map_or(near, |far| far.min(near))
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
            reach in 0u64..100_000,
            spread in 0u32..24,
            steps in prop::collection::vec((0u32..40, 0u8..4, 0u64..50), 1..400),
        ) {
            let mut agenda = Agenda::new(reach);
            (0..agents).for_each(|_| agenda.add());
            let mut shadow = BTreeMap::new();
            let mut now = 0;
            for (agent, step, at) in steps {
                let agent = agent % agents;
                match step {
                    0 => {
                        let first = shadow.iter().map(|(agent, at)| (*at, *agent)).min();
                        prop_assert_eq!(agenda.pop(), first);
                        if let Some((at, agent)) = first {
                            shadow.remove(&agent);
                            now = at;
                        }
                    }
                    1 => {
                        agenda.remove(agent);
                        shadow.remove(&agent);
                    }
                    _ => {
                        // Mostly ahead of what was due last, and sometimes not.
                        let at = if step == 2 { now + (at << spread) } else { at };
                        agenda.set(agent, at);
                        shadow.insert(agent, at);
                    }
                }
                prop_assert_eq!(agenda.next(), shadow.values().min().copied());
            }
        }
    }
}
