//! Caches from `/sys`, which lists a shared cache at each of its processors.

use super::{CPU, Dump};
use crate::topology::lists::{bitmap, list, size};
use crate::topology::{CacheUnit, Processor};
use numalab_syntax::diagnostics::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of caches of a processor.
const MOST: u32 = 16;

pub(super) fn read(dump: &Dump, processors: &[Processor], errors: &mut Vec<Diagnostic>) -> Vec<CacheUnit> {
    let online: BTreeSet<u32> = processors.iter().map(|processor| processor.number).collect();
    let mut caches = BTreeMap::new();
    for &number in &online {
        for index in 0..MOST {
            let folder = format!("{CPU}cpu{number}/cache/index{index}/");
            if let Some(cache) = cache(dump, &folder, number, &online, errors) {
                let first = cache.processors.first().copied();
                caches.entry((cache.level, first)).or_insert(cache);
            }
        }
    }
    caches.into_values().collect()
}

fn cache(
    dump: &Dump,
    folder: &str,
    number: u32,
    online: &BTreeSet<u32>,
    errors: &mut Vec<Diagnostic>,
) -> Option<CacheUnit> {
    let path = |name: &str| format!("{folder}{name}");
    if dump.text(&path("type")).is_some_and(|kind| kind.trim() == "Instruction") {
        return None;
    }
    let level = dump.parsed(&path("level"), "a level from 1 to 9", errors, |text| {
        text.parse().ok().filter(|level: &u8| (1..=9).contains(level))
    })?;
    let shared = dump
        .parsed(&path("shared_cpu_list"), "a list of processors, such as 0-3,8", errors, list)
        .or_else(|| dump.parsed(&path("shared_cpu_map"), "a bitmap, such as 0000000f", errors, bitmap))
        .unwrap_or_else(|| BTreeSet::from([number]));
    let line = dump.parsed(&path("coherency_line_size"), "bytes", errors, |text| text.parse().ok());
    Some(CacheUnit {
        level,
        size: dump.parsed(&path("size"), "a size, such as 48K", errors, size).unwrap_or(0),
        line: line.filter(|line| *line > 0),
        processors: shared.intersection(online).copied().collect(),
    })
}
