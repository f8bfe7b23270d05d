//! A series as a picture for a slide: results over the varied parameter.

use crate::chart::{Curve, Plot, Scale, WIDTH, curves, page, room};
use numalab_report::numbers::TimeScale;
use numalab_report::views::series::{team, unit};
use numalab_results::{Point, PointRun, Series};

/// SVG document with one curve per value of the second series and policy; without a second series and with a single policy,
/// one curve for each measure in the unit of the first measure. `measure` selects another measure than the first; an
/// unknown name is ignored. Without measures, curves show the makespan.
pub fn series_svg(series: &Series, measure: Option<&str>) -> String {
    let chosen = measure.and_then(|name| series.measure(name));
    let lines = Lines::of(series, chosen);
    let values = || lines.curves.iter().flat_map(|curve| &curve.points).filter_map(|point| point.1);
    let (x, y) = (across(series), up(values()));
    let plot = Plot::of_page(&x, &y, (&series.over, &lines.axis), room(&lines.curves));
    let document = page(&lines.title(series), &subtitle(series), crate::chart::HEIGHT);
    debug_assert!(plot.frame()[2] < WIDTH);
    format!("{}\n", document.add(plot.axes()).add(curves(&lines.curves, &plot)))
}

/// Curves of the picture, with the name of the shown measure (`what`) and of the vertical axis (`axis`).
struct Lines {
    curves: Vec<Curve>,
    what: String,
    axis: String,
}

impl Lines {
    fn of(series: &Series, chosen: Option<usize>) -> Lines {
        let named = named(series);
        let has_values = |at: &usize| {
            series
                .points
                .iter()
                .flat_map(|point| &point.runs)
                .any(|run| run.values.get(*at).is_some_and(Option::is_some))
        };
        let Some(first) = chosen.or((0..series.measures.len()).find(has_values)) else {
            return Lines::makespan(series, &named);
        };
        let units = &series.measures[first].unit;
        let alike = |at: &usize| series.measures[*at].unit == *units && has_values(at);
        let several = chosen.is_none() && named.len() < 2 && series.by.is_none();
        let shown: Vec<usize> =
            if several { (0..series.measures.len()).filter(alike).collect() } else { vec![first] };
        let value = |measure: usize, run: &Named| {
            let run = run.clone();
            move |point: &Point| run.at(point)?.values.get(measure).copied().flatten()
        };
        let curves = match (&shown[..], named.first()) {
            ([one], _) => named.iter().map(|run| curve(series, run, value(*one, run))).collect(),
            (_, None) => Vec::new(),
            (many, Some(run)) => {
                let measure = |(at, one): (usize, &usize)| {
                    let name = series.measures[*one].name.clone();
                    curve(series, &Named { name, look: [at, at / 7], ..run.clone() }, value(*one, run))
                };
                many.iter().enumerate().map(measure).collect()
            }
        };
        let name = &series.measures[first].name;
        let what = if shown.len() == 1 { name.clone() } else { String::new() };
        let axis = match (unit(units), &what[..]) {
            ("", "") => String::new(),
            ("", what) => what.to_owned(),
            (unit, "") => unit.to_owned(),
            (unit, what) => format!("{what} in {unit}"),
        };
        Lines { curves, what, axis }
    }

    fn makespan(series: &Series, named: &[Named]) -> Lines {
        let times = series.points.iter().flat_map(|point| &point.runs).map(|run| run.makespan_ps);
        let scale = TimeScale::of(times);
        let value = |point: &Point, run: &Named| Some(run.at(point)?.makespan_ps as f64 / scale.ps);
        let curves = named.iter().map(|run| curve(series, run, |point| value(point, run))).collect();
        Lines { curves, what: "makespan".to_owned(), axis: format!("makespan in {}", scale.unit) }
    }

    fn title(&self, series: &Series) -> String {
        let Series { machine, workload, .. } = series;
        let what = if self.what.is_empty() { String::new() } else { format!(": {}", self.what) };
        let by = series.by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
        format!("{} on {}{what}{by}", workload.name, machine.name)
    }
}

