//! Checks of the hierarchy: kinds of levels, their order, and counts.

use super::MAX_PROCESSORS;
use crate::problem::Problems;
use crate::{LevelKind, Machine};

pub(super) fn check(machine: &Machine, problems: &mut Problems) {
    let levels = &machine.levels;
    match levels.last() {
        None => problems.add("level", "there must be at least one level, the cores"),
        Some(last) if last.kind != LevelKind::Core => problems.add(
            format!("level[{}].kind", levels.len() - 1),
            format!("the last level must be core, not {}", last.kind),
        ),
        Some(_) => {}
    }
    for (at, pair) in levels.windows(2).enumerate() {
        let (outer, inner) = (pair[0].kind, pair[1].kind);
        let path = format!("level[{}].kind", at + 1);
        if outer == inner {
            problems.add_expecting(
                path,
                format!("{inner} appears twice"),
                "each kind of level may appear once",
            );
        } else if outer > inner {
            problems.add_expecting(
                path,
                format!("{inner} cannot lie inside {outer}"),
                "from the outside in the order is board, socket, node, cluster, core",
            );
        }
    }
    for (at, level) in levels.iter().enumerate() {
        if level.count == 0 {
            problems.add(format!("level[{at}].count"), "must be at least 1");
        }
    }
    processors(machine, problems);
}

/// Checks the product of all counts; the error is reported at the largest count.
fn processors(machine: &Machine, problems: &mut Problems) {
    let threads = u128::from(machine.core.threads.max(1));
    let total = machine.levels.iter().try_fold(threads, |all, level| all.checked_mul(level.count.into()));
    if total.is_some_and(|total| total <= MAX_PROCESSORS.into()) {
        return;
    }
    let largest = machine.levels.iter().enumerate().max_by_key(|(_, level)| level.count);
    let path = match largest {
        Some((at, level)) if level.count >= machine.core.threads => format!("level[{at}].count"),
        _ => "core.threads".to_owned(),
    };
    let total = total.map_or("more than 2^128".to_owned(), |total| total.to_string());
    problems.add_expecting(
        path,
        format!("the machine would have {total} hardware threads"),
        format!("the limit is {MAX_PROCESSORS}"),
    );
}
