//! Releases and acquires: an interval ends, and other nodes hear of the writes in it. Flags between two workers.

use super::intervals::{Clock, join};
use super::{Lazy, copies};
use crate::engine::Dsm;
use crate::network::{Content, Message};
use numalab_base::{Span, Time};

/// Bytes of a write notice, and bytes of an interval number.
const NOTICE: u64 = 8;
const NUMBER: u64 = 4;

impl Lazy {
    /// Stores a clock for a message to node `to`. Returns the clock's number, and the bytes that the clock adds to
    /// the message.
    fn letter(&mut self, clock: Clock, to: u32) -> (u64, u32) {
        let nodes = clock.len() as u64;
        let news = self.intervals.news(to, &clock);
        let bytes: u64 = news.map(|(.., interval)| NOTICE * interval.notices + NUMBER * nodes).sum();
        let free = (1..self.letters.len()).find(|at| self.letters[*at].is_none());
        let at = free.unwrap_or_else(|| {
            self.letters.push(None);
            self.letters.len() - 1
        });
        self.letters[at] = Some(clock);
        (at as u64, u32::try_from(bytes).unwrap_or(u32::MAX))
    }
}

impl Dsm {
    /// Closes the open interval of a node, if the node has written. Returns the time at which the last diff for a
    /// home is made; `now` without such diffs.
    pub(crate) fn close_interval(&mut self, node: u32, now: Time) -> Time {
        let Some(lazy) = &mut self.lazy else { return now };
        if lazy.open[node as usize].is_empty() {
            return now;
        }
        let mut pages: Vec<_> = std::mem::take(&mut lazy.open[node as usize]).into_iter().collect();
        pages.sort_unstable();
        let notices = pages.len() as u64;
        let number = lazy.intervals.open(node);
        let (mut noticed, mut sent) = (Vec::new(), Vec::new());
        for (at, bytes) in pages {
            let Some(page) = lazy.pages.get_mut(&at) else { continue };
            copies::put(&mut page.log, node, number);
            page.last_writer = node;
            let (single, home) = (page.is_single(), page.home);
            let Some(copy) = page.copy_mut(node) else { continue };
            copies::put(&mut copy.contains, node, number);
            if single {
                continue;
            }
            copy.writable &= !lazy.home_based;
            let others = page.copies().iter().map(|(holder, _)| *holder).filter(|holder| *holder != node);
            noticed.extend(others.map(|holder| (holder, at, bytes)));
            if lazy.home_based && home != node {
                page.under_way += 1;
                page.deposits.push((node, number));
                sent.push((at, bytes, home));
            }
        }
        lazy.intervals.close(node, noticed, notices);
        let each = lazy.diff_create;
        let counts = &mut self.network.counts[node as usize];
        counts.diffs += sent.len() as u64;
        let mut until = now;
        for (page, load, to) in sent {
            until = self.network.occupy(node, each, now);
            let content = Content::Deposit;
            self.deliver_at(Message { content, page, from: node, to, load }, now, until);
        }
        until
    }

    /// A node hears of the intervals of a clock: its copies of pages written in them become invalid. Closes the
    /// node's open interval first. Returns the time at which the copies are invalidated.
    fn acquire(&mut self, node: u32, clock: &[u32], now: Time) -> Time {
        let now = self.close_interval(node, now);
        let Some(lazy) = &mut self.lazy else { return now };
        let (mut heard, mut dirty) = (0, 0);
        for (of, number, interval) in lazy.intervals.news(node, clock) {
            heard += interval.notices;
            for (page, bytes) in interval.written_to(node) {
                let Some(copy) = lazy.pages.get_mut(&page).and_then(|page| page.copy_mut(node)) else {
                    continue;
                };
                if copies::has(&copy.contains, of, number) {
                    continue;
                }
                // The node's own writes are put into a diff first.
                dirty += u64::from(copy.writable);
                copy.writable = false;
                copy.notice(of, number, bytes, &interval.clock, lazy.page_bytes);
            }
        }
        lazy.intervals.hear(node, clock);
        let counts = &mut self.network.counts[node as usize];
        counts.notices += heard;
        counts.diffs += dirty;
        let span = dirty * lazy.diff_create;
        if span == Span::ZERO { now } else { self.network.occupy(node, span, now) }
    }

