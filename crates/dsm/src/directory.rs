//! Directory entries of all pages and the actual rights of nodes. An extent (512 consecutive pages) is stored as one
//! entry while its pages are equal.

use crate::node_set::NodeSet;
use crate::protocol::State;
use numalab_base::Snapshot;
use std::collections::BTreeMap;

/// Number of a page in the whole shared memory, from 0.
pub type PageId = u64;

/// Sentinel for no node.
pub(crate) const NOBODY: u32 = u32::MAX;

/// Right of a node to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Right {
    /// No copy.
    None,
    /// Copy for reading.
    Read,
    /// Copy for reading and writing; exclusive under sequential consistency.
    Write,
}

/// A page: its directory entry at the master, and the actual rights of nodes. The two differ while a request is
/// served.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Page {
    /// Node that keeps the entry; `NOBODY` before the first touch.
    pub master: u32,
    /// Owner according to the entry; `NOBODY` if the page is shared.
    pub owner: u32,
    /// Nodes with a copy according to the entry.
    pub copies: NodeSet,
    /// Nodes that can actually write: at most one if the protocol's rows are right.
    pub writers: NodeSet,
    /// Nodes that can actually read, but not write.
    pub readers: NodeSet,
}

impl Page {
    const FRESH: Page = Page {
        master: NOBODY,
        owner: NOBODY,
        copies: NodeSet::EMPTY,
        writers: NodeSet::EMPTY,
        readers: NodeSet::EMPTY,
    };

    pub fn state(&self) -> State {
        if self.owner == NOBODY { State::Shared } else { State::Owned }
    }

    /// Actual right of a node.
    pub fn right(&self, node: u32) -> Right {
        if self.writers.contains(node) {
            Right::Write
        } else if self.readers.contains(node) {
            Right::Read
        } else {
            Right::None
        }
    }

    pub fn give(&mut self, node: u32, right: Right) {
        self.writers.remove(node);
        self.readers.remove(node);
        match right {
            Right::None => {}
            Right::Read => self.readers.insert(node),
            Right::Write => self.writers.insert(node),
        }
    }

    /// True if the entry lists a copy of the node.
    pub fn holds(&self, node: u32) -> bool {
        self.owner == node || self.copies.contains(node)
    }
}

/// Number of consecutive pages that are stored as one entry while they are equal.
const EXTENT: u64 = 512;

#[derive(Clone, Debug)]
enum Extent {
    Alike(Page),
    Each(Box<[Page]>),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Directory {
    extents: BTreeMap<u64, Extent>,
}

impl Directory {
    pub fn page(&self, page: PageId) -> &Page {
        match self.extents.get(&(page / EXTENT)) {
            None => &Page::FRESH,
            Some(Extent::Alike(all)) => all,
            Some(Extent::Each(pages)) => &pages[(page % EXTENT) as usize],
        }
    }

    pub fn page_mut(&mut self, page: PageId) -> &mut Page {
        let extent = self.extents.entry(page / EXTENT).or_insert(Extent::Alike(Page::FRESH));
        if let Extent::Alike(all) = extent {
            *extent = Extent::Each(vec![all.clone(); EXTENT as usize].into());
        }
        match extent {
            Extent::Each(pages) => &mut pages[(page % EXTENT) as usize],
            Extent::Alike(all) => all,
        }
    }

    /// Makes a node the master and the only writer of the first page of a range, and of the pages of its extent behind
    /// it, up to the end of the range or to a page that has a master. The first page has none.
    pub fn claim(&mut self, pages: std::ops::Range<PageId>, master: u32) {
        let claimed = Page { master, owner: master, writers: NodeSet::of(master), ..Page::FRESH };
        let first = pages.start % EXTENT;
        let end = EXTENT.min(first + (pages.end - pages.start));
        let extent = self.extents.entry(pages.start / EXTENT).or_insert(Extent::Alike(Page::FRESH));
        if let Extent::Alike(all) = extent {
            if end - first == EXTENT {
                *all = claimed;
                return;
            }
            *extent = Extent::Each(vec![all.clone(); EXTENT as usize].into());
        }
        let Extent::Each(each) = extent else { return };
        for page in each[first as usize..end as usize].iter_mut().take_while(|page| page.master == NOBODY) {
            *page = claimed.clone();
        }
        // The last page is often touched last.
        if end == EXTENT && each.windows(2).all(|pair| pair[0] == pair[1]) {
            *extent = Extent::Alike(claimed);
        }
    }

    /// First page of a range for which `holds` is false; `None` if there is none.
    pub fn first_without(
        &self,
        pages: std::ops::Range<PageId>,
        holds: impl Fn(&Page) -> bool,
    ) -> Option<PageId> {
        let mut at = pages.start;
        while at < pages.end {
            let end = pages.end.min((at / EXTENT + 1) * EXTENT);
            match self.extents.get(&(at / EXTENT)) {
                None if holds(&Page::FRESH) => {}
                Some(Extent::Alike(all)) if holds(all) => {}
                None | Some(Extent::Alike(_)) => return Some(at),
                Some(Extent::Each(pages)) => {
                    let inside = &pages[(at % EXTENT) as usize..][..(end - at) as usize];
                    if let Some(offset) = inside.iter().position(|page| !holds(page)) {
                        return Some(at + offset as u64);
                    }
                }
            }
            at = end;
        }
        None
    }

    /// Adds all entries and rights to a snapshot, consecutive equal pages as one record.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Directory { extents } = self;
        let mut run: Option<(&Page, u64, u64)> = None;
        let mut put = |page: Option<(&Page, u64, u64)>| {
            if let Some((page, first, count)) = page {
                into.add(&(page, first, count));
            }
        };
        for (number, extent) in extents {
            let (pages, each) = match extent {
                Extent::Alike(all) => (std::slice::from_ref(all), EXTENT),
                Extent::Each(pages) => (&pages[..], 1),
            };
            for (at, page) in (0..).zip(pages) {
                let first = number * EXTENT + at * each;
                match &mut run {
                    Some((known, start, count)) if *known == page && *start + *count == first => {
                        *count += each
                    }
                    _ => put(run.replace((page, first, each))),
                }
            }
        }
        put(run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_base::Time;
    use proptest::prelude::*;

    proptest! {
        /// Law: Ranges claimed by extents leave the pages and the snapshot that ranges claimed page by page leave.
        #[test]
        fn claims_of_ranges_are_claims_of_pages(
            claims in prop::collection::vec((0..1500u64, 1..1500u64, 0..2u32), 1..12),
        ) {
            let claim = |most: u64| {
                let mut directory = Directory::default();
                for &(start, count, node) in &claims {
                    let mut at = start;
                    let unclaimed = |page: &Page| page.master != NOBODY;
                    while let Some(found) = directory.first_without(at..start + count, unclaimed) {
                        directory.claim(found..(found + most).min(start + count), node);
                        at = found;
                    }
                }
                directory
            };
            let (ranges, pages) = (claim(u64::MAX >> 1), claim(1));
            let (mut of_ranges, mut of_pages) = (Snapshot::new(Time(0)), Snapshot::new(Time(0)));
            ranges.snapshot(&mut of_ranges);
            pages.snapshot(&mut of_pages);
            prop_assert!(of_ranges.is_like(&of_pages));
            prop_assert!((0..3000).all(|page| ranges.page(page) == pages.page(page)));
        }
    }
}
