//! Choice of the processor for a thread bound to a place with several processors.
//!
//! The operating system may use any processor of the place. The model takes the least loaded processor: the processor
//! on the core with the fewest threads of the team, so that cores fill before their second hardware threads; then the
//! processor with the fewest threads, then the lowest number.

use crate::places::{Places, Topology};
use numalab_base::ProcessorId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Threads on the core, threads on the processor, number of the processor.
type Load = (u32, u32, u32);

/// Number of threads placed so far on each core and processor.
pub(super) struct PlaceLoads<'a> {
    topology: &'a dyn Topology,
    places: &'a Places,
    on_core: BTreeMap<u32, u32>,
    on_processor: BTreeMap<u32, u32>,
    /// Processors of each place in use, least loaded first. Loads only grow, so the load in an entry may be too low,
    /// never too high; a low load is corrected when the entry is popped.
    queues: BTreeMap<u32, BinaryHeap<Reverse<Load>>>,
}

impl<'a> PlaceLoads<'a> {
    pub fn new(topology: &'a dyn Topology, places: &'a Places) -> PlaceLoads<'a> {
        PlaceLoads {
            topology,
            places,
            on_core: BTreeMap::new(),
            on_processor: BTreeMap::new(),
            queues: BTreeMap::new(),
        }
    }

    /// Adds a thread to a place and returns the processor of the thread; `None` if the place has no processor.
    pub fn put(&mut self, place: u32) -> Option<ProcessorId> {
        let mut queue = self.queues.remove(&place).unwrap_or_else(|| {
            let numbers = self.places.get(place).iter();
            numbers.map(|number| Reverse(self.load(*number))).collect()
        });
        let chosen = loop {
            let Reverse(known) = queue.pop()?;
            let load = self.load(known.2);
            if load == known {
                break known.2;
            }
            queue.push(Reverse(load));
        };
        *self.on_core.entry(self.topology.location(ProcessorId::new(chosen)).core).or_default() += 1;
        *self.on_processor.entry(chosen).or_default() += 1;
        queue.push(Reverse(self.load(chosen)));
        self.queues.insert(place, queue);
        Some(ProcessorId::new(chosen))
    }

    fn load(&self, number: u32) -> Load {
        let count = |map: &BTreeMap<u32, u32>, key: u32| map.get(&key).copied().unwrap_or(0);
        (
            count(&self.on_core, self.topology.location(ProcessorId::new(number)).core),
            count(&self.on_processor, number),
            number,
        )
    }
}
