//! Sets of array elements, as `--array` takes them.

use std::collections::BTreeSet;
use std::fmt;

/// Elements of a job array, counted from 1. Displayed in the syntax of `--array`: `1-3,7`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elements(BTreeSet<u32>);

impl Elements {
    /// All elements of an array of this size.
    pub fn all(of: u32) -> Elements {
        (1..=of).collect()
    }

    /// The elements that are not in `others`.
    pub fn without(&self, others: &Elements) -> Elements {
        self.0.difference(&others.0).copied().collect()
    }

    /// The elements that both sets have.
    pub fn among(&self, others: &Elements) -> Elements {
        self.0.intersection(&others.0).copied().collect()
    }

    /// Numbers of the elements, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<u32> for Elements {
    fn from_iter<T: IntoIterator<Item = u32>>(elements: T) -> Elements {
        Elements(elements.into_iter().collect())
    }
}

impl Extend<u32> for Elements {
    fn extend<T: IntoIterator<Item = u32>>(&mut self, elements: T) {
        self.0.extend(elements);
    }
}

impl fmt::Display for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        let mut rest = self.0.iter().copied().peekable();
        while let Some(first) = rest.next() {
            let mut last = first;
            while let Some(next) = rest.next_if(|next| last.checked_add(1) == Some(*next)) {
                last = next;
            }
            match last == first {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
            comma = ",";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(elements: &[u32]) -> String {
        elements.iter().copied().collect::<Elements>().to_string()
    }

    #[test]
    fn neighbours_become_ranges() {
        assert_eq!(shown(&[]), "");
        assert_eq!(shown(&[7]), "7");
        assert_eq!(shown(&[3, 7, 12]), "3,7,12");
        assert_eq!(shown(&[12, 2, 1, 3, 7, 8]), "1-3,7-8,12");
        assert_eq!(shown(&[u32::MAX, u32::MAX - 1]), "4294967294-4294967295");
        assert_eq!(Elements::all(16).to_string(), "1-16");
    }

    proptest! {
        /// The displayed text parses to the same set.
        #[test]
        fn list_reads_back(set: BTreeSet<u8>) {
            let elements: Elements = set.iter().map(|element| u32::from(*element)).collect();
            let text = elements.to_string();
            let mut read = BTreeSet::new();
            for part in text.split(',').filter(|part| !part.is_empty()) {
                let (first, last) = part.split_once('-').unwrap_or((part, part));
                read.extend(first.parse::<u8>().unwrap()..=last.parse().unwrap());
            }
            prop_assert_eq!(read, set);
        }

        /// `among` and `without` divide a set into two disjoint parts.
        #[test]
        fn without_and_among_divide(all: BTreeSet<u8>, some: BTreeSet<u8>) {
            let set = |numbers: &BTreeSet<u8>| numbers.iter().map(|n| u32::from(*n)).collect::<Elements>();
            let (all, some) = (set(&all), set(&some));
            let mut whole = all.without(&some);
            prop_assert!(whole.among(&some).is_empty());
            whole.extend(all.among(&some).iter());
            prop_assert_eq!(whole, all);
        }
    }
}