/// Name of a curve, the run that it shows at every point, and its colour and dash.
#[derive(Clone)]
struct Named {
    name: String,
    by: Option<String>,
    /// Number of the run among those of the point with this value of the second series.
    policy: usize,
    look: [usize; 2],
}

impl Named {
    fn at<'a>(&self, point: &'a Point) -> Option<&'a PointRun> {
        point.runs.iter().filter(|run| run.by == self.by).nth(self.policy)
    }
}

/// Curves of a series: the policies of each value of the second series. Values have colours, and their policies dashes.
fn named(series: &Series) -> Vec<Named> {
    let policies: Vec<&str> = series.policies().collect();
    let values = series.values_of_second();
    if values.is_empty() {
        let alone = |(policy, name): (usize, &&str)| Named {
            name: (*name).to_owned(),
            by: None,
            policy,
            look: [policy, policy / 7],
        };
        return policies.iter().enumerate().map(alone).collect();
    }
    let mut all = Vec::new();
    for (number, value) in values.iter().enumerate() {
        for (policy, name) in policies.iter().enumerate() {
            let alone = policies.len() == 1;
            let dash = if alone { number / 7 } else { policy };
            let name = if alone { (*value).to_owned() } else { format!("{value} {name}") };
            all.push(Named { name, by: Some((*value).to_owned()), policy, look: [number, dash] });
        }
    }
    all
}

fn curve(series: &Series, run: &Named, value: impl Fn(&Point) -> Option<f64>) -> Curve {
    let points = series.points.iter().enumerate().map(|(at, point)| (position(series, at), value(point)));
    Curve {
        name: run.name.clone(),
        points: points.collect(),
        colour: run.look[0],
        dash: run.look[1],
        dots: true,
        ..Curve::default()
    }
}

/// Position of a point on the horizontal axis: the point's value, or the point's index if the points have names.
fn position(series: &Series, at: usize) -> f64 {
    if words(series) { at as f64 } else { series.points[at].at }
}

/// True if the points have names rather than amounts.
fn words(series: &Series) -> bool {
    let amount = |point: &Point| {
        point.text.trim_start().starts_with(|c: char| c.is_ascii_digit() || "-+.".contains(c))
    };
    series.points.iter().any(|point| !point.text.is_empty() && !amount(point))
}

fn across(series: &Series) -> Scale {
    let labels = || series.points.iter().map(Point::label);
    if words(series) {
        return Scale::between((0..).map(f64::from).zip(labels()).collect()).widened(0.06);
    }
    let mut ticks: Vec<(f64, String)> = series.points.iter().map(|point| point.at).zip(labels()).collect();
    ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
    ticks.dedup_by(|a, b| a.0 == b.0);
    let (Some(&(low, _)), Some(&(high, _))) = (ticks.first(), ticks.last()) else {
        return Scale::linear(0.0, 1.0, 5);
    };
    let log = grows_by_a_factor(&ticks.iter().map(|tick| tick.0).collect::<Vec<_>>());
    let threads = series.over == "threads";
    let doubles = |value: &f64| value.log2().fract() == 0.0;
    match (log, ticks.len() <= 14) {
        (true, _) if threads => {
            ticks.retain(|tick| tick.0 == low || tick.0 == high || doubles(&tick.0));
            Scale::log_between(ticks).widened(0.02)
        }
        (true, true) => Scale::log_between(ticks).widened(0.02),
        (true, false) => Scale::decades(low, high, 10),
        (false, true) => Scale::between(ticks).widened(0.02),
        // Team sizes have ticks at multiples of a power of two: 0, 16, 32.
        (false, false) if threads => {
            let step = ((high / 8.0).log2().ceil()).exp2().max(1.0);
            let all = (0..=(high / step).ceil() as u32).map(|at| f64::from(at) * step);
            Scale::between(all.map(|value| (value, value.to_string())).collect())
        }
        (false, false) => Scale::linear(low, high, 10).cut(low, high),
    }
}

