//! Display of the current measurement.

use crate::interrupt::Held;
use crate::progress::{ProgressKind, ShownProgress, reached};
use numalab_calibrate::{Measuring, Watch};

/// Shows the measurement. While it exists, only the second Ctrl-C ends the program.
pub struct Bar {
    shown: ShownProgress,
    held: Held,
}

impl Bar {
    /// Creates the bar, which first shows that the kernels are being built.
    pub fn new() -> Bar {
        Bar {
            shown: ShownProgress::new(ProgressKind::Steps("building the kernels".to_owned())),
            held: Held::new(),
        }
    }
}

impl Watch for Bar {
    fn step(&self, step: &Measuring<'_>) {
        reached(self.held.stop(), step.done as u64, step.total as u64);
        let Measuring { round, rounds, what, .. } = step;
        self.shown.step(format!("{} s left, round {round} of {rounds}: {what}", step.left.as_secs()));
    }

    fn stopped(&self) -> bool {
        self.held.stop().is_asked()
    }
}
