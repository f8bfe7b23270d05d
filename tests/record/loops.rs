//! Recordings of loops and tasks depend neither on the compiler nor on the number of threads.

use super::{build, classes, compilers, record, replay};
use crate::support::Desk;
use serde_json::Value;

#[test]
fn loops_are_found_with_their_lines_iterations_and_schedules() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "loop", desk.path()).unwrap();
        for (schedule, recorded) in
            [("dynamic,4", "dynamic,4"), ("guided,2", "guided,2"), ("static,8", "static,8")]
        {
            let shown = record(&desk, &["-t", "8"], &program, &["200"], schedule);
            let found = classes(&shown, "loop");
            let hot =
                found.iter().find(|class| class.3 == 3).unwrap_or_else(|| panic!("{compiler} {found:?}"));
            assert_eq!((hot.1, hot.2.as_str()), (200, recorded), "{compiler}");
            assert!(hot.0.starts_with("loop.c:1"), "{compiler} {hot:?}");
        }
    }
}

#[test]
fn chunks_without_callbacks_are_filled_in() {
    let desk = Desk::empty();
    for compiler in compilers().into_iter().filter(|name| name.starts_with("clang")) {
        let program = build(compiler, "fixed", desk.path()).unwrap();
        let shown = record(&desk, &["-t", "4"], &program, &[], "static");
        assert_eq!(classes(&shown, "loop"), [("fixed.c:6".to_owned(), 50, "static,4".to_owned(), 1)]);
    }
}

/// Law: A task graph does not depend on how it was recorded.
///
/// fib(10) makes 2 fib(11) - 1 = 177 calls, and its first call is a task too. Six queens have 152 partial or complete
/// placements: the nodes of the search tree below its root.
#[test]
fn task_graphs_do_not_depend_on_the_recorder() {
    let desk = Desk::empty();
    let mut graphs: Vec<(String, Vec<Value>)> = Vec::new();
    for compiler in compilers() {
        for (name, tasks) in [("fib", 177), ("nqueens", 152), ("chain", 24), ("waves", 24)] {
            let program = build(compiler, name, desk.path()).unwrap();
            for flags in [&["-t", "1"][..], &["-t", "2"], &["-t", "8"], &["-t", "8", "--free"]] {
                let shown = record(&desk, flags, &program, &[], "static");
                let found = classes(&shown, "tasks");
                assert_eq!(
                    found.iter().map(|class| class.1).collect::<Vec<_>>(),
                    [tasks],
                    "{compiler} {name} {flags:?}"
                );
                let graph = graph(&desk);
                match graphs.iter().find(|(known, _)| known == name) {
                    Some((_, known)) => assert!(*known == graph, "{compiler} {name} {flags:?}"),
                    None => graphs.push((name.to_owned(), graph)),
                }
            }
        }
    }
}

/// Six tasks in a chain, each with three children of which the second waits for the first. A replay takes at least as
/// long as the chain of children: 12 of the 18 equal children follow each other.
#[test]
fn tasks_with_dependences_create_tasks() {
    let desk = Desk::empty();
    if let Some(compiler) = compilers().first() {
        let program = build(compiler, "waves", desk.path()).unwrap();
        record(&desk, &["-t", "2", "--pages", "off"], &program, &[], "static");
        let one = |wave: u64| {
            let (at, before) = (4 * wave, wave.checked_sub(1).map(|before| 4 * before));
            let child = |after: &[u64]| serde_json::json!([at, false, after]);
            let first = serde_json::json!([null, true, before.into_iter().collect::<Vec<_>>()]);
            [first, child(&[]), child(&[at + 1]), child(&[])]
        };
        assert_eq!(graph(&desk), (0..6).flat_map(one).collect::<Vec<_>>(), "{compiler}");
        let took = |words: &[&str]| {
            let (result, _) = replay(&desk, &[&["--core-ratio", "1"], words].concat());
            let phases = result["runs"][0]["phases"].as_array().unwrap().clone();
            let tasks = phases.iter().find(|phase| phase["name"].as_str().unwrap().starts_with("tasks"));
            tasks.unwrap()["time_ps"].as_f64().unwrap()
        };
        let alone = took(&["-t", "1"]);
        for queue in ["tasks", "tasks:central", "tasks:thread-local"] {
            let team = took(&["-t", "8", "-p", queue]);
            assert!((0.5..0.97).contains(&(team / alone)), "{compiler} {queue}: {team} of {alone}");
        }
        // The recording of the replay is the same run, to the picosecond.
        let sim = |file: &str, more: &[&str]| {
            let words = [
                &["sim", "socket:2 core:4", file, "-t", "8", "-p", "tasks:central", "--format", "json"],
                more,
            ]
            .concat();
            let output = desk.numalab(&words).assert().success().get_output().clone();
            let result: Value = serde_json::from_slice(&output.stdout).unwrap();
            result["runs"][0]["makespan_ps"].clone()
        };
        let replayed = sim("prog.nlt", &["--core-ratio", "1", "--trace", "run.nlt"]);
        assert_eq!(sim("run.nlt", &[]), replayed);
    }
}

/// Parents, waits and predecessors of the recorded tasks, as JSON.
fn graph(desk: &Desk) -> Vec<Value> {
    let path = desk.path().join("prog.nlt");
    let recording = numalab_replay::recording(path.to_str().unwrap()).unwrap();
    let tasks = recording.work.classes.iter().flat_map(|class| &class.tasks);
    tasks.map(|task| serde_json::json!([task.parent, task.waits, task.predecessors])).collect()
}

/// Work after a lock is recorded: 16 iterations of several milliseconds, after `omp_set_lock` and `omp_test_lock`.
#[test]
fn work_after_locks_is_recorded() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "locks", desk.path()).unwrap();
        let shown = record(&desk, &["-t", "2", "--pages", "off"], &program, &[], "static");
        let all = shown["classes"].as_array().unwrap();
        let part: f64 = all
            .iter()
            .filter(|class| class["what"] == "loop" && class["iterations"] == 16)
            .map(|class| class["alone_ns"].as_f64().unwrap())
            .sum();
        // 6.4 million divisions; even a fast core does only a few per nanosecond.
        assert!(part > 1e6, "{compiler}: {shown}");
        let whole: f64 = all.iter().map(|class| class["alone_ns"].as_f64().unwrap()).sum();
        assert!(part > 0.25 * whole, "{compiler}: {shown}");
    }
}

/// Law: The thread that has worked least gets a lock next.
///
/// A team that distributes its work under a lock gets equal parts, as if its threads ran concurrently, since the
/// thread with the least work gets the lock next.
#[test]
fn lock_order_prefers_least_work() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "pieces", desk.path()).unwrap();
        record(&desk, &["-t", "2", "--pages", "off"], &program, &[], "static");
        let path = desk.path().join("prog.nlt");
        let recording = numalab_replay::recording(path.to_str().unwrap()).unwrap();
        let parts = recording.work.classes.iter().find(|class| class.chunks.len() == 2);
        let parts = parts.unwrap_or_else(|| panic!("{compiler}: {:?}", recording.work));
        let costs: Vec<u64> = parts.chunks.iter().map(|chunk| chunk.cost_ns).collect();
        let (less, more) = (costs[0].min(costs[1]), costs[0].max(costs[1]));
        assert!(less as f64 > 0.5 * more as f64, "{compiler}: {costs:?}");
    }
}
