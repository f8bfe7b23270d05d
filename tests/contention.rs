//! Contended constructs over team sizes, latencies, work and seeds: a time that changes, changes by little.

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

/// A hundred passes through a lock on which all wait by polling.
const POLLED: &str = "\
name: polled
parameters: { n: 100, q: 50 }
regions: { r: { size: 8 } }
phases:
  - { name: warm-up, construct: { lock: test-and-test-and-set }, times: 2 }
  - { name: work, measured: true, construct: { lock: test-and-test-and-set }, times: n, body: { instructions: q } }
compare: [static]
";

/// Polls of the owner's own cache reach it before its next release, whatever the section: each release lets the threads of
/// one cache exchange the word, one after another. With exact times and one order of arrival for all caches 30 and 40
/// instructions took 0.7 ms, and 50 took 1.9.
#[test]
fn polled_sections_take_alike() {
    let desk = Desk::with("polled.yaml", POLLED);
    for seed in ["0", "1"] {
        let run = ["sim", "epyc-7763-2p", "polled.yaml", "-t", "32", "--replicas", "4", "--seed", seed];
        let series = ["--series", "q=20,30,40,50,60,70,100,150,200,400", "--format", "json"];
        let results: serde_json::Value =
            serde_json::from_str(&desk.answer(&[&run[..], &series[..]].concat())).expect("JSON");
        let medians: Vec<f64> = results["points"]
            .as_array()
            .expect("points")
            .iter()
            .map(|point| point["runs"][0]["replicas"]["median_ps"].as_f64().expect("a median"))
            .collect();
        assert!(medians.windows(2).all(|pair| (0.75..1.25).contains(&(pair[1] / pair[0]))), "{medians:?}");
    }
}

/// A hundred passes through a queue lock: no request races with an owner, so phases decide the order at its tail.
const QUEUE: &str = "\
name: queue
parameters: { n: 100, between: 50 }
regions: { r: { size: 8 } }
phases:
  - { name: warm-up, construct: { lock: mcs }, times: 2 }
  - { name: work, measured: true, construct: { lock: mcs }, times: n, body: { instructions: between } }
compare: [static]
";

