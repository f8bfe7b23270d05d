//! Faults on missing or invalid copies: requests for pages and diffs, and their answers.

use super::copies::{self, Latest, Missing};
use crate::counts::Part;
use crate::directory::{PageId, Right};
use crate::engine::Dsm;
use crate::network::{Content, Message, Stage};
use numalab_base::{Span, Time};

/// Requests of a node to make a copy valid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fetch {
    /// Requested diffs, one entry per writer.
    asked: Vec<Missing>,
    /// Number of nodes that have not answered.
    outstanding: u32,
    /// Intervals whose writes have arrived, the latest per node.
    came: Latest,
}

impl Dsm {
    /// Makes a valid copy writable without messages: creates its twin, unless writes are sent to homes and the node
    /// is the page's home. Returns the time that the twin takes.
    pub(crate) fn make_writable(&mut self, page: PageId, node: u32) -> Span {
        let Some(lazy) = &mut self.lazy else { return Span::ZERO };
        let Some(page) = lazy.pages.get_mut(&page) else { return Span::ZERO };
        // A home needs no twin, since its writes are not sent.
        let twin = !(lazy.home_based && page.home == node);
        if let Some(copy) = page.copy_mut(node) {
            copy.writable = true;
        }
        self.network.counts[node as usize].twins += u64::from(twin);
        if twin { lazy.twin } else { Span::ZERO }
    }

    /// Requests the whole page or the diffs that make a node's copy of the page valid.
    pub(crate) fn fetch(&mut self, page: PageId, node: u32, now: Time) {
        let Some(lazy) = &mut self.lazy else { return };
        let Some(entry) = lazy.pages.get_mut(&page) else { return };
        let fetch = lazy.fetches.entry((page, node)).or_default();
        if lazy.home_based {
            let to = entry.home;
            entry.copy_or_new(node).fetching = true;
            let content = Content::CopyRequest;
            return self.deliver(Message { content, page, from: node, to, load: 0 }, now, Some((page, node)));
        }
        let supplier = if entry.copy(entry.last_writer).is_some() { entry.last_writer } else { entry.home };
        let Some(copy) = entry.copy_mut(node) else {
            entry.copy_or_new(node).fetching = true;
            let content = Content::CopyRequest;
            let message = Message { content, page, from: node, to: supplier, load: 0 };
            return self.deliver(message, now, Some((page, node)));
        };
        copy.fetching = true;
        fetch.asked = std::mem::take(&mut copy.missing);
        // One answer more than requests, so that answers of the same time cannot finish the fetch early.
        fetch.outstanding = fetch.asked.len() as u32 + 1;
        let writers: Vec<u32> = fetch.asked.iter().map(|missing| missing.writer).collect();
        for to in writers {
            let content = Content::DiffRequest;
            self.deliver(Message { content, page, from: node, to, load: 0 }, now, Some((page, node)));
        }
        self.diff_came(page, node, now);
    }

    /// A node receives a request for a whole page and sends its copy. A home waits until no diff for the page is in
    /// flight.
    pub(crate) fn copy_asked(&mut self, page: PageId, from: u32, to: u32, now: Time) {
        let Some(lazy) = &mut self.lazy else { return };
        let Some(entry) = lazy.pages.get_mut(&page) else { return };
        if lazy.home_based && entry.under_way > 0 {
            return entry.waiting.push(from);
        }
        // The copy becomes read-only, so that the next write is noticed at a node that had the page alone, or at a
        // home without a twin.
        let untwinned = if lazy.home_based { from != to } else { entry.copies().len() == 2 };
        if let Some(copy) = entry.copy_mut(to) {
            copy.writable &= !untwinned;
            if let Some(fetch) = lazy.fetches.get_mut(&(page, from)) {
                fetch.came.clone_from(&copy.contains);
            }
        }
        let message = Message { content: Content::Copy, page, from: to, to: from, load: 0 };
        self.deliver(message, now, Some((page, from)));
    }

    /// A whole page has arrived at a node. Requests the writes that the page misses from their writers.
    pub(crate) fn copy_came(&mut self, page: PageId, node: u32, now: Time) {
        let Some(lazy) = &mut self.lazy else { return };
        let Some(fetch) = lazy.fetches.get_mut(&(page, node)) else { return };
        let came = std::mem::take(&mut fetch.came);
        let Some(entry) = lazy.pages.get_mut(&page) else { return };
        let home_based = lazy.home_based;
        let page_bytes = lazy.page_bytes;
        let copy = entry.copy_or_new(node);
        came.iter().for_each(|(of, number)| copies::put(&mut copy.contains, *of, *number));
        copy.settle();
        if home_based {
            return self.fetched(page, node, Span::ZERO, now);
        }
        let log = entry.log.clone();
        let copy = entry.copy_or_new(node);
        for (writer, number) in log {
            let known = copy.missing.iter().any(|missing| copies::has(&missing.intervals, writer, number));
            if writer != node && !known && !copies::has(&copy.contains, writer, number) {
                let intervals = vec![(writer, number)];
                copy.missing.push(Missing { writer, bytes: page_bytes, intervals });
            }
        }
        match copy.missing.is_empty() {
            true => self.fetched(page, node, Span::ZERO, now),
            false => self.fetch(page, node, now),
        }
    }

