use crate::fixtures::series::{DOUBLING, series};
use crate::*;
use numalab_results::*;
use proptest::prelude::*;

#[test]
fn a_row_for_each_number_of_threads() {
    let mut series = series("threads", &DOUBLING, &["static"], &[("copy", "GB/s"), ("speedup", "1")]);
    series.summary.push(Summary {
        name: "best".into(),
        by: None,
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

/// Law: Each table of a wide series tells the rows of both series and of the policies apart.
#[test]
fn wide_series_repeats_all_names() {
    let measures = ["first", "second", "third"].map(|name| (name, "GB/s"));
    let mut series = series("n", &[(1.0, ""), (2.0, "")], &["static", "dynamic"], &measures);
    series.by = Some("stores".into());
    for point in &mut series.points {
        let of = |by: &'static str| {
            point.runs.iter().map(move |run| PointRun { by: Some(by.into()), ..run.clone() })
        };
        point.runs = of("streaming").chain(of("ordinary")).collect();
    }
    insta::assert_snapshot!(table(&series, Style { width: 50, unicode: false, ..Style::default() }), @r"
    tiny, stream, over n, by stores, 8 threads, seed 7

                                     first  second
    n  stores     policy   makespan   GB/s    GB/s
    ----------------------------------------------
    1  streaming  static    1.000 s  1.000    2.00
                  dynamic   1.100 s  0.909    1.82
       ordinary   static    1.000 s  1.000    2.00
                  dynamic   1.100 s  0.909    1.82
    2  streaming  static    0.500 s  2.000    4.00
                  dynamic   0.550 s  1.818    3.64
       ordinary   static    0.500 s  2.000    4.00
                  dynamic   0.550 s  1.818    3.64

    n  stores     policy   waits most for  share
    --------------------------------------------
    1  streaming  static   memory            25%
                  dynamic  nothing             -
       ordinary   static   memory            25%
                  dynamic  nothing             -
    2  streaming  static   memory            25%
                  dynamic  nothing             -
       ordinary   static   memory            25%
                  dynamic  nothing             -
    ");
}

#[test]
fn json_reads_back() {
    let series = series("threads", &DOUBLING, &["static"], &[("copy", "GB/s")]);
    assert_eq!(serde_json::from_str::<Series>(&json(&series)).unwrap(), series);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_series_has_a_row_for_each_run(
        values in prop::collection::vec(prop::num::f64::NORMAL.prop_map(|v| v % 1e15), 0..20),
        names in prop::collection::vec("\\PC{0,12}|[\\x00-\\x20<>&'\"]{0,6}", 1..12),
        text in "|[a-z]{1,8}",
    ) {
        let points: Vec<(f64, &str)> = values.iter().map(|value| (*value, text.as_str())).collect();
        let policies: Vec<&str> = names.iter().map(String::as_str).collect();
        let series = series(&names[0], &points, &policies, &[(&names[0], "s")]);
        table(&series, Style::default());
        let text = csv(&series);
        prop_assert_eq!(::csv::Reader::from_reader(text.as_bytes()).records().map(Result::unwrap).count(), points.len() * policies.len());
    }
}
