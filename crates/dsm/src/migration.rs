//! Masters that move: a node that asks for a page so often in a row keeps its entry from then on. Others go on to ask the
//! first master, which passes their requests on.

use crate::directory::PageId;
use crate::engine::Dsm;
use crate::network::{Content, Message};
use crate::protocol::Request;
use numalab_base::{Snapshot, Time};
use rustc_hash::FxHashMap;

/// Requests of late by page, and pages that have another master than at first.
#[derive(Clone, Debug)]
pub(crate) struct Migration {
    /// Requests in a row after which the master moves.
    after: u32,
    /// The node that asked last, and how often in a row.
    streaks: FxHashMap<PageId, (u32, u32)>,
    /// The first masters of pages that have another one now.
    first: FxHashMap<PageId, u32>,
}

impl Migration {
    pub fn new(after: u32) -> Migration {
        Migration { after, streaks: FxHashMap::default(), first: FxHashMap::default() }
    }

    /// Writes down who asked, and who was master first.
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
    /// The node that a fault of a node is reported to: the master, if that is itself, or the first one.
    pub(crate) fn asked_of(&self, page: PageId, node: u32) -> u32 {
        let master = self.directory.page(page).master;
        let first = self.migration.as_ref().and_then(|migration| migration.first.get(&page));
        if master == node { master } else { first.copied().unwrap_or(master) }
    }

    /// A request has come to a node, which passes it on unless it is the master.
    pub(crate) fn asked_at(&mut self, page: PageId, (request, asker): (Request, u32), node: u32, now: Time) {
        let master = self.directory.page(page).master;
        if master == node {
            return self.requested(page, request, asker, now);
        }
        let message =
            Message { content: Content::Forward(request, asker), page, from: node, to: master, load: 0 };
        self.deliver(message, now, Some((page, asker)));
    }

    /// A node has been answered. It becomes the master if it has asked often enough, and nobody asks or is served now:
    /// nothing about the page is under way then, which another master's messages could overtake.
    pub(crate) fn count_answer(&mut self, page: PageId, node: u32) {
        let Some(migration) = &mut self.migration else { return };
        let streak = migration.streaks.entry(page).or_insert((node, 0));
        // Longer ones are all alike.
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
