//! Releases: a node sends hints about pages that it has finished with to their masters, at the end of a loop or
//! inside the loop.

use crate::directory::{NOBODY, Right};
use crate::engine::Dsm;
use crate::network::{Content, Message};
use crate::predictor::Hint;
use crate::protocol::Request;
use numalab_base::Time;
use numalab_machine::{DirtyPages, Technique};
use std::collections::BTreeMap;

/// Limits on the number of pages of one release.
#[derive(Clone, Copy)]
struct Limits {
    /// Most pages about which hints are sent.
    all: usize,
    /// Most copies that the node drops.
    drops: usize,
}

impl Dsm {
    /// Ends the context in which the first worker is alone, if there is one, and releases the pages used in it to
    /// their next users.
    pub fn close(&mut self, now: Time) {
        if std::mem::take(&mut self.alone) {
            self.release(self.meetings.node(0), now);
        }
    }

    /// The first worker continues alone, in the part of the program with number `context`. The predictor treats that
    /// part as a context only under the technique `final`.
    pub fn go_alone(&mut self, context: u32) {
        self.sharers.leave();
        self.alone = self.technique == Technique::Final;
        self.presends = true;
        if let Some(predictor) = &mut self.predictor {
            if self.alone { predictor.enter(context) } else { predictor.leave() }
        }
    }

    /// Begins a loop. `number`: the loop's number in the program. `context`: the predictor's context, `None` if the
    /// loop has none. `presends`: true if the end of the loop sends pages ahead; otherwise only virtual
    /// synchronisation points inside the loop do.
    pub fn enter(&mut self, number: u32, context: Option<u32>, presends: bool) {
        self.sharers.enter(number);
        self.presends = presends;
        let prepared = presends || self.technique.chops();
        if let Some(predictor) = &mut self.predictor {
            match context.filter(|_| prepared) {
                Some(context) => predictor.enter(context),
                None => predictor.leave(),
            }
        }
    }

    /// A worker reaches a virtual synchronisation point, which releases the pages that the worker used for the last
    /// time in this loop. The worker does not wait.
    pub fn sync_point(&mut self, worker: u32, now: Time) {
        if self.technique.chops() {
            self.end_section(worker, now);
        }
    }

    fn end_section(&mut self, worker: u32, now: Time) {
        let node = self.meetings.node(worker);
        let Some(predictor) = &mut self.predictor else { return };
        let section = predictor.pass(worker, node);
        let hints = predictor.hints_of(section, node);
        // If the end of the loop sends pages ahead, too, the number of hints is not limited: a full buffer is sent at
        // once.
        let presends = self.technique == Technique::Final && self.presends;
        let all = if presends { usize::MAX } else { self.vsp_pages };
        let limits = Limits { all, drops: usize::MAX };
        self.let_go(node, &hints, limits, now);
    }

    /// Releases the pages that a node used in the present context, once all workers of the node have finished the
    /// context.
    pub(crate) fn release(&mut self, node: u32, now: Time) {
        if self.technique.chops() {
            for worker in 0..self.meetings.workers() {
                if self.meetings.node(worker) == node {
                    self.end_section(worker, now);
                }
            }
        }
        if self.technique == Technique::Chopper || !self.presends {
            return;
        }
        let Some(predictor) = &mut self.predictor else { return };
        let hints = predictor.hints(node);
        let limits = Limits { all: usize::MAX, drops: self.drop_buffer };
        self.let_go(node, &hints, limits, now);
    }

    /// Sends hints about pages that a node has finished with to their masters, within `limits`. Omits pages to which
    /// the node has no right, and pages that it has requested again.
    fn let_go(&mut self, node: u32, hints: &[Hint], limits: Limits, now: Time) {
        /// Most hints in one message.
        const BUFFER: usize = 512;
        let drops_alone = self.technique == Technique::Preinvalidate;
        let mut by_master: BTreeMap<u32, Vec<Hint>> = BTreeMap::new();
        let Limits { mut all, mut drops } = limits;
        for hint in hints {
            let entry = self.directory.page(hint.page);
            let (master, right) = (entry.master, entry.right(node));
            // A requested page is still in flight and cannot be released.
            let asked = self.asked.contains_key(&(hint.page, node));
            if right == Right::None || master == NOBODY || all == 0 || asked {
                continue;
            }
            let mut hint = hint.clone();
            match (hint.request, right) {
                (Request::Preinvalidate, Right::Read) if drops == 0 => continue,
                (Request::Preinvalidate, Right::Read) => {
                    drops -= 1;
                    hint.dropped = master != node;
                    if hint.dropped {
                        self.ahead.remove(&(hint.page, node));
                        self.directory.page_mut(hint.page).give(node, Right::None);
                    }
                }
                // A technique that only drops copies does not move dirty pages: a dirty page moves with its
                // ownership, which counts as sending ahead.
                (Request::Preinvalidate, _) | (Request::Presend, _) if drops_alone => continue,
                // A dirty page goes to its readers first.
                (Request::Preinvalidate, _) if hint.is_read_before => continue,
                (Request::Preinvalidate, _) => match self.presend_writes {
                    DirtyPages::Move => {}
                    DirtyPages::Copy => hint.request = Request::Presend,
                    DirtyPages::Stay => continue,
                },
                (Request::Presend | Request::Read | Request::Write, _) => {}
            }
            all -= 1;
            by_master.entry(master).or_default().push(hint);
        }
        for (master, hints) in by_master {
            for part in hints.chunks(BUFFER) {
                let free = self.releases.iter().position(Vec::is_empty);
                let list = free.unwrap_or_else(|| {
                    self.releases.push(Vec::new());
                    self.releases.len() - 1
                });
                self.releases[list] = part.to_vec();
                let content = Content::Release;
                let message = Message { content, page: list as u64, from: node, to: master, load: 0 };
                self.deliver(message, now, None);
            }
        }
    }

    /// A master receives the hints of a release message.
    pub(crate) fn released(&mut self, list: u64, from: u32, now: Time) {
        for hint in std::mem::take(&mut self.releases[list as usize]) {
            self.foretold(hint, from, now);
        }
    }
}
