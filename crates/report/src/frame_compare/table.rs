//! What changed, the largest changes first.

use crate::beside::{change, limit, pair, value};
use crate::numbers::count;
use crate::style::{Ink, Style};
use crate::table::{Grid, fit, printable};
use numalab_results::{Change, FrameComparison, PolicyChange};

/// Changes shown; CSV and JSON have all.
const SHOWN: usize = 40;
/// Points of one side shown.
const ONLY: usize = 5;

/// How many points changed, what became of each policy, and the largest changes.
pub fn frame_comparison_table(comparison: &FrameComparison, style: Style) -> String {
    let names = printable(&format!("{} beside {}", comparison.b, comparison.a));
    let title = style.paint(Ink::Bold, &fit(&names, style.columns(), &style));
    let mut sections = vec![format!("{title}\n{}", counts(comparison))];
    if !comparison.changes.is_empty() {
        sections.push(policies(&comparison.policies).draw(&style));
        sections.push(changes(comparison, &style));
    }
    for (name, points) in [(&comparison.a, &comparison.only_a), (&comparison.b, &comparison.only_b)] {
        if let Some(rest) = (!points.is_empty()).then(|| points.len().saturating_sub(ONLY)) {
            let lines = points.iter().take(ONLY).map(|point| format!("  {}\n", printable(point)));
            let more = if rest > 0 { format!("  and {rest} more\n") } else { String::new() };
            sections.push(format!("Only in {}:\n{}{more}", printable(name), lines.collect::<String>()));
        }
    }
    sections.join("\n")
}

fn counts(comparison: &FrameComparison) -> String {
    let mut text =
        format!("{} in both, {} changed", count(comparison.points, "point"), comparison.changed_points);
    if comparison.within > 0.0 {
        text += &format!(" by more than {}", limit(comparison.within));
    }
    if comparison.medians {
        text += "; medians, since the seeds are not the same";
    }
    format!("{text}\n")
}

fn policies(policies: &[PolicyChange]) -> Grid {
    let rows = || policies.iter();
    Grid::new()
        .text("policy", rows().map(|row| row.policy.clone()))
        .text("", rows().map(|row| row.measure.clone()))
        .number("points", rows().map(|row| row.points.to_string()))
        .number("lower", rows().map(|row| row.less.to_string()))
        .number("higher", rows().map(|row| row.more.to_string()))
        .number(
            "on average",
            rows().map(|row| row.mean_ratio.map_or("-".to_owned(), |ratio| change(ratio - 1.0))),
        )
}

fn changes(comparison: &FrameComparison, style: &Style) -> String {
    let mut largest: Vec<&Change> = comparison.changes.iter().collect();
    let size = |change: &Change| change.change.map_or(f64::INFINITY, f64::abs);
    // Stable: equals stay in the order of the points.
    largest.sort_by(|a, b| size(b).total_cmp(&size(a)));
    largest.truncate(SHOWN);
    let texts = |row: &Change| match (row.a, row.b) {
        (Some(a), Some(b)) => pair(a, b, &row.unit),
        (a, b) => {
            let shown = |side: Option<f64>| side.map_or("-".to_owned(), |side| value(side, &row.unit));
            (shown(a), shown(b))
        }
    };
    let rows = || largest.iter();
    let grid = Grid::new()
        .text("point", rows().map(|row| row.point.clone()))
        .text("policy", rows().map(|row| row.policy.clone()))
        .text("", rows().map(|row| row.measure.clone()))
        .number("before", rows().map(|row| texts(row).0))
        .number("after", rows().map(|row| texts(row).1))
        .number("change", rows().map(|row| row.change.map_or("-".to_owned(), change)));
    let rest = comparison.changes.len() - largest.len();
    let more = if rest > 0 { format!("and {rest} smaller changes\n") } else { String::new() };
    grid.draw(style) + &more
}
