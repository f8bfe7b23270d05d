//! Loops: a dispatcher decides, and what it looks at is paid for. A shared counter, and the range that a
//! thread's iterations are taken from where others may steal them, are words in lines that move.

use super::words::Words;
use super::{Cue, Desk, Supply, Turn};
use crate::costs::Scan;
use numalab_openmp::{Dispatcher, Exhausted, Source};
use numalab_runtime::CodeId;

/// What a thread is asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    Nothing,
    /// It chose a victim and is still reading.
    Chose(Source),
    /// It waits for the word.
    Touches(Source),
    /// It reads the counter, to calculate the next value from.
    Reads,
    /// It swaps this value for the next.
    Swaps(u64),
    /// It knows that nothing is left.
    Leaves,
}

/// The supplier of a loop.
pub(crate) struct Loops<'a, 'b> {
    dispatcher: Dispatcher<'b>,
    words: Words,
    scan: Scan<'a>,
    asks: Vec<Ask>,
    stolen: Vec<u64>,
}

impl<'a, 'b> Loops<'a, 'b> {
    pub fn new(dispatcher: Dispatcher<'b>, words: Words, scan: Scan<'a>, threads: u32) -> Loops<'a, 'b> {
        let asks = vec![Ask::Nothing; threads as usize];
        Loops { dispatcher, words, scan, asks, stolen: vec![0; threads as usize] }
    }

    /// Chooses where to look.
    fn look(&mut self, thread: u32, desk: &mut Desk<'_, 'a>) -> Turn {
        match (self.dispatcher.aim(thread), self.words) {
            (Ok(source @ Source::Victim { after_scan: true, .. }), _) => {
                self.asks[thread as usize] = Ask::Chose(source);
                Turn::Pause(self.scan.of(thread))
            }
            (Ok(source), _) => self.touch(thread, source, desk),
            (Err(Exhausted::Scan), _) => {
                self.asks[thread as usize] = Ask::Leaves;
                Turn::Pause(self.scan.of(thread))
            }
            (Err(Exhausted::SharedCounter), Words::Ranges(_, left)) => {
                self.start(thread, Ask::Leaves, left.load(), &[], desk)
            }
            (Err(_), _) => Turn::Done,
        }
    }

    /// Asks for the word that decides.
    fn touch(&mut self, thread: u32, source: Source, desk: &mut Desk<'_, 'a>) -> Turn {
        let touches = Ask::Touches(source);
        let from = if let Source::Victim { thread: victim, .. } = source { victim } else { thread };
        match self.words {
            Words::None => self.take(thread, source, desk),
            Words::Counter(counter) => self.start(thread, touches, counter.next(), &[1], desk),
            Words::Swapped(counter) => self.start(thread, Ask::Reads, counter.load(), &[], desk),
            Words::Ranges(ranges, _) => self.start(thread, touches, ranges.take(), &[u64::from(from)], desk),
        }
    }

    fn start(
        &mut self,
        thread: u32,
        ask: Ask,
        code: CodeId,
        arguments: &[u64],
        desk: &mut Desk<'_, 'a>,
    ) -> Turn {
        self.asks[thread as usize] = ask;
        desk.exec.start(desk.now.0, desk.first + thread, code, arguments);
        Turn::Sync
    }

    /// The thread has the word.
    fn take(&mut self, thread: u32, source: Source, desk: &mut Desk<'_, 'a>) -> Turn {
        self.asks[thread as usize] = Ask::Nothing;
        match self.dispatcher.take(thread, source) {
            Some(iterations) => {
                if matches!(source, Source::Victim { .. }) {
                    self.stolen[thread as usize] += iterations.end - iterations.start;
                }
                Turn::Work(iterations)
            }
            None if source == Source::SharedCounter => Turn::Done,
            // Somebody was faster.
            None => self.look(thread, desk),
        }
    }
}

impl<'a> Supply<'a> for Loops<'a, '_> {
    fn turn(&mut self, thread: u32, cue: Cue, desk: &mut Desk<'_, 'a>) -> Turn {
        match (self.asks[thread as usize], cue, self.words) {
            (Ask::Nothing, _, _) => self.look(thread, desk),
            (Ask::Chose(source), _, _) => self.touch(thread, source, desk),
            (Ask::Touches(source), _, _) => self.take(thread, source, desk),
            // Whoever finds another value than it expected calculates from that.
            (Ask::Swaps(expected), Cue::Synced(seen), _) if seen == expected => {
                self.take(thread, Source::SharedCounter, desk)
            }
            (Ask::Reads | Ask::Swaps(_), Cue::Synced(seen), Words::Swapped(counter)) => {
                self.start(thread, Ask::Swaps(seen), counter.advance(), &[seen, seen + 1], desk)
            }
            (Ask::Reads | Ask::Swaps(_) | Ask::Leaves, _, _) => Turn::Done,
        }
    }

    fn stolen(&self, thread: u32) -> u64 {
        self.stolen[thread as usize]
    }
}
