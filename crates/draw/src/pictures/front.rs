//! Picture of a Pareto front: all points, faint, and the front as a line of steps. Points beyond a step are worse
//! than a point of the front.

use super::labels::{Label, labels};
use crate::chart::colour::{GREYS, hue};
use crate::chart::shapes::{Tone, dot, label, number};
use crate::chart::{HEIGHT, Plot, Scale, page};
use numalab_base::printable;
use numalab_report::quantity::Quantity;
use numalab_report::views::pareto::{all, common, name, quantities};
use numalab_results::{ParetoFront, ParetoPoint};
use svg::node::element::{Group, Path, Title};

pub fn pareto_svg(front: &ParetoFront) -> String {
    let [across, up] = quantities(front);
    let (x, x_name) = axis(&across, all(front).map(|point| point.x));
    let (y, y_name) = axis(&up, all(front).map(|point| point.y));
    let plot = Plot::of_page(&x, &y, (&x_name, &y_name), 0.0);
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
        behind = behind.add(
            dot(place(point), 3.5, GREYS.compute, 1.0)
                .set("fill-opacity", 0.6)
                .add(hover(front, point, &across, &up)),
        );
    }
    let places: Vec<(f64, f64)> = front.front.iter().map(place).collect();
    let mut steps = String::new();
    for (at, &(x, y)) in places.iter().enumerate() {
        // Each step goes along x first: a point between two front points in x has at best the y of the left front
        // point.
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
        on =
            on.add(dot(*at, 5.5, &blue, 1.0).set("fill-opacity", 1.0).add(hover(front, point, &across, &up)));
    }
    let names: Vec<String> = front.front.iter().map(|point| point.at.join(", ")).collect();
    let mut texts = Group::new();
    let taken: Vec<(f64, f64)> = all(front).map(place).collect();
    for Label { at, text } in labels(&places, &names, &taken, plot.frame()) {
        texts = texts.add(label(at.0, at.1, super::labels::SIZE, &text, Tone::Plain));
    }
    let document = page(&title, &facts.join(" · "), HEIGHT).add(plot.axes());
    format!("{}\n", document.add(behind).add(path).add(on).add(texts))
}

/// Scale and name of an axis; logarithmic if the largest value is more than 50 times the smallest.
fn axis(quantity: &Quantity, values: impl Iterator<Item = f64>) -> (Scale, String) {
    /// Ratio of largest to smallest value above which the axis is logarithmic, so that small values are not squeezed
    /// together.
    const APART: f64 = 50.0;
    let (scale, decades) = Scale::of(values.map(|value| quantity.scaled(value)), APART);
    if !decades {
        return (scale.widened(0.01), quantity.axis());
    }
    let unscaled = quantity.clone().over_decades();
    let by = quantity.per / unscaled.per;
    (scale.labelled(|tick| unscaled.decade(tick * by)), unscaled.axis())
}

fn hover(front: &ParetoFront, point: &ParetoPoint, across: &Quantity, up: &Quantity) -> Title {
    let at = front.coordinates.iter().zip(&point.at).map(|(name, value)| format!("{name} {value}"));
    let at: Vec<String> = at.collect();
    let values = format!("{} {}, {} {}", across.name, across.show(point.x), up.name, up.show(point.y));
    Title::new(printable(&if at.is_empty() { values } else { format!("{}: {values}", at.join(", ")) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::pareto::front;
    use crate::picture_checks::outside;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_point_is_on_the_page(
            points in proptest::collection::vec((0.0f64..1.0, 0.0f64..1.0), 1..40),
            (across, up) in (0.1f64..16.0, 0.1f64..16.0),
            on in 1usize..10,
            long in 0usize..80,
        ) {
            let name = "m".repeat(long);
            let scaled = |&(x, y): &(f64, f64)| (10f64.powf(x * across), 10f64.powf(y * up), &*name);
            let points: Vec<_> = points.iter().map(scaled).collect();
            let (on, behind) = points.split_at(on.min(points.len()));
            prop_assert_eq!(outside(&pareto_svg(&front(on, behind))), Vec::<String>::new());
        }
    }
}
