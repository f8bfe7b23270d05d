//! Orders of processors by their numbers inside sockets, cores and hardware threads.

use super::super::Site;
use crate::places::Location;

/// Levels that libomp sees: sockets, cores, hardware threads.
const LEVELS: usize = 3;

/// An allowed processor, with its number inside each level: of the socket in the machine, of the core in the socket,
/// of the hardware thread in the core. Only allowed processors count.
#[derive(Clone, Debug)]
pub(super) struct Processor {
    pub inside: [u32; LEVELS],
    pub location: Location,
    pub number: u32,
}

/// The allowed processors in the order of the hierarchy.
pub(super) fn hierarchy(site: Site<'_>) -> Vec<Processor> {
    let mut all: Vec<Processor> = Vec::new();
    for (location, number) in site.allowed.by_core(site.topology) {
        let inside = match all.last() {
            Some(last) if last.location.core == location.core => {
                let [socket, core, thread] = last.inside;
                [socket, core, thread + 1]
            }
            Some(last) if last.location.socket == location.socket => {
                let [socket, core, _] = last.inside;
                [socket, core + 1, 0]
            }
            Some(last) => [last.inside[0] + 1, 0, 0],
            None => [0; LEVELS],
        };
        all.push(Processor { inside, location, number });
    }
    all
}

/// Processors sorted as `compact` or `scatter`. Values of `permute` beyond the last level count as the largest.
pub(super) fn sorted(processors: &[Processor], permute: u32, scatter: bool) -> Vec<Processor> {
    let last = LEVELS - 1;
    let inner = if scatter { last.saturating_sub(permute as usize) } else { last.min(permute as usize) };
    let key = |processor: &Processor| {
        let outer = processor.inside.iter().take(LEVELS - inner);
        let levels = processor.inside.iter().rev().take(inner).chain(outer);
        levels.copied().collect::<Vec<u32>>()
    };
    let mut sorted = processors.to_vec();
    sorted.sort_by_cached_key(key);
    sorted
}
