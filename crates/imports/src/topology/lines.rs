//! Latencies of lines from a core that has written them to another one: `reference/core_to_core.csv`.
//!
//! | column | |
//! |---|---|
//! | `generations` | names in `reference/processors.csv`, separated by bars |
//! | `cache` | ns between cores that share the last cache; empty for twice its latency |
//! | `inside` | ns between clusters, chips or nodes of a socket; empty for what caches and links take |
//! | `outside` | ns between sockets; empty for the same |
//! | `directory` | `chip` if homes know the holders of lines without reading memory |

use super::reference::{self, list};
use std::sync::LazyLock;

pub(super) struct Lines {
    generations: Vec<&'static str>,
    pub cache: Option<f64>,
    pub inside: Option<f64>,
    pub outside: Option<f64>,
    pub directory_on_chip: bool,
    pub made_of: &'static str,
}

const TABLE: &str = include_str!("../../../../reference/core_to_core.csv");

static LINES: LazyLock<Vec<Lines>> = LazyLock::new(|| reference::rows(TABLE, row).flatten().collect());

/// Latencies of a generation; `None` if none are known.
pub(super) fn of(generation: &str) -> Option<&'static Lines> {
    LINES.iter().find(|one| one.generations.contains(&generation))
}

fn row([generations, cache, inside, outside, directory, made_of]: [&'static str; 6]) -> Option<Lines> {
    let optional = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
    Some(Lines {
        generations: list(generations).collect(),
        cache: optional(cache)?,
        inside: optional(inside)?,
        outside: optional(outside)?,
        directory_on_chip: directory == "chip",
        made_of,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generations;

    /// Each row is read, of generations that are in one row; lines take longer from farther away.
    #[test]
    fn rows_are_of_generations() {
        assert_eq!(LINES.len(), TABLE.lines().count() - 1);
        let mut seen = Vec::new();
        for lines in LINES.iter() {
            for name in &lines.generations {
                assert!(generations::named(name).is_some(), "{name}");
                assert!(!seen.contains(name), "{name} is in two rows");
                seen.push(name);
            }
            let known: Vec<f64> = [lines.cache, lines.inside, lines.outside].into_iter().flatten().collect();
            assert!(!known.is_empty() && known.is_sorted(), "{known:?}");
        }
    }
}
