//! The outermost team of a program, from variables to processors.

use super::within::PlaceLoads;
use super::{Affinity, Binding, BindingError, assign, unbound};
use crate::places::{Allowed, PlaceKind, PlaceList, Places, Topology};
use numalab_base::ProcessorId;
use std::ops::Range;

/// Places and processors of the threads of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadBinding {
    /// The place list. Unbound threads share one place, which is all that they may run on.
    pub places: Places,
    /// Policy of the team, which inner teams go on with; `None` if threads are not bound.
    pub affinity: Option<Affinity>,
    /// All threads, in thread order.
    pub threads: Vec<BoundThread>,
}

/// One thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundThread {
    /// The hardware thread that it runs on, or starts on if it is not bound.
    pub processor: ProcessorId,
    /// Its place.
    pub place: u32,
    /// Its place partition, for inner teams.
    pub partition: Range<u32>,
}

/// Places a team of so many threads on processors that it may use, of which there is at least one. The
/// primary thread is in the first place.
pub fn place_team(
    binding: &Binding,
    threads: u32,
    topology: &dyn Topology,
    allowed: &Allowed,
) -> Result<ThreadBinding, BindingError> {
    // A wrong list is an error even where nobody is bound to it.
    let places = resolve(binding, topology, allowed)?;
    let Some(affinity) = binding.policy(0).affinity() else {
        let processors = unbound::start(threads, topology, allowed);
        return Ok(ThreadBinding::unbound(processors, allowed));
    };
    let mut loads = PlaceLoads::new(topology, &places);
    let threads = assign(affinity, threads, places.all(), 0)
        .into_iter()
        .filter_map(|to| {
            let processor = loads.put(to.place)?;
            Some(BoundThread { processor, place: to.place, partition: to.partition })
        })
        .collect();
    Ok(ThreadBinding { places, affinity: Some(affinity), threads })
}

/// The place list: the cores where none is said.
pub(super) fn resolve(
    binding: &Binding,
    topology: &dyn Topology,
    allowed: &Allowed,
) -> Result<Places, BindingError> {
    let cores = || PlaceList::all(PlaceKind::Cores);
    let list = binding.places.clone().unwrap_or_else(cores);
    list.resolve(topology, allowed).map_err(BindingError::Places)
}

impl ThreadBinding {
    /// Every thread bound to a processor of its own choice, a place each.
    pub fn fixed(processors: impl IntoIterator<Item = ProcessorId>) -> ThreadBinding {
        let places = Places::from_sets(processors.into_iter().map(|processor| vec![processor.number()]));
        let threads = places
            .iter()
            .zip(0..)
            .filter_map(|(set, place)| {
                Some(BoundThread {
                    processor: ProcessorId::new(*set.first()?),
                    place,
                    partition: places.all(),
                })
            })
            .collect();
        ThreadBinding { places, affinity: Some(Affinity::Close), threads }
    }

    fn unbound(processors: Vec<ProcessorId>, allowed: &Allowed) -> ThreadBinding {
        let places = Places::from_sets([allowed.numbers().collect()]);
        let thread = |processor| BoundThread { processor, place: 0, partition: places.all() };
        let threads = processors.into_iter().map(thread).collect();
        ThreadBinding { places, affinity: None, threads }
    }

    /// The hardware thread of each thread.
    pub fn processors(&self) -> impl Iterator<Item = ProcessorId> + '_ {
        self.threads.iter().map(|thread| thread.processor)
    }
}
