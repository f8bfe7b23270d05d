//! Asking for work: which words a policy touches, one after another. What that takes, the programs say that
//! run on an engine of line transactions.

use super::words::{Party, Words};
use numalab_base::{Span, ThreadId, Time};
use numalab_openmp::{Dispatcher, Exhausted, IterationSource};
use numalab_workload::Schedule;
use std::ops::Range;

/// Position of a thread in its asking.
#[derive(Clone, Copy, Debug, Default)]
pub enum Asked {
    #[default]
    Nothing,
    /// It has read the counters of all.
    Scanned(IterationSource),
    /// It has the word that decides.
    Has(IterationSource),
    /// It has read the counter (before: nothing; after a write that came too late: what it expected).
    Read(Option<u64>),
    /// There is nothing.
    Leaves,
}

/// Answer to a question.
pub enum Answer {
    Waits(Span),
    /// Until its program ends.
    Program,
    Work(Range<u64>, IterationSource),
    Nothing,
}

/// Questions of threads.
pub struct Asking<'a> {
    pub policy: Schedule,
    pub party: &'a Party<'a>,
    pub dispatcher: Dispatcher<'a>,
    pub asked: Vec<Asked>,
}

impl Asking<'_> {
    /// A thread has nothing to do, or what it asked last is answered: with this value, if by a program.
    pub fn go_on(&mut self, words: &mut Words<'_>, thread: usize, value: u64, now: Time) -> Answer {
        match std::mem::take(&mut self.asked[thread]) {
            Asked::Leaves => Answer::Nothing,
            Asked::Scanned(source) => self.touch(words, thread, source, now),
            Asked::Has(source) => self.take(words, thread, source, now),
            // Nothing is left to write.
            Asked::Read(_) if self.dispatcher.is_over() => Answer::Nothing,
            Asked::Read(Some(expected)) if expected == value => {
                self.take(words, thread, IterationSource::SharedCounter, now)
            }
            Asked::Read(_) => {
                self.asked[thread] = Asked::Read(Some(value));
                words.swap(thread, value, now)
            }
            Asked::Nothing => self.look(words, thread, now),
        }
    }

    fn look(&mut self, words: &mut Words<'_>, thread: usize, now: Time) -> Answer {
        match self.dispatcher.aim(ThreadId::new(thread as u32)) {
            Ok(source @ IterationSource::Victim { after_scan: true, .. }) => {
                self.asked[thread] = Asked::Scanned(source);
                Answer::Waits(self.party.scan(thread))
            }
            Ok(source) => self.touch(words, thread, source, now),
            Err(Exhausted::Own) => Answer::Nothing,
            Err(Exhausted::Scan) => {
                self.asked[thread] = Asked::Leaves;
                Answer::Waits(self.party.scan(thread))
            }
            Err(Exhausted::SharedCounter) => {
                self.asked[thread] = Asked::Leaves;
                words.read(thread, now)
            }
        }
    }

    fn touch(&mut self, words: &mut Words<'_>, thread: usize, source: IterationSource, now: Time) -> Answer {
        self.asked[thread] = Asked::Has(source);
        match (self.policy, source) {
            (Schedule::Guided { .. }, _) => {
                self.asked[thread] = Asked::Read(None);
                words.read(thread, now)
            }
            (Schedule::Dynamic { .. }, _) => words.add(thread, now),
            (Schedule::NumaSteal(_), IterationSource::Victim { thread: victim, .. }) => {
                words.take_from(thread, victim.number(), now)
            }
            (Schedule::NumaSteal(_), _) => words.take_from(thread, thread as u32, now),
            (
                Schedule::Static { .. }
                | Schedule::Align
                | Schedule::Auto
                | Schedule::Runtime
                | Schedule::Tasks(_),
                _,
            ) => self.take(words, thread, source, now),
        }
    }

    fn take(&mut self, words: &mut Words<'_>, thread: usize, source: IterationSource, now: Time) -> Answer {
        self.asked[thread] = Asked::Nothing;
        match self.dispatcher.take(ThreadId::new(thread as u32), source) {
            Some(iterations) => Answer::Work(iterations, source),
            None if source == IterationSource::SharedCounter => Answer::Nothing,
            None => self.look(words, thread, now),
        }
    }
}
