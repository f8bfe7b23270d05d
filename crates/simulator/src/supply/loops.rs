//! Loops: a dispatcher decides, and what it looks at is paid for. A shared counter, and the range that a
//! thread's iterations are taken from where others may steal them, are words in lines that move.

use super::{Cue, Desk, Supply, Turn};
use crate::costs::Scan;
use numalab_openmp::{Dispatcher, Exhausted, Source};
use numalab_runtime::CodeId;

/// Programs on the words of a loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopWords {
    /// Takes from the shared counter.
    pub counter: Option<CodeId>,
    /// Takes from the range of each thread.
    pub ranges: Vec<CodeId>,
}

/// What a thread is asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    Nothing,
    /// It chose a victim and is still reading.
    Chose(Source),
    /// It waits for the word.
    Touches(Source),
    /// It knows that nothing is left.
    Leaves,
}

/// The supplier of a loop.
pub(crate) struct Loops<'a, 'b> {
    dispatcher: Dispatcher<'b>,
    words: LoopWords,
    scan: Scan<'a>,
    asks: Vec<Ask>,
    stolen: Vec<u64>,
    /// Whether iterations of a thread may be taken by others.
    shared: bool,
}

impl<'a, 'b> Loops<'a, 'b> {
    pub fn new(dispatcher: Dispatcher<'b>, words: LoopWords, scan: Scan<'a>, threads: u32) -> Loops<'a, 'b> {
        let shared = !words.ranges.is_empty();
        let none = vec![0; threads as usize];
        let asks = vec![Ask::Nothing; threads as usize];
        Loops { dispatcher, words, scan, asks, stolen: none, shared }
    }

    fn look(&mut self, thread: u32, desk: &mut Desk<'_, 'a>) -> Turn {
        match self.dispatcher.aim(thread) {
            Ok(Source::Own) if !self.shared => self.take(thread, Source::Own, desk),
            Ok(source @ Source::Victim { after_scan: true, .. }) => {
                self.asks[thread as usize] = Ask::Chose(source);
                Turn::Pause(self.scan.of(thread))
            }
            Ok(source) => self.touch(thread, source, desk),
            Err(Exhausted::Own) => Turn::Done,
            Err(Exhausted::Scan) => {
                self.asks[thread as usize] = Ask::Leaves;
                Turn::Pause(self.scan.of(thread))
            }
            Err(Exhausted::SharedCounter) => {
                self.asks[thread as usize] = Ask::Leaves;
                self.start(thread, self.words.counter, desk)
            }
        }
    }

    fn touch(&mut self, thread: u32, source: Source, desk: &mut Desk<'_, 'a>) -> Turn {
        self.asks[thread as usize] = Ask::Touches(source);
        let code = match source {
            Source::SharedCounter => self.words.counter,
            Source::Own => self.words.ranges.get(thread as usize).copied(),
            Source::Victim { thread: victim, .. } => self.words.ranges.get(victim as usize).copied(),
        };
        self.start(thread, code, desk)
    }

    fn start(&mut self, thread: u32, code: Option<CodeId>, desk: &mut Desk<'_, 'a>) -> Turn {
        match code {
            Some(code) => {
                desk.exec.start(desk.now.0, desk.first + thread, code, &[]);
                Turn::Sync
            }
            None => self.turn(thread, Cue::Free, desk),
        }
    }

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
    fn turn(&mut self, thread: u32, _: Cue, desk: &mut Desk<'_, 'a>) -> Turn {
        match self.asks[thread as usize] {
            Ask::Nothing => self.look(thread, desk),
            Ask::Chose(source) => self.touch(thread, source, desk),
            Ask::Touches(source) => self.take(thread, source, desk),
            Ask::Leaves => Turn::Done,
        }
    }

    fn stolen(&self, thread: u32) -> u64 {
        self.stolen[thread as usize]
    }
}