    /// A writer receives a request for its diff, and makes the diff if none exists yet.
    pub(crate) fn diff_asked(&mut self, page: PageId, from: u32, to: u32, now: Time) {
        let Some(lazy) = &mut self.lazy else { return };
        let Some(fetch) = lazy.fetches.get_mut(&(page, from)) else { return };
        let Some(copy) = lazy.pages.get_mut(&page).and_then(|page| page.copy_mut(to)) else { return };
        let asked = fetch.asked.iter().filter(|missing| missing.writer == to);
        let mut load = 0;
        for missing in asked {
            load = load.max(missing.bytes);
            for (of, number) in &missing.intervals {
                if copies::has(&copy.contains, *of, *number) {
                    copies::put(&mut fetch.came, *of, *number);
                }
            }
        }
        let makes = std::mem::take(&mut copy.writable);
        let until = if makes {
            self.network.counts[to as usize].diffs += 1;
            self.network.occupy(to, lazy.diff_create, now)
        } else {
            now
        };
        if let Some(blocked) = self.blocked.get_mut(&(page, from)) {
            blocked.stop.add(Part::Diffs, until - now);
        }
        self.deliver_at(Message { content: Content::Diff, page, from: to, to: from, load }, now, until);
    }

    /// A diff has arrived. After the last diff, all are applied to the copy.
    pub(crate) fn diff_came(&mut self, page: PageId, node: u32, now: Time) {
        let Some(lazy) = &mut self.lazy else { return };
        let Some(fetch) = lazy.fetches.get_mut(&(page, node)) else { return };
        fetch.outstanding -= 1;
        if fetch.outstanding > 0 {
            return;
        }
        let (came, diffs) = (std::mem::take(&mut fetch.came), fetch.asked.len() as u64);
        let span = diffs * lazy.diff_apply;
        if let Some(copy) = lazy.pages.get_mut(&page).and_then(|page| page.copy_mut(node)) {
            came.iter().for_each(|(of, number)| copies::put(&mut copy.contains, *of, *number));
            copy.settle();
        }
        let until = if span > Span::ZERO { self.network.occupy(node, span, now) } else { now };
        self.fetched(page, node, until - now, until);
    }

    /// The diff of an interval has arrived at the home of a page, whose daemon applies it.
    pub(crate) fn deposited(&mut self, page: PageId, from: u32, now: Time) {
        let Some(lazy) = &mut self.lazy else { return };
        let Some(entry) = lazy.pages.get_mut(&page) else { return };
        let home = entry.home;
        // Messages of one node arrive in order.
        let first = entry.deposits.iter().position(|(node, _)| *node == from);
        let interval = first.map(|first| entry.deposits.remove(first).1);
        if let (Some(copy), Some(interval)) = (entry.copy_mut(home), interval) {
            copies::put(&mut copy.contains, from, interval);
            copy.settle();
        }
        let until = self.network.occupy(home, lazy.diff_apply, now);
        let message = Message { content: Content::Deposited, page, from: home, to: home, load: 0 };
        self.network.put(until, Stage::Served, message);
    }

    /// A diff has been applied at the home of a page. After the last diff in flight, nodes that wait for the page are
    /// served.
    pub(crate) fn applied(&mut self, page: PageId, home: u32, now: Time) {
        let entry = self.lazy.as_mut().and_then(|lazy| lazy.pages.get_mut(&page));
        let Some(entry) = entry else { return };
        entry.under_way -= 1;
        if entry.under_way == 0 {
            for node in std::mem::take(&mut entry.waiting) {
                self.copy_asked(page, node, home, now);
            }
        }
    }

    /// A node's copy is complete at `now`: the waiting workers continue. `merging`: time that the node's daemon took
    /// to apply the diffs.
    fn fetched(&mut self, page: PageId, node: u32, merging: Span, now: Time) {
        let Some(lazy) = &mut self.lazy else { return };
        lazy.fetches.remove(&(page, node));
        if let Some(copy) = lazy.pages.get_mut(&page).and_then(|page| page.copy_mut(node)) {
            copy.fetching = false;
        }
        let writes = self.blocked.get(&(page, node)).is_some_and(|blocked| blocked.needs == Right::Write);
        let valid = self.right(page, node) != Right::None;
        let twin = if writes && valid { self.make_writable(page, node) } else { Span::ZERO };
        if let Some(blocked) = self.blocked.get_mut(&(page, node)) {
            blocked.stop.add(Part::Diffs, merging + twin);
        }
        self.got(page, node);
        self.go_on(page, node, now + twin);
    }
}
