//! Values of words, and threads that wait for changes.

use crate::code::Word;
use numalab_base::{Snapshot, Span, Time};
use numalab_coherence::{Access, AgentId, LineId};

#[derive(Clone, Debug, Default)]
pub(super) struct WordMemory {
    words: Vec<WordState>,
    /// True if a thread spins on the line, by line. Every access reads this flag, so it is small.
    watched: Vec<bool>,
    /// Waiting threads by line; `None` before the first wait on the line.
    waiting: Vec<Option<Box<Waiting>>>,
}

#[derive(Clone, Copy, Debug)]
struct WordState {
    value: u64,
    line: LineId,
}

/// Position in the order of events: time and agent.
pub(super) type Moment = (Time, AgentId);

/// Moment before all events.
pub(super) const START: Moment = (Time::ZERO, AgentId::new(0));

/// Thread that spins on its copy of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader {
    /// Event of the thread's last poll.
    pub seen: Moment,
    pub agent: AgentId,
    /// True if the thread's last poll was predicted. The poll's event may still be in the future.
    pub foreseen: bool,
    /// True if the thread spins without a time limit.
    pub lasting: bool,
}

/// Threads that wait for an event on a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// Threads that spin on a copy of the line; removed when another thread owns the line.
    pub readers: Vec<Reader>,
    /// Threads that own the line and spin on it; removed when another thread gets a copy.
    pub owners: Vec<AgentId>,
    /// Threads that sleep on a word of the line.
    pub sleepers: Vec<(Word, AgentId)>,
}

impl WordMemory {
    pub fn add_line(&mut self, line: LineId) {
        debug_assert_eq!(line.0 as usize, self.waiting.len());
        self.waiting.push(None);
        self.watched.push(false);
    }

    pub fn add_word(&mut self, line: LineId) -> Word {
        self.words.push(WordState { value: 0, line });
        Word(self.words.len() as u32 - 1)
    }

    /// Adds the waiters and the values of all words to a snapshot. Values are counters, which may grow. `turn`:
    /// period of polls, if spinning threads pause.
    pub fn snapshot(&self, turn: Option<Span>, into: &mut Snapshot) {
        let WordMemory { words, watched, waiting } = self;
        words.iter().for_each(|word| into.counter(word.value));
        into.add(watched);
        let nobody = Waiting::default();
        waiting.iter().for_each(|waiting| waiting.as_deref().unwrap_or(&nobody).snapshot(turn, into));
    }

    pub fn words(&self) -> u32 {
        self.words.len() as u32
    }

    pub fn value(&self, word: Word) -> u64 {
        self.words[word.0 as usize].value
    }

    pub fn set(&mut self, word: Word, value: u64) {
        self.words[word.0 as usize].value = value;
    }

    pub fn line(&self, word: Word) -> LineId {
        self.words[word.0 as usize].line
    }

    pub fn is_watched(&self, line: LineId) -> bool {
        self.watched[line.0 as usize]
    }

    /// Adds a thread that spins on a line.
    pub fn watch(&mut self, line: LineId, access: Access, reader: Reader) {
        self.watched[line.0 as usize] = true;
        let waiting = self.waiting(line);
        match access {
            Access::Own => waiting.owners.push(reader.agent),
            Access::Read => {
                if waiting.readers.capacity() == 0 {
                    // A flag in a tree has one reader.
                    waiting.readers.reserve_exact(1);
                }
                waiting.readers.push(reader);
            }
        }
    }

    /// Recomputes `watched` for a line: true if a thread spins on the line.
    pub fn look_again(&mut self, line: LineId) {
        let waiting = self.waiting[line.0 as usize].as_ref();
        self.watched[line.0 as usize] =
            waiting.is_some_and(|waiting| !waiting.readers.is_empty() || !waiting.owners.is_empty());
    }

    /// Adds a thread that sleeps on a word.
    pub fn sleep(&mut self, word: Word, agent: AgentId) {
        let line = self.line(word);
        self.waiting(line).sleepers.push((word, agent));
    }

    /// Threads that spin on a copy of a line.
    pub fn readers(&self, line: LineId) -> impl Iterator<Item = AgentId> + '_ {
        let waiting = self.waiting[line.0 as usize].as_deref();
        waiting.into_iter().flat_map(|waiting| waiting.readers.iter().map(|reader| reader.agent))
    }

    pub fn waiting(&mut self, line: LineId) -> &mut Waiting {
        self.waiting[line.0 as usize].get_or_insert_default()
    }
}

impl Waiting {
    /// Removes a thread that stops spinning from the waiting threads of the line.
    pub fn forget(&mut self, agent: AgentId) {
        self.readers.retain(|other| other.agent != agent);
        self.owners.retain(|other| *other != agent);
    }

    fn snapshot(&self, turn: Option<Span>, into: &mut Snapshot) {
        let Waiting { readers, owners, sleepers } = self;
        // Readers with predicted polls are listed before the polls take place, so the list need not be in order.
        let mut readers = readers.clone();
        readers.sort_by_key(|reader| reader.seen);
        into.add(&readers.len());
        for Reader { seen, agent, foreseen, lasting: _ } in readers {
            into.add(&agent);
            into.not_before(if foreseen { seen.0 } else { Time::ZERO });
            if let Some(turn) = turn.filter(|_| foreseen) {
                into.add(&(into.now().since(seen.0).0 % turn.0));
            }
        }
        into.add(&(owners, sleepers));
    }

    /// Removes the thread that has slept longest on a word.
    pub fn wake(&mut self, word: Word) -> Option<AgentId> {
        let at = self.sleepers.iter().position(|(on, _)| *on == word)?;
        Some(self.sleepers.remove(at).1)
    }
}
