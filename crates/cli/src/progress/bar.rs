//! Progress bar of a run that takes longer than a second.
//!
//! The cursor is never hidden. While the bar exists, the first Ctrl-C ends the runs under way, and the second one the
//! program; if the work cannot end early (`Bar::of_whole_work`), the first one.

use crate::interrupt::{self, Held};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use numalab_study::Progress;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time after which the bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// Progress bar on standard error, if that is a terminal. The bar is erased when dropped.
pub struct Bar {
    started: Instant,
    drawn: Mutex<Option<ProgressBar>>,
    _held: Option<Held>,
}

impl Bar {
    /// Creates a bar that is not drawn yet.
    pub fn new() -> Bar {
        Bar::held(Some(Held::new()))
    }

    /// Creates a bar of work that has no result before its end.
    pub fn of_whole_work() -> Bar {
        Bar::held(None)
    }

    #[expect(clippy::disallowed_methods, reason = "the bar is for people, whose clock this is")]
    fn held(held: Option<Held>) -> Bar {
        Bar { started: Instant::now(), drawn: Mutex::new(None), _held: held }
    }
}

impl Bar {
    /// Calls `write`, which writes to the terminal, while the bar is erased.
    pub fn above(&self, write: impl FnOnce()) {
        let drawn = self.drawn.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match &*drawn {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl Progress for Bar {
    fn report(&self, done: u64, total: u64) {
        if self.started.elapsed() < PATIENCE {
            return;
        }
        // A thread that panicked while drawing leaves the bar usable.
        let mut drawn = self.drawn.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let bar = drawn.get_or_insert_with(|| new_bar(total, self.started.elapsed()));
        // The total grows during the run: sequential reference runs are added after the first runs.
        bar.set_length(total);
        bar.set_position(done);
    }

    fn stops(&self) -> bool {
        interrupt::pressed()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        let drawn = self.drawn.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(bar) = drawn.take() {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(total: u64, elapsed: Duration) -> ProgressBar {
    let style = ProgressStyle::with_template("{elapsed} [{wide_bar}] {percent}%");
    ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr())
        .with_elapsed(elapsed)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "))
}
