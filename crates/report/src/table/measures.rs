//! What the workload reads off its runs, and where their time went.

use super::Grid;
use crate::numbers::{TimeScale, significant};
use crate::style::Style;
use numalab_results::{Comparison, Run};

/// A row per policy with a column per measure, and a row per policy with a column per phase where there
/// are several phases.
pub(super) fn section(comparison: &Comparison, style: &Style) -> Vec<String> {
    let policies = || Grid::new().text("policy", comparison.runs.iter().map(|run| run.policy.clone()));
    let mut sections = Vec::new();
    let Some(first) = comparison.runs.first() else { return sections };
    if !first.measures.is_empty() {
        let grid = (0..first.measures.len()).fold(policies(), |grid, at| {
            let measure = &first.measures[at];
            let header = match measure.unit.as_str() {
                "1" | "" => measure.name.clone(),
                unit => format!("{}\n{unit}", measure.name),
            };
            let value = |run: &Run| run.measures.get(at).and_then(|measure| measure.value);
            grid.number(
                &header,
                comparison.runs.iter().map(|run| value(run).map_or("-".to_owned(), significant)),
            )
        });
        sections.push(grid.draw(style));
    }
    /// More do not fit side by side.
    const MOST: usize = 8;
    if (2..=MOST).contains(&first.phases.len()) {
        let all = comparison.runs.iter().flat_map(|run| &run.phases);
        let scale = TimeScale::of(all.map(|phase| phase.time_ps));
        let grid = first.phases.iter().enumerate().fold(policies(), |grid, (at, phase)| {
            let time = |run: &Run| run.phases.get(at).map_or(0, |phase| phase.time_ps) as f64;
            grid.number(&phase.name, comparison.runs.iter().map(|run| scale.show(time(run))))
        });
        sections.push(grid.draw(style));
    }
    sections
}
