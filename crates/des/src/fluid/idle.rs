//! Bundles without members: dropped when they are many, so that their numbers are reused.

use super::Fluid;
use super::bundle::{Bundle, BundleNo, write_key};
use super::classes::Pull;

/// Number of empty bundles below which none is dropped: a resource that becomes tight or slack often changes back
/// soon.
const FEW_IDLE: usize = if cfg!(test) { 2 } else { 256 };

impl Fluid {
    /// Adds a bundle without members to `idle_bundles`.
    pub(super) fn rest(&mut self, number: BundleNo) {
        let bundle = &mut self.bundles[number.index()];
        if bundle.count == 0 && !bundle.idle {
            bundle.idle = true;
            self.idle_bundles.push(number);
        }
    }

    /// Drops all empty bundles if they are many and at least half of all bundles. Called just after a resource became
    /// tight or slack, when classes look up their bundles anyway. If flows cross hundreds of resources, most bundles
    /// live from one such change to the next. With an observer no bundle is dropped: the clocks of bundles are in
    /// use.
    pub(super) fn forget_bundles(&mut self) {
        let kept = self.bundles.len() - self.free_bundles.len();
        if self.idle_bundles.len() < FEW_IDLE.max(kept / 2) || self.clocks.is_some() {
            return;
        }
        let mut idle = std::mem::take(&mut self.idle_bundles);
        for number in idle.drain(..) {
            let Bundle { tight, ceiling, weight, waits, written, count, idle, .. } =
                &mut self.bundles[number.index()];
            *idle = false;
            if *count > 0 {
                continue;
            }
            let pull = Pull { ceiling: *ceiling, weight: *weight, waits: *waits, written: *written };
            let tight = std::mem::take(tight);
            write_key(&mut self.key, pull, tight.iter().map(|hop| (hop.resource, hop.share)));
            self.bundle_of_key.remove(self.key.as_slice());
            self.free_bundles.push(number);
        }
        self.idle_bundles = idle;
        // The saved state of the last solve may refer to a dropped bundle.
        if let Some(scratch) = &mut self.scratch {
            scratch.undo.restart();
        }
    }
}
