//! The scanner of automatic balancing, one scan and one page at a time.

use super::{Plain, PlainRegion};

impl Plain {
    pub(super) fn scan(&mut self) {
        self.scans += 1;
        let mut left = self.balancing.unwrap().scan_size.0;
        let some = |region: &PlainRegion| region.balanced() && region.pages.iter().any(Option::is_some);
        if !self.regions.iter().any(some) {
            return;
        }
        while left > 0 {
            let (which, byte) = self.scanner;
            let region = &mut self.regions[which];
            let at = (byte / region.page) as usize;
            if !region.balanced() || at >= region.pages.len() {
                self.scanner = ((which + 1) % self.regions.len(), 0);
                continue;
            }
            let end = (at as u64 + 1) * region.page;
            if region.pages[at].is_none() {
                self.scanner.1 = end;
                continue;
            }
            let unit = region.unit(at);
            if unit.start as u64 * region.page == byte {
                region.pages[unit].iter_mut().flatten().for_each(|page| page.unmapped = true);
            }
            let passed = left.min(end - byte);
            left -= passed;
            self.scanner.1 += passed;
        }
    }
}
