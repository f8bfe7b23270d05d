use crate::fixtures::model::model;
use crate::*;
use numalab_results::*;

#[test]
fn models_beside_the_simulation() {
    insta::assert_snapshot!(table(&model(2e9), Style { width: 100, ..Style::default() }), @r"
    tiny · cg · static

    threads  simulated  roofline   error  extended   error      triad  GFLOP/s
    ──────────────────────────────────────────────────────────────────────────
          1    2.500 s   2.000 s  -20.0%   2.200 s  -12.0%  4.00 GB/s    0.800
          2    1.250 s   1.000 s  -20.0%   1.100 s  -12.0%  8.00 GB/s     1.60
          4    0.625 s   0.500 s  -20.0%   0.550 s  -12.0%  16.0 GB/s     3.20
          8    0.625 s   0.500 s  -20.0%   0.550 s  -12.0%  16.0 GB/s     3.20

    phases on 8 threads
    phase    simulated  roofline  extended  thereof sync  slowest array
    ─────────────────────────────────────────────────────────────────────────
    product     312 ms    250 ms    275 ms       3.00 us  read a at 16.0 GB/s
    dot         312 ms    250 ms    275 ms       3.00 us  read a at 16.0 GB/s
    ");
    assert!(table(&model(0.0), Style::default()).contains("states no number"));
}

#[test]
fn files_hold_everything() {
    let model = model(2e9);
    assert_eq!(serde_json::from_str::<Model>(&json(&model)).unwrap(), model);
    let text = csv(&model);
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!((rows.len(), &rows[3][5], &rows[3][9]), (4, "8", "-0.2"));
}

#[test]
fn table_needs_no_operations_or_roofs() {
    let mut model = model(0.0);
    model.roofs.clear();
    model.points.clear();
    table(&model, Style::default());
}
