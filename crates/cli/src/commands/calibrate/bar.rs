//! Display of the current measurement on standard error, if that is a terminal. It also notes Ctrl-C.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use numalab_calibrate::{Measuring, Watch};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Progress bar, which is erased when dropped, and a flag that Ctrl-C sets.
pub struct Bar {
    drawn: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Bar {
    /// Creates the bar, which first shows that the kernels are being built. From now on only the second Ctrl-C ends
    /// the program.
    pub fn new() -> io::Result<Bar> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_default(signal, stop.clone())?;
            flag::register(signal, stop.clone())?;
        }
        let style = ProgressStyle::with_template("[{bar:24}] {percent}% {wide_msg}");
        // The bar is redrawn seldom, since drawing disturbs the measurements.
        let drawn = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(4))
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "))
            .with_message("building the kernels");
        drawn.tick();
        Ok(Bar { drawn, stop })
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
        self.stop.load(Ordering::Relaxed)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
    }
}
