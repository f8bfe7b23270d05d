//! Expansion of an explicit place list.

use super::{Interval, Item, TextError};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// Processor numbers below this limit are accepted on every machine: a list may be written for a larger machine of
/// the same kind, and is cut to the present machine. Higher numbers are errors.
const LEAST_REACH: u32 = 8192;
/// Limit of the total length of a list, in multiples of the processor limit: a short text can stand
/// for billions of places.
const MOST_ROUNDS: u64 = 4;

/// Returns the places of a list in order, as ascending sets. Sets may be empty, or contain processors that the
/// machine does not have. An exclusion removes the first equal place before the exclusion.
pub(super) fn expand(text: &str, items: &[Item], processors: u32) -> Result<Vec<Vec<u32>>, TextError> {
    let limit = NumberLimit { text, processors, end: i64::from(processors.max(LEAST_REACH)) };
    let mut places: Vec<Option<Vec<u32>>> = Vec::new();
    // Positions of equal places; only filled for a list with exclusions.
    let mut known: BTreeMap<Vec<u32>, VecDeque<usize>> = BTreeMap::new();
    let exclusions = items.iter().any(|item| item.excluded);
    let mut named = 0;
    for item in items {
        let set = limit.place(item)?;
        if item.excluded {
            let first = known.get_mut(&set).and_then(VecDeque::pop_front);
            let Some(place) = first.and_then(|at| places.get_mut(at)) else {
                let problem = "no place before it in the list is the same, so none can be excluded";
                return Err(TextError::new(text, item.span.clone(), problem));
            };
            *place = None;
            continue;
        }
        named += u64::from(item.copies) * set.len().max(1) as u64;
        if named > MOST_ROUNDS * limit.end as u64 {
            let problem = format!("the list names more than {} processors", MOST_ROUNDS * limit.end as u64);
            return Err(TextError::new(text, item.span.clone(), problem));
        }
        for copy in 0..i64::from(item.copies) {
            let shifted = limit.shifted(&set, copy * item.stride, &item.span)?;
            if exclusions {
                known.entry(shifted.clone()).or_default().push_back(places.len());
            }
            places.push(Some(shifted));
        }
    }
    Ok(places.into_iter().flatten().collect())
}

/// Upper limit of processor numbers, for a machine and a text.
struct NumberLimit<'a> {
    text: &'a str,
    processors: u32,
    end: i64,
}

impl NumberLimit<'_> {
    /// The processors of one place, ascending. An exclusion applies to the whole place, also to intervals after the
    /// exclusion.
    fn place(&self, item: &Item) -> Result<Vec<u32>, TextError> {
        let mut set = Vec::new();
        for interval in item.processors.iter().filter(|interval| !interval.excluded) {
            self.interval(interval, &mut set)?;
            if set.len() as u64 > MOST_ROUNDS * self.end as u64 {
                return Err(TextError::new(
                    self.text,
                    interval.span.clone(),
                    "the place names its processors too often; name each once",
                ));
            }
        }
        set.sort_unstable();
        set.dedup();
        let mut gone: Vec<u32> =
            item.processors.iter().filter(|interval| interval.excluded).map(|one| one.first).collect();
        gone.sort_unstable();
        set.retain(|number| gone.binary_search(number).is_err());
        Ok(set)
    }

    fn interval(&self, interval: &Interval, set: &mut Vec<u32>) -> Result<(), TextError> {
        let first = i64::from(interval.first);
        let last = first.saturating_add((i64::from(interval.count) - 1).saturating_mul(interval.stride));
        self.holds(first, &interval.span)?;
        self.holds(last, &interval.span)?;
        // A stride of 0 names one processor many times.
        let count = if interval.stride == 0 { 1 } else { i64::from(interval.count) };
        set.extend((0..count).map(|step| (first + step * interval.stride) as u32));
        Ok(())
    }

    fn shifted(&self, set: &[u32], by: i64, span: &Range<usize>) -> Result<Vec<u32>, TextError> {
        for end in set.first().into_iter().chain(set.last()) {
            self.holds(i64::from(*end) + by, span)?;
        }
        Ok(set.iter().map(|number| (i64::from(*number) + by) as u32).collect())
    }

    fn holds(&self, number: i64, span: &Range<usize>) -> Result<(), TextError> {
        if (0..self.end).contains(&number) {
            return Ok(());
        }
        let last = self.processors.saturating_sub(1);
        let problem = format!("names processor {number}; the machine has processors 0-{last}");
        Err(TextError::new(self.text, span.clone(), problem))
    }
}