    /// Sends a message with the clock of its source, departing at `until`, the end of the source's interval. Carries
    /// no clock under sequential consistency and inside a node, except that `Arrive` always has one under lazy
    /// consistency.
    pub(crate) fn send_clock(&mut self, content: Content, (from, to): (u32, u32), now: Time, until: Time) {
        let (page, load) = match &mut self.lazy {
            Some(lazy) if from != to || content == Content::Arrive => {
                let clock = lazy.intervals.clock(from).clone();
                lazy.letter(clock, to)
            }
            Some(_) | None => (0, 0),
        };
        self.deliver_at(Message { content, page, from, to, load }, now, until);
    }

    /// Sends the maximum clock of the present meeting (barrier or join).
    pub(crate) fn send_met(&mut self, content: Content, from: u32, to: u32, now: Time) {
        let (page, load) = match &mut self.lazy {
            Some(lazy) => {
                let clock = lazy.met.clone();
                lazy.letter(clock, to)
            }
            None => (0, 0),
        };
        self.deliver(Message { content, page, from, to, load }, now, None);
    }

    /// A node receives the clock of a message. Returns the time at which the clock is processed.
    pub(crate) fn take_clock(&mut self, node: u32, letter: u64, now: Time) -> Time {
        let clock = self.lazy.as_mut().and_then(|lazy| lazy.letters.get_mut(letter as usize)?.take());
        clock.map_or(now, |clock| self.acquire(node, &clock, now))
    }

    /// Adds the clock of a node that has arrived at the present meeting. `letter`: number of the clock.
    pub(crate) fn note_met(&mut self, letter: u64) {
        let Some(lazy) = &mut self.lazy else { return };
        if let Some(clock) = lazy.letters.get_mut(letter as usize).and_then(Option::take) {
            join(&mut lazy.met, &clock);
        }
    }

    /// The node that collects a meeting hears of the meeting's clock. Returns the time at which the clock is
    /// processed.
    pub(crate) fn acquire_met(&mut self, node: u32, now: Time) -> Time {
        let Some(met) = self.lazy.as_ref().map(|lazy| lazy.met.clone()) else { return now };
        let until = self.acquire(node, &met, now);
        if let Some(lazy) = &mut self.lazy {
            lazy.intervals.forget();
        }
        until
    }

    /// Toggles a flag between two workers (a release) if its state, as `worker` knows it, is `raised`; `other`
    /// acquires when it is notified. Returns false if the state is different; `worker` is then woken to try again.
    /// Under sequential consistency returns true without effect.
    pub fn turn(&mut self, worker: u32, flag: u32, raised: bool, other: u32, now: Time) -> bool {
        let (from, to) = (self.meetings.node(worker), self.meetings.node(other));
        let Some(lazy) = &mut self.lazy else { return true };
        let known = lazy.flags.entry((flag, worker)).or_default();
        if *known != raised {
            lazy.awaiting.insert((flag, worker));
            return false;
        }
        *known = !raised;
        let content = Content::Signal { flag, worker: other, raised: !raised };
        let until = self.close_interval(from, now);
        self.send_clock(content, (from, to), now, until);
        true
    }

    /// A node receives the state of a flag for one of its workers, with the clock of the node that toggled the flag.
    pub(crate) fn signalled(
        &mut self,
        (flag, worker, raised): (u32, u32, bool),
        node: u32,
        letter: u64,
        now: Time,
    ) {
        let until = self.take_clock(node, letter, now);
        let Some(lazy) = &mut self.lazy else { return };
        lazy.flags.insert((flag, worker), raised);
        if lazy.awaiting.remove(&(flag, worker)) {
            self.wake(worker, until);
        }
    }
}
