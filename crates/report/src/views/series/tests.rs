use crate::chart::{HEIGHT, WIDTH};
use crate::fixtures::input;
use crate::picture_checks::texts;
use crate::*;
use numalab_results::*;
use proptest::prelude::*;

/// Every point takes 1 s divided by its value under the first policy, and a tenth more under the
/// next.
fn series(over: &str, points: &[(f64, &str)], policies: &[&str], measures: &[(&str, &str)]) -> Series {
    let run = |at: f64, number: usize, policy: &str| {
        let seconds = (1.0 + 0.1 * number as f64) / at.abs().max(0.1);
        PointRun {
            policy: policy.into(),
            threads: if over == "threads" { at as u32 } else { 8 },
            makespan_ps: (seconds * 1e12) as u64,
            bottleneck: (number == 0).then(|| Bottleneck {
                name: "memory".into(),
                share: 0.25,
                phase: "work".into(),
                resource: None,
                resource_share: None,
                from_ps: 0,
                to_ps: 1,
            }),
            values: (0..measures.len()).map(|m| (m != 2).then(|| (m + 1) as f64 / seconds)).collect(),
        }
    };
    let point = |&(at, text): &(f64, &str)| Point {
        at,
        text: text.into(),
        runs: policies.iter().enumerate().map(|(number, policy)| run(at, number, policy)).collect(),
    };
    Series {
        runtime: None,
        schema_version: SCHEMA_VERSION,
        seed: 7,
        machine: input("tiny"),
        workload: input("stream"),
        placement: None,
        binding: None,
        replay: None,
        over: over.into(),
        measures: measures
            .iter()
            .map(|(name, unit)| Measure { name: (*name).into(), unit: (*unit).into() })
            .collect(),
        points: points.iter().map(point).collect(),
        summary: Vec::new(),
    }
}

const DOUBLING: [(f64, &str); 5] = [(1.0, ""), (2.0, ""), (4.0, ""), (8.0, ""), (16.0, "")];

#[test]
fn a_row_for_each_number_of_threads() {
    let mut series = series("threads", &DOUBLING, &["static"], &[("copy", "GB/s"), ("speedup", "1")]);
    series.summary.push(Summary {
        name: "best".into(),
        unit: "GB/s".into(),
        policy: "static".into(),
        value: Some(16.0),
    });
    insta::assert_snapshot!(table(&series, Style::default()), @r"
    tiny · stream · over threads · seed 7

                       copy
    threads  makespan  GB/s  speedup  waits most for  share
    ───────────────────────────────────────────────────────
          1   1.000 s     1        2  memory            25%
          2   0.500 s     2        4  memory            25%
          4   0.250 s     4        8  memory            25%
          8   0.125 s     8       16  memory            25%
         16   0.062 s    16       32  memory            25%

    of the series  value
    ──────────────────────────
    best            16.0  GB/s
    ");
}

#[test]
fn policies_and_words() {
    let points = [(0.0, "first-touch"), (1.0, "interleave")];
    let series =
        series("placement", &points, &["static", "dynamic,4"], &[("rate", "GB/s"), ("b", ""), ("none", "s")]);
    insta::assert_snapshot!(table(&series, Style { unicode: false, ..Style::default() }), @r"
    tiny, stream, over placement, 8 threads, seed 7

                                       rate
    placement    policy     makespan   GB/s      b  waits most for  share
    ---------------------------------------------------------------------
    first-touch  static      10.00 s  0.100  0.200  memory            25%
                 dynamic,4   11.00 s  0.091  0.182  nothing             -
    interleave   static       1.00 s  1.000  2.000  memory            25%
                 dynamic,4    1.10 s  0.909  1.818  nothing             -
    ");
    insta::assert_snapshot!(csv(&series), @r#"
    machine,machine_hash,workload,workload_hash,seed,placement,policy,threads,makespan_ps,rate [GB/s],b,none [s],bottleneck,bottleneck_share,bottleneck_phase
    tiny,00ff,stream,00ff,7,first-touch,static,8,10000000000000,0.1,0.2,,memory,0.25,work
    tiny,00ff,stream,00ff,7,first-touch,"dynamic,4",8,11000000000000,0.09090909090909091,0.18181818181818182,,,,
    tiny,00ff,stream,00ff,7,interleave,static,8,1000000000000,1,2,,memory,0.25,work
    tiny,00ff,stream,00ff,7,interleave,"dynamic,4",8,1100000000000,0.9090909090909091,1.8181818181818181,,,,
    "#);
}

#[test]
fn json_reads_back() {
    let series = series("threads", &DOUBLING, &["static"], &[("copy", "GB/s")]);
    assert_eq!(serde_json::from_str::<Series>(&json(&series)).unwrap(), series);
}

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
        table(&series, Style::default());
        let text = csv(&series);
        prop_assert_eq!(::csv::Reader::from_reader(text.as_bytes()).records().map(Result::unwrap).count(), points.len() * policies.len());
    }
}
