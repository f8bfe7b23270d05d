//! Links of a processor's chips to its memory controllers: `reference/chips.csv`, for processors whose chips of cores sit
//! around a chip with the memory controllers.
//!
//! | column | |
//! |---|---|
//! | `generation` | name in `reference/processors.csv` |
//! | `read`, `write` | peak of one chip's link in GB/s |
//! | `clusters` | clusters on a chip |
//! | `doubled up to` | sockets of at most so many chips have two links for each chip; 0 for none |

use super::reference;
use std::sync::LazyLock;

pub(super) struct Chips {
    generation: &'static str,
    read: f64,
    write: f64,
    pub made_of: &'static str,
    pub clusters: u32,
    doubled_up_to: u32,
}

const TABLE: &str = include_str!("../../../../reference/chips.csv");

static CHIPS: LazyLock<Vec<Chips>> = LazyLock::new(|| reference::rows(TABLE, row).flatten().collect());

/// Chips of a generation; `None` if its cores and memory controllers share a chip.
pub(super) fn of(generation: &str) -> Option<&'static Chips> {
    CHIPS.iter().find(|one| one.generation == generation)
}

impl Chips {
    /// Links of each chip, of `all` chips in a socket.
    pub fn links(&self, all: u32) -> u32 {
        if all <= self.doubled_up_to { 2 } else { 1 }
    }

    /// Peak of a chip's reads and writes in GB/s, of `all` chips in a socket.
    pub fn peak(&self, all: u32) -> (f64, f64) {
        let links = f64::from(self.links(all));
        (self.read * links, self.write * links)
    }
}

fn row([generation, read, write, made_of, clusters, doubled_up_to]: [&'static str; 6]) -> Option<Chips> {
    Some(Chips {
        generation,
        read: read.parse().ok()?,
        write: write.parse().ok()?,
        made_of,
        clusters: clusters.parse().ok()?,
        doubled_up_to: doubled_up_to.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generations;

    /// Each row is read, and is that of a generation; the peaks follow from the text beside them.
    #[test]
    fn rows_are_of_generations() {
        assert_eq!(CHIPS.len(), TABLE.lines().count() - 1);
        for chips in CHIPS.iter() {
            assert!(generations::named(chips.generation).is_some(), "{}", chips.generation);
            let number = |before: &str| -> f64 {
                let text = chips.made_of.split(before).next().unwrap().trim();
                text.rsplit(' ').next().unwrap().parse().unwrap()
            };
            let clock = number("GHz");
            assert!((chips.read - number("bytes read") * clock).abs() < 0.06, "{}", chips.generation);
            assert!((chips.write - number("written") * clock).abs() < 0.06, "{}", chips.generation);
        }
    }
}