/// The nominal runs take 409, 349, 481, 494, 466 and 487 us; a phase that lasts favours one order at the tail.
#[test]
fn medians_of_replicas_rise_without_teeth() {
    let desk = Desk::with("queue.yaml", QUEUE);
    let series = "between=30,50,70,100,150,200";
    let text = desk.answer(&[
        "sim",
        "epyc-7763-2p",
        "queue.yaml",
        "-t",
        "32",
        "--series",
        series,
        "--format",
        "json",
    ]);
    let results: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let points = results["points"].as_array().expect("points").iter();
    let medians: Vec<f64> =
        points.map(|point| point["runs"][0]["replicas"]["median_ps"].as_f64().expect("a median")).collect();
    assert_eq!(medians.len(), 6);
    for pair in medians.windows(2) {
        assert!((0.95..1.3).contains(&(pair[1] / pair[0])), "{medians:?}");
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

/// Atomic additions of all threads, with other work between.
const ADDITIONS: &str = "\
name: additions
parameters: { between: 0 }
regions: { r: { size: 8 } }
phases:
  - { name: work, measured: true, construct: atomic, times: 100, body: { instructions: between } }
compare: [static]
";

/// Law: A fixed count of contended additions takes at most a tenth less time with more work between them, on `bcs16` a third.
///
/// While the home served requests in the order of their arrival alone, 0.34 ms followed 0.53, and 1.5 followed 3.0. The
/// boards of `bcs16` keep a dip at the end of saturation: threads of equal work then come to a schedule in which the cores
/// of each socket follow each other, with fewer ways between boards than where all wait.
#[test]
fn additions_take_no_less_time_with_more_work_between() {
    for (machine, threads, series, least) in [
        ("xeon-8280-2p", "50", "between=0,1000,3000,4000,5000,6000,7000,8000,10000", 0.9),
        ("epyc-7763-2p", "128", "between=0,1000,4000,10000,20000,30000,40000,60000", 0.95),
        ("bcs16", "64", "between=0,1000,4000,8000,12000,15000,18000,20000,22500,25000,30000", 0.7),
    ] {
        let desk = Desk::with("additions.yaml", ADDITIONS);
        let run = ["sim", machine, "additions.yaml", "-t", threads, "--replicas", "4"];
        let text = desk.answer(&[&run[..], &["--series", series, "--format", "json"]].concat());
        let results: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let points = results["points"].as_array().expect("points").iter();
        let medians: Vec<f64> = points
            .map(|point| point["runs"][0]["replicas"]["median_ps"].as_f64().expect("a median"))
            .collect();
        let mut most = 0f64;
        for median in &medians {
            assert!(*median >= least * most, "{machine}: {medians:?}");
            most = most.max(*median);
        }
    }
}

/// Law: Threads of one board that poll a lock do not keep its line from those of another board forever.
///
/// While a request was chosen by the time at which the owner would hear of it, one whose way was 10 ns longer by chance
/// waited for ever behind new requests at the same directory.
#[test]
fn polling_threads_of_a_board_leave_the_line_to_others() {
    let desk = Desk::empty();
    let run = ["locks", "--no-series", "--no-sequential", "--replicas", "1", "--format", "json"];
    let set = ["--set", "workload.kind=test-and-set", "--set", "workload.executions=256"];
    for (machine, threads) in [("bcs16", "48"), ("bcs16", "128"), ("hp8", "64"), ("altix-uv", "80")] {
        let text = desk.answer(&[&["sim", machine], &run[..], &set, &["-t", threads]].concat());
        assert!(text.contains("makespan_ps"), "{machine} {threads}: {text}");
    }
}

/// Stores of neighbouring iterations, in elements of a size.
const NEIGHBOURS: &str = "\
name: neighbours
parameters: { element: 4, n: 20000 }
regions: { a: { size: element * n } }
phases:
  - name: warm-up
    loop: { iterations: n, schedule: compared, touches: &store [{ region: a, slice: { partition: 1 }, mode: write }] }
  - name: work
    measured: true
    loop: { iterations: n, schedule: compared, touches: *store, instructions: 4 }
rounds: 3
compare: [static, \"static,1\", \"static,8\"]
";

/// Makespans of `static`, `static,1` and `static,8` in microseconds, on four cores that share a cache.
fn neighbours(element: &str, n: &str) -> [f64; 3] {
    let desk = Desk::with("neighbours.yaml", NEIGHBOURS);
    let [element, n] = [format!("workload.element={element}"), format!("workload.n={n}")];
    let run = ["sim", "xeon-8280-2p", "neighbours.yaml", "-t", "4", "--no-series"];
    let text = desk.answer(&[&run[..], &["--set", &element, "--set", &n, "--format", "json"]].concat());
    let results: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    [0, 1, 2].map(|at| results["runs"][at]["makespan_ps"].as_f64().expect("a makespan") / 1e6)
}

/// A line takes 40 ns from one core to another. With four-byte elements `static,1` takes each thread through all 1250
/// lines of 20 000 elements, once for each of its four stores to the line: 50 us a round. `static,8` goes two threads to a
/// line, so each thread goes through half of the lines. Chunks of eight elements of eight bytes are a line, and padded
/// elements have one each: nothing waits.
#[test]
fn neighbouring_stores_wait_for_their_line() {
    let [blocks, ones, eights] = neighbours("4", "20000");
    assert!(blocks < 20.0, "{blocks} us");
    assert!((150.0..160.0).contains(&ones), "{ones} us");
    assert!((75.0..85.0).contains(&eights), "{eights} us");
    let [blocks, ones, eights] = neighbours("8", "20000");
    assert!(ones > 290.0 && eights < 1.1 * blocks, "{blocks} {ones} {eights}");
    let [blocks, ones, eights] = neighbours("64", "400");
    assert!((0.95..1.05).contains(&(ones / blocks)), "{blocks} {ones}");
    assert!((0.95..1.05).contains(&(eights / blocks)), "{blocks} {eights}");
}
