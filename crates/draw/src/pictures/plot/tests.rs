use super::{plot_html, plot_svg};
use crate::picture_checks::{outside, texts};
use numalab_results::{Cell, CellKind, Chart, ChartAxis, ChartLine, ChartPanel, Column, Frame, Mark};
use proptest::prelude::*;

fn mark(x: f64, median: f64) -> Mark {
    Mark { x, median, low: median, high: median, of: 1 }
}

fn chart(words: Option<Vec<String>>, colours: &[String], panels: Vec<ChartPanel>) -> Chart {
    let axis = |column: &str| ChartAxis { column: column.to_owned(), ..ChartAxis::default() };
    Chart {
        title: "makespan over threads: loadbal".to_owned(),
        x: axis(if words.is_some() { "placement" } else { "threads" }),
        y: axis("makespan_ps"),
        words,
        colour: (colours.len() > 1).then(|| "policy".to_owned()),
        colours: colours.to_vec(),
        facet: (panels.len() > 1).then(|| "machine".to_owned()),
        panels,
        common: vec![("seed".to_owned(), "0".to_owned())],
        along: Vec::new(),
        without_value: 0,
        rows: Frame::default(),
    }
}

fn line(colour: usize, points: &[(f64, f64)]) -> ChartLine {
    ChartLine { colour, marks: points.iter().map(|&(x, y)| mark(x, y)).collect() }
}

fn names(of: &str, count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{of} {at}")).collect()
}

#[test]
fn times_have_a_fitting_unit() {
    let lines = vec![line(0, &[(8.0, 6e11), (16.0, 3e11)]), line(1, &[(8.0, 4e11), (16.0, 2e11)])];
    let panels = vec![ChartPanel { name: String::new(), lines }];
    let chart = chart(None, &["static".into(), "dynamic".into()], panels);
    let svg = plot_svg(&chart, false);
    let texts = texts(&svg);
    for text in ["makespan in ms", "threads", "8", "16", "600", "static", "dynamic", "seed 0"] {
        assert!(texts.iter().any(|shown| shown == text), "no {text:?} in {texts:?}");
    }
    assert!(svg.contains("<title>static, threads 8: 600 ms</title>"), "{svg}");
}

#[test]
fn decade_labels_have_units() {
    let lines = vec![line(0, &[(1.0, 1e3), (2.0, 1e15)])];
    let mut chart = chart(None, &[String::new()], vec![ChartPanel { name: String::new(), lines }]);
    chart.y.log = true;
    let texts = texts(&plot_svg(&chart, false));
    for text in ["makespan", "1 ns", "1000 s"] {
        assert!(texts.iter().any(|shown| shown == text), "no {text:?} in {texts:?}");
    }
}

#[test]
fn page_loads_nothing_and_has_the_rows() {
    let lines = vec![line(0, &[(8.0, 6e11)])];
    let mut chart = chart(None, &[String::new()], vec![ChartPanel { name: String::new(), lines }]);
    chart.title = "<b> & \u{1}".to_owned();
    chart.rows = Frame {
        columns: vec![Column::new("policy", CellKind::Text), Column::new("makespan_ps", CellKind::Count)],
        rows: vec![vec![Cell::Text("a<b".to_owned()), Cell::Count(602_500_000_000)]],
    };
    let html = plot_html(&chart, false);
    assert!(html.contains("<td>a&lt;b</td><td class=\"number\">602.5</td>"), "{html}");
    assert!(
        html.contains("<th class=\"number\">makespan in ms</th>")
            && html.contains("<summary>1 row</summary>")
    );
    let fetched = ["href", "src=", "url(", "@import", "<script", "602500000000"];
    assert!(fetched.iter().all(|word| !html.contains(word)));
    // Without its first line (the doctype), the page is also XML.
    let body = html.split_once('\n').unwrap().1;
    roxmltree::Document::parse(body).unwrap();
}

proptest! {
    #[test]
    fn every_mark_is_on_the_page(
        (colours, panels) in (1usize..14, 1usize..13),
        xs in proptest::collection::vec(1u32..5000, 1..8),
        magnitude in 0i32..16,
        values in proptest::collection::vec(0.0f64..1.0, 8),
        (bars, log, free) in (any::<bool>(), any::<bool>(), any::<bool>()),
        long in 0usize..60,
    ) {
        let mut xs: Vec<f64> = xs.into_iter().map(f64::from).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let word = |at: usize| format!("{at}{}", "m".repeat(long));
        let words = bars.then(|| (0..xs.len()).map(word).collect::<Vec<_>>());
        let place = |at: usize| if bars { at as f64 } else { xs[at] };
        let value = |at: usize, by: usize| (values[at % 8] + by as f64 + 1.0) * 10f64.powi(magnitude);
        let panel = |panel: usize| ChartPanel {
            name: if panels > 1 { word(panel) } else { String::new() },
            lines: (0..colours)
                .map(|colour| ChartLine {
                    colour,
                    marks: (0..xs.len())
                        .map(|at| {
                            let median = value(at, colour);
                            Mark { x: place(at), median, low: median * 0.9, high: median * 1.2, of: 3 }
                        })
                        .collect(),
                })
                .collect(),
        };
        let mut chart = chart(words, &names(&word(0), colours), (0..panels).map(panel).collect());
        (chart.x.log, chart.y.log) = (log && !bars, log && !bars);
        prop_assert_eq!(outside(&plot_svg(&chart, free)), Vec::<String>::new());
    }
}
