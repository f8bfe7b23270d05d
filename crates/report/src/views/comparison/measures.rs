//! Measures of the workload, and times of its phases.

use crate::numbers::{TimeScale, significant};
use crate::page::{Lines, Sheet};
use numalab_results::{Comparison, Run};

/// One row per policy, one column per measure.
pub(super) fn measures(comparison: &Comparison) -> Option<Sheet<&Run>> {
    let measures = &comparison.runs.first()?.measures;
    let sheet = Sheet::of(&comparison.runs).text("policy", |run| run.policy.clone());
    let sheet = sheet.each(measures.iter().enumerate(), |sheet, (at, measure)| {
        let unit = Some(measure.unit.as_str()).filter(|unit| !matches!(*unit, "1" | ""));
        let header = Lines::of(std::iter::once(measure.name.as_str()).chain(unit));
        sheet.number(header, |run| run.measures.get(at)?.value.map(significant))
    });
    (!measures.is_empty()).then_some(sheet)
}

/// One row per policy, one column per phase; `None` unless the workload has 2 to `MOST` phases.
pub(super) fn phases(comparison: &Comparison) -> Option<Sheet<&Run>> {
    /// Largest number of phases with a column; more do not fit.
    const MOST: usize = 8;
    let phases = &comparison.runs.first()?.phases;
    let all = comparison.runs.iter().flat_map(|run| &run.phases);
    let scale = TimeScale::of(all.map(|phase| phase.time_ps));
    let sheet = Sheet::of(&comparison.runs).text("policy", |run| run.policy.clone()).fold_evenly();
    let sheet = sheet.each(phases.iter().enumerate(), |sheet, (at, phase)| {
        let time = |run: &&Run| run.phases.get(at).map_or(0, |phase| phase.time_ps) as f64;
        sheet.number(&phase.name, |run| scale.show(time(run)))
    });
    (2..=MOST).contains(&phases.len()).then_some(sheet)
}
