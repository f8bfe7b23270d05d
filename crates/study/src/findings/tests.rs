use super::findings;
use numalab_results::{ByNode, BytesByLevel, Executed, Member, Run, TaskCounts};
use proptest::prelude::*;

const US: u64 = 1_000_000;
const MS: u64 = 1_000 * US;

/// Size of the team: two threads on each of four nodes.
const THREADS: u32 = 8;

/// Run of eight threads over 100 ms, in which every thread reads `bytes[n]` of node `(own + n) mod 4`.
fn run(tasks: TaskCounts, idle_ms: u64, inflation_ms: u64, bytes: [u64; 4]) -> Run {
    let member = |thread: u32| {
        let node = thread / 2;
        let mut bytes_by_node = ByNode::default();
        (0..4u32).for_each(|away| bytes_by_node.add((node + away) % 4, bytes[away as usize]));
        Member {
            thread,
            processor: thread,
            node,
            compute_ps: 0,
            stall_ps: 0,
            overhead_ps: 0,
            idle_ps: 0,
            iterations: 0,
            stolen: 0,
            cached_bytes: 0,
            bytes_by_node,
            time_by_node_ps: ByNode::default(),
        }
    };
    let overhead = tasks.creating_ps + tasks.fetching_ps;
    let busy = u64::from(THREADS) * 100 * MS - idle_ms * MS;
    let each = |n: usize| bytes[n] * u64::from(THREADS);
    Run {
        policy: "tasks".into(),
        threads: THREADS,
        makespan_ps: 100 * MS,
        events: 0,
        engine: Default::default(),
        ideal_work_ps: busy.saturating_sub(overhead + inflation_ms * MS),
        memory_penalty_ps: (inflation_ms * MS) as i64,
        sequential_ps: None,
        inflation_ps: None,
        replicas: None,
        sampled_ps: Vec::new(),
        overhead_ps: overhead.into(),
        idle_ps: (idle_ms * MS).into(),
        transactions: 0,
        tasks: Some(tasks),
        pages: None,
        bottleneck: None,
        findings: Vec::new(),
        measures: Vec::new(),
        bytes_by_level: BytesByLevel {
            node: each(0),
            socket: 0,
            board: each(1),
            machine: each(2) + each(3),
            memory_only: 0,
        },
        cached_bytes: 0,
        phases: Vec::new(),
        team: (0..THREADS).map(member).collect(),
        resources: Vec::new(),
    }
}

/// Counts of `count` tasks, half of them executed on another board, with total times in microseconds.
fn tasks(count: u64, working: u64, creating: u64, fetching: u64) -> TaskCounts {
    TaskCounts {
        phases: 1,
        phases_ps: 100 * MS,
        created: count,
        creators: THREADS,
        by_creator: Executed { tasks: count - count / 2, time_ps: working * US / 2 },
        remote: Executed { tasks: count / 2, time_ps: working * US / 2 },
        creating_ps: creating * US,
        busiest_creator_ps: creating * US / u64::from(THREADS),
        fetching_ps: fetching * US,
        working_ps: working * US,
        longest_task_ps: working * US / count.max(1),
        ..TaskCounts::default()
    }
}

// 8 threads × 100 ms. One thread takes 80 ms, so the team takes 1.25 times as long. Half of the team's 800 ms are
// idle.
#[test]
fn a_team_that_is_slower_than_one_thread() {
    let one = |alone: u64, work: u64| {
        let plain = Run { tasks: None, ..run(TaskCounts::default(), 400, 0, [0; 4]) };
        names(&Run { sequential_ps: Some(alone * MS), ideal_work_ps: work * MS, ..plain })
    };
    assert_eq!(one(80, 80), ["slower-than-one-thread"]);
    let plain = Run { tasks: None, ..run(TaskCounts::default(), 400, 0, [0; 4]) };
    let slow = Run { sequential_ps: Some(80 * MS), ideal_work_ps: 80 * MS, ..plain.clone() };
    assert!(evidence(&slow)[0].contains("1.2 times"), "{:?}", evidence(&slow));
    assert!(evidence(&slow)[0].contains("50% idle"), "{:?}", evidence(&slow));
    assert!(one(100, 100).is_empty(), "as fast as one");
    // Every thread does all of the work, so one thread alone has an eighth of the team's work.
    assert!(one(80, 640).is_empty(), "a team with more work");
    assert!(one(0, 0).is_empty(), "nothing to compare with");
    let alone = Run { threads: 1, ..slow };
    assert!(names(&alone).is_empty(), "one thread");
    assert!(names(&plain).is_empty(), "no run on one thread");
}

