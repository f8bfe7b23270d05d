//! Ring of short intervals of time. Each interval has a sorted chain of entries, and a bit that is set if the chain
//! is not empty: inserting and removing take a few steps for any number of entries.

use super::agent::AgentId;
use numalab_base::{Span, Time};

/// Number of intervals of the ring.
const SPANS: usize = 1024;
/// Number of words in a bit set with one bit for each interval.
const WORDS: usize = SPANS / 64;

/// Limit on the steps of a search in a chain; an entry whose search reaches the limit is not inserted.
const SEARCH: u32 = 16;

pub(super) type Due = (Time, AgentId);

/// Entry of an agent, linked to the next one in its interval.
#[derive(Clone, Copy, Debug)]
struct Entry {
    at: Time,
    /// Agent of the next entry in the same interval; `None` for the last entry.
    next: Option<AgentId>,
}

/// Agents of the first and the last entry of an interval.
#[derive(Clone, Copy, Debug)]
struct Chain {
    first: AgentId,
    last: AgentId,
}

/// Entries of agents by time; of equal times the agent with the lower number comes first.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    entries: Vec<Entry>,
    chains: Box<[Option<Chain>; SPANS]>,
    /// One bit for each interval (`used`), and one for each word of `used` (`any`); set if the interval has entries
    /// or the word is not 0.
    used: [u64; WORDS],
    any: u64,
    /// Binary logarithm of the length of an interval in picoseconds.
    shift: u32,
    /// Number of the ring's earliest interval, counted from time zero.
    start: u64,
}

impl Ring {
    /// Ring that reaches at least `reach` picoseconds ahead.
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

    /// Adds an agent, without an entry.
    pub fn add(&mut self) {
        self.entries.push(Entry { at: Time::ZERO, next: None });
    }

    /// Moves the start of the ring forward to `now`. The ring has no entries before this time.
    #[inline]
    pub fn advance(&mut self, now: Time) {
        self.start = self.start.max(now.0 >> self.shift);
    }

    /// Inserts an agent. Returns false, without effect, if the time is outside the ring or if the search for the
    /// position takes `SEARCH` steps.
    #[inline]
    pub fn put(&mut self, agent: AgentId, at: Time) -> bool {
        // For times before the start the difference wraps to a large number.
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

    /// Time of an agent's entry.
    pub fn at(&self, agent: AgentId) -> Time {
        self.entries[agent.index()].at
    }

    /// Entry with the earliest time; `None` if the ring is empty.
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

    /// Removes the first entry of the ring, which belongs to `agent`. Returns the next entry.
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

    /// Removes the entry of an agent.
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

    /// Index of the interval that contains a time.
    #[inline]
    fn span(&self, at: Time) -> usize {
        (at.0 >> self.shift) as usize % SPANS
    }

    /// Removes the only entry of an interval.
    #[inline]
    fn clear(&mut self, span: usize) {
        self.chains[span] = None;
        self.used[span / 64] &= !(1 << (span % 64));
        self.any &= !(u64::from(self.used[span / 64] == 0) << (span / 64));
    }
}
