//! `KMP_HW_SUBSET`: the part of a machine that a program uses, such as `2s,4c@2,1t`: of two sockets the four cores
//! from the third on, one hardware thread each.

use crate::ProcListError;
use crate::places::{Cursor, Location, TextError, Topology};
use numalab_base::ProcessorId;

/// A value of `KMP_HW_SUBSET`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HwSubset {
    /// Items from the outermost level to the innermost, one per level.
    items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    text: String,
    level: SubsetLevel,
    /// Number of units; `None` for all.
    count: Option<u32>,
    /// Number of units that are left out before.
    offset: u32,
}

numalab_base::words! {
    /// Level of the hardware that an item counts.
    pub enum SubsetLevel {
        /// A socket.
        Socket = "socket",
        /// A NUMA node.
        Node = "numa_domain",
        /// Cores that share a last-level cache.
        Cache = "ll_cache",
        /// A core.
        Core = "core",
        /// A hardware thread.
        Thread = "thread",
    }
}

/// Names of levels, for messages.
const NAMES: [&str; 9] = ["s", "socket", "n", "numa_domain", "ll_cache", "c", "core", "t", "thread"];

impl SubsetLevel {
    fn named(word: &str) -> Option<SubsetLevel> {
        Some(match word.to_ascii_lowercase().as_str() {
            "s" | "socket" | "sockets" | "package" | "packages" => SubsetLevel::Socket,
            "n" | "numa_domain" | "numa_domains" | "node" | "nodes" => SubsetLevel::Node,
            "ll_cache" | "ll_caches" => SubsetLevel::Cache,
            "c" | "core" | "cores" => SubsetLevel::Core,
            "t" | "thread" | "threads" => SubsetLevel::Thread,
            _ => return None,
        })
    }

    fn unit(self, location: &Location, number: u32) -> u32 {
        match self {
            SubsetLevel::Socket => location.socket,
            SubsetLevel::Node => location.node,
            SubsetLevel::Cache => location.cache,
            SubsetLevel::Core => location.core,
            SubsetLevel::Thread => number,
        }
    }

    /// Level whose units an item divides if no item between names another: sockets, or cores for hardware threads.
    /// `None` for the whole machine.
    fn usual_parent(self) -> Option<SubsetLevel> {
        match self {
            SubsetLevel::Socket => None,
            SubsetLevel::Node | SubsetLevel::Cache | SubsetLevel::Core => Some(SubsetLevel::Socket),
            SubsetLevel::Thread => Some(SubsetLevel::Core),
        }
    }
}

impl HwSubset {
    /// Parses a value of `KMP_HW_SUBSET`.
    pub fn parse(text: &str) -> Result<HwSubset, TextError> {
        let mut cursor = Cursor::new(text);
        let mut items: Vec<Item> = Vec::new();
        loop {
            let begin = cursor.begin();
            let item = item(text, &mut cursor)?;
            if items.iter().any(|other| other.level == item.level) {
                let problem = format!("names {}s twice", item.level);
                return Err(TextError::new(text, cursor.since(begin), problem));
            }
            items.push(item);
            if !cursor.take(b',') {
                break;
            }
        }
        cursor.end("\",\" or the end")?;
        items.sort_by_key(|item| SubsetLevel::ALL.iter().position(|level| *level == item.level));
        Ok(HwSubset { items })
    }

    /// The processors of the subset: first hardware threads before second ones, core by core.
    pub fn resolve(&self, machine: &str, topology: &dyn Topology) -> Result<Vec<u32>, ProcListError> {
        let at = |number| (topology.location(ProcessorId::new(number)), number);
        let mut left: Vec<(Location, u32)> = (0..topology.processors()).map(at).collect();
        left.sort_unstable_by_key(|(location, number)| (location.core, *number));
        let mut outer: Option<SubsetLevel> = None;
        for item in &self.items {
            let usual = item.level.usual_parent();
            let parent = if item.level == SubsetLevel::Thread { usual } else { outer.or(usual) };
            left = item.of(&left, parent, machine)?;
            outer = Some(item.level);
        }
        let ranks = numbers_inside(&left, SubsetLevel::Thread, Some(SubsetLevel::Core));
        let mut ranked: Vec<(u32, u32)> =
            ranks.into_iter().zip(left.iter().map(|(_, number)| *number)).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        Ok(ranked.into_iter().map(|(_, number)| number).collect())
    }
}

fn item(text: &str, cursor: &mut Cursor<'_>) -> Result<Item, TextError> {
    let begin = cursor.begin();
    let count = if cursor.take(b'*') { None } else { Some(cursor.positive("a number, as in 2s,4c,1t")?) };
    let span = cursor.word();
    let level =
        SubsetLevel::named(&text[span.clone()]).ok_or_else(|| TextError::unknown(text, span, &NAMES))?;
    let offset = if cursor.take(b'@') { cursor.number("a number of units to leave out")? } else { 0 };
    Ok(Item { text: text[cursor.since(begin)].to_owned(), level, count, offset })
}

