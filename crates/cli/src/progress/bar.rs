//! Progress of work of which a share is done.

use super::{ProgressKind, ShownProgress, reached};
use crate::interrupt::{Held, Stop};
use numalab_study::Progress;

/// Shows the share that is done. While it exists, the first Ctrl-C ends the runs under way, and the second one the
/// program; if the work cannot end early ([`Bar::of_whole_work`]), the first one.
pub struct Bar {
    _shown: ShownProgress,
    _held: Option<Held>,
    stop: Stop,
}

impl Bar {
    pub fn new() -> Bar {
        Bar { _shown: ShownProgress::new(ProgressKind::Share), _held: Some(Held::new()), stop: Stop::here() }
    }

    /// Work that has no result before its end.
    pub fn of_whole_work() -> Bar {
        Bar { _shown: ShownProgress::new(ProgressKind::Share), _held: None, stop: Stop::here() }
    }
}

impl Progress for Bar {
    fn report(&self, done: u64, total: u64) {
        reached(&self.stop, done, total);
    }

    fn stops(&self) -> bool {
        self.stop.is_asked()
    }
}
