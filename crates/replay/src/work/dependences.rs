//! Derives the predecessors of each task from `depend` clauses.

use numalab_nlt::ompt::dependence::IN;
use std::collections::BTreeMap;

/// Tasks that accessed a memory location since its last exclusive access.
#[derive(Default)]
struct Place {
    writer: Option<u32>,
    readers: Vec<u32>,
}

/// The predecessors of each task, for tasks that one thread creates in this order. A writing task
/// waits for the last writer and for all readers since. A reading task waits for the last writer.
/// The order of a task's own clauses has no effect.
pub(super) fn predecessors(tasks: &[&[(u8, u64)]]) -> Vec<Vec<u32>> {
    let mut places: BTreeMap<u64, Place> = BTreeMap::new();
    let mut all = Vec::with_capacity(tasks.len());
    for (number, clauses) in tasks.iter().enumerate() {
        let number = number as u32;
        // If a task names a location twice, the stronger access counts.
        let mut wanted: BTreeMap<u64, bool> = BTreeMap::new();
        for (kind, address) in *clauses {
            *wanted.entry(*address).or_default() |= *kind != IN;
        }
        let mut before = Vec::new();
        for (address, writes) in wanted {
            let place = places.entry(address).or_default();
            if writes {
                before.extend(std::mem::take(&mut place.readers));
                before.extend(place.writer.replace(number));
            } else {
                before.extend(place.writer);
                place.readers.push(number);
            }
        }
        before.sort_unstable();
        before.dedup();
        all.push(before);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUT: u8 = 2;
    const INOUT: u8 = 3;

    // 0 writes a; 1 and 2 read it; 3 writes it, so it waits for 0, 1 and 2; 4 reads a and b (never
    // written) and waits for 3.
    #[test]
    fn writers_wait_for_readers_and_readers_for_writer() {
        let tasks: [&[(u8, u64)]; 5] =
            [&[(OUT, 10)], &[(IN, 10)], &[(IN, 10)], &[(INOUT, 10)], &[(IN, 20), (IN, 10)]];
        assert_eq!(predecessors(&tasks), [vec![], vec![0], vec![0], vec![0, 1, 2], vec![3]]);
    }

    #[test]
    fn clause_order_has_no_effect() {
        let one: [&[(u8, u64)]; 2] = [&[(OUT, 1), (IN, 2)], &[(IN, 1), (OUT, 2)]];
        let other: [&[(u8, u64)]; 2] = [&[(IN, 2), (OUT, 1)], &[(OUT, 2), (IN, 1)]];
        assert_eq!(predecessors(&one), predecessors(&other));
    }
}
