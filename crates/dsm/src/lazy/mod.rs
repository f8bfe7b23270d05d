//! Lazy release consistency: copies of a page may differ until their nodes synchronise.
//!
//! The time of a node between two synchronisations is an interval. A synchronising node hears of the intervals that
//! happened before and of the pages written in them; its copies of these pages become invalid. Writes are found by
//! comparing a page with its twin, the copy made before the first write. There are two variants: writes are fetched
//! from the writers when the page is used again, or they are sent to the page's home at each release. The protocol's
//! rows for both variants are in the book (`docs/dsm.md`).
//!
//! | file | contents |
//! |---|---|
//! | `intervals` | vector clocks, intervals, news for a node |
//! | `copies` | writes that each copy of a page contains and misses |
//! | `sync` | releases and acquires, flags |
//! | `fetch` | requests of a fault |

mod copies;
mod fetch;
mod intervals;
mod sync;

use crate::directory::{PageId, Right};
use crate::engine::Dsm;
use crate::protocol::Request;
use crate::touches::{Fault, Use};
use copies::Page;
use fetch::Fetch;
use intervals::{Clock, Intervals};
use numalab_base::{Snapshot, Span};
use numalab_machine::{Consistency, Dsm as Parameters};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Pages under lazy release consistency.
#[derive(Clone, Debug)]
pub(crate) struct Lazy {
    /// True if writes are sent to the page's home at a release.
    home_based: bool,
    pub twin: Span,
    diff_create: Span,
    diff_apply: Span,
    page_bytes: u32,
    intervals: Intervals,
    /// Pages that each node has written in its open interval, with the bytes written.
    open: Vec<FxHashMap<PageId, u32>>,
    pages: FxHashMap<PageId, Page>,
    fetches: FxHashMap<(PageId, u32), Fetch>,
    /// Clocks carried by messages in flight, by number; number 0 stands for no clock.
    letters: Vec<Option<Clock>>,
    /// Maximum of the clocks of the nodes that have arrived at the present meeting.
    met: Clock,
    /// `flags`: state of a flag as a worker knows it, by flag and worker. `awaiting`: pairs of a flag and a worker
    /// that waits for a change of the flag.
    flags: BTreeMap<(u32, u32), bool>,
    awaiting: BTreeSet<(u32, u32)>,
}

impl Lazy {
    /// `None` under sequential consistency.
    pub fn new(parameters: &Parameters, nodes: u32, workers: &[u32]) -> Option<Lazy> {
        let home_based = match parameters.consistency {
            Consistency::Sequential => return None,
            Consistency::Lazy => false,
            Consistency::HomeBased => true,
        };
        Some(Lazy {
            home_based,
            twin: parameters.twin,
            diff_create: parameters.diff_create,
            diff_apply: parameters.diff_apply,
            page_bytes: u32::try_from(parameters.page.0).unwrap_or(u32::MAX),
            intervals: Intervals::new(nodes, workers.to_vec()),
            open: vec![FxHashMap::default(); nodes as usize],
            pages: FxHashMap::default(),
            fetches: FxHashMap::default(),
            letters: vec![None],
            met: vec![0; nodes as usize].into(),
            flags: BTreeMap::new(),
            awaiting: BTreeSet::new(),
        })
    }

    pub fn right(&self, page: PageId, node: u32) -> Right {
        match self.pages.get(&page).and_then(|page| page.copy(node)) {
            Some(copy) if !copy.is_valid() => Right::None,
            Some(copy) if copy.writable => Right::Write,
            Some(_) => Right::Read,
            None => Right::None,
        }
    }

    /// Intervals (writer node, number) whose writes a node's copy of a page contains; `None` if the copy is not
    /// valid.
    pub fn contains(&self, page: PageId, node: u32) -> Option<Vec<(u32, u32)>> {
        let copy = self.pages.get(&page)?.copy(node).filter(|copy| copy.is_valid())?;
        let mut contains = copy.contains.clone();
        contains.sort_unstable();
        Some(contains)
    }

    pub fn is_quiet(&self) -> bool {
        self.fetches.is_empty() && self.awaiting.is_empty() && self.letters.iter().all(Option::is_none)
    }

    /// Adds the state to a snapshot. Interval numbers grow for ever; only which nodes have heard of them matters.
    /// Refuses states with requests or clocks under way, waiting workers, or writes in open intervals.
    pub fn snapshot(&self, into: &mut Snapshot) {
        if !self.is_quiet() || self.open.iter().any(|open| !open.is_empty()) {
            return into.refuse();
        }
        let heard = self.intervals.heard();
        self.intervals.snapshot(&heard, into);
        into.add(&self.flags);
        let mut pages: Vec<_> = self.pages.iter().collect();
        pages.sort_unstable_by_key(|(number, _)| **number);
        for (number, page) in pages {
            into.add(&(number, page.home, page.last_writer, page.under_way, page.copies().len()));
            for (of, number) in &page.deposits {
                into.add(&(of, self.intervals.age(&heard, *of, *number)));
            }
            for (node, copy) in page.copies() {
                into.add(&(node, copy.writable, copy.missing.len()));
                for missing in &copy.missing {
                    into.add(&(missing.writer, missing.bytes));
                    for (of, number) in &missing.intervals {
                        into.add(&(of, self.intervals.age(&heard, *of, *number)));
                    }
                }
                for (of, number) in &page.log {
                    into.add(&(of, copies::has(&copy.contains, *of, *number)));
                }
            }
        }
    }
}

impl Dsm {
    /// First page of a range to which a node lacks a right. Writes to the pages before it are recorded with `each`
    /// bytes a page.
    pub(crate) fn lacking_lazily(
        &mut self,
        node: u32,
        pages: Range<PageId>,
        how: Use,
        each: u32,
    ) -> Option<Fault> {
        for number in pages {
            let home = self.first_master(number, node);
            let lazy = self.lazy.as_mut()?;
            let page = lazy.pages.entry(number).or_insert_with(|| Page::new(home));
            let copy = page.copy(node);
            let valid = copy.is_some_and(copies::Copy::is_valid);
            let request = match how {
                Use::Read | Use::Update if !valid => Request::Read,
                Use::Write | Use::Update if !copy.is_some_and(|copy| valid && copy.writable) => {
                    Request::Write
                }
                Use::Read => continue,
                Use::Write | Use::Update => {
                    let bytes = lazy.open[node as usize].entry(number).or_default();
                    *bytes = bytes.saturating_add(each).min(lazy.page_bytes);
                    continue;
                }
            };
            return Some(Fault { page: number, request: Some(request) });
        }
        None
    }
}
