//! What words hold, and who waits for a change.

use crate::code::Word;
use numalab_coherence::LineId;

/// All words.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    values: Vec<u64>,
    /// The line of each word.
    lines: Vec<LineId>,
    /// By line.
    waiting: Vec<Waiting>,
}

/// Who waits for something to happen to a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// Spin on a copy; gone when another thread owns the line.
    pub readers: Vec<u32>,
    /// Spin on the line that they own; gone when another thread has so much as a copy.
    pub owners: Vec<u32>,
    /// Sleep on a word of the line.
    pub sleepers: Vec<(Word, u32)>,
}

impl Memory {
    pub fn add_line(&mut self, line: LineId) {
        debug_assert_eq!(line.0 as usize, self.waiting.len());
        self.waiting.push(Waiting::default());
    }

    pub fn add_word(&mut self, line: LineId) -> Word {
        self.values.push(0);
        self.lines.push(line);
        Word(self.values.len() as u32 - 1)
    }

    pub fn words(&self) -> u32 {
        self.values.len() as u32
    }

    pub fn value(&self, word: Word) -> u64 {
        self.values[word.0 as usize]
    }

    pub fn set(&mut self, word: Word, value: u64) {
        self.values[word.0 as usize] = value;
    }

    pub fn line(&self, word: Word) -> LineId {
        self.lines[word.0 as usize]
    }

    pub fn waiting(&mut self, line: LineId) -> &mut Waiting {
        &mut self.waiting[line.0 as usize]
    }
}

impl Waiting {
    /// The thread spins no longer.
    pub fn forget(&mut self, agent: u32) {
        self.readers.retain(|other| *other != agent);
        self.owners.retain(|other| *other != agent);
    }

    /// The thread that has slept longest on a word.
    pub fn wake(&mut self, word: Word) -> Option<u32> {
        let at = self.sleepers.iter().position(|(on, _)| *on == word)?;
        Some(self.sleepers.remove(at).1)
    }
}
