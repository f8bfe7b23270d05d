//! Memory tiers as Linux has them since 5.18: pages of slower memory that are hot are promoted, cold ones of faster
//! memory are demoted when a promotion finds no room.
//!
//! Promotions are made by the fault that tells of an access (`should_numa_migrate_memory` in `kernel/sched/fair.c`): a page is hot
//! when it is accessed soon after a scan unmapped it. While its node has plenty of free memory every page
//! is promoted; else the hot ones, so many bytes a second at most, and the threshold follows how many ask. A promotion that
//! finds the node below its high watermark fails and wakes the node's `kswapd` (`migrate_misplaced_folio_prepare` in
//! `mm/migrate.c`), which demotes until the node is above its promotion watermark again (`mm/vmscan.c`).

use crate::room::Room;
use numalab_base::{Bytes, Snapshot, Span, Time};
use numalab_machine::NodeId;
use std::collections::BTreeSet;

/// Parameters of memory tiers.
#[derive(Clone, Debug, PartialEq)]
pub struct TierSettings {
    /// Tier of every node; a lower one is faster.
    pub tiers: Vec<u32>,
    /// Time from a scan to an access up to which a page is hot.
    pub hot_threshold: Span,
    /// Hot bytes that a node takes in a second.
    pub promote_rate: u64,
    /// Space between two watermarks, as a part of a node's memory.
    pub watermark_scale: f64,
    /// Whether pages move between nodes of the fastest tier as well, by automatic balancing.
    pub balanced: bool,
}

/// Free bytes of a node at which something changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Watermarks {
    /// Demoted pages go to a node with more than this.
    pub low: u64,
    /// A page is promoted to a node with more than this.
    pub high: u64,
    /// `kswapd` ends above this.
    pub promotion: u64,
    /// Every page is promoted above this.
    pub plenty: u64,
}

/// The tiers of a machine, and how far promotion is.
#[derive(Clone, Debug)]
pub(crate) struct Tiers {
    settings: TierSettings,
    /// The slowest tier that has processors: it and all faster ones are the top.
    top: u32,
    nodes: Vec<TierNode>,
    /// Milliseconds of the present instant, the unit in which Linux measures here.
    now: u64,
    /// Nodes whose `kswapd` has something to do.
    pub awake: BTreeSet<NodeId>,
}

#[derive(Clone, Debug)]
struct TierNode {
    marks: Watermarks,
    /// Milliseconds up to which a page is hot, once it was adjusted.
    threshold: Option<u64>,
    /// Bytes that asked to be promoted since the beginning.
    candidates: u64,
    /// Begin of the present second of the rate limit, and the candidates until then.
    second: Option<(u64, u64)>,
    /// Time of the latest adjustment of the threshold, and the candidates until then.
    adjusted: (u64, u64),
    /// Position of `kswapd`: region and page.
    hand: (usize, u64),
}

/// Milliseconds between adjustments of the threshold: the longest period of a scan.
const ADJUST_EVERY: u64 = 60_000;
/// Steps in which the threshold goes from nothing to twice what it was set to.
const STEPS: u64 = 16;
const PS_PER_MS: u64 = 1_000_000_000;

impl Tiers {
    pub fn new(settings: TierSettings, with_processors: u32, capacities: &[u64]) -> Tiers {
        let total = capacities.iter().fold(0, |sum: u64, bytes| sum.saturating_add(*bytes));
        let node = |capacity: &u64| TierNode {
            marks: watermarks(*capacity, total, settings.watermark_scale),
            threshold: None,
            candidates: 0,
            second: None,
            adjusted: (0, 0),
            hand: (0, 0),
        };
        let nodes = capacities.iter().map(node).collect();
        let top = settings.tiers.iter().take(with_processors as usize).copied().max().unwrap_or(0);
        Tiers { settings, top, nodes, now: 0, awake: BTreeSet::new() }
    }

