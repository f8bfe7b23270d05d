//! A clock beside the command, which shows the current task if the command takes long.
//!
//! The cursor is never hidden. Nothing is drawn while the command writes, and once an answer has begun, only tasks with
//! a bar of their own are: a pager may own the terminal.

use super::Task;
use indicatif::ProgressBar;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Time between two looks at the task.
const TICK: Duration = Duration::from_millis(200);
/// Time after which a bar is due. With the ticks it is drawn within a second.
const PATIENCE: Duration = Duration::from_millis(700);
/// Time after which the first line in a log is due.
const FIRST_LINE: Duration = Duration::from_secs(10);
/// Longest time between two lines.
const LONGEST: Duration = Duration::from_secs(600);

/// Finished and all work of the current task.
static DONE: AtomicU64 = AtomicU64::new(0);
static TOTAL: AtomicU64 = AtomicU64::new(0);
static STATE: Mutex<Option<State>> = Mutex::new(None);

struct State {
    terminal: bool,
    started: Instant,
    /// Start of the task.
    since: Instant,
    /// `None`: nothing is shown.
    task: Option<Task>,
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

    fn begin(&mut self, task: Option<Task>, now: Instant) {
        self.erase();
        (self.task, self.since) = (task, now);
        DONE.store(0, Ordering::Relaxed);
        TOTAL.store(0, Ordering::Relaxed);
    }

    fn show(&mut self) {
        let Some(task) = self.task.as_ref().filter(|_| self.pauses == 0) else { return };
        let (done, total) = (DONE.load(Ordering::Relaxed), TOTAL.load(Ordering::Relaxed).max(1));
        let elapsed = self.since.elapsed();
        if self.terminal && elapsed >= PATIENCE {
            let bar = self.drawn.get_or_insert_with(|| task.bar(elapsed));
            bar.set_message(task.message(done, total, elapsed));
            // The total grows during the work: sequential reference runs are added after the first runs.
            bar.set_length(total);
            bar.set_position(done);
        }
        let of_command = self.started.elapsed();
        if !self.terminal && is_due(of_command, &mut self.next_line) {
            let elapsed = if matches!(task, Task::Points(_)) { elapsed } else { of_command };
            // A closed standard error does not stop the work.
            let _ = std::io::stderr().write_all(task.line(done, total, elapsed).as_bytes());
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
            task: Some(Task::Unknown),
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

/// A task that is shown until this is dropped.
pub struct Shown;

impl Shown {
    pub fn new(task: Task) -> Shown {
        if let Some(state) = &mut *state() {
            state.begin(Some(task), now());
        }
        Shown
    }

    /// Replaces the text of the current step.
    pub fn step(&self, text: String) {
        if let Some(State { task: Some(Task::Steps(shown)), .. }) = &mut *state() {
            *shown = text;
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some(state) = &mut *state() {
            let task = (!state.answered).then_some(Task::Unknown);
            state.begin(task, now());
        }
    }
}

/// Notes that `done` of `total` is done of the current task. Cheap: workers call it often.
pub fn reached(done: u64, total: u64) {
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

/// Like [`pause`], for an answer on standard output. Afterwards only tasks with a bar of their own are shown.
pub fn pause_for_the_answer() -> Pause {
    if let Some(state) = &mut *state() {
        state.answered = true;
        if matches!(state.task, Some(Task::Unknown)) {
            state.task = None;
        }
    }
    pause()
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
    fn lines_become_rare() {
        // Lines after 10, 20, 40, 80, 160, 320, 640 s, then each 600 s: 1240, 1840, 2440, 3040.
        let mut next = FIRST_LINE;
        let due: Vec<u64> =
            (0..3600).filter(|second| is_due(Duration::from_secs(*second), &mut next)).collect();
        assert_eq!(due, [10, 20, 40, 80, 160, 320, 640, 1240, 1840, 2440, 3040]);
    }
}
