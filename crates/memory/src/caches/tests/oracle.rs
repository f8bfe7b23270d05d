//! Oracle of the caches: plain lists of single lines.

use super::LINE;
use crate::caches::{AccessKind, Served};
use numalab_machine::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A line of a region in a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub region: u32,
    pub line: u64,
    pub valid: bool,
    pub dirty: bool,
}

/// Caches as lists of single lines, by level and cache, oldest line first.
pub(super) struct Oracle {
    /// `victims`: true for each level of victim caches. `used`: caches that were used, as level and number.
    victims: Vec<bool>,
    used: BTreeSet<(usize, u32)>,
    /// `coverage`: capacity of a directory in lines. `directories`: lines that the directory of each node covers,
    /// earliest first.
    coverage: Option<u64>,
    directories: BTreeMap<u32, Vec<(u32, u64)>>,
    /// Lines and cores of each cache, by level.
    sizes: Vec<(u64, u32)>,
    pub lists: Vec<Vec<Vec<Entry>>>,
    names: BTreeMap<usize, u32>,
    known: u32,
}

impl Oracle {
    pub fn new(sizes: &[(u64, u32)], victims: &[bool], cores: u32, coverage: Option<u64>) -> Oracle {
        let mut sizes = sizes.to_vec();
        // Inner caches hold no more than outer ones.
        for at in (1..sizes.len()).rev() {
            sizes[at - 1].0 = sizes[at - 1].0.min(sizes[at].0);
        }
        let lists =
            sizes.iter().map(|(_, shared_by)| vec![Vec::new(); (cores / shared_by) as usize]).collect();
        let (used, directories) = (BTreeSet::new(), BTreeMap::new());
        let victims = victims.to_vec();
        Oracle { victims, used, coverage, directories, sizes, lists, names: BTreeMap::new(), known: 0 }
    }

    /// Capacity of a cache in lines: a victim cache adds that of the used caches inside it.
    fn room(&self, level: usize, cache: u32) -> u64 {
        let (own, shared_by) = self.sizes[level];
        if level == 0 || !self.victims[level] {
            return own;
        }
        let (inner, fewer) = self.sizes[level - 1];
        let inside =
            self.used.iter().filter(|(at, number)| *at + 1 == level && number * fewer / shared_by == cache);
        let most = self.sizes.get(level + 1).map_or(u64::MAX, |(lines, _)| *lines);
        (own + inner * inside.count() as u64).min(most)
    }

    /// Records that a node's memory delivers a line to the caches.
    pub fn fill(&mut self, home: u32, region: usize, line: u64) {
        let (Some(coverage), Some(&region)) = (self.coverage, self.names.get(&region)) else { return };
        let directory = self.directories.entry(home).or_default();
        directory.retain(|entry| *entry != (region, line));
        directory.push((region, line));
        if directory.len() as u64 > coverage {
            let lost = directory.remove(0);
            self.lists
                .iter_mut()
                .flatten()
                .for_each(|list| list.retain(|entry| (entry.region, entry.line) != lost));
        }
    }

    pub fn forget(&mut self, region: usize) {
        self.names.remove(&region);
    }

    /// Simulates an access. Returns the server of each line.
    pub fn access(&mut self, core: u32, region: usize, bytes: &Range<u64>, kind: AccessKind) -> Vec<Served> {
        let lines = bytes.start / LINE..bytes.end.div_ceil(LINE);
        let Some(last) = self.sizes.len().checked_sub(1) else {
            return lines.map(|_| Served::Memory).collect();
        };
        let known = &mut self.known;
        let region = *self.names.entry(region).or_insert_with(|| {
            *known += 1;
            *known - 1
        });
        if kind == AccessKind::Stream {
            let entries = self.lists[last].iter_mut().flatten();
            for entry in entries.filter(|entry| entry.region == region && lines.contains(&entry.line)) {
                (entry.valid, entry.dirty) = (false, false);
            }
            return lines.map(|_| Served::Memory).collect();
        }
        for (level, (_, shared_by)) in self.sizes.iter().enumerate() {
            self.used.insert((level, core / shared_by));
        }
        let mut served: Vec<Served> = Vec::new();
        for line in lines.clone() {
            served.push(self.last_level(core, region, line, lines.start..line, kind == AccessKind::Write));
        }
        for level in (0..last).rev() {
            for (line, served) in lines.clone().zip(&mut served) {
                let fresh = Entry { region, line, valid: true, dirty: false };
                let before = self.renew(level, core, fresh, &(lines.start..line));
                if before.is_some() && *served == Served::Cache(level + 1) {
                    *served = Served::Cache(level);
                }
            }
        }
        served
    }

    fn last_level(&mut self, core: u32, region: u32, line: u64, used: Range<u64>, write: bool) -> Served {
        let last = self.sizes.len() - 1;
        let shared_by = self.sizes[last].1;
        let cache = (core / shared_by) as usize;
        let fresh = Entry { region, line, valid: true, dirty: write };
        let before = self.renew(last, core, fresh, &used);
        let mut served = Served::Memory;
        for (other, list) in self.lists[last].iter_mut().enumerate().filter(|(other, _)| *other != cache) {
            for entry in list.iter_mut().filter(|entry| (entry.region, entry.line) == (region, line)) {
                if entry.dirty {
                    served = Served::Peer(NodeId(other as u32 * shared_by));
                    entry.dirty = false;
                }
                entry.valid &= !write;
            }
        }
        if let Some(before) = before {
            if before.valid {
                served = Served::Cache(last);
                let newest = self.lists[last][cache].last_mut().unwrap();
                newest.dirty |= before.dirty;
            }
            if write || !before.valid {
                self.drop_inside(last, cache as u32, Some(core), region, line);
            }
        }
        served
    }

    /// Makes a line the newest, and evicts the oldest if the cache is full. Returns the earlier entry
    /// of the line. `used` are the lines before this one in the same access.
    fn renew(&mut self, level: usize, core: u32, fresh: Entry, used: &Range<u64>) -> Option<Entry> {
        let cache = core / self.sizes[level].1;
        let size = self.room(level, cache);
        let list = &mut self.lists[level][cache as usize];
        let at = list.iter().position(|entry| (entry.region, entry.line) == (fresh.region, fresh.line));
        let before = at.map(|at| list.remove(at));
        list.push(fresh);
        if list.len() as u64 > size {
            let Entry { region, line, .. } = list.remove(0);
            // The core's own inner caches evict lines of the same access without being told.
            let own = region == fresh.region && used.contains(&line);
            self.drop_inside(level, cache, own.then_some(core), region, line);
        }
        before
    }

    /// Removes a line from those inner caches of a cache that serve fewer cores than the cache does, except from the
    /// caches of core `but`.
    fn drop_inside(&mut self, level: usize, cache: u32, but: Option<u32>, region: u32, line: u64) {
        let cores = cache * self.sizes[level].1..(cache + 1) * self.sizes[level].1;
        for inner in 0..level {
            let shared_by = self.sizes[inner].1;
            if shared_by == self.sizes[level].1 {
                continue;
            }
            for other in cores.start / shared_by..cores.end / shared_by {
                if but.is_none_or(|core| core / shared_by != other) {
                    self.lists[inner][other as usize]
                        .retain(|entry| (entry.region, entry.line) != (region, line));
                }
            }
        }
    }
}