fn names(run: &Run) -> Vec<String> {
    findings(run).into_iter().map(|finding| finding.name).collect()
}

fn evidence(run: &Run) -> Vec<String> {
    findings(run).into_iter().map(|finding| finding.evidence).collect()
}

/// 800 ms of team time: 770 ms of work in 1000 tasks are 0.77 ms each, beside 10 us of overhead each.
#[test]
fn a_good_run_has_no_findings() {
    let good = run(tasks(1000, 770_000, 5_000, 5_000), 20, 0, [100, 0, 0, 0]);
    assert!(findings(&good).is_empty());
    assert!(findings(&Run { tasks: None, ..good.clone() }).is_empty(), "no tasks");
    assert!(findings(&Run { tasks: Some(TaskCounts::default()), ..good }).is_empty(), "none executed");
}

/// 100 000 tasks: 500 ms of work are 5 us each. 100 ms of creating and 180 ms of fetching are 1 and 1.8 us each.
/// Together 280 of 780 ms are overhead, 36 %.
#[test]
fn too_fine() {
    let fine = run(tasks(100_000, 500_000, 100_000, 180_000), 20, 0, [100, 0, 0, 0]);
    assert_eq!(names(&fine), ["tasks-too-fine"]);
    assert_eq!(
        evidence(&fine),
        [
            "a task works 5.00 us on average, and handling it takes 2.80 us (1.00 us to create, 1.80 us to fetch \
             and finish): 36% of the time for tasks"
        ]
    );
    // The same overhead beside ten times the work, in tasks that hardly matter.
    assert!(names(&run(tasks(100_000, 700_000, 30_000, 40_000), 30, 0, [100, 0, 0, 0])).is_empty());
    assert!(names(&run(tasks(100, 1_000, 1_000, 1_000), 20, 0, [100, 0, 0, 0])).is_empty());
}

/// Searching for tasks is no overhead of tasks. Without the 180 ms of fetching, 100 ms of overhead beside 500 ms of
/// work are still more than a tenth. With 10 ms of overhead there is no finding.
#[test]
fn searching_is_not_overhead() {
    let searching =
        |creating| TaskCounts { searching_ps: 180 * MS, ..tasks(100_000, 500_000, creating, 180_000) };
    assert_eq!(names(&run(searching(100_000), 20, 0, [100, 0, 0, 0])), ["tasks-too-fine"]);
    assert!(!names(&run(searching(10_000), 110, 0, [100, 0, 0, 0])).contains(&"tasks-too-fine".into()));
}

/// Six tasks of 100 ms on eight threads: two threads wait all the time, 200 of 800 ms.
#[test]
fn fewer_tasks_than_threads() {
    let few = run(tasks(6, 600_000, 0, 0), 200, 0, [100, 0, 0, 0]);
    assert_eq!(names(&few), ["tasks-too-coarse"]);
    assert_eq!(evidence(&few), ["6 tasks for 8 threads: the team waits 25% of its time"]);
    // Twelve tasks in two phases are as few per phase.
    let twice = TaskCounts { phases: 2, ..tasks(12, 600_000, 0, 0) };
    let twice = run(twice, 200, 0, [100, 0, 0, 0]);
    assert_eq!(evidence(&twice), ["12 tasks in 2 phases for 8 threads: the team waits 25% of its time"]);
}

/// 640 ms of work are 80 ms for each of eight threads, which wait 20 ms. A longest task of 40 ms explains that wait,
/// one of 10 ms does not.
#[test]
fn one_task_too_long() {
    let coarse = |longest: u64| TaskCounts { longest_task_ps: longest * MS, ..tasks(16, 640_000, 0, 0) };
    let seen = run(coarse(40), 160, 0, [100, 0, 0, 0]);
    assert_eq!(
        evidence(&seen),
        [
            "the longest task takes 40.0 ms, and a thread has 80.0 ms of work in 2.0 tasks: the team waits 20% of its time"
        ]
    );
    assert!(names(&run(coarse(10), 160, 0, [100, 0, 0, 0])).is_empty());
    assert!(names(&run(coarse(40), 60, 0, [100, 0, 0, 0])).is_empty(), "they hardly wait");
}

