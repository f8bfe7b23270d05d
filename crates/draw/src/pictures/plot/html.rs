//! The picture as an HTML page that loads nothing and includes the plotted rows.

use super::plot_svg;
use numalab_report::quantity::Quantity;
use numalab_results::{Cell, Chart, Column, Frame};

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { margin: 1.5rem auto; max-width: 1200px; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; }
svg { display: block; width: 100%; height: auto; border-radius: 6px; }
summary { cursor: pointer; margin: 1rem 0; }
.rows { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { padding: 0.15rem 0.7rem; text-align: left; border-bottom: 1px solid #8884; white-space: nowrap; }
.number { text-align: right; }
@media (prefers-color-scheme: dark) {
  body { background: #161616; color: #e6e6e6; }
  /* Light and dark change places, hues stay. */
  svg { filter: invert(0.91) hue-rotate(180deg); }
}";

/// HTML document with the picture and a table of the plotted rows.
pub fn plot_html(chart: &Chart, free: bool) -> String {
    let title = escaped(&chart.title);
    let count = chart.rows.rows.len();
    let rows = if count == 1 { "1 row".to_owned() } else { format!("{count} rows") };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{title}</title>\n\
         <style>\n{STYLE}\n</style>\n</head>\n<body>\n{}<details>\n<summary>{rows}</summary>\n\
         <div class=\"rows\">\n{}</div>\n</details>\n</body>\n</html>\n",
        plot_svg(chart, free),
        table(&chart.rows),
    )
}

/// HTML table of the rows. Numbers are in the unit that fits their column.
fn table(frame: &Frame) -> String {
    let quantities: Vec<Option<Quantity>> = (0..frame.columns.len()).map(|at| quantity(frame, at)).collect();
    let mut text = String::from("<table>\n<thead><tr>");
    for (column, quantity) in frame.columns.iter().zip(&quantities) {
        let name = quantity.as_ref().map_or_else(|| column.name.clone(), Quantity::axis);
        text += &format!("<th{}>{}</th>", class(quantity), escaped(&name));
    }
    text += "</tr></thead>\n<tbody>\n";
    for row in &frame.rows {
        text += "<tr>";
        for (cell, quantity) in row.iter().zip(&quantities) {
            let shown = match (cell.number(), quantity) {
                (Some(value), Some(quantity)) => number(quantity.scaled(value)),
                _ => cell.text(),
            };
            text += &format!("<td{}>{}</td>", class(quantity), escaped(&shown));
        }
        text += "</tr>\n";
    }
    text + "</tbody>\n</table>\n"
}

fn class(quantity: &Option<Quantity>) -> &'static str {
    if quantity.is_some() { " class=\"number\"" } else { "" }
}

/// Quantity of a numeric column; `None` for texts.
fn quantity(frame: &Frame, at: usize) -> Option<Quantity> {
    let values = || frame.rows.iter().filter_map(|row| row.get(at)).filter_map(Cell::number);
    let Column { name, kind } = &frame.columns[at];
    let words = *kind == numalab_results::CellKind::Text || values().next().is_none();
    (!words).then(|| match Quantity::of(name, None, values()) {
        // Coordinates such as seeds show all digits.
        _ if Column::COORDINATES.contains(&&name[..]) => Quantity::of(name, None, []),
        quantity => quantity,
    })
}

/// Text of a number: at most six significant digits, but all digits of a whole, very small or very large number.
fn number(value: f64) -> String {
    if value.fract() == 0.0 || !(1e-4..1e9).contains(&value.abs()) {
        return value.to_string();
    }
    let decimals = (5.0 - value.abs().log10().floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Escapes text for both HTML and XML.
fn escaped(text: &str) -> String {
    let text = numalab_base::printable(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
