//! Victim: the nearest thread with work left. Ties go to the next locality domain counting up from the thief's, and
//! in it to the next thread counting up from the thief, both wrapping round.

use super::{Choice, Scanning};
use numalab_base::ThreadId;
use numalab_workload::policy::Reach;
use std::cmp::Reverse;
use std::ops::Range;

/// Distances between threads as a thief sees them.
pub trait Proximity {
    /// Number of locality domains.
    fn domains(&self) -> u32;

    /// Locality domain of a thread.
    fn domain(&self, thread: ThreadId) -> u32;

    /// Distance of two domains in any unit. A domain has the least distance to itself.
    fn distance(&self, from: u32, to: u32) -> u64;

    /// Smallest part of the machine that holds both domains.
    fn reach(&self, from: u32, to: u32) -> Reach {
        if from == to { Reach::Node } else { Reach::Machine }
    }
}

/// Chooses the nearest thread with iterations left as victim.
pub struct Nearest<'a> {
    proximity: &'a dyn Proximity,
    /// Threads with iterations left, by domain, ascending.
    loaded: Vec<Vec<ThreadId>>,
    /// For each domain, the domains that may have iterations left, nearest last. The list of a domain is made at the
    /// first request of a thief in the domain (`None` before); domains found without iterations are removed from the
    /// list.
    order: Vec<Option<Vec<u32>>>,
}

impl<'a> Nearest<'a> {
    pub(crate) fn new(proximity: &'a dyn Proximity) -> Nearest<'a> {
        let domains = proximity.domains() as usize;
        Nearest { proximity, loaded: vec![Vec::new(); domains], order: vec![None; domains] }
    }
}

impl Scanning for Nearest<'_> {
    const SCANS: bool = false;
}

impl Choice for Nearest<'_> {
    fn start(&mut self, left: &[Range<u64>]) {
        for (thread, range) in ThreadId::first(left.len() as u32).zip(left) {
            if !range.is_empty() {
                self.loaded[self.proximity.domain(thread) as usize].push(thread);
            }
        }
    }

    fn changed(&mut self, thread: ThreadId, before: u64, now: u64) {
        if (before == 0) == (now == 0) {
            return;
        }
        let loaded = &mut self.loaded[self.proximity.domain(thread) as usize];
        match loaded.binary_search(&thread) {
            Ok(at) if now == 0 => {
                loaded.remove(at);
            }
            Err(at) if now > 0 => {
                loaded.insert(at, thread);
                // Domains without work were removed from the lists, and this one may be among them.
                self.order.fill(None);
            }
            Ok(_) | Err(_) => {}
        }
    }

    fn victim(&mut self, thief: ThreadId, _: &[Range<u64>]) -> Option<ThreadId> {
        let home = self.proximity.domain(thief);
        let domains = self.proximity.domains();
        let loaded = &self.loaded;
        let order = self.order[home as usize].get_or_insert_with(|| {
            let mut order: Vec<u32> =
                (0..domains).filter(|domain| !loaded[*domain as usize].is_empty()).collect();
            order.sort_by_cached_key(|&domain| {
                let round = (domain + domains - home) % domains;
                Reverse((self.proximity.distance(home, domain), round))
            });
            order
        });
        while let Some(&domain) = order.last() {
            let members = &loaded[domain as usize];
            let above = members.partition_point(|member| *member <= thief);
            if let Some(&victim) = members.get(above).or(members.first()) {
                return Some(victim);
            }
            order.pop();
        }
        None
    }
}
