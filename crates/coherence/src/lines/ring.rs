//! A ring of short spans of time. Each has a sorted chain of its entries, and a bit that says whether it
//! has any: an entry is put in and taken out in a few steps, however many there are.

use super::agent::AgentId;
use numalab_base::{Span, Time};

/// Spans of the ring.
const SPANS: usize = 1024;
/// Words of a bit for each span.
const WORDS: usize = SPANS / 64;

/// A chain is not searched for longer than that.
const SEARCH: u32 = 16;

/// An agent's time.
pub(super) type Due = (Time, AgentId);

/// An agent's entry, by agent.
#[derive(Clone, Copy, Debug)]
struct Entry {
    at: Time,
    /// The one after it in its span.
    next: Option<AgentId>,
}

/// The first and the last entry of a span.
#[derive(Clone, Copy, Debug)]
struct Chain {
    first: AgentId,
    last: AgentId,
}

/// Entries of agents by time; of equal times the agent with the lower number is first.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    entries: Vec<Entry>,
    chains: Box<[Option<Chain>; SPANS]>,
    /// Spans that have entries, and words that have such spans.
    used: [u64; WORDS],
    any: u64,
    /// A span in picoseconds, as a power of two.
    shift: u32,
    /// The number of the earliest span of the ring since time zero.
    start: u64,
}

impl Ring {
    /// A ring that reaches at least so many picoseconds ahead.
    pub fn new(reach: Span) -> Ring {
        Ring {
            entries: Vec::new(),
            chains: Box::new([None; SPANS]),
            used: [0; WORDS],
            any: 0,
            shift: (reach.0 / SPANS as u64).next_power_of_two().trailing_zeros(),
            start: 0,
        }
    }

    /// One more agent.
    pub fn add(&mut self) {
        self.entries.push(Entry { at: Time::ZERO, next: None });
    }

    /// Nothing that is put in later is before this time; what is all the same, the ring does not take.
    #[inline]
    pub fn advance(&mut self, now: Time) {
        self.start = self.start.max(now.0 >> self.shift);
    }

    /// Puts an agent in that is not in, if its time is in the ring and its place is soon found.
    #[inline]
    pub fn put(&mut self, agent: AgentId, at: Time) -> bool {
        // Times in the past are far away as well.
        if (at.0 >> self.shift).wrapping_sub(self.start) >= SPANS as u64 {
            return false;
        }
        let span = self.span(at);
        let mut next = None;
        match &mut self.chains[span] {
            empty @ None => {
                *empty = Some(Chain { first: agent, last: agent });
                self.used[span / 64] |= 1 << (span % 64);
                self.any |= 1 << (span / 64);
            }
            Some(chain) if (self.entries[chain.last.index()].at, chain.last) < (at, agent) => {
                self.entries[chain.last.index()].next = Some(agent);
                chain.last = agent;
            }
            Some(chain) => {
                let mut before: Option<AgentId> = None;
                next = Some(chain.first);
                let mut steps = 0;
                while let Some(other) =
                    next.filter(|other| (self.entries[other.index()].at, *other) < (at, agent))
                {
                    before = next;
                    next = self.entries[other.index()].next;
                    steps += 1;
                    if steps == SEARCH {
                        return false;
                    }
                }
                match before {
                    None => chain.first = agent,
                    Some(before) => self.entries[before.index()].next = Some(agent),
                }
            }
        }
        self.entries[agent.index()] = Entry { at, next };
        true
    }

    /// The time of an agent that is in.
    pub fn at(&self, agent: AgentId) -> Time {
        self.entries[agent.index()].at
    }

    /// The first entry.
    #[inline]
    pub fn first(&self) -> Option<Due> {
        if self.any == 0 {
            return None;
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
        self.chains[span].map(|chain| self.entry(chain.first))
    }

    /// Takes the first entry, which is this agent's, out; the first of those that are left.
    #[inline]
    pub fn take_first(&mut self, agent: AgentId) -> Option<Due> {
        let Entry { at, next } = self.entries[agent.index()];
        let span = self.span(at);
        if let (Some(next), Some(chain)) = (next, &mut self.chains[span]) {
            chain.first = next;
            return Some(self.entry(next));
        }
        self.clear(span);
        self.first()
    }

    /// Takes an agent that is in out.
    pub fn take(&mut self, agent: AgentId) {
        let Entry { at, next } = self.entries[agent.index()];
        let span = self.span(at);
        let Some(chain) = &mut self.chains[span] else { return };
        let mut before = chain.first;
        if before == agent {
            self.take_first(agent);
            return;
        }
        while let Some(other) = self.entries[before.index()].next.filter(|other| *other != agent) {
            before = other;
        }
        self.entries[before.index()].next = next;
        if next.is_none() {
            chain.last = before;
        }
    }

    #[inline]
    fn entry(&self, agent: AgentId) -> Due {
        (self.entries[agent.index()].at, agent)
    }

    /// The place of a time in the ring.
    #[inline]
    fn span(&self, at: Time) -> usize {
        (at.0 >> self.shift) as usize % SPANS
    }

    /// The only entry of a span goes.
    #[inline]
    fn clear(&mut self, span: usize) {
        self.chains[span] = None;
        self.used[span / 64] &= !(1 << (span % 64));
        self.any &= !(u64::from(self.used[span / 64] == 0) << (span / 64));
    }
}
