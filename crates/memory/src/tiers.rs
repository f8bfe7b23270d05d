//! Memory tiers as in Linux since 5.18: hot pages of slower memory are promoted, and cold pages of
//! faster memory are demoted when a promotion lacks room.
//!
//! A promotion is made by a hint fault (`should_numa_migrate_memory` in `kernel/sched/fair.c`): a page is hot if it
//! is accessed soon after a scan unmapped it. While the accessing node has plenty of free memory, every page is
//! promoted to it. Otherwise only hot pages are, up to a rate limit, and the hot threshold adapts to the number of
//! candidates. A promotion that finds the node below its high watermark fails and wakes the node's `kswapd`
//! (`migrate_misplaced_folio_prepare` in `mm/migrate.c`), which demotes until the node is above its promotion
//! watermark (`mm/vmscan.c`).

use crate::room::Room;
use numalab_base::{Bytes, Snapshot, Span, Time};
use numalab_machine::NodeId;
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq)]
pub struct TierSettings {
    /// Tier of every node; a lower number is faster.
    pub tiers: Vec<u32>,
    /// Time from the scan of a page to its next access below which the page counts as hot.
    pub hot_threshold: Span,
    /// Rate limit of promotion to each node, in bytes per second.
    pub promote_rate: u64,
    /// Space between two watermarks as a fraction of a node's memory.
    pub watermark_scale: f64,
    /// True if automatic balancing also moves pages between nodes of the top tier.
    pub balanced: bool,
}

/// Watermarks: free bytes of a node at which its behaviour changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Watermarks {
    /// Demotion to the node needs more free bytes than this watermark.
    pub low: u64,
    /// Promotion to the node needs more free bytes than this watermark.
    pub high: u64,
    /// Free bytes above which the node's `kswapd` sleeps.
    pub promotion: u64,
    /// Free bytes above which the node takes every page that asks for promotion, hot or not.
    pub plenty: u64,
}

/// The tiers of a machine and the state of promotion.
#[derive(Clone, Debug)]
pub(crate) struct Tiers {
    settings: TierSettings,
    /// The slowest tier that has processors. This tier and all faster tiers count as the top tier.
    top: u32,
    nodes: Vec<TierNode>,
    /// Present time in milliseconds, the unit of the Linux code.
    now: u64,
    /// Nodes whose `kswapd` has to run.
    pub awake: BTreeSet<NodeId>,
}

#[derive(Clone, Debug)]
struct TierNode {
    marks: Watermarks,
    /// Adapted hot threshold in milliseconds; `None` for the configured threshold.
    threshold: Option<u64>,
    /// Bytes of hot pages that asked for promotion to the node since the start of the run, except pages that the node
    /// took because it had plenty of free memory.
    candidates: u64,
    /// Start in milliseconds of the second for which the rate limit counts, and `candidates` at that time.
    second: Option<(u64, u64)>,
    /// Time of the latest adjustment of the threshold in milliseconds, and `candidates` at that time.
    adjusted: (u64, u64),
    /// Position of the clock hand of `kswapd`: region and page.
    hand: (usize, u64),
}

/// Milliseconds between adjustments of the hot threshold: the longest scan period of Linux.
const ADJUST_EVERY: u64 = 60_000;
/// Number of steps in which the hot threshold goes from zero to twice the configured threshold.
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

    /// Adds the state of each `kswapd`, rate limit and hot threshold to a snapshot. Times are absolute: scans are
    /// simulated one by one even where repetitions are skipped.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Tiers { settings: _, top: _, nodes, now: _, awake } = self;
        into.add(awake);
        for TierNode { marks: _, threshold, candidates, second, adjusted, hand } in nodes {
            into.add(&(threshold, candidates, second, adjusted, hand));
        }
    }

    pub fn tell(&mut self, now: Time) {
        self.now = now.0 / PS_PER_MS;
    }

    /// The present time in milliseconds for [`PageRun::scanned`], saturated.
    pub fn stamp(&self) -> u32 {
        u32::try_from(self.now).unwrap_or(u32::MAX)
    }

    /// True if a node is in the top tier, from which nothing is promoted.
    pub fn is_top(&self, node: NodeId) -> bool {
        self.tier(node) <= self.top
    }

    /// True if the scanner unmaps a node's pages.
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

    /// Number of `pages` pages (of `page` bytes, unmapped at `scanned` ms) that are promoted to a node with `free`
    /// bytes. If room is missing, the node's `kswapd` wakes.
    pub fn promotes(&mut self, to: NodeId, free: u64, scanned: u32, pages: u64, page: u64) -> u64 {
        let (latency, now) = (u64::from(self.stamp().saturating_sub(scanned)), self.now);
        let reference = self.settings.hot_threshold.0 / PS_PER_MS;
        let limit = self.settings.promote_rate;
        let node = &mut self.nodes[to.0 as usize];
        let Watermarks { low: _, high, promotion: _, plenty } = node.marks;
        // Each page sees the free memory that the pages before it left.
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
    /// Adapts the hot threshold once per `ADJUST_EVERY`: lowers it if the bytes that asked for promotion exceed the
    /// rate `limit` (bytes per second) by a tenth, and raises it if they are a tenth below, up to twice the
    /// configured threshold `reference` (`numa_promotion_adjust_threshold`). `now` and `reference` are in
    /// milliseconds.
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

    /// Counts pages of `page` bytes as candidates and returns how many the rate `limit` (bytes per second) lets pass
    /// at `now`, in milliseconds (`numa_promotion_rate_limit`).
    fn within_rate(&mut self, now: u64, limit: u64, pages: u64, page: u64) -> u64 {
        let before = match self.second {
            Some((began, before)) if now - began <= 1000 => before,
            // The page that starts a second is not counted in it.
            Some(_) | None => {
                let before = self.candidates.saturating_add(page);
                self.second = Some((now, before));
                before
            }
        };
        let first = self.candidates.saturating_add(page);
        self.candidates = self.candidates.saturating_add(pages.saturating_mul(page));
        // Page k sees `first + k * page - before` counted bytes and passes below the limit.
        limit.saturating_sub(first - before).div_ceil(page).min(pages)
    }
}

/// Watermarks of a node (`mm/page_alloc.c`). The minimum that the machine keeps free, in KiB, is four times the
/// square root of the machine's memory in KiB, but from 128 KiB to 256 MiB. A node's share of it is in proportion to
/// the node's memory.
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
    /// The node that takes pages demoted from `from`, and its free bytes above the low watermark: the
    /// first with room of the next slower tier, in zone-list order, else of any slower tier. `None` if
    /// all are full.
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

/// Effect of one step of a `kswapd`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demoted {
    /// Node that took the demoted pages.
    pub to: NodeId,
    /// Number of demoted pages; a transparent huge page counts as one page.
    pub pages: u64,
    pub bytes: Bytes,
}
