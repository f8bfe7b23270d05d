//! Nested groups of cores: cores that share a cache, and nodes. Each kind of group gets the size of its largest one, so that
//! all are equal; what a smaller group lacks is off line.

use super::cores::Core;
use std::collections::{BTreeMap, BTreeSet};

/// Kinds of groups, innermost first; the last is the node.
pub(super) struct Nest {
    /// Places in [`Core::caches`] of the kinds but the node.
    pub caches: Vec<usize>,
    /// Cores of a group of each kind, the node's last.
    pub sizes: Vec<usize>,
    /// Hardware threads of a core.
    pub threads: usize,
}

/// Group of a core, named by the node and the index of the cache; the node itself has no cache.
type Group = (usize, Option<usize>);

impl Nest {
    pub fn of(cores: &[Core]) -> Nest {
        let levels = cores.first().map_or(0, |core| core.caches.len());
        let mut nest = Nest { caches: Vec::new(), sizes: Vec::new(), threads: 1 };
        nest.threads = cores.iter().map(|core| core.threads.len()).max().unwrap_or(1).max(1);
        let mut inside: Vec<(Group, usize)> = Vec::new();
        let mut size = 1;
        // Caches of a core are listed outermost first.
        for place in (0..levels).rev() {
            let Some(groups) = groups(cores, Some(place)) else { continue };
            let Some(most) = most(&groups, &inside) else { continue };
            size *= most;
            nest.caches.push(place);
            nest.sizes.push(size);
            inside = groups.into_iter().enumerate().map(|(core, group)| (group, core)).collect();
        }
        let nodes = groups(cores, None).unwrap_or_default();
        nest.sizes.push(size * most(&nodes, &inside).unwrap_or(1));
        nest
    }

    /// Cores of a node.
    pub fn node(&self) -> usize {
        self.sizes.last().copied().unwrap_or(1)
    }

    /// Number of groups in a node that share the outermost cache, and their size; 1 group if that cache is private or
    /// there is none.
    pub fn clusters(&self) -> (usize, usize) {
        match self.sizes[..] {
            [.., shared, node] if shared > 1 => (node / shared, shared),
            _ => (1, self.node()),
        }
    }

    /// Cores that share the cache at a place of [`Core::caches`]; `None` if its groups do not nest.
    pub fn shared_by(&self, place: usize) -> Option<usize> {
        let at = self.caches.iter().position(|known| *known == place)?;
        self.sizes.get(at).copied()
    }

    /// Group of a core of each kind, innermost first.
    pub fn groups_of(&self, core: &Core) -> Vec<Group> {
        let caches = self.caches.iter().map(|&place| (core.node, core.caches.get(place).copied().flatten()));
        caches.chain([(core.node, None)]).collect()
    }

    /// As this nest, with `more` further cores in a cluster, `clusters` further clusters in a node, and `threads` times the
    /// hardware threads in a core.
    pub fn larger(&self, more: usize, clusters: usize, threads: usize) -> Nest {
        let (number, size) = self.clusters();
        let inner = self.sizes.iter().rev().nth(2).copied().unwrap_or(1);
        let mut sizes = self.sizes.clone();
        let shared = size + more * if number > 1 { inner } else { 1 };
        let last = sizes.len() - 1;
        let whole = sizes[last];
        sizes[last] = shared * (number + clusters);
        // A cache of the whole node stays one.
        for place in sizes[..last].iter_mut().filter(|place| **place == size || **place == whole) {
            *place = if *place == whole && number == 1 { shared * (number + clusters) } else { shared };
        }
        Nest { caches: self.caches.clone(), sizes, threads: self.threads * threads }
    }
}

/// Groups of all cores; `None` if a core has no such cache.
fn groups(cores: &[Core], place: Option<usize>) -> Option<Vec<Group>> {
    let of = |core: &Core| match place {
        Some(place) => Some((core.node, Some(core.caches.get(place).copied().flatten()?))),
        None => Some((core.node, None)),
    };
    cores.iter().map(of).collect()
}

/// Largest number of parts in a group; `inside` has the part of each core, or is empty if cores are the parts. `None` if a
/// part lies in several groups.
fn most(groups: &[Group], inside: &[(Group, usize)]) -> Option<usize> {
    let mut parts: BTreeMap<Group, BTreeSet<(Option<Group>, usize)>> = BTreeMap::new();
    let mut home: BTreeMap<Group, Group> = BTreeMap::new();
    for (core, group) in groups.iter().enumerate() {
        let part = match inside.get(core) {
            Some((part, _)) => (Some(*part), 0),
            None => (None, core),
        };
        if let Some(part) = part.0
            && *home.entry(part).or_insert(*group) != *group
        {
            return None;
        }
        parts.entry(*group).or_default().insert(part);
    }
    parts.values().map(BTreeSet::len).max()
}
