use crate::fixtures::input;
use crate::*;
use numalab_results::{Clinic, Learner, LoopSchedule, LoopSchedules, SCHEMA_VERSION, Together};

/// Row of a schedule with a time in milliseconds, beside a best one of 100 ms.
fn row(schedule: &str, ms: u64, high: u64, typed: Option<&str>) -> LoopSchedule {
    let ps = |ms: u64| ms * 1_000_000_000;
    LoopSchedule {
        schedule: schedule.to_owned(),
        time_ps: ps(ms),
        low_ps: ps(ms),
        median_ps: ps(ms),
        high_ps: ps(high),
        replicas: 6,
        regret: ms as f64 / 100.0 - 1.0,
        ties: ms <= 101,
        unstable: high * 5 > ms * 6,
        imbalance: Some(0.25),
        typed: typed.map(str::to_owned),
        needs: if typed.is_some() { "any compiler" } else { "no runtime of today" }.to_owned(),
        is_common: typed.is_some(),
    }
}

fn small() -> Clinic {
    let learner = |name: &str, exploration, pays_after| Learner {
        name: name.to_owned(),
        candidates: ["static", "dynamic", "guided"].map(str::to_owned).to_vec(),
        exploration,
        lost_steps: 3.5,
        settles: "guided".to_owned(),
        pays_after,
    };
    let work = LoopSchedules {
        name: "work".to_owned(),
        iterations: Some(3840),
        steps: 40,
        present: "static".to_owned(),
        share: 0.97,
        schedules: vec![
            row("numa-steal:random", 100, 100, None),
            row("guided", 101, 140, Some("schedule(guided)")),
            row("static", 150, 150, Some("schedule(static)")),
            row("dynamic", 2400, 2400, Some("schedule(dynamic)")),
        ],
        learners: vec![learner("exhaustive", 3, Some(42)), learner("Q-learning", 9, None)],
    };
    let small = LoopSchedules { name: "tail".to_owned(), share: 0.03, learners: Vec::new(), ..work.clone() };
    let together = |schedule: &str, ms: u64| Together {
        schedules: vec![schedule.to_owned(), "static".to_owned()],
        makespan_ps: ms * 1_000_000_000,
        gain: 1.0 - ms as f64 / 155.0,
    };
    Clinic {
        schema_version: SCHEMA_VERSION,
        seed: 0,
        machine: input("bcs16"),
        workload: input("loadbal"),
        runtime: input("plain"),
        placement: None,
        binding: None,
        replay: None,
        threads: 128,
        makespan_ps: 155_000_000_000,
        loops: vec![work, small],
        best: Some(together("numa-steal:random", 105)),
        typed: Some(together("guided", 106)),
        advice: Vec::new(),
        tried: 9,
        refused: 0,
        left_out: 2,
    }
}

#[test]
fn in_a_terminal() {
    insta::assert_snapshot!(table(&small(), Style { width: 100, ..Style::default() }), @r"
    bcs16 · loadbal · 128 threads · 155 ms with the present schedules

    loop work: 3840 iterations, 97% of the run under static
    schedule              time       replicas     loses  imbalance                 to type
    ────────────────────────────────────────────────────────────────────────────────────────────────────
    numa-steal:random  0.100 s  0.100-0.100 s         -        25%  best           - (no runtime of
                                                                                   today)
    guided             0.101 s  0.101-0.140 s     +1.0%        25%  tie, unstable  schedule(guided)
    static             0.150 s  0.150-0.150 s    +50.0%        25%  present        schedule(static)
    dynamic            2.400 s  2.400-2.400 s  24 times        25%                 schedule(dynamic)

    1 other loop takes less than 5% of the time each.

    With numa-steal:random in work the program takes 105 ms (-32.3%).

    Of those that common compilers have: guided in work the program takes 106 ms (-31.6%).

    learning the schedule of work while the program runs, over 10000 time steps
    method        tries  settles on  loses beside the best  pays after
    ──────────────────────────────────────────────────────────────────
    exhaustive  3 steps  guided                  3.5 steps    42 steps
    Q-learning  9 steps  guided                  3.5 steps       never
    among static, dynamic, guided; the loop is executed 40 times

    None of 9 changes that were simulated gains at least 3%.

    Left out: 2 runs.
    ");
}

/// Without a gain, the answer says so and recommends nothing.
#[test]
fn present_schedules_can_be_best() {
    let clinic = Clinic { best: None, typed: None, ..small() };
    let text = table(&clinic, Style { width: 100, ..Style::default() });
    assert!(text.contains("No schedules gain more than 1% beside the present ones."), "{text}");
    assert!(!text.contains("the program takes"), "{text}");
}

#[test]
fn a_row_for_each_schedule_of_each_loop() {
    let text = csv(&small());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * 4);
    assert!(
        lines[0].starts_with("machine,machine_hash,workload,workload_hash,threads,loop,iterations,steps,")
    );
    assert!(lines[2].contains(",work,3840,40,false,guided,101000000000,"), "{}", lines[2]);
}