/// One thread creates 1000 tasks in 95 of 100 ms, 95 us each. The others wait 600 of 800 ms.
#[test]
fn one_producer() {
    let tasks = |creators| TaskCounts {
        creators,
        busiest_creator_ps: 95 * MS,
        ..tasks(1000, 100_000, 95_000, 5_000)
    };
    let bound = run(tasks(1), 600, 0, [100, 0, 0, 0]);
    assert!(names(&bound).contains(&"producer-bound".to_owned()));
    assert_eq!(
        evidence(&bound).last().unwrap(),
        "1 of 8 threads creates the tasks and spends 95% of the time on it, 95.0 us for each, while the team waits \
         75% of its time"
    );
    // All threads create tasks; none waits.
    assert!(!names(&run(tasks(8), 600, 0, [100, 0, 0, 0])).contains(&"producer-bound".to_owned()));
    assert!(!names(&run(tasks(1), 100, 0, [100, 0, 0, 0])).contains(&"producer-bound".to_owned()));
}

/// Each thread reads a quarter of its data from each of four nodes, although all could be local: each node has a
/// quarter of the bytes and of the threads. The work takes 770 ms instead of 385 ms.
#[test]
fn blind() {
    let blind = |bytes| run(tasks(1000, 770_000, 5_000, 5_000), 20, 385, bytes);
    let seen = blind([25, 25, 25, 25]);
    assert_eq!(names(&seen), ["numa-blind"]);
    assert_eq!(
        evidence(&seen),
        [
            "75% of the bytes come from another node, where 100% could be local, and 50% of the tasks run on another \
             socket than their creator: the work takes 2.0 times as long as with local data; the difference is 48% of the \
             team's time"
        ]
    );
    assert!(names(&blind([75, 25, 0, 0])).is_empty(), "mostly local");
    assert!(names(&run(tasks(1000, 770_000, 5_000, 5_000), 20, 40, [25; 4])).is_empty(), "it costs nothing");
}

/// All data is on one node of four, with two of eight threads, so a quarter is local. A scheduler could gain more
/// only by leaving threads of other nodes without work.
#[test]
fn data_on_one_node_is_not_numa_blind() {
    let mut one = run(tasks(1000, 770_000, 5_000, 5_000), 20, 385, [25, 25, 25, 25]);
    for member in &mut one.team {
        member.bytes_by_node = ByNode::default();
        member.bytes_by_node.add(0, 100);
    }
    assert!(names(&one).is_empty());
}

prop_compose! {
    fn any_run()(
        count in 1u64..1_000_000,
        times in prop::array::uniform5(0u64..400_000),
        searching in 0.0..1.0f64,
        creators in 0u32..=8,
        creator in 0u64..=100,
        idle in 0u64..=800,
        inflation in 0u64..=400,
        bytes in prop::array::uniform4(0u64..1_000_000),
        phases in 0u64..4,
    ) -> Run {
        let [working, creating, fetching, longest, _] = times;
        run(
            TaskCounts {
                phases,
                creators,
                busiest_creator_ps: creator * MS,
                searching_ps: (fetching as f64 * searching) as u64 * US,
                longest_task_ps: longest * US,
                ..tasks(count, working, creating, fetching)
            },
            idle,
            inflation,
            bytes,
        )
    }
}

