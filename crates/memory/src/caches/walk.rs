//! One access on its way through the cache levels.

use super::level::{CacheId, CacheLevel};
use super::lru::{Interval, Mark, Touch};
use super::owners::Owners;
use super::parts::{Parts, portion};
use super::{Caches, Served};
use numalab_base::in_proportion;
use numalab_machine::NodeId;
use std::ops::Range;

/// Buffers that are reused between accesses.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub parts: Parts,
    /// Hits in the last-level cache.
    hits: Vec<Hit>,
    /// Stretches found in an inner cache, each with the number of bytes present.
    found: Vec<(Range<u64>, u64)>,
    pub evicted: Vec<Evicted>,
    /// Blocks of a sweep.
    pub swept: Vec<Interval>,
}

/// Bytes that were in the last-level cache at an access, as valid or invalid copies.
#[derive(Clone, Debug)]
struct Hit {
    bytes: Range<u64>,
    /// Number of bytes present in the stretch.
    amount: u64,
    stamp: u64,
    mark: Mark,
}

/// Stretch of a region that a cache evicted.
#[derive(Clone, Debug)]
pub(super) struct Evicted {
    pub region: u32,
    pub bytes: Range<u64>,
    pub sole: u32,
    /// True if this access had used the bytes before it evicted them. The core's own inner caches then evict them
    /// without a notice.
    pub own: bool,
}

impl Evicted {
    /// Invalidates the bytes in the caches that are inside the cache shared by `cores` and serve fewer cores; if
    /// `own`, not in those of `core`. Caches of exactly the same cores saw the same accesses and have evicted the
    /// bytes before.
    pub fn leave(&self, inside: &mut [CacheLevel], core: u32, cores: &Range<u32>) {
        // Only caches of cores that used the bytes can have copies.
        let holders = if self.sole == Mark::MANY { cores.clone() } else { self.sole..self.sole + 1 };
        let but = self.own.then_some(core);
        for level in inside.iter_mut().take_while(|level| level.is_inside(cores)) {
            level.remove(holders.clone(), but, self.region, &self.bytes);
        }
    }
}

/// Context that stays the same during an access.
struct AccessContext<'a> {
    touch: &'a Touch,
    /// Last-level cache of the core.
    cache: CacheId,
    owners: &'a Owners,
    nodes: &'a [NodeId],
}

impl Caches {
    /// Simulates an access at all levels, outermost first. The result is in `scratch.parts`.
    pub(super) fn walk(&mut self, core: u32, region: usize, lines: Range<u64>, write: bool) {
        let Caches { levels, regions, scratch, nodes, now, .. } = self;
        let (Some(Some(region)), Some((last, inner))) = (regions.get_mut(region), levels.split_last_mut())
        else {
            return;
        };
        let mut touch = Touch { region: region.name, bytes: lines, stamp: *now, core, write };
        let cache = last.of(core);
        let access = AccessContext { touch: &touch, cache, owners: &region.owners, nodes };
        scratch.outermost(&access, last, inner);
        match write {
            true => region.owners.write(Some(cache), touch.bytes.clone(), *now),
            false => region.owners.read(cache, touch.bytes.clone()),
        }
        // Inner caches only record presence; validity and dirtiness are kept at the last level.
        (touch.stamp, touch.core, touch.write) = (0, 0, false);
        let (mut outer, mut rest) = (last, inner);
        while let Some((level, inside)) = rest.split_last_mut() {
            scratch.inner(&touch, core, outer, level, inside);
            (outer, rest) = (level, inside);
        }
    }
}

impl Scratch {
    /// Simulates the access at the last level. The result is in `parts`.
    fn outermost(&mut self, access: &AccessContext, last: &mut CacheLevel, inner: &mut [CacheLevel]) {
        let AccessContext { touch, cache, owners, .. } = *access;
        let cores = last.cores(cache);
        let narrower = inner.first().is_some_and(|first| first.is_inside(&cores));
        self.hits.clear();
        self.evicted.clear();
        last.change(cache, |contents| {
            contents.touch(
                touch,
                |interval| owners.fresh(cache, interval.stamp, interval.start..interval.end),
                |interval, bytes, amount| {
                    self.hits.push(Hit { bytes, amount, stamp: interval.stamp, mark: interval.mark });
                },
                |interval, bytes, own| {
                    let Interval { region, mark: Mark { sole, .. }, .. } = *interval;
                    if narrower && (!own || sole != touch.core) {
                        self.evicted.push(Evicted { region, bytes, sole, own });
                    }
                },
            );
        });
        self.evicted.iter().for_each(|evicted| evicted.leave(inner, touch.core, &cores));
        self.parts.clear();
        let mut at = touch.bytes.start;
        let missing = |bytes: Range<u64>, parts: &mut Parts| {
            let all = bytes.end - bytes.start;
            access.missing(bytes, all, last, parts);
        };
        for Hit { bytes: known, amount, stamp, mark } in &self.hits {
            let bytes = known.start.max(at)..known.end.min(touch.bytes.end);
            if bytes.is_empty() {
                continue;
            }
            missing(at..bytes.start, &mut self.parts);
            at = bytes.end;
            let others = narrower && mark.sole != touch.core;
            let amount = in_proportion(*amount, bytes.end - bytes.start, known.end - known.start);
            access.present((bytes, amount), *stamp, last, inner.len(), &mut self.parts, |bytes| {
                if others {
                    let but = Some(touch.core);
                    inner.iter_mut().for_each(|level| level.remove(cores.clone(), but, touch.region, &bytes));
                }
            });
        }
        missing(at..touch.bytes.end, &mut self.parts);
    }

