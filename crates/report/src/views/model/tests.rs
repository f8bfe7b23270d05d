use crate::fixtures::input;
use crate::*;
use numalab_results::*;

/// 8 GB and 2 G operations. A thread streams 4 GB/s, teams up to 16 GB/s, and the run takes a
/// quarter longer than that.
fn model(flops: f64) -> Model {
    let point = |threads: u32| {
        let rate = (4e9 * f64::from(threads)).min(16e9);
        let roofline_ps = (8e9 / rate * 1e12) as u64;
        let phase = |name: &str, part: u64| ModelPhase {
            name: name.into(),
            simulated_ps: roofline_ps / 4 * 5 / part,
            roofline_ps: roofline_ps / part,
            extended_ps: roofline_ps / 10 * 11 / part,
            bytes: 8_000_000_000 / part,
            flops: flops / part as f64,
            sync_ps: 3_000_000,
            arrays: vec![ModelArray {
                name: "a".into(),
                mode: "read".into(),
                footprint_bytes: 80_000_000,
                bytes: 8_000_000_000 / part,
                bandwidth_bytes_per_s: rate,
            }],
        };
        ModelPoint {
            threads,
            simulated_ps: roofline_ps / 4 * 5,
            roofline_ps,
            extended_ps: roofline_ps / 10 * 11,
            roofline_error: Some(-0.2),
            extended_error: Some(-0.12),
            bandwidth_bytes_per_s: rate,
            peak_flop_per_s: 8e9 * f64::from(threads),
            phases: vec![phase("product", 2), phase("dot", 2)],
        }
    };
    let roof = |name: &str, cores: u32, rate: f64| Roof {
        name: name.into(),
        cores,
        bandwidth_bytes_per_s: rate,
        peak_flop_per_s: 8e9 * f64::from(cores),
    };
    let cache = |level: u8, rate: f64| CacheRoof { level, bandwidth_bytes_per_s: rate };
    Model {
        runtime: None,
        schema_version: SCHEMA_VERSION,
        seed: 7,
        machine: input("tiny"),
        workload: input("cg"),
        policy: "static".into(),
        points: [1, 2, 4, 8].map(point).to_vec(),
        roofs: vec![roof("1 core", 1, 4e9), roof("2 nodes", 8, 16e9)],
        cache_roofs: vec![cache(1, 256e9), cache(2, 255e9), cache(3, 128e9)],
    }
}

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
fn dots_lie_below_their_roof() {
    let picture = model_svg(&model(2e9));
    let document = roxmltree::Document::parse(&picture).unwrap();
    assert_eq!(
        document
            .descendants()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "circle")))
            .count(),
        6,
        "four teams, and two phases of the largest"
    );
    // Half of the operations, of the bytes and of the time.
    assert!(picture.contains("product: 3.200 GFLOP/s, 0.2500 operations per byte"), "{picture}");
    // 0.25 operations per byte at 16 GB/s: at most 4 GFLOP/s, of which four fifths are reached.
    assert!(picture.contains("8 threads: 3.200 GFLOP/s, 0.2500 operations per byte"), "{picture}");
}

#[test]
fn picture_needs_no_operations_or_roofs() {
    let mut model = model(0.0);
    roxmltree::Document::parse(&model_svg(&model)).unwrap();
    model.roofs.clear();
    model.points.clear();
    roxmltree::Document::parse(&model_svg(&model)).unwrap();
    table(&model, Style::default());
}