proptest! {
    #[test]
    fn never_too_fine_and_too_coarse(run in any_run()) {
        let names = names(&run);
        let has = |name: &str| names.iter().any(|known| known == name);
        prop_assert!(!(has("tasks-too-fine") && has("tasks-too-coarse")), "{names:?}");
        prop_assert!(!(has("producer-bound") && has("tasks-too-coarse")), "{names:?}");
    }

    /// The evidence is one sentence in one line, with finite figures.
    #[test]
    fn evidence_is_a_sentence_with_figures(run in any_run()) {
        for finding in findings(&run) {
            prop_assert!(finding.evidence.contains(|c: char| c.is_ascii_digit()), "{}", finding.evidence);
            prop_assert!(!finding.evidence.contains('\n'));
            for wrong in ["NaN", "inf", "-"] {
                prop_assert!(!finding.evidence.contains(wrong), "{}", finding.evidence);
            }
        }
    }

    /// If tasks are not too fine, longer tasks with equal overhead are not too fine either.
    #[test]
    fn more_work_is_never_too_fine(run in any_run(), more in 1u64..1_000_000) {
        let fine = |run: &Run| names(run).contains(&"tasks-too-fine".to_owned());
        let mut longer = run.clone();
        if let Some(tasks) = &mut longer.tasks {
            tasks.working_ps += more * US;
        }
        prop_assert!(fine(&run) || !fine(&longer));
    }

    /// Any counts in a file of results are accepted without overflow.
    #[test]
    fn any_numbers(numbers in prop::array::uniform16(any::<u64>()), inflation in any::<i64>()) {
        let n = numbers;
        let sum = TaskCounts {
            phases: n[0], phases_ps: n[1], created: n[2], creators: n[3] as u32, at_once: n[4],
            by_creator: Executed { tasks: n[5], time_ps: 0 }, same_socket: Executed { tasks: n[6], time_ps: 0 },
            same_board: Executed { tasks: n[7], time_ps: 0 }, remote: Executed { tasks: n[8], time_ps: 0 },
            creating_ps: n[9], busiest_creator_ps: n[10], fetching_ps: n[11], searching_ps: n[12],
            working_ps: n[13], longest_task_ps: n[14], ..TaskCounts::default()
        };
        let mut run = run(TaskCounts::default(), 0, 0, [1, 2, 3, 4]);
        (run.tasks, run.idle_ps, run.memory_penalty_ps) = (Some(sum), n[15].into(), inflation);
        findings(&run);
    }
}

/// Two threads on two nodes for 100 ms. Of their 200 ms, faults stop them for 20 + 30 ms: 25 %. Messages on the wire
/// take 30 of these 50 ms, 60 %. Loop `b` has 40 of the 50 ms; both nodes write three of its pages: 40 of 200 ms. A
/// daemon serves for 60 of 100 ms.
fn over_pages() -> Run {
    use numalab_results::{
        NodeCounts, NodeTime, PageFaults, PageSharing, PageStop, PhaseCounts, PhaseSharing,
    };
    let run = run(TaskCounts::default(), 0, 0, [0; 4]);
    let stop = |wire: u64, trap: u64| PageStop {
        stop_ps: (wire + trap) * MS,
        by_part_ps: [("wire".to_owned(), wire * MS), ("trap".to_owned(), trap * MS)].into(),
    };
    let node = |busy: u64| NodeCounts { daemon_busy_ps: busy * MS, ..NodeCounts::default() };
    let phase = |name: &str, stops: [u64; 2], written_by_several| PhaseCounts {
        name: name.to_owned(),
        page_faults: PageFaults { read: 5, write: 3, upgrade: 2 },
        sharing: PhaseSharing {
            nodes: stops.map(|stop| NodeTime { stop_ps: stop * MS, ..NodeTime::default() }).into(),
            written_by_several,
        },
        ..PhaseCounts::default()
    };
    Run {
        tasks: None,
        team: run.team[..2].to_vec(),
        pages: Some(PageSharing {
            nodes: vec![node(60), node(20)],
            stops: vec![stop(12, 8), stop(18, 12)],
            rows: Vec::new(),
        }),
        phases: vec![phase("a", [5, 5], 0), phase("b", [15, 25], 3)],
        ..run
    }
}

#[test]
fn stops_by_faults_are_found() {
    assert_eq!(
        evidence(&over_pages()),
        [
            "faults stop the threads for 25% of their time, 60% of it as `wire` and 80% of it in `b`, with 10 faults \
             (5 to read, 3 to write, 2 upgrades)",
            "3 pages are written by several nodes in `b`, whose faults stop the threads for 20% of their time: align the loop \
             `b` with pages, or pad the data that it writes",
            "the daemon of node 0 serves messages for 60% of the time, daemons on average for 40%: requests to it queue",
        ]
    );
}

#[test]
fn cheap_pages_are_no_finding() {
    let mut run = over_pages();
    run.makespan_ps *= 20;
    assert_eq!(names(&run), [""; 0]);
    assert!(findings(&Run { pages: None, ..over_pages() }).is_empty());
}
