//! Sets of numbers as Linux writes them: `0-3,8`.

use crate::ParseError;
use std::fmt;
use std::str::FromStr;

/// Form of the text, for errors.
const EXPECTED: &str = "expected numbers and ranges such as \"0-3,8\"";

/// A set of numbers, written as `0-3,8`. Long ranges take no more memory than short ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberList {
    /// First and last number of each range: ascending, with gaps between them.
    ranges: Vec<(u32, u32)>,
}

impl NumberList {
    pub const EMPTY: NumberList = NumberList { ranges: Vec::new() };

    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub fn contains(&self, number: u32) -> bool {
        let after = self.ranges.partition_point(|(first, _)| *first <= number);
        after.checked_sub(1).is_some_and(|at| number <= self.ranges[at].1)
    }

    /// The numbers below `end`, ascending.
    pub fn below(&self, end: u32) -> impl Iterator<Item = u32> + '_ {
        let within = self.ranges.iter().take_while(move |(first, _)| *first < end);
        within.flat_map(move |&(first, last)| first..end.min(last.saturating_add(1)))
    }

    /// The largest number; `None` if there is none.
    pub fn last(&self) -> Option<u32> {
        self.ranges.last().map(|(_, last)| *last)
    }

    /// The number of a list of one number.
    pub fn only(&self) -> Option<u32> {
        match self.ranges[..] {
            [(first, last)] if first == last => Some(first),
            _ => None,
        }
    }

    /// Makes ranges of ascending ranges that may overlap or touch.
    fn merged(sorted: impl IntoIterator<Item = (u32, u32)>) -> NumberList {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for (first, last) in sorted {
            match ranges.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => ranges.push((first, last)),
            }
        }
        NumberList { ranges }
    }
}

impl FromIterator<u32> for NumberList {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> NumberList {
        let mut sorted: Vec<u32> = numbers.into_iter().collect();
        sorted.sort_unstable();
        NumberList::merged(sorted.into_iter().map(|number| (number, number)))
    }
}

impl FromStr for NumberList {
    type Err = ParseError;

    /// Parses a list; an empty text is an empty list. A number that is named twice is an error.
    fn from_str(text: &str) -> Result<NumberList, ParseError> {
        let mut ranges = ranges(text)?;
        ranges.sort_unstable();
        once(&ranges)?;
        Ok(NumberList::merged(ranges))
    }
}

/// Numbers in an order that counts, each once, written as `0-3,8,4-7`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberSequence(pub Vec<u32>);

/// Most numbers of a [`NumberSequence`].
const MOST: u64 = 1 << 22;

impl FromStr for NumberSequence {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<NumberSequence, ParseError> {
        let ranges = ranges(text)?;
        let mut sorted = ranges.clone();
        sorted.sort_unstable();
        once(&sorted)?;
        let count: u64 = ranges.iter().map(|(first, last)| u64::from(last - first) + 1).sum();
        if count > MOST {
            return Err(ParseError::new(format!("{count} numbers are too many"), format!("at most {MOST}")));
        }
        Ok(NumberSequence(ranges.into_iter().flat_map(|(first, last)| first..=last).collect()))
    }
}

impl fmt::Display for NumberSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.0.chunk_by(|one, next| one.checked_add(1) == Some(*next));
        let ranges = runs.filter_map(|run| Some((*run.first()?, *run.last()?)));
        write(f, ranges)
    }
}

/// First and last number of each range of a text, in its order.
fn ranges(text: &str) -> Result<Vec<(u32, u32)>, ParseError> {
    let mut ranges = Vec::new();
    for part in text.split(',').map(str::trim).filter(|_| !text.trim().is_empty()) {
        let wrong = || ParseError::new(format!("\"{part}\" is no number or range"), EXPECTED);
        let number = |text: &str| {
            let text = text.trim();
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|_| digits).ok_or_else(wrong)
        };
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (number(first)?, number(last)?);
        if last < first {
            let expected = format!("write {last}-{first}");
            return Err(ParseError::new(format!("the range \"{part}\" runs backwards"), expected));
        }
        ranges.push((first, last));
    }
    Ok(ranges)
}

/// Refuses ascending ranges that overlap.
fn once(sorted: &[(u32, u32)]) -> Result<(), ParseError> {
    match sorted.windows(2).find(|pair| pair[1].0 <= pair[0].1) {
        Some(pair) => Err(ParseError::new(format!("{} is named twice", pair[1].0), "name each number once")),
        None => Ok(()),
    }
}

fn write(f: &mut fmt::Formatter<'_>, ranges: impl Iterator<Item = (u32, u32)>) -> fmt::Result {
    for (at, (first, last)) in ranges.enumerate() {
        let comma = if at > 0 { "," } else { "" };
        match first == last {
            true => write!(f, "{comma}{first}")?,
            false => write!(f, "{comma}{first}-{last}")?,
        }
    }
    Ok(())
}

impl fmt::Display for NumberList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.ranges.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn malformed_lists_are_refused() {
        for (text, part) in [
            ("a", "\"a\" is no number or range"),
            ("1,", "\"\" is no number or range"),
            ("+1", "is no number"),
            ("1-2-3", "is no number"),
            ("4294967296", "is no number"),
            ("7-4", "write 4-7"),
            ("0-3,2", "2 is named twice"),
        ] {
            let error = text.parse::<NumberList>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn sequences_keep_their_order() {
        let sequence: NumberSequence = "4-6, 0,1-2".parse().unwrap();
        assert_eq!(sequence.0, [4, 5, 6, 0, 1, 2]);
        assert_eq!(sequence.to_string(), "4-6,0-2");
        for (text, part) in [("3,1-3", "3 is named twice"), ("0-4294967295", "too many")] {
            let error = text.parse::<NumberSequence>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn ranges_are_joined() {
        let list: NumberList = " 8, 4-6,7 ".parse().unwrap();
        assert_eq!(list.to_string(), "4-8");
        assert_eq!(list.last(), Some(8));
        assert!("".parse::<NumberList>().unwrap().is_empty());
        let all: NumberList = "0-4294967295".parse().unwrap();
        assert!(all.contains(u32::MAX) && all.below(3).eq(0..3));
    }

    /// A list behaves as the set of its numbers, and its text reads back: all sets of numbers below 9.
    #[test]
    fn lists_are_sets() {
        for bits in 0u32..1 << 9 {
            let set: BTreeSet<u32> = (0..9).filter(|number| bits >> number & 1 == 1).collect();
            let list: NumberList = set.iter().copied().collect();
            for end in 0..11 {
                assert!(list.below(end).eq(set.range(..end).copied()), "{list} below {end}");
                assert_eq!(list.contains(end), set.contains(&end), "{list}, {end}");
            }
            assert_eq!(list.last(), set.last().copied());
            assert_eq!(list.to_string().parse::<NumberList>().unwrap(), list);
        }
    }
}
