//! Progress of a sweep: points done, points per second, time left.

use super::{ProgressKind, ShownProgress, reached};
use crate::interrupt::{Held, Stop};
use numalab_study::Progress;

pub struct Points {
    _shown: ShownProgress,
    _held: Held,
    stop: Stop,
}

impl Points {
    pub fn new(name: &str) -> Points {
        Points {
            _shown: ShownProgress::new(ProgressKind::Points(name.to_owned())),
            _held: Held::new(),
            stop: Stop::here(),
        }
    }
}

impl Progress for Points {
    fn report(&self, done: u64, total: u64) {
        reached(&self.stop, done, total);
    }

    fn stops(&self) -> bool {
        self.stop.is_asked()
    }
}
