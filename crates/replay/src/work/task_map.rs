//! Task records by run and number. Task numbers are mostly consecutive, so they are stored in dense
//! blocks.

use super::tasks::TaskRecord;
use std::collections::BTreeMap;

/// log2 of the numbers per block.
const BITS: u32 = 5;

#[derive(Debug, Default)]
pub(super) struct TaskMap {
    blocks: BTreeMap<(u32, u64), Block>,
    count: u64,
}

/// Records of the tasks of 32 consecutive numbers.
#[derive(Debug, Default)]
struct Block {
    /// A bit for each number that is present.
    present: u32,
    records: Vec<TaskRecord>,
}

impl Block {
    /// Number of records in the block before that of task `number`, and true if this task is present.
    fn place(&self, number: u64) -> (usize, bool) {
        let bit = 1u32 << (number & ((1 << BITS) - 1));
        ((self.present & (bit - 1)).count_ones() as usize, self.present & bit != 0)
    }
}

impl TaskMap {
    /// The record of a task, created if necessary.
    pub fn entry(&mut self, round: u32, number: u64) -> &mut TaskRecord {
        let block = self.blocks.entry((round, number >> BITS)).or_default();
        let (at, there) = block.place(number);
        if !there {
            block.present |= 1 << (number & ((1 << BITS) - 1));
            block.records.insert(at, TaskRecord::default());
            self.count += 1;
        }
        &mut block.records[at]
    }

    pub fn get(&self, round: u32, number: u64) -> Option<&TaskRecord> {
        let block = self.blocks.get(&(round, number >> BITS))?;
        let (at, there) = block.place(number);
        block.records.get(at).filter(|_| there)
    }

    /// The tasks of a run, by number.
    pub fn of_round(&self, round: u32) -> impl Iterator<Item = (u64, &TaskRecord)> {
        self.blocks.range((round, 0)..=(round, u64::MAX)).flat_map(|((_, high), block)| {
            let numbers = (0..1u64 << BITS).filter(|low| block.present & (1 << low) != 0);
            numbers.map(move |low| high << BITS | low).zip(&block.records)
        })
    }

    pub fn count(&self) -> u64 {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The map equals an ordered map.
        #[test]
        fn records_are_found_by_number(list in proptest::collection::vec((0u32..2, 0u64..100), 0..80), far in any::<u64>()) {
            let (mut map, mut plain) = (TaskMap::default(), BTreeMap::new());
            for (at, (round, number)) in (0u32..).zip(list.iter().copied().chain([(1, far)])) {
                map.entry(round, number).touched = at;
                plain.insert((round, number), at);
            }
            for round in 0..3 {
                let expected: Vec<(u64, u32)> =
                    plain.range((round, 0)..=(round, u64::MAX)).map(|(key, at)| (key.1, *at)).collect();
                let found: Vec<(u64, u32)> = map.of_round(round).map(|(number, task)| (number, task.touched)).collect();
                prop_assert_eq!(found, expected);
            }
            prop_assert_eq!(map.count(), plain.len() as u64);
            for number in 0..100 {
                prop_assert_eq!(map.get(0, number).map(|task| task.touched), plain.get(&(0, number)).copied());
            }
        }
    }
}