impl Item {
    /// The part of `processors` that the item names in each unit of `parent`.
    fn of(
        &self,
        processors: &[(Location, u32)],
        parent: Option<SubsetLevel>,
        machine: &str,
    ) -> Result<Vec<(Location, u32)>, ProcListError> {
        let numbers = numbers_inside(processors, self.level, parent);
        let last = |(location, number): &(Location, u32)| parent.map(|parent| parent.unit(location, *number));
        let groups = processors.chunk_by(|a, b| last(a) == last(b));
        let end = self.offset.saturating_add(self.count.unwrap_or(1));
        let mut at = 0;
        for group in groups {
            at += group.len();
            let has = numbers[at - 1] + 1;
            if has < end {
                return Err(ProcListError::Beyond {
                    item: self.text.clone(),
                    level: self.level.name(),
                    parent: parent.map_or_else(|| machine.to_owned(), |parent| format!("a {parent}")),
                    has,
                });
            }
        }
        let end = if self.count.is_some() { end } else { u32::MAX };
        let kept = processors.iter().zip(numbers).filter(|(_, number)| (self.offset..end).contains(number));
        Ok(kept.map(|(processor, _)| *processor).collect())
    }
}

/// Number of each processor's unit of `level` inside its unit of `parent`. The processors are in the order of the
/// hierarchy.
fn numbers_inside(
    processors: &[(Location, u32)],
    level: SubsetLevel,
    parent: Option<SubsetLevel>,
) -> Vec<u32> {
    let of = |at: &(Location, u32)| (parent.map(|parent| parent.unit(&at.0, at.1)), level.unit(&at.0, at.1));
    let mut number = 0;
    let mut last = None;
    let next = |at: &(Location, u32)| {
        let here = of(at);
        number = match last {
            Some((parent, _)) if parent != here.0 => 0,
            Some((_, unit)) if unit != here.1 => number + 1,
            Some(_) | None => number,
        };
        last = Some(here);
        number
    };
    processors.iter().map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places::model::Model;

    /// Two sockets of four cores of two hardware threads: core `c` has processors `c` and `c + 8`.
    const SMT: Model = Model { boards: 1, sockets: 2, nodes: 1, caches: 1, cores: 4, threads: 2 };

    fn resolve(text: &str, machine: &Model) -> Vec<u32> {
        HwSubset::parse(text).unwrap().resolve("m", machine).unwrap()
    }

    /// The processors that libomp 19 uses.
    #[test]
    fn each_item_counts_units_of_the_next_outer_level() {
        for (text, expected) in [
            ("1s,2c,1t", &[0, 1][..]),
            // Of all sockets.
            ("2c", &[0, 1, 4, 5, 8, 9, 12, 13]),
            ("2c,1t", &[0, 1, 4, 5]),
            ("1t", &[0, 1, 2, 3, 4, 5, 6, 7]),
            ("2s,2c@1,1t", &[1, 2, 5, 6]),
            ("1s@1,4c", &[4, 5, 6, 7, 12, 13, 14, 15]),
            ("1t@1", &[8, 9, 10, 11, 12, 13, 14, 15]),
            // The order of the items does not count.
            ("2c,1S", &[0, 1, 8, 9]),
            ("1socket, 2cores, 1thread", &[0, 1]),
            ("*c@3,1t", &[3, 7]),
        ] {
            assert_eq!(resolve(text, &SMT), expected, "{text}");
        }
    }

    /// A socket of two nodes of two caches of two cores: node 1 has cores 4 to 7.
    #[test]
    fn nodes_and_caches_are_between_sockets_and_cores() {
        let nodes = Model { boards: 1, sockets: 1, nodes: 2, caches: 2, cores: 2, threads: 1 };
        assert_eq!(resolve("1n", &nodes), [0, 1, 2, 3]);
        assert_eq!(resolve("1n@1", &nodes), [4, 5, 6, 7]);
        assert_eq!(resolve("2n,1c", &nodes), [0, 4]);
        assert_eq!(resolve("1ll_cache@3,1c", &nodes), [6]);
        assert_eq!(resolve("2n,1ll_cache@1", &nodes), [2, 3, 6, 7]);
        // Without nodes, cores of a socket count.
        assert_eq!(resolve("5c", &nodes), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn more_than_the_machine_has_is_refused() {
        for (text, problem) in [
            ("3s", "\"3s\" asks for more than m has: 2 sockets"),
            ("8c", "\"8c\" asks for more than a socket has: 4 cores"),
            ("2s,2c@3", "\"2c@3\" asks for more than a socket has: 4 cores"),
            ("1c,3t", "\"3t\" asks for more than a core has: 2 threads"),
        ] {
            let error = HwSubset::parse(text).unwrap().resolve("m", &SMT).unwrap_err();
            assert_eq!(error.problem(), problem);
        }
    }

    #[test]
    fn wrong_texts_are_shown() {
        for (text, column, part) in [
            ("", 1, "a number, as in 2s,4c,1t"),
            ("c", 1, "a number, as in 2s,4c,1t"),
            ("0c", 1, "a number, as in 2s,4c,1t"),
            ("2s,", 4, "a number, as in 2s,4c,1t"),
            ("2x", 2, "\"x\"; expected one of s, socket"),
            ("1s,2d", 5, "\"d\"; expected one of s, socket"),
            ("2c,1c", 4, "names cores twice"),
            ("2c@", 4, "a number of units to leave out"),
            ("2s 2c", 4, "\",\" or the end"),
        ] {
            let error = HwSubset::parse(text).unwrap_err();
            assert_eq!(error.column, column, "{text}: {error}");
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }
}