    /// Simulates the access at one inner level. Evicted bytes leave the levels inside. They go to the level outside
    /// if its [`CacheLevel::takes`] is true.
    fn inner(
        &mut self,
        touch: &Touch,
        core: u32,
        outside: &mut CacheLevel,
        level: &mut CacheLevel,
        inside: &mut [CacheLevel],
    ) {
        let outer = Served::Cache(inside.len() + 1);
        let possible = self.parts.any(outer);
        let taken = outside.takes();
        self.found.clear();
        self.evicted.clear();
        let cache = level.of(core);
        let cores = level.cores(cache);
        let narrower = inside.first().is_some_and(|first| first.is_inside(&cores));
        let refilled = level.change(cache, |contents| {
            if !narrower && !taken && (!possible || !contents.may_hold(touch)) {
                contents.refill(touch);
                return true;
            }
            contents.touch(
                touch,
                |_| true,
                |_, bytes, amount| {
                    if possible {
                        self.found.push((bytes, amount));
                    }
                },
                |interval, bytes, own| {
                    if narrower || taken {
                        self.evicted.push(Evicted { region: interval.region, bytes, sole: Mark::MANY, own });
                    }
                },
            );
            false
        });
        if refilled {
            return;
        }
        self.evicted.iter().for_each(|evicted| evicted.leave(inside, core, &cores));
        if taken {
            outside.change(outside.of(core), |taker| {
                self.evicted.iter().for_each(|evicted| taker.take(evicted.region, evicted.bytes.clone()));
            });
        }
        if possible {
            self.parts.refine(outer, Served::Cache(inside.len()), &self.found);
        }
    }
}

impl AccessContext<'_> {
    /// Handles bytes of which `amount` are in the core's last-level cache (number `level`), last used at `stamp`.
    /// `alone` gets the bytes that other cores of this cache lose from their inner caches.
    fn present(
        &self,
        (bytes, amount): (Range<u64>, u64),
        stamp: u64,
        last: &CacheLevel,
        level: usize,
        parts: &mut Parts,
        mut alone: impl FnMut(Range<u64>),
    ) {
        if self.touch.write {
            alone(bytes.clone());
        }
        let here = |bytes: Range<u64>, amount: u64, parts: &mut Parts| {
            let missing = bytes.end - bytes.start - amount;
            parts.push(Served::Cache(level), bytes.clone(), amount);
            if missing > 0 {
                self.missing(bytes, missing, last, parts);
            }
        };
        if self.owners.is_empty() {
            return here(bytes, amount, parts);
        }
        let all = bytes.clone();
        self.owners.each(bytes, |run, bytes| {
            if run.is_none_or(|run| run.valid(self.cache, stamp)) {
                let amount = portion(amount, &all, &bytes);
                return here(bytes, amount, parts);
            }
            if !self.touch.write {
                alone(bytes.clone());
            }
            let all = bytes.end - bytes.start;
            self.missing(bytes, all, last, parts);
        });
    }

    /// Handles `amount` bytes of a stretch of which the core's last-level cache has no valid copy: they
    /// come from the cache in which they are dirty, else from memory.
    fn missing(&self, bytes: Range<u64>, amount: u64, last: &CacheLevel, parts: &mut Parts) {
        if self.owners.is_empty() {
            return parts.push(Served::Memory, bytes, amount);
        }
        let all = bytes.clone();
        let of = |bytes: &Range<u64>| portion(amount, &all, bytes);
        self.owners.each(bytes, |run, bytes| {
            let mut at = bytes.start;
            if let Some(cache) = run.filter(|run| run.exclusive()).and_then(|run| run.owner)
                && cache != self.cache
                && let Some(owner) = last.used(cache)
            {
                let node = self.nodes[cache.index()];
                owner.overlaps(self.touch.region, bytes.clone(), |interval, dirty, there| {
                    if interval.mark.dirty {
                        let before = at..dirty.start;
                        parts.push(Served::Memory, before.clone(), of(&before));
                        at = dirty.end;
                        let lost = of(&dirty);
                        let sent = in_proportion(lost, there, dirty.end - dirty.start);
                        parts.push(Served::Peer(node), dirty.clone(), sent);
                        parts.push(Served::Memory, dirty, lost - sent);
                    }
                });
            }
            let rest = at..bytes.end;
            parts.push(Served::Memory, rest.clone(), of(&rest));
        });
    }
}
