//! Placement of the outermost team of a program, from the environment variables to processors.

use super::within::PlaceLoads;
use super::{Affinity, Binding, BindingError, Opener, Site, assign, rules, unbound};
use crate::places::{Allowed, PlaceList, Places};
use numalab_base::ProcessorId;
use std::ops::Range;

/// Places and processors of the threads of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadBinding {
    /// The place list. Unbound threads share one place with all allowed processors.
    pub places: Places,
    /// Policy of the team, which inner teams inherit; `None` if threads are not bound.
    pub affinity: Option<Affinity>,
    /// Place and processor of each thread, in thread order.
    pub threads: Vec<BoundThread>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundThread {
    /// Hardware thread to which the thread is bound, or on which an unbound thread starts.
    pub processor: ProcessorId,
    /// Index into the place list.
    pub place: u32,
    /// Place partition of the thread, for its inner teams.
    pub partition: Range<u32>,
}

/// Places a team on the allowed processors, of which there must be at least one. The primary thread
/// gets the first place.
pub fn place_team(binding: &Binding, threads: u32, site: Site<'_>) -> Result<ThreadBinding, BindingError> {
    if let Some(affinity) = &binding.affinity {
        return affinity.place(threads, site);
    }
    // An error in the place list is reported even if no thread is bound.
    let places = resolve(binding, site)?;
    let Some(affinity) = binding.policy(0).affinity(site.rules) else {
        let processors = unbound::start(threads, site.topology, site.allowed);
        return Ok(ThreadBinding::unbound(processors, site.allowed));
    };
    let mut loads = PlaceLoads::new(site.topology, &places);
    let threads = assign(site.rules, affinity, threads, &Opener::initial(places.all()))
        .into_iter()
        .filter_map(|to| {
            let processor = loads.put(to.place)?;
            Some(BoundThread { processor, place: to.place, partition: to.partition })
        })
        .collect();
    Ok(ThreadBinding { places, affinity: Some(affinity), threads })
}

/// The place list of `OMP_PLACES`; the runtime's choice if the variable is not set.
pub(super) fn resolve(binding: &Binding, site: Site<'_>) -> Result<Places, BindingError> {
    let list = binding.places.clone().unwrap_or_else(|| PlaceList::all(rules::default_places(site.rules)));
    list.resolve(site.topology, site.allowed).map_err(BindingError::Places)
}

impl ThreadBinding {
    /// Binding in which every thread has a given processor, each in a place with this processor alone.
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

    /// Processor of each thread, in thread order.
    pub fn processors(&self) -> impl Iterator<Item = ProcessorId> + '_ {
        self.threads.iter().map(|thread| thread.processor)
    }
}