    /// Writes down where each `kswapd` is and what rates and thresholds depend on. Times are those of scans, which no
    /// repetition leaves out.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Tiers { settings: _, top: _, nodes, now: _, awake } = self;
        into.add(awake);
        for TierNode { marks: _, threshold, candidates, second, adjusted, hand } in nodes {
            into.add(&(threshold, candidates, second, adjusted, hand));
        }
    }

    /// Sets the present instant.
    pub fn tell(&mut self, now: Time) {
        self.now = now.0 / PS_PER_MS;
    }

    /// The present instant as a page keeps it.
    pub fn stamp(&self) -> u32 {
        u32::try_from(self.now).unwrap_or(u32::MAX)
    }

    /// Whether a node is memory of the top, from which nothing is promoted.
    pub fn is_top(&self, node: NodeId) -> bool {
        self.tier(node) <= self.top
    }

    /// Whether the scanner unmaps a node's pages.
    pub fn scans(&self, node: NodeId) -> bool {
        self.settings.balanced || !self.is_top(node)
    }

    pub fn marks(&self, node: NodeId) -> Watermarks {
        self.nodes[node.0 as usize].marks
    }

    pub fn hand(&mut self, node: NodeId) -> &mut (usize, u64) {
        &mut self.nodes[node.0 as usize].hand
    }

    fn tier(&self, node: NodeId) -> u32 {
        self.settings.tiers[node.0 as usize]
    }

    /// Number of pages that may be promoted to a node with so much free memory, of those of a size that were unmapped at
    /// `scanned`. If there is no room for all of those, the node's `kswapd` wakes.
    pub fn promotes(&mut self, to: NodeId, free: u64, scanned: u32, pages: u64, page: u64) -> u64 {
        let (latency, now) = (u64::from(self.stamp().saturating_sub(scanned)), self.now);
        let reference = self.settings.hot_threshold.0 / PS_PER_MS;
        let limit = self.settings.promote_rate;
        let node = &mut self.nodes[to.0 as usize];
        let Watermarks { low: _, high, promotion: _, plenty } = node.marks;
        // Each page is looked at with what those before it left free.
        let until = |mark: u64| free.saturating_sub(mark).div_ceil(page);
        let freely = until(plenty).min(pages);
        if freely > 0 {
            node.threshold = None;
        }
        let mut wanted = freely;
        if freely < pages {
            node.adjust(now, limit, reference);
            if latency < node.threshold.unwrap_or(reference) {
                wanted += node.within_rate(now, limit, pages - freely, page);
            }
        }
        let fits = until(high.saturating_add(page));
        if wanted > fits {
            self.awake.insert(to);
        }
        wanted.min(fits)
    }
}

impl TierNode {
    /// Follows the number of candidates, up to twice the threshold that was set (`numa_promotion_adjust_threshold`).
    fn adjust(&mut self, now: u64, limit: u64, reference: u64) {
        let (since, before) = self.adjusted;
        if now - since <= ADJUST_EVERY {
            return;
        }
        let expected = u128::from(limit) * u128::from(ADJUST_EVERY / 1000);
        let asked = u128::from(self.candidates - before);
        let step = reference * 2 / STEPS;
        let threshold = self.threshold.unwrap_or(reference);
        if asked * 10 > expected * 11 {
            self.threshold = Some(threshold.saturating_sub(step).max(step));
        } else if asked * 10 < expected * 9 {
            self.threshold = Some((threshold + step).min(reference * 2));
        }
        self.adjusted = (now, self.candidates);
    }

    /// Counts pages as candidates; the number of them that the rate leaves (`numa_promotion_rate_limit`).
    fn within_rate(&mut self, now: u64, limit: u64, pages: u64, page: u64) -> u64 {
        let before = match self.second {
            Some((began, before)) if now - began <= 1000 => before,
            // The page that begins a second is none of its candidates.
            Some(_) | None => {
                let before = self.candidates.saturating_add(page);
                self.second = Some((now, before));
                before
            }
        };
        let first = self.candidates.saturating_add(page);
        self.candidates = self.candidates.saturating_add(pages.saturating_mul(page));
        // Page k asks when `first + k pages − before` were counted, and is let through below the limit.
        limit.saturating_sub(first - before).div_ceil(page).min(pages)
    }
}

/// Watermarks of a node with so much of the machine's memory (`mm/page_alloc.c`): the least that is kept free is four
/// times the square root of all memory in KiB, 256 MiB at most, and a node's part of it goes by its size.
fn watermarks(capacity: u64, total: u64, scale: f64) -> Watermarks {
    const KIB: u64 = 1 << 10;
    let least = (total / KIB * 16).isqrt().clamp(128, 256 << 10) * KIB;
    let min = (u128::from(least) * u128::from(capacity) / u128::from(total.max(1))) as u64;
    let space = (min / 4).max((capacity as f64 * scale) as u64);
    let mark = |spaces: u64| min.saturating_add(space.saturating_mul(spaces));
    let plenty = mark(3).saturating_add((capacity / 16).max(1 << 30));
    Watermarks { low: mark(1), high: mark(2), promotion: mark(3), plenty }
}

impl Room<'_> {
    /// The node that takes what is demoted from another and free bytes of it above its low watermark: of the next slower
    /// tier the first of the zone list, and if those are full of any slower one.
    pub fn demotion_target(&mut self, from: NodeId, page: u64) -> Option<(NodeId, u64)> {
        let nodes = self.nodes();
        let order: Vec<NodeId> = (1..nodes).map(|at| self.zone(from, at)).collect();
        let tiers = self.tiers.as_ref()?;
        let own = tiers.tier(from);
        let slower = || order.iter().copied().filter(|node| tiers.tier(*node) > own);
        let next = slower().map(|node| tiers.tier(node)).min()?;
        let nearest = slower().filter(|node| tiers.tier(*node) == next);
        let room = |node: NodeId| (node, self.free(node).saturating_sub(tiers.marks(node).low));
        nearest.chain(slower()).map(room).find(|(_, free)| *free >= page)
    }
}

/// Pages demoted by one step of a `kswapd`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demoted {
    /// Their node from now on.
    pub to: NodeId,
    /// Their number, a transparent huge page counting as one.
    pub pages: u64,
    /// Their bytes.
    pub bytes: Bytes,
}
