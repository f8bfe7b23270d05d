//! `balanced`: even shares of the team on every core, neighbours next to each other.

use super::Granularity;
use super::order::Processor;
use crate::places::Places;

/// Places of the threads, and the place of each thread.
pub(super) fn places(granularity: Granularity, processors: &[Processor], threads: u32) -> (Places, Vec<u32>) {
    let cores = groups(processors, |processor| processor.location.core);
    let sockets = groups(processors, |processor| processor.location.socket);
    let widest = cores.iter().map(Vec::len).max().unwrap_or(1);
    // A core with one hardware thread is as fine as the thread.
    let fine = granularity == Granularity::Thread || (granularity == Granularity::Core && widest == 1);
    let (units, at) = if is_uniform(&cores, &sockets) {
        // Without further hardware threads on the cores, libomp takes sockets for cores.
        let units = if widest == 1 && sockets.len() > 1 { sockets } else { cores };
        let at = in_shares(&units, threads as usize);
        (units, at)
    } else {
        let at = on_uneven(&cores, threads as usize);
        (cores, at)
    };
    if !fine {
        let of_thread = at.iter().map(|(unit, _)| *unit as u32).collect();
        return (Places::from_sets(units.into_iter().map(sorted)), of_thread);
    }
    let begins: Vec<usize> =
        units.iter().scan(0, |sum, unit| Some(std::mem::replace(sum, *sum + unit.len()))).collect();
    let of_thread = at.iter().map(|(unit, slot)| (begins[*unit] + slot) as u32).collect();
    (Places::from_sets(units.into_iter().flatten().map(|number| vec![number])), of_thread)
}

fn sorted(mut unit: Vec<u32>) -> Vec<u32> {
    unit.sort_unstable();
    unit
}

/// Processors of each group, in the order of the hierarchy.
fn groups(processors: &[Processor], group: impl Fn(&Processor) -> u32) -> Vec<Vec<u32>> {
    let chunks = processors.chunk_by(|a, b| group(a) == group(b));
    chunks.map(|chunk| chunk.iter().map(|processor| processor.number).collect()).collect()
}

fn is_uniform(cores: &[Vec<u32>], sockets: &[Vec<u32>]) -> bool {
    let even = |groups: &[Vec<u32>]| groups.windows(2).all(|pair| pair[0].len() == pair[1].len());
    even(cores) && even(sockets)
}

/// Unit of each thread, and the position of its processor in the unit. The first units get one thread more if the
/// threads do not divide evenly.
fn in_shares(units: &[Vec<u32>], threads: usize) -> Vec<(usize, usize)> {
    let (each, more) = (threads / units.len().max(1), threads % units.len().max(1));
    let share = |unit: usize| each + usize::from(unit < more);
    let on = |(unit, processors): (usize, &Vec<u32>)| {
        let length = processors.len();
        (0..share(unit)).map(move |thread| (unit, thread % length))
    };
    units.iter().enumerate().flat_map(on).collect()
}

/// As [`in_shares`], for cores with different numbers of processors.
fn on_uneven(cores: &[Vec<u32>], threads: usize) -> Vec<(usize, usize)> {
    let processors = cores.iter().map(Vec::len).sum();
    if threads < processors && threads <= cores.len() {
        return (0..threads).map(|core| (core, 0)).collect();
    }
    let counts = filled(cores, threads);
    let on = |(core, counts): (usize, &Vec<usize>)| {
        let each = counts.iter().enumerate();
        each.flat_map(move |(slot, count)| std::iter::repeat_n((core, slot), *count)).collect::<Vec<_>>()
    };
    counts.iter().enumerate().flat_map(on).collect()
}

/// Number of threads on each processor of each core. Threads are dealt in rounds: one to each core, one to each core
/// with at least two processors, and so on. Once all processors have a thread, the first of a core takes the others.
fn filled(cores: &[Vec<u32>], threads: usize) -> Vec<Vec<usize>> {
    let mut counts: Vec<Vec<usize>> = cores.iter().map(|core| vec![0; core.len()]).collect();
    let widest = cores.iter().map(Vec::len).max().unwrap_or(0);
    let mut left = threads;
    let mut full = false;
    while left > 0 {
        for round in 1..=widest {
            let mut dealt = cores.iter().filter(|core| core.len() >= round).count().min(left);
            left -= dealt;
            for slots in &mut counts {
                let free = slots.iter().position(|count| *count == 0).or(full.then_some(0));
                if dealt > 0
                    && let Some(slot) = free
                {
                    slots[slot] += 1;
                    dealt -= 1;
                }
            }
        }
        full = true;
    }
    counts
}
