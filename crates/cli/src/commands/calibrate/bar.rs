//! Display of the current measurement on standard error, if that is a terminal.

use crate::interrupt::{self, Held};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use numalab_calibrate::{Measuring, Watch};

/// Progress bar, which is erased when dropped. While it exists, only the second Ctrl-C ends the program.
pub struct Bar {
    drawn: ProgressBar,
    _held: Held,
}

impl Bar {
    /// Creates the bar, which first shows that the kernels are being built.
    pub fn new() -> Bar {
        let style = ProgressStyle::with_template("[{bar:24}] {percent}% {wide_msg}");
        // The bar is redrawn seldom, since drawing disturbs the measurements.
        let drawn = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(4))
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "))
            .with_message("building the kernels");
        drawn.tick();
        Bar { drawn, _held: Held::new() }
    }
}

impl Watch for Bar {
    fn step(&self, step: &Measuring<'_>) {
        self.drawn.set_length(step.total as u64);
        self.drawn.set_position(step.done as u64);
        let Measuring { round, rounds, what, .. } = step;
        self.drawn.set_message(format!("{} s left, round {round} of {rounds}: {what}", step.left.as_secs()));
    }

    fn stopped(&self) -> bool {
        interrupt::pressed()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
    }
}
