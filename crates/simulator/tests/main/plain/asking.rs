//! Requests for work: the words that a policy touches, one after another. Their times come from programs on an engine
//! of line transactions.

use super::words::{Party, Words};
use numalab_base::{Span, ThreadId, Time};
use numalab_openmp::{Dispatcher, Exhausted, IterationSource};
use numalab_workload::Schedule;
use std::ops::Range;

/// State of a thread's request for work.
#[derive(Clone, Copy, Debug, Default)]
pub enum Asked {
    #[default]
    Nothing,
    /// The thread has read the counters of all threads, and accesses the word of this source next.
    Scanned(IterationSource),
    /// The thread has accessed the word of this source, and can take iterations from the source.
    Has(IterationSource),
    /// The thread reads the guided counter (`None`), or writes the counter, expecting this value in it.
    Read(Option<u64>),
    /// No work is left; the thread ends after its last access.
    Leaves,
}

/// Next activity of a thread that requests work.
pub enum Answer {
    Waits(Span),
    /// The thread waits until its program of line transactions ends.
    Program,
    Work(Range<u64>, IterationSource),
    Nothing,
}

/// Requests for work by all threads of a loop.
pub struct Asking<'a> {
    pub policy: Schedule,
    pub party: &'a Party<'a>,
    pub dispatcher: Dispatcher<'a>,
    pub asked: Vec<Asked>,
}

impl Asking<'_> {
    /// Continues the request of a thread whose last access has ended. `value`: result of the access, if the access
    /// was a program.
    pub fn go_on(&mut self, words: &mut Words<'_>, thread: usize, value: u64, now: Time) -> Answer {
        match std::mem::take(&mut self.asked[thread]) {
            Asked::Leaves => Answer::Nothing,
            Asked::Scanned(source) => self.touch(words, thread, source, now),
            Asked::Has(source) => self.take(words, thread, source, now),
            // All iterations are taken, so nothing is written.
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
                | Schedule::Tasks(_)
                | Schedule::File(_),
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
