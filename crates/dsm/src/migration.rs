//! Migration of masters: a node that requests a page several times in a row gets the page's directory entry. Other
//! nodes keep asking the first master, which forwards requests.

use crate::directory::PageId;
use crate::engine::Dsm;
use crate::network::{Content, Message};
use crate::protocol::Request;
use numalab_base::{Snapshot, Time};
use rustc_hash::FxHashMap;

/// Recent requests by page, and pages whose master has moved.
#[derive(Clone, Debug)]
pub(crate) struct Migration {
    /// Number of requests in a row by one node after which this node becomes the master.
    after: u32,
    /// Last requester of each page, and the number of its requests in a row.
    streaks: FxHashMap<PageId, (u32, u32)>,
    /// First master of each page whose master has moved.
    first: FxHashMap<PageId, u32>,
}

impl Migration {
    pub fn new(after: u32) -> Migration {
        Migration { after, streaks: FxHashMap::default(), first: FxHashMap::default() }
    }

    /// Adds streaks and first masters to a snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Migration { after: _, streaks, first } = self;
        let mut streaks: Vec<_> = streaks.iter().collect();
        streaks.sort_unstable();
        let mut first: Vec<_> = first.iter().collect();
        first.sort_unstable();
        into.add(&streaks);
        into.add(&first);
    }
}

impl Dsm {
    /// Node to which a node's fault is reported: the faulting node itself if it is the master, else the first master.
    pub(crate) fn asked_of(&self, page: PageId, node: u32) -> u32 {
        let master = self.directory.page(page).master;
        let first = self.migration.as_ref().and_then(|migration| migration.first.get(&page));
        if master == node { master } else { first.copied().unwrap_or(master) }
    }

    /// A request has arrived at `node`, which forwards it unless `node` is the page's master.
    pub(crate) fn asked_at(&mut self, page: PageId, (request, asker): (Request, u32), node: u32, now: Time) {
        let master = self.directory.page(page).master;
        if master == node {
            return self.requested(page, request, asker, now);
        }
        let message =
            Message { content: Content::Forward(request, asker), page, from: node, to: master, load: 0 };
        self.deliver(message, now, Some((page, asker)));
    }

    /// Counts an answered request of a node. The node becomes the page's master if its streak is long enough and no
    /// request is pending: then no message of the old master is in flight that a message of the new one could
    /// overtake.
    pub(crate) fn count_answer(&mut self, page: PageId, node: u32) {
        let Some(migration) = &mut self.migration else { return };
        let streak = migration.streaks.entry(page).or_insert((node, 0));
        // Streaks longer than `after` are equivalent to `after`.
        let asked = (streak.1 + 1).min(migration.after);
        *streak = if streak.0 == node { (node, asked) } else { (node, 1) };
        let often = streak.1 >= migration.after;
        let former = self.directory.page(page).master;
        if !often || former == node || self.busy.contains_key(&page) {
            return;
        }
        if (0..self.nodes).any(|other| self.asked.contains_key(&(page, other))) {
            return;
        }
        self.directory.page_mut(page).master = node;
        if *migration.first.entry(page).or_insert(former) == node {
            migration.first.remove(&page);
        }
    }
}
