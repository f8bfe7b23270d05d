//! Pareto front of two columns: its points, by increasing x.

#[cfg(test)]
mod tests;

use crate::facts::fact;
use crate::numbers::count;
use crate::page::{Page, Rows, Sheet, View};
use crate::quantity::Quantity;
use crate::style::Style;
use numalab_results::{Objective, ParetoFront, ParetoPoint};

impl View for ParetoFront {
    fn page(&self, _: &Style) -> Page {
        let text = |objective: &Objective| format!("{} {}", objective.better.name(), name(&objective.column));
        let mut facts = vec![format!("Pareto front of {} and {}", text(&self.x), text(&self.y))];
        facts.extend(common(self));
        Page::titled(facts).table(sheet(self)).text([note(self)])
    }
}

impl Rows for ParetoFront {
    /// One CSV line per point, first the points on the front.
    fn csv(&self) -> String {
        let points = all(self).enumerate();
        let sheet = Sheet::of(points).each(self.coordinates.iter().enumerate(), |sheet, (at, name)| {
            sheet.file(name, |(_, point)| point.at.get(at).cloned())
        });
        sheet
            .file(&self.x.column, |(_, point)| point.x)
            .file(&self.y.column, |(_, point)| point.y)
            .file("front", |(at, _)| *at < self.front.len())
            .csv()
    }
}

/// Points on the front, then the other points.
pub fn all(front: &ParetoFront) -> impl Iterator<Item = &ParetoPoint> + Clone {
    front.front.iter().chain(&front.behind)
}

/// Quantities of x and y, in units that fit all points.
pub fn quantities(front: &ParetoFront) -> [Quantity; 2] {
    [
        Quantity::of(&front.x.column, None, all(front).map(|point| point.x)),
        Quantity::of(&front.y.column, None, all(front).map(|point| point.y)),
    ]
}

fn sheet(front: &ParetoFront) -> Sheet<&ParetoPoint> {
    let [x, y] = quantities(front);
    let sheet = Sheet::of(&front.front)
        .number(&x.name, |point| x.show(point.x))
        .number(&y.name, |point| y.show(point.y));
    sheet.each(front.coordinates.iter().enumerate(), |sheet, (at, name)| {
        let cell = |point: &ParetoPoint| point.at.get(at).cloned().unwrap_or_default();
        let numbers = front.front.iter().all(|point| cell(point).parse::<f64>().is_ok());
        sheet.either(numbers, name, |point| cell(point))
    })
}

/// A column's name without its unit.
pub fn name(column: &str) -> String {
    Quantity::of(column, None, []).name
}

/// Coordinates with one value in all points, as texts. A common seed is omitted.
pub fn common(front: &ParetoFront) -> Vec<String> {
    let shown = front.common.iter().filter(|(name, _)| name != "seed");
    shown.map(|(name, value)| fact(name, value)).collect()
}

fn note(front: &ParetoFront) -> String {
    let (on, behind) = (front.front.len(), front.behind.len());
    let note = format!("{on} of {} on the front.", count(on + behind, "point"));
    match front.without_value {
        0 => note,
        1 => note + " 1 row has no value in one of the columns.",
        rows => note + &format!(" {rows} rows have no value in one of the columns."),
    }
}
