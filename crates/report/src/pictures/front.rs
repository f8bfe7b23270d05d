//! All points, faint, and the front joined as steps: everything beyond a step is worse than a point of it.

use super::labels::{Label, labels};
use crate::chart::{HEIGHT, Plot, Quantity, Scale, page};
use crate::colour::{GREYS, hue};
use crate::ink::{Ink, label, legal, number};
use crate::views::pareto::{all, common, name, quantities};
use numalab_results::{ParetoFront, ParetoPoint};
use svg::node::element::{Circle, Group, Path, Title};

/// A complete SVG document.
pub fn pareto_svg(front: &ParetoFront) -> String {
    let [across, up] = quantities(front);
    let x = Axis::of(&across, all(front).map(|point| point.x));
    let y = Axis::of(&up, all(front).map(|point| point.y));
    let plot = Plot::of_page(&x.scale, &y.scale, (&x.name, &y.name), 0.0);
    let place = |point: &ParetoPoint| plot.place((across.scaled(point.x), up.scaled(point.y)));
    let title = format!("{} against {}", name(&front.y.column), name(&front.x.column));
    let mut facts = common(front);
    let count = front.front.len() + front.behind.len();
    facts.push(format!(
        "{} of {count} points on the front of {} {} and {} {}",
        front.front.len(),
        front.x.better.name(),
        across.name,
        front.y.better.name(),
        up.name
    ));
    let mut behind = Group::new();
    for point in &front.behind {
        behind = behind.add(dot(place(point), 3.5, GREYS.compute, 0.6).add(told(front, point, &across, &up)));
    }
    let places: Vec<(f64, f64)> = front.front.iter().map(place).collect();
    let mut steps = String::new();
    for (at, &(x, y)) in places.iter().enumerate() {
        // Along x first: what has a worse x has this y at best.
        steps += &match at {
            0 => format!("M{} {}", number(x), number(y)),
            _ => format!("H{}V{}", number(x), number(y)),
        };
    }
    let blue = hue(0, 0, 1);
    let path =
        Path::new().set("d", steps).set("fill", "none").set("stroke", blue.clone()).set("stroke-width", 2);
    let mut on = Group::new();
    for (point, at) in front.front.iter().zip(&places) {
        on = on.add(dot(*at, 5.5, &blue, 1.0).add(told(front, point, &across, &up)));
    }
    let names: Vec<String> = front.front.iter().map(|point| point.at.join(", ")).collect();
    let mut texts = Group::new();
    let taken: Vec<(f64, f64)> = all(front).map(place).collect();
    for Label { at, text } in labels(&places, &names, &taken, plot.frame()) {
        texts = texts.add(label(at.0, at.1, super::labels::SIZE, &text, Ink::Plain));
    }
    let document = page(&title, &facts.join(" · "), HEIGHT).add(plot.axes());
    format!("{}\n", document.add(behind).add(path).add(on).add(texts))
}

struct Axis {
    scale: Scale,
    name: String,
}

impl Axis {
    /// Logarithmic where values lie decades apart.
    fn of(quantity: &Quantity, values: impl Iterator<Item = f64>) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.map(|value| quantity.scaled(value)) {
            (low, high) = (low.min(value), high.max(value));
        }
        /// Farther apart, the lesser half is all at one end.
        const APART: f64 = 50.0;
        match low > 0.0 && high > low * APART {
            true => {
                let unscaled = quantity.clone().over_decades();
                let by = quantity.per / unscaled.per;
                let decade = |tick: f64| unscaled.decade(tick * by);
                Axis { scale: Scale::decades(low, high, 9).labelled(decade), name: unscaled.axis() }
            }
            false if low <= high => Axis {
                scale: Scale::linear(low.min(0.0), high.max(0.0), 8).widened(0.01),
                name: quantity.axis(),
            },
            false => Axis { scale: Scale::linear(0.0, 1.0, 5), name: quantity.axis() },
        }
    }
}

fn dot((x, y): (f64, f64), radius: f64, fill: &str, opacity: f64) -> Circle {
    Circle::new()
        .set("cx", number(x))
        .set("cy", number(y))
        .set("r", radius)
        .set("fill", fill)
        .set("fill-opacity", opacity)
        .set("stroke", "#ffffff")
        .set("stroke-width", 1)
}

fn told(front: &ParetoFront, point: &ParetoPoint, across: &Quantity, up: &Quantity) -> Title {
    let at = front.coordinates.iter().zip(&point.at).map(|(name, value)| format!("{name} {value}"));
    let at: Vec<String> = at.collect();
    let values = format!("{} {}, {} {}", across.name, across.show(point.x), up.name, up.show(point.y));
    Title::new(legal(&if at.is_empty() { values } else { format!("{}: {values}", at.join(", ")) }))
}
