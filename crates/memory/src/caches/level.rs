//! The caches of one level, allocated at first use: a machine has tens of thousands, a run uses
//! some.

use super::contents::Contents;
use numalab_machine::{Cache, Replacement};
use std::ops::Range;

numalab_base::index_type! {
    /// Number of a cache within its level.
    pub(super) CacheId
}

numalab_base::index_type! {
    /// Index into the allocated caches of a level.
    MadeId
}

#[derive(Clone, Debug)]
pub(super) struct CacheLevel {
    shared_by: u32,
    capacity: u64,
    /// True if [`CacheLevel::unlimit`] removed the capacity limit of the caches.
    unlimited: bool,
    /// True if the caches take what the level inside evicts.
    victim: bool,
    /// True if [`Contents::take`] must be called for each eviction of the level inside.
    takes: bool,
    replacement: Replacement,
    ways: Option<u32>,
    /// Index into `made` of each cache, by the number of the cache in its level; `None` until the cache is used.
    at: Vec<Option<MadeId>>,
    made: Vec<Contents>,
    /// Intervals and gaps that accesses have visited.
    met: u64,
}

impl CacheLevel {
    /// The levels of a machine, innermost first. The capacity of an inner cache is limited to the capacity of the
    /// next outer cache.
    pub fn all(caches: &[Cache], cores: u32, line: u64) -> Vec<CacheLevel> {
        let mut most = u64::MAX;
        let outermost_first = caches.iter().enumerate().rev().map(|(number, cache)| {
            most = most.min(cache.size.0 / line * line);
            let shared_by = cache.shared_by.max(1);
            let at = vec![None; cores.div_ceil(shared_by) as usize];
            let victim = !cache.inclusive;
            let inside = number.checked_sub(1).map(|inside| caches[inside].replacement);
            let takes =
                victim && cache.replacement == Replacement::Random && inside == Some(Replacement::Lru);
            let (replacement, ways, made) = (cache.replacement, cache.ways, Vec::new());
            CacheLevel {
                shared_by,
                capacity: most,
                unlimited: false,
                victim,
                takes,
                replacement,
                ways,
                at,
                made,
                met: 0,
            }
        });
        let mut levels: Vec<CacheLevel> = outermost_first.collect();
        levels.reverse();
        levels
    }

    pub fn clear(&mut self) {
        if !self.made.is_empty() {
            self.at.fill(None);
            self.made.clear();
        }
    }

    /// Number of intervals and gaps that accesses have visited.
    pub fn met(&self) -> u64 {
        self.met
    }

    pub fn unlimit(&mut self) {
        self.unlimited = true;
        self.made.iter_mut().for_each(Contents::unlimit);
    }

    /// Bytes of one cache, without the capacity that a victim cache gains from the caches inside it.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    pub fn is_victim(&self) -> bool {
        self.victim
    }

    pub fn takes(&self) -> bool {
        self.takes
    }

    pub fn count(&self) -> usize {
        self.at.len()
    }

    /// Number of the cache that a core uses.
    pub fn of(&self, core: u32) -> CacheId {
        CacheId::new(if self.shared_by == 1 { core } else { core / self.shared_by })
    }

    /// The cores that share a cache.
    pub fn cores(&self, cache: CacheId) -> Range<u32> {
        cache.number() * self.shared_by..(cache.number() + 1) * self.shared_by
    }

    /// True if a cache further out that is shared by `cores` has several caches of this level inside.
    pub fn is_inside(&self, cores: &Range<u32>) -> bool {
        self.shared_by < cores.end - cores.start
    }

    /// Changes the contents of a cache, allocated if necessary, and counts what the change visits.
    pub fn change<T>(&mut self, cache: CacheId, change: impl FnOnce(&mut Contents) -> T) -> T {
        let CacheLevel { at, made, capacity, unlimited, takes, replacement, ways, met, .. } = self;
        let at = at[cache.index()].get_or_insert_with(|| {
            let mut contents = Contents::new(*replacement, *ways, *capacity, *takes);
            if *unlimited {
                contents.unlimit();
            }
            made.push(contents);
            MadeId::new(made.len() as u32 - 1)
        });
        let contents = &mut made[at.index()];
        let result = change(contents);
        *met += contents.take_met();
        result
    }

    /// Contents of a cache; `None` if the cache was never used.
    pub fn used(&self, cache: CacheId) -> Option<&Contents> {
        let at = (*self.at.get(cache.index())?)?;
        self.made.get(at.index())
    }

    /// Contents of all caches by number; `None` for each cache that was never used.
    pub fn each(&self) -> impl Iterator<Item = Option<&Contents>> {
        self.at.iter().map(|at| at.and_then(|at| self.made.get(at.index())))
    }

    /// Restores approximated order to a repeatable state, see [`super::Caches::settle`].
    pub fn settle(&mut self) {
        self.made.iter_mut().for_each(Contents::settle);
    }

    /// Number of visits that [`CacheLevel::met`] does not count yet.
    #[cfg(test)]
    pub fn uncounted(&mut self) -> u64 {
        self.made.iter_mut().map(Contents::take_met).sum()
    }

    /// Invalidates bytes in all caches.
    pub fn remove_everywhere(&mut self, region: u32, bytes: &Range<u64>) {
        for contents in &mut self.made {
            contents.remove(region, bytes.clone());
            self.met += contents.take_met();
        }
    }

    /// Invalidates bytes in the caches of `cores`, except in that of core `but`.
    pub fn remove(&mut self, cores: Range<u32>, but: Option<u32>, region: u32, bytes: &Range<u64>) {
        let but = but.map(|core| self.of(core));
        let caches = match self.shared_by {
            // Avoids divisions in the common case.
            1 => cores,
            shared_by => cores.start / shared_by..cores.end.div_ceil(shared_by),
        };
        for cache in caches.map(CacheId::new).filter(|cache| Some(*cache) != but) {
            let Some(at) = self.at.get(cache.index()) else { break };
            if let Some(contents) = at.and_then(|at| self.made.get_mut(at.index())) {
                contents.remove(region, bytes.clone());
                self.met += contents.take_met();
            }
        }
    }
}
