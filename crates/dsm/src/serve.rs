//! Execution of a request for a page at the page's master, by the row of the protocol's table.

use crate::counts::Part;
use crate::directory::{NOBODY, PageId, Right};
use crate::engine::Dsm;
use crate::network::{Content, Message};
use crate::node_set::NodeSet;
use crate::predictor::Hint;
use crate::protocol::{Answer, Ask, Next, Request, Row, Standing, State};
use numalab_base::{Snapshot, Time};
use std::collections::VecDeque;

/// Request that waits while the master serves another request for the same page.
#[derive(Clone, Debug)]
struct Waiting {
    request: Request,
    asker: u32,
    /// Expected next users of the page, if the request is a hint (`Presend` or `Preinvalidate`); otherwise empty.
    targets: NodeSet,
    /// True if the request is a hint and the requester has dropped its copy of the page.
    dropped: bool,
    since: Time,
}

/// Request that the master is serving.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    pub asker: u32,
    targets: NodeSet,
    row: Row,
    /// Number of nodes that have not answered the master.
    outstanding: u32,
    /// Time at which the master asked other nodes.
    since: Time,
    queue: VecDeque<Waiting>,
}

impl Service {
    /// Adds the served and the waiting requests to a snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Service { asker, targets, row, outstanding, since, queue } = self;
        into.add(&(asker, targets, row, outstanding, queue.len()));
        into.time(*since);
        for Waiting { request, asker, targets, dropped, since } in queue {
            into.add(&(request, asker, targets, dropped));
            into.time(*since);
        }
    }
}

impl Dsm {
    /// A request for a page has arrived at the page's master.
    pub(crate) fn requested(&mut self, page: PageId, request: Request, asker: u32, now: Time) {
        let waiting = Waiting { request, asker, targets: NodeSet::EMPTY, dropped: false, since: now };
        self.queue(page, waiting, now);
    }

    /// A hint about a page has arrived at the page's master, which serves it as a request.
    pub(crate) fn foretold(&mut self, hint: Hint, asker: u32, now: Time) {
        let Hint { page, request, targets, dropped, is_read_before: _ } = hint;
        self.queue(page, Waiting { request, asker, targets, dropped, since: now }, now);
    }

    fn queue(&mut self, page: PageId, waiting: Waiting, now: Time) {
        match self.busy.get_mut(&page) {
            Some(service) => service.queue.push_back(waiting),
            None => self.begin(page, waiting, VecDeque::new(), now),
        }
    }

    fn begin(&mut self, page: PageId, waiting: Waiting, queue: VecDeque<Waiting>, now: Time) {
        let Waiting { request, asker, targets, dropped, since } = waiting;
        if now > since
            && let Some(blocked) = self.blocked.get_mut(&(page, asker))
        {
            blocked.stop.add(Part::PageBusy, now - since);
        }
        let entry = self.directory.page(page);
        let (master, owner) = (entry.master, entry.owner);
        // An owner that releases a page has dropped nothing yet. If another node read the page meanwhile, the owner
        // still has a copy or gets one that is in flight, and its release is void.
        let void = request == Request::Preinvalidate
            && asker != master
            && entry.state() == State::Shared
            && !dropped;
        let standing = if entry.holds(asker) && !void { Standing::Holder } else { Standing::Bare };
        let row = self.table.row(entry.state(), request, standing);
        let asked: Vec<(u32, Content)> = match row.ask {
            Ask::Nothing | Ask::DropOwn => Vec::new(),
            Ask::Fetch => vec![(owner, Content::Fetch)],
            Ask::FetchInvalidate => vec![(owner, Content::FetchInvalidate)],
            Ask::InvalidateOthers => {
                let others = entry.copies.iter().filter(|node| *node != asker);
                others.map(|node| (node, Content::Invalidate)).collect()
            }
        };
        // One answer more than requests, so that answers of the same time cannot finish the request early.
        let outstanding = asked.len() as u32 + 1;
        self.busy.insert(page, Service { asker, targets, row, outstanding, since: now, queue });
        for (node, content) in asked {
            let stop = (content != Content::Invalidate).then_some((page, asker));
            self.deliver(Message { content, page, from: master, to: node, load: 0 }, now, stop);
        }
        self.answered(page, now);
    }

