//! A clock beside the command, which shows the progress of the current work if the command takes long.
//!
//! The cursor is never hidden. Nothing is drawn while the command writes, and once an answer has begun, only work with
//! a bar of its own is: a pager may own the terminal.

use super::ProgressKind;
use crate::interrupt::Stop;
use indicatif::ProgressBar;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Time between two looks at the progress.
const TICK: Duration = Duration::from_millis(200);
/// Time after which a bar is due. With the ticks it is drawn within a second.
const PATIENCE: Duration = Duration::from_millis(700);
/// Time after which the first line in a log is due.
const FIRST_LINE: Duration = Duration::from_secs(10);
/// Longest time between two lines.
const LONGEST: Duration = Duration::from_secs(600);

/// Finished and all parts of the current work.
static DONE: AtomicU64 = AtomicU64::new(0);
static TOTAL: AtomicU64 = AtomicU64::new(0);
static STATE: Mutex<Option<State>> = Mutex::new(None);

struct State {
    terminal: bool,
    started: Instant,
    /// Start of the current work.
    since: Instant,
    /// `None`: nothing is shown.
    kind: Option<ProgressKind>,
    drawn: Option<ProgressBar>,
    /// Number of [`Pause`].
    pauses: u32,
    /// An answer has begun on standard output.
    answered: bool,
    /// Time after the start at which the next line is due.
    next_line: Duration,
}

/// State of the command; a panic while drawing leaves it usable. `None` without [`Working`].
fn state() -> MutexGuard<'static, Option<State>> {
    STATE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl State {
    fn erase(&mut self) {
        if let Some(bar) = self.drawn.take() {
            bar.finish_and_clear();
        }
    }

    fn begin(&mut self, kind: Option<ProgressKind>, now: Instant) {
        self.erase();
        (self.kind, self.since) = (kind, now);
        DONE.store(0, Ordering::Relaxed);
        TOTAL.store(0, Ordering::Relaxed);
    }

    fn show(&mut self) {
        let Some(kind) = self.kind.as_ref().filter(|_| self.pauses == 0) else { return };
        let (done, total) = (DONE.load(Ordering::Relaxed), TOTAL.load(Ordering::Relaxed).max(1));
        let elapsed = self.since.elapsed();
        if self.terminal && elapsed >= PATIENCE {
            let bar = self.drawn.get_or_insert_with(|| kind.bar(elapsed));
            bar.set_message(kind.message(done, total, elapsed));
            // The total grows during the work: sequential reference runs are added after the first runs.
            bar.set_length(total);
            bar.set_position(done);
        }
        let of_command = self.started.elapsed();
        if !self.terminal && is_due(of_command, &mut self.next_line) {
            let elapsed = if matches!(kind, ProgressKind::Points(_)) { elapsed } else { of_command };
            // A closed standard error does not stop the work.
            let _ = std::io::stderr().write_all(kind.line(done, total, elapsed).as_bytes());
        }
    }
}

/// True if a line is due after `elapsed`; moves `next` on.
fn is_due(elapsed: Duration, next: &mut Duration) -> bool {
    let due = elapsed >= *next;
    if due {
        *next = elapsed + elapsed.min(LONGEST);
    }
    due
}

#[expect(clippy::disallowed_methods, reason = "progress is for people, whose clock this is")]
fn now() -> Instant {
    Instant::now()
}

/// The clock. Everything drawn is erased when it is dropped.
pub struct Working {
    end: Option<Sender<()>>,
    clock: Option<JoinHandle<()>>,
}

impl Working {
    pub fn new() -> Working {
        let started = now();
        *state() = Some(State {
            terminal: std::io::stderr().is_terminal(),
            started,
            since: started,
            kind: Some(ProgressKind::Unknown),
            drawn: None,
            pauses: 0,
            answered: false,
            next_line: FIRST_LINE,
        });
        let (end, ended) = channel();
        let ticks = move || {
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if let Some(state) = &mut *state() {
                    state.show();
                }
            }
        };
        // Without a thread the command works in silence.
        let clock = thread::Builder::new().name("progress".to_owned()).spawn(ticks).ok();
        Working { end: Some(end), clock }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.end = None;
        if let Some(clock) = self.clock.take() {
            let _ = clock.join();
        }
        if let Some(mut state) = state().take() {
            state.erase();
        }
    }
}

/// Work whose progress is shown until this is dropped.
pub struct ShownProgress;

impl ShownProgress {
    pub fn new(kind: ProgressKind) -> ShownProgress {
        if let Some(state) = &mut *state() {
            state.begin(Some(kind), now());
        }
        ShownProgress
    }

    /// Replaces the text of the current step.
    pub fn step(&self, text: String) {
        if let Some(State { kind: Some(ProgressKind::Steps(shown)), .. }) = &mut *state() {
            *shown = text;
        }
    }
}

impl Drop for ShownProgress {
    fn drop(&mut self) {
        if let Some(state) = &mut *state() {
            let kind = (!state.answered).then_some(ProgressKind::Unknown);
            state.begin(kind, now());
        }
    }
}

/// Notes that `done` of `total` is done of the current work. Cheap: workers call it often. `stop` is what ends that work.
pub fn reached(stop: &Stop, done: u64, total: u64) {
    if let Some(handle) = stop.handle() {
        return handle.reached(done, total);
    }
    TOTAL.store(total, Ordering::Relaxed);
    DONE.store(done, Ordering::Relaxed);
}

/// While it exists, nothing is drawn.
pub struct Pause;

/// Erases what is drawn, while a message is written.
pub fn pause() -> Pause {
    if let Some(state) = &mut *state() {
        state.erase();
        state.pauses += 1;
    }
    Pause
}

/// Like [`pause`], for an answer on standard output. Afterwards only work with a bar of its own is shown.
pub fn pause_for_the_answer() -> Pause {
    if let Some(state) = &mut *state() {
        state.answered = true;
        if matches!(state.kind, Some(ProgressKind::Unknown)) {
            state.kind = None;
        }
    }
    pause()
}

/// Like [`pause`], for the message of a panic. A panic of the drawing itself holds the state: nothing is erased then.
pub fn pause_for_a_bug() -> Option<Pause> {
    let is_held = || matches!(STATE.try_lock(), Err(TryLockError::WouldBlock));
    let is_free = (0..10).any(|_| {
        let held = is_held();
        if held {
            thread::sleep(TICK / 10);
        }
        !held
    });
    is_free.then(pause)
}

impl Drop for Pause {
    fn drop(&mut self) {
        if let Some(state) = &mut *state() {
            state.pauses = state.pauses.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_while_drawing_is_told() {
        let held = state();
        assert!(pause_for_a_bug().is_none());
        drop(held);
        assert!(pause_for_a_bug().is_some());
    }

    #[test]
    fn lines_become_rare() {
        // Lines after 10, 20, 40, 80, 160, 320, 640 s, then each 600 s: 1240, 1840, 2440, 3040.
        let mut next = FIRST_LINE;
        let due: Vec<u64> =
            (0..3600).filter(|second| is_due(Duration::from_secs(*second), &mut next)).collect();
        assert_eq!(due, [10, 20, 40, 80, 160, 320, 640, 1240, 1840, 2440, 3040]);
    }
}
