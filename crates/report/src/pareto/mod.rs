//! The front of two columns: as a table, as Markdown, as JSON, as CSV, as a picture.

mod labels;
mod picture;

pub use picture::pareto_svg;

use crate::chart::{Quantity, fact};
use crate::csv_text::written;
use crate::json::readable;
use crate::style::{Ink, Style};
use crate::table::{Grid, fit, printable, wrap};
use numalab_results::{Objective, ParetoFront, ParetoPoint};

/// The points of the front, the best x first.
pub fn pareto_table(front: &ParetoFront, style: Style) -> String {
    let dot = style.pick(" · ", ", ");
    let title = fit(&printable(&title(front, dot)), style.columns(), &style);
    let mut sections = vec![format!("{}\n", style.paint(Ink::Bold, &title)), grid(front).draw(&style)];
    sections.push(wrap(&note(front), style.columns()));
    sections.join("\n")
}

/// The same as Markdown.
pub fn pareto_markdown(front: &ParetoFront) -> String {
    format!("**{}**\n\n{}\n{}\n", printable(&title(front, " · ")), grid(front).markdown(), note(front))
}

/// One object with the front and what is behind it.
pub fn pareto_json(front: &ParetoFront) -> String {
    readable(front)
}

/// All points under a header, those of the front first.
pub fn pareto_csv(front: &ParetoFront) -> String {
    let mut header = front.coordinates.clone();
    header.extend([front.x.column.clone(), front.y.column.clone(), "front".to_owned()]);
    let row = |point: &ParetoPoint, on: bool| {
        let mut row = point.at.clone();
        row.extend([point.x.to_string(), point.y.to_string(), on.to_string()]);
        row
    };
    let on = front.front.iter().map(|point| row(point, true));
    written(std::iter::once(header).chain(on).chain(front.behind.iter().map(|point| row(point, false))))
}

fn all(front: &ParetoFront) -> impl Iterator<Item = &ParetoPoint> + Clone {
    front.front.iter().chain(&front.behind)
}

/// Both columns in the units that fit all points.
fn quantities(front: &ParetoFront) -> [Quantity; 2] {
    [
        Quantity::of(&front.x.column, None, all(front).map(|point| point.x)),
        Quantity::of(&front.y.column, None, all(front).map(|point| point.y)),
    ]
}

fn grid(front: &ParetoFront) -> Grid {
    let [x, y] = quantities(front);
    let points = || front.front.iter();
    let mut grid = Grid::new()
        .number(&printable(&x.name), points().map(|point| x.show(point.x)))
        .number(&printable(&y.name), points().map(|point| y.show(point.y)));
    for (at, name) in front.coordinates.iter().enumerate() {
        let cells: Vec<String> =
            points().map(|point| point.at.get(at).cloned().unwrap_or_default()).collect();
        let numbers = cells.iter().all(|cell| cell.parse::<f64>().is_ok());
        let name = printable(name);
        grid = if numbers { grid.number(&name, cells) } else { grid.text(&name, cells) };
    }
    grid
}

fn title(front: &ParetoFront, dot: &str) -> String {
    let said = |objective: &Objective| format!("{} {}", objective.better.name(), name(&objective.column));
    let mut facts = vec![format!("Pareto front of {} and {}", said(&front.x), said(&front.y))];
    facts.extend(common(front));
    facts.join(dot)
}

/// A column's name without its unit.
fn name(column: &str) -> String {
    Quantity::of(column, None, []).name
}

/// What all points have in common; of the seed only replicas would say something.
fn common(front: &ParetoFront) -> Vec<String> {
    let said = front.common.iter().filter(|(name, _)| name != "seed");
    said.map(|(name, value)| fact(name, value)).collect()
}

fn note(front: &ParetoFront) -> String {
    let (on, behind) = (front.front.len(), front.behind.len());
    let of = |count: usize| if count == 1 { "1 point".to_owned() } else { format!("{count} points") };
    let mut note = format!("{} of {} on the front.", on, of(on + behind));
    if front.without_value > 0 {
        let rows = if front.without_value == 1 {
            "1 row has"
        } else {
            &format!("{} rows have", front.without_value)
        };
        note += &format!(" {rows} no value in one of the columns.");
    }
    note
}

#[cfg(test)]
mod tests;
