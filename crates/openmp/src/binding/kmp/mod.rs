//! `KMP_AFFINITY`: the binding of libomp that does not use the places of the standard.
//!
//! Orders and rules are those of libomp 19, compared with the library itself on sockets, cores and hardware threads:
//! `tests` has rows of that comparison. libomp sees these three levels unless it is built with hwloc.

mod balanced;
mod order;
mod parse;

pub use parse::{KmpValue, KmpWord};

use super::within::PlaceLoads;
use super::{Affinity, BindingError, BoundThread, Site, ThreadBinding};
use crate::places::{Location, PlaceList, Places};
use std::collections::BTreeMap;

/// A value of `KMP_AFFINITY` that binds threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KmpAffinity {
    text: String,
    kind: Kind,
    granularity: Granularity,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// Threads take processors sorted by their numbers in the levels of the machine. The innermost `permute` levels
    /// come first, from the innermost outwards. `scatter` is `compact` with `permute` counted from the other end.
    Sorted { permute: u32, scatter: bool, offset: u32 },
    /// As even shares of the team on every core, in the order of the cores.
    Balanced,
    /// Threads take the places of a list.
    Listed(PlaceList),
}

numalab_base::words! {
    /// Processors between which a thread may move: those of its unit.
    #[derive(Default)]
    pub enum Granularity {
        /// A hardware thread.
        Thread = "thread",
        /// A core.
        Core = "core" (default),
        /// The cores that share a last-level cache.
        Cache = "ll_cache",
        /// A NUMA node.
        Node = "numa_domain",
        /// A socket.
        Socket = "socket",
    }
}

impl Granularity {
    /// Number that is equal for all processors of a unit.
    fn unit(self, location: &Location, number: u32) -> u32 {
        match self {
            Granularity::Thread => number,
            Granularity::Core => location.core,
            Granularity::Cache => location.cache,
            Granularity::Node => location.node,
            Granularity::Socket => location.socket,
        }
    }
}

impl KmpAffinity {
    /// The value as typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Binds threads that are numbered in the order of their creation.
    pub(super) fn place(&self, threads: u32, site: Site<'_>) -> Result<ThreadBinding, BindingError> {
        let processors = order::hierarchy(site);
        let (places, of_thread) = match &self.kind {
            Kind::Sorted { permute, scatter, offset } => {
                let sorted = order::sorted(&processors, *permute, *scatter);
                let masks = Masks::of(self.granularity, &processors);
                masks.in_turn(sorted.iter().map(|processor| (processor.location, processor.number)), *offset)
            }
            Kind::Balanced => balanced::places(self.granularity, &processors, threads),
            Kind::Listed(list) => {
                let places = list.resolve(site.topology, site.allowed).map_err(BindingError::Places)?;
                let masks = Masks::of(self.granularity, &processors);
                let sets: Vec<Vec<u32>> = places.iter().map(|place| masks.widened(place, site)).collect();
                let all = (0..sets.len() as u32).collect();
                let mut widened = Places::from_sets(sets);
                widened.dropped = places.dropped;
                (widened, all)
            }
        };
        let mut loads = PlaceLoads::new(site.topology, &places);
        let bind = |place: &u32| {
            Some(BoundThread { processor: loads.put(*place)?, place: *place, partition: places.all() })
        };
        let threads = of_thread.iter().cycle().take(threads as usize).filter_map(bind).collect();
        Ok(ThreadBinding { places, affinity: Some(Affinity::Close), threads })
    }
}

/// Processors of each unit of a granularity.
struct Masks {
    granularity: Granularity,
    units: BTreeMap<u32, Vec<u32>>,
}

impl Masks {
    fn of(granularity: Granularity, processors: &[order::Processor]) -> Masks {
        let mut units: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for processor in processors {
            let unit = granularity.unit(&processor.location, processor.number);
            units.entry(unit).or_default().push(processor.number);
        }
        units.values_mut().for_each(|unit| unit.sort_unstable());
        Masks { granularity, units }
    }

    /// Places of units in the order of their first processor, and the place of each processor, from the one at
    /// `offset` on.
    fn in_turn(&self, sorted: impl Iterator<Item = (Location, u32)>, offset: u32) -> (Places, Vec<u32>) {
        let mut index = BTreeMap::new();
        let mut sets = Vec::new();
        let mut places: Vec<u32> = sorted
            .map(|(location, number)| {
                let unit = self.granularity.unit(&location, number);
                *index.entry(unit).or_insert_with(|| {
                    sets.push(self.units.get(&unit).cloned().unwrap_or_default());
                    sets.len() as u32 - 1
                })
            })
            .collect();
        let first = offset as usize % places.len().max(1);
        places.rotate_left(first);
        (Places::from_sets(sets), places)
    }

    /// All processors of the units of a place's processors.
    fn widened(&self, place: &[u32], site: Site<'_>) -> Vec<u32> {
        let unit = |number: &u32| {
            let location = site.topology.location(numalab_base::ProcessorId::new(*number));
            self.units.get(&self.granularity.unit(&location, *number))
        };
        let mut all: Vec<u32> = place.iter().filter_map(unit).flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
