//! Contended constructs over team sizes, latencies and seeds: a time that changes, changes by little.

use crate::support::Desk;

/// A hundred critical sections of each thread.
const WORKLOAD: &str = "\
name: sections
parameters: { n: 100 }
regions: { r: { size: 8 } }
phases:
  - { name: warm-up, construct: critical, times: 2 }
  - { name: work, measured: true, construct: critical, times: n }
compare: [static]
";

/// Makespans in picoseconds on `xeon-phi`: one for each point of a series, or the one of a run.
fn makespans(arguments: &[&str]) -> Vec<f64> {
    let desk = Desk::with("sections.yaml", WORKLOAD);
    let text = desk.answer(&[&["sim", "xeon-phi", "sections.yaml", "--format", "json"], arguments].concat());
    let results: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let of = |run: &serde_json::Value| run["runs"][0]["makespan_ps"].as_f64().expect("a makespan");
    match results["points"].as_array() {
        Some(points) => points.iter().map(of).collect(),
        None => vec![of(&results)],
    }
}

/// With exact times the hundred sections took 769, 151 and 1036 us on 12, 14 and 16 threads.
#[test]
fn contention_rises_without_teeth() {
    let series = "threads=4,5,6,7,8,9,10,11,12,13,14,15,16,18,20,22,24,26,28,30";
    for seed in ["0", "1"] {
        let times = makespans(&["--series", series, "--seed", seed]);
        assert_eq!(times.len(), 20);
        for pair in times.windows(2) {
            assert!((1.0..1.3).contains(&(pair[1] / pair[0])), "{times:?}");
        }
    }
}

/// With exact times one per cent of this latency switched between 330 and 1984 us.
#[test]
fn a_little_more_of_a_latency_takes_a_little_more() {
    let times: Vec<f64> = ["2.74ns", "2.77ns", "2.8ns", "2.83ns", "2.86ns"]
        .iter()
        .flat_map(|latency| {
            let set = format!("machine.cache.1.latency={latency}");
            makespans(&["-t", "30", "--no-series", "--set", &set])
        })
        .collect();
    let (least, most) =
        times.iter().fold((f64::MAX, 0f64), |(least, most), time| (least.min(*time), most.max(*time)));
    assert!(most / least < 1.05, "{times:?}");
}
