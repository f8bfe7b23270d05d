//! Progress of a sweep: points done, points per second, time left.

use super::{ProgressKind, ShownProgress, reached};
use crate::interrupt::Held;
use numalab_study::Progress;

pub struct Points {
    _shown: ShownProgress,
    held: Held,
}

impl Points {
    pub fn new(name: &str) -> Points {
        Points { _shown: ShownProgress::new(ProgressKind::Points(name.to_owned())), held: Held::new() }
    }
}

impl Progress for Points {
    fn report(&self, done: u64, total: u64) {
        reached(self.held.stop(), done, total);
    }

    fn stops(&self) -> bool {
        self.held.stop().is_asked()
    }
}
