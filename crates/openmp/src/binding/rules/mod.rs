//! Rules of runtimes where the specification leaves the places of threads open, checked against libgomp of GCC 12
//! and libomp of LLVM 19 for all teams of up to 30 threads on up to 12 places.

mod llvm;

use super::{Affinity, Assignment, Opener, ProcBind};
use crate::places::PlaceKind;
use numalab_workload::PlaceRules;
use std::ops::Range;

/// Parts of a partition, one for each thread of a team, in thread order.
pub(super) struct Parts(pub Vec<Range<u32>>);

/// For each thread the distance of its place from the opener's, for a team that has to share places or needs
/// no more than there are.
pub(super) fn steps(rules: PlaceRules, threads: u32, places: u32) -> Box<dyn Iterator<Item = u32>> {
    let (each, more) = (threads / places, threads % places);
    if each == 0 {
        return Box::new(0..threads);
    }
    match rules {
        // The first places are larger.
        PlaceRules::Standard => repeated(places, move |place| each + u32::from(place < more)),
        // The threads that remain start over at the first place.
        PlaceRules::Gnu => Box::new(repeated(places, move |_| each).chain(0..more)),
        PlaceRules::Llvm => repeated(places, llvm::shares(places, each, more)),
    }
}

/// Each of `places` numbers from 0, as often as `times` says.
fn repeated(places: u32, times: impl Fn(u32) -> u32 + 'static) -> Box<dyn Iterator<Item = u32>> {
    Box::new((0..places).flat_map(move |place| std::iter::repeat_n(place, times(place) as usize)))
}

/// `spread` with at most one thread per place.
pub(super) fn parts(rules: PlaceRules, threads: u32, opener: &Opener) -> Vec<Assignment> {
    if threads == 0 {
        return Vec::new();
    }
    let parts = match rules {
        PlaceRules::Standard | PlaceRules::Gnu => even_parts(threads, opener),
        PlaceRules::Llvm if opener.has_all() => llvm::parts_of_all(threads, opener),
        PlaceRules::Llvm => llvm::parts_of_some(threads, opener),
    };
    parts.assign(opener)
}

/// Parts that differ by at most one place, the first ones larger. Thread 0 gets the part with the opener's place.
fn even_parts(threads: u32, opener: &Opener) -> Parts {
    let (start, count) = (opener.partition.start, opener.count());
    let (each, more) = (count / threads, count % threads);
    let begin = |part: u32| start + part * each + part.min(more);
    let longer = more * (each + 1);
    let offset = opener.place - start;
    let own = if offset < longer { offset / (each + 1) } else { more + (offset - longer) / each };
    let part = |thread: u32| ((u64::from(own) + u64::from(thread)) % u64::from(threads)) as u32;
    Parts((0..threads).map(|thread| begin(part(thread))..begin(part(thread) + 1)).collect())
}

impl ProcBind {
    /// The binding policy; `None` for `false`.
    pub fn affinity(self, rules: PlaceRules) -> Option<Affinity> {
        match (self, rules) {
            (ProcBind::False, _) => None,
            (ProcBind::Primary, _) => Some(Affinity::Primary),
            (ProcBind::Spread, _) | (ProcBind::True, PlaceRules::Llvm) => Some(Affinity::Spread),
            (ProcBind::Close | ProcBind::Pool, _)
            | (ProcBind::True, PlaceRules::Standard | PlaceRules::Gnu) => Some(Affinity::Close),
        }
    }

    /// The binding policy of a team among others; `None` if its threads come from the pool of all teams.
    pub(super) fn explicit(self, rules: PlaceRules) -> Option<Affinity> {
        let pooled = self == ProcBind::Pool || self == ProcBind::True && rules == PlaceRules::Standard;
        if pooled { None } else { self.affinity(rules) }
    }
}

/// Kind of the places that `OMP_PROC_BIND` binds to if `OMP_PLACES` is not set.
pub(super) fn default_places(rules: PlaceRules) -> PlaceKind {
    match rules {
        PlaceRules::Standard | PlaceRules::Llvm => PlaceKind::Cores,
        PlaceRules::Gnu => PlaceKind::Threads,
    }
}
