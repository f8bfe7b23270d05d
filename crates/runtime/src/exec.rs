//! Runs programs over the coherence engine.

use crate::code::{Code, CodeId};
use numalab_coherence::{Counts, LineId, Lines};
use numalab_machine::{CoreId, Fabric, Machine, NodeId};

/// Eight bytes in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub u32);

/// A program that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// When, in picoseconds.
    pub at: u64,
    /// Whose.
    pub agent: u32,
    /// What it left in its result register.
    pub result: u64,
}

/// Threads that run programs; the values of all words.
#[derive(Clone, Debug)]
pub struct Exec<'a> {
    lines: Lines<'a>,
}

impl<'a> Exec<'a> {
    /// Nothing yet.
    pub fn new(machine: &Machine, fabric: &'a Fabric) -> Exec<'a> {
        Exec { lines: Lines::new(machine, fabric) }
    }

    /// A thread on a core; numbered from 0.
    pub fn add_agent(&mut self, core: CoreId) -> u32 {
        self.lines.add_agent(core)
    }

    /// A line of its own for each word that shares it with nobody.
    pub fn add_word(&mut self, _home: NodeId) -> Word {
        todo!()
    }

    /// A line on a node; words are put into it with [`Exec::add_word_in`].
    pub fn add_line(&mut self, home: NodeId) -> LineId {
        self.lines.add_line(home)
    }

    /// One more word in a line.
    pub fn add_word_in(&mut self, _line: LineId) -> Word {
        todo!()
    }

    /// Makes a program known.
    pub fn add_code(&mut self, _code: Code) -> CodeId {
        todo!()
    }

    /// Starts a program for an idle agent, with its first registers set.
    pub fn start(&mut self, _now: u64, _agent: u32, _code: CodeId, _arguments: &[u64]) {
        todo!()
    }

    /// When something happens next.
    pub fn next(&self) -> Option<u64> {
        self.lines.next()
    }

    /// Runs what is due up to and including a time, but no further than the first instant at which a
    /// program ends: what ended then is appended, in the order of agents, so that the caller can react
    /// before anything later happens.
    pub fn advance(&mut self, _until: u64, _finished: &mut Vec<Finished>) {
        todo!()
    }

    /// Line transactions so far.
    pub fn counts(&self) -> Counts {
        self.lines.counts()
    }
}