    /// A node has answered the master. After the last answer the master answers the requester.
    pub(crate) fn answered(&mut self, page: PageId, now: Time) {
        let Some(service) = self.busy.get_mut(&page) else { return };
        service.outstanding -= 1;
        if service.outstanding == 0 {
            self.conclude(page, now);
        }
    }

    fn conclude(&mut self, page: PageId, now: Time) {
        let Some(service) = self.busy.remove(&page) else { return };
        let Service { asker, targets, row, since, mut queue, .. } = service;
        if row.ask == Ask::InvalidateOthers
            && let Some(blocked) = self.blocked.get_mut(&(page, asker))
        {
            blocked.stop.add(Part::Invalidations, now - since);
        }
        let entry = self.directory.page_mut(page);
        let (master, former) = (entry.master, entry.owner);
        match row.next {
            Next::Same => {}
            Next::AddRequester => entry.copies.insert(asker),
            Next::Share => {
                entry.owner = NOBODY;
                entry.copies = NodeSet::of(master);
                entry.copies.insert(asker);
                if former != NOBODY {
                    entry.copies.insert(former);
                }
            }
            Next::Own => {
                entry.owner = asker;
                entry.copies = NodeSet::EMPTY;
            }
            Next::ShareAhead => {
                if former != NOBODY {
                    entry.owner = NOBODY;
                    entry.copies = NodeSet::of(former);
                }
                entry.copies.insert(master);
            }
            // The master's own copy stays as long as any other copy exists.
            Next::DropRequester if asker != master => entry.copies.remove(asker),
            Next::DropRequester => {}
            Next::OwnWriter => entry.owner = targets.iter().next().unwrap_or(master),
        }
        // The master's own copy, which came with the page.
        if entry.state() == State::Shared
            && entry.copies.contains(master)
            && entry.right(master) == Right::None
        {
            entry.give(master, Right::Read);
        }
        let right = if entry.owner == asker { Right::Write } else { Right::Read };
        let sent: Vec<(u32, Content)> = match row.answer {
            Answer::Grant => vec![(asker, Content::Grant(right))],
            Answer::Page => vec![(asker, Content::Page(right))],
            Answer::PageToReaders => {
                let bare: Vec<u32> = targets.iter().filter(|node| !entry.copies.contains(*node)).collect();
                bare.iter().for_each(|node| entry.copies.insert(*node));
                bare.into_iter().map(|node| (node, Content::AheadPage(Right::Read))).collect()
            }
            Answer::UpgradeLast => {
                let last = |writer: &u32| {
                    entry.copies.contains(*writer)
                        && entry.copies.iter().all(|node| node == *writer || node == master)
                };
                let writer = targets.iter().find(last);
                if let Some(writer) = writer {
                    entry.owner = writer;
                    entry.copies = NodeSet::EMPTY;
                    if writer != master {
                        entry.give(master, Right::None);
                    }
                }
                writer.map(|writer| (writer, Content::AheadGrant(Right::Write))).into_iter().collect()
            }
            Answer::PageToWriter => {
                vec![(targets.iter().next().unwrap_or(master), Content::AheadPage(Right::Write))]
            }
            Answer::Nothing => Vec::new(),
        };
        if matches!(row.answer, Answer::PageToReaders | Answer::PageToWriter) {
            self.network.counts[master as usize].presends += sent.len() as u64;
            for (node, _) in &sent {
                let counts = &mut self.network.counts[*node as usize];
                counts.ahead += 1;
                // Workers of the node requested the page while it was in flight to the master.
                match self.blocked.contains_key(&(page, *node)) {
                    true => counts.ahead_late += 1,
                    false => drop(self.ahead.insert((page, *node))),
                }
            }
        }
        let next = queue.pop_front();
        for (node, content) in sent {
            self.deliver(Message { content, page, from: master, to: node, load: 0 }, now, Some((page, node)));
        }
        if let Some(next) = next {
            self.begin(page, next, queue, now);
        }
    }
}