/// True if the ratios of consecutive values are more uniform than the differences.
fn grows_by_a_factor(values: &[f64]) -> bool {
    let (Some(&first), Some(&last)) = (values.first(), values.last()) else { return false };
    if values.len() < 3 || first <= 0.0 || last / first < 8.0 {
        return false;
    }
    let spread = |step: &dyn Fn(f64, f64) -> f64| {
        let steps = || values.windows(2).map(|pair| step(pair[0], pair[1]));
        steps().fold(0.0, f64::max) / steps().fold(f64::INFINITY, f64::min)
    };
    spread(&|a, b| (b / a).ln()) < spread(&|a, b| b - a)
}

/// Scale of the vertical axis: from zero, or logarithmic if the values differ too much to be readable.
fn up(values: impl Iterator<Item = f64>) -> Scale {
    Scale::of(values, 50.0).0
}

fn subtitle(series: &Series) -> String {
    let mut facts = Vec::new();
    let policies: Vec<&str> = series.policies().collect();
    if let [policy] = policies[..] {
        facts.push(policy.to_owned());
    }
    facts.extend(team(series));
    facts.push(format!("seed {}", series.seed));
    facts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{HEIGHT, WIDTH};
    use crate::fixtures::series::{DOUBLING, series};
    use crate::picture_checks::texts;
    use proptest::prelude::*;

    #[test]
    fn curves_are_policies_or_measures_of_one_unit() {
        let measures = [("copy", "GB/s"), ("time", "s"), ("gone", "GB/s"), ("add", "GB/s")];
        let one = texts(&series_svg(&series("threads", &DOUBLING, &["static"], &measures), None));
        assert!(
            one.contains(&"copy".into()) && one.contains(&"add".into()) && one.contains(&"GB/s".into()),
            "{one:?}"
        );
        assert!(!one.contains(&"time".into()) && !one.contains(&"gone".into()), "{one:?}");
        let two =
            texts(&series_svg(&series("threads", &DOUBLING, &["static", "guided"], &measures), Some("time")));
        assert!(two.contains(&"guided".into()) && two.contains(&"time in s".into()), "{two:?}");
        let none = texts(&series_svg(&series("threads", &DOUBLING, &["static"], &[]), None));
        assert!(none.contains(&"makespan in s".into()), "{none:?}");
    }

    #[test]
    fn doubling_threads_are_ticks_at_equal_distances() {
        let picture = series_svg(&series("threads", &DOUBLING, &["static"], &[]), None);
        let document = roxmltree::Document::parse(&picture).unwrap();
        let x = |label: &str| -> f64 {
            let node = document.descendants().find(|node| {
                node.text().map(str::trim) == Some(label) && node.attribute("text-anchor") == Some("middle")
            });
            node.unwrap().attribute("x").unwrap().parse().unwrap()
        };
        assert!((x("4") - x("2") - (x("16") - x("8"))).abs() < 0.1);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn every_series_is_drawn_inside_its_frame(
            values in prop::collection::vec(prop::num::f64::NORMAL.prop_map(|v| v % 1e15), 0..20),
            names in prop::collection::vec("\\PC{0,12}|[\\x00-\\x20<>&'\"]{0,6}", 1..12),
            text in "|[a-z]{1,8}",
        ) {
            let points: Vec<(f64, &str)> = values.iter().map(|value| (*value, text.as_str())).collect();
            let policies: Vec<&str> = names.iter().map(String::as_str).collect();
            let series = series(&names[0], &points, &policies, &[(&names[0], "s")]);
            let picture = series_svg(&series, None);
            let document = roxmltree::Document::parse(&picture).expect("well-formed");
            for node in document.descendants().filter(|node| node.has_tag_name("circle")) {
                let at = ["cx", "cy"].map(|name| node.attribute(name).unwrap().parse::<f64>().unwrap());
                let inside = (0.0..=WIDTH).contains(&at[0]) && (0.0..=HEIGHT).contains(&at[1]);
                prop_assert!(inside, "{at:?}");
            }
        }
    }
}
