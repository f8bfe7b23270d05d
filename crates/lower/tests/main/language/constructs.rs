//! Constructs, nested teams, and loops that become tasks.

use super::load;
use crate::support::{FACTS, assert_shows};
use numalab_base::Bytes;
use numalab_workload::{Construct, LockKind, Phase, Producers, Schedule};

/// Resolved measured phase with these keys, in a file whose parameters `kind` and `what` choose between words.
fn phase_with(keys: &str, set: &[&str]) -> Result<Phase, String> {
    let text = format!(
        "name: w\nparameters:\n  kind: {{ choices: [mcs, ticket, wood], default: mcs }}\n  \
         what: {{ choices: [parallel-for, single, sleep], default: single }}\n\
         regions: {{ r: {{ size: 1000 }} }}\nphases:\n  - name: p\n    measured: true\n    {keys}\n"
    );
    load(&text, set).map(|experiment| experiment.workload.value.phases[0].clone())
}

fn phase(keys: &str) -> Result<Phase, String> {
    phase_with(keys, &[])
}

#[test]
fn constructs_have_names_and_bodies() {
    let barrier = phase("construct: barrier\n    times: 100").unwrap();
    assert_eq!((barrier.construct, barrier.times, barrier.teams), (Construct::Barrier, 100, 1));
    let threads = u64::from(FACTS.threads);
    assert_eq!((barrier.iterations, barrier.schedule), (threads, Some(Schedule::Static { chunk: None })));
    let body = "body: { instructions: 100 * (i + 1), touches: [{ region: r, slice: { partition: 1 }, mode: read }] }";
    let critical = phase(&format!("construct: critical\n    {body}")).unwrap();
    assert_eq!((critical.construct, critical.instructions[7]), (Construct::Critical, 800.0));
    assert_eq!(critical.accesses[0].slice.range(7), (875, 1000));
    for (word, construct) in [
        ("parallel", Construct::Parallel),
        ("parallel-for", Construct::ParallelFor),
        ("for", Construct::For { nowait: false }),
        ("for\n    nowait: true", Construct::For { nowait: true }),
        ("single\n    nowait: threads > 1", Construct::Single { nowait: true }),
        ("single\n    nowait: threads < 1", Construct::Single { nowait: false }),
        ("master", Construct::Master),
        ("sections\n    loop: { iterations: 3 }", Construct::Sections { nowait: false }),
        ("reduction", Construct::Reduction),
        ("serial", Construct::Serial),
        ("single", Construct::Single { nowait: false }),
        ("lock", Construct::Lock(None)),
        ("{ lock: backoff }", Construct::Lock(Some(LockKind::Backoff))),
        ("{ lock: kind }", Construct::Lock(Some(LockKind::Mcs))),
        ("atomic", Construct::Atomic),
        ("ordered", Construct::Ordered),
        ("{ update: { spacing: line / 8 } }", Construct::Update { spacing: Bytes(8), atomic: false }),
        ("what", Construct::Single { nowait: false }),
    ] {
        assert_eq!(phase(&format!("construct: {word}")).unwrap().construct, construct, "{word}");
    }
    assert_eq!(
        phase_with("construct: what", &["workload.what=parallel-for"]).unwrap().construct,
        Construct::ParallelFor
    );
    let shared =
        phase("construct: for\n    teams: 4\n    loop: { iterations: 10, schedule: dynamic }").unwrap();
    assert_eq!(
        (shared.construct, shared.teams, shared.iterations),
        (Construct::For { nowait: false }, 4, 10)
    );
}

/// The iterations of a pipeline are those of all its steps together.
#[test]
fn pipelines_divide_their_iterations() {
    let steps = |keys: &str| {
        phase(&format!("construct: {{ pipeline: {{ {keys} }} }}\n    loop: {{ iterations: 12 }}"))
    };
    let found = steps("steps: 12 / 4, descending: true").unwrap();
    assert_eq!(
        (found.construct, found.iterations, found.times),
        (Construct::Pipeline { steps: 3, descending: true }, 12, 1)
    );
    assert_shows(
        &steps("steps: 5").unwrap_err(),
        &["12 iterations are no 5 equal steps", "a multiple of `steps`"],
    );
    assert_shows(
        &phase("construct: { pipeline: { steps: 2 } }").unwrap_err(),
        &["a pipeline has nothing to share out", "expected `loop`"],
    );
    let twice = "construct: { pipeline: { steps: 2 } }\n    times: 3\n    loop: { iterations: 12 }";
    assert_shows(&phase(twice).unwrap_err(), &["`times` cannot stand beside a pipeline"]);
}

/// Echoed messages have a size, a number in flight and a count, but no body.
#[test]
fn messages_come_back() {
    let echo = |keys: &str| phase(&format!("construct: {{ echo: {{ {keys} }} }}"));
    let found = echo("size: 4 KiB, in_flight: 2 * 8, count: 100").unwrap();
    assert_eq!(found.construct, Construct::Echo { size: Bytes(4096), in_flight: 16, count: 100 });
    assert_shows(&echo("size: 1, in_flight: 0, count: 1").unwrap_err(), &["in_flight is 0", "at least 1"]);
    assert_shows(&echo("size: 1, in_flight: 1, count: 1e7").unwrap_err(), &["count is", "at most"]);
    let body = "construct: { echo: { size: 1, in_flight: 1, count: 1 } }\n    body: { instructions: 1 }";
    assert_shows(&phase(body).unwrap_err(), &["messages have no body", "another phase"]);
}

#[test]
fn what_is_no_construct_is_shown() {
    let wrong = |keys: &str| phase(keys).unwrap_err();
    assert_shows(&wrong("construct: barier"), &["unknown construct \"barier\"", "did you mean `barrier`?"]);
    assert_shows(
        &wrong("construct: { lock: msc }"),
        &["unknown kind of lock \"msc\"", "expected one of test-and-set"],
    );
    let chosen = |set: &str, keys: &str| phase_with(keys, &[set]).unwrap_err();
    assert_shows(
        &chosen("workload.kind=wood", "construct: { lock: kind }"),
        &["kind is \"wood\", which is no kind of lock"],
    );
    assert_shows(
        &chosen("workload.what=sleep", "construct: what"),
        &["what is \"sleep\", which is no construct"],
    );
    assert_shows(
        &wrong("construct: {}"),
        &["a construct has exactly one key", "`lock`, `pipeline`, `update` and `echo`"],
    );
    assert_shows(
        &wrong("construct: { lock: mcs, update: { spacing: 8 } }"),
        &["a construct has exactly one key"],
    );
    assert_shows(&wrong("construct: { update: { spacing: 0 } }"), &["spacing is 0", "at least 1"]);
    assert_shows(
        &wrong("construct: single\n    loop: { iterations: 1 }"),
        &["distributes no iterations", "`body`"],
    );
    assert_shows(&wrong("body: {}\n    loop: { iterations: 1 }"), &["`body` cannot stand beside `loop`"]);
    assert_shows(
        &wrong("tasks: { root: [], kinds: {} }\n    loop: { iterations: 1 }"),
        &["`tasks` cannot stand beside `loop`"],
    );
    assert_shows(
        &wrong("tasks: { root: [], kinds: {} }\n    times: 3"),
        &["`times` cannot stand beside `tasks`"],
    );
    assert_shows(
        &wrong("repeat: 2"),
        &["this phase does nothing", "`loop`, `construct`, `tasks` or `parallel`"],
    );
    assert_shows(&wrong("lop: { iterations: 1 }"), &["unknown key `lop`", "did you mean `loop`?"]);
    assert_shows(&wrong("construct: barrier\n    times: 0"), &["times is 0", "at least 1"]);
    assert_shows(
        &wrong("construct: barrier\n    times: 1000000000"),
        &["8 iterations", "1000000000 repeats"],
    );
    assert_shows(&wrong("construct: barrier\n    teams: 9"), &["teams is 9", "at most 8"]);
    assert_shows(&wrong("construct: barrier\n    body: { iterations: 3 }"), &["unknown key `iterations`"]);
}

#[test]
fn loops_become_tasks() {
    let tasks = |more: &str| phase(&format!("loop: {{ iterations: 10, tasks: {{ {more} }} }}"));
    let plain = tasks("producers: single, grain: 4").unwrap().tasking;
    assert_eq!((plain.producers, plain.grain), (Producers::Single, 4));
    assert_eq!(tasks("grain: 99").unwrap().tasking.grain, 10);
    assert_eq!(tasks("").unwrap().tasking.producers, Producers::Parallel);
    let near = tasks("affinity: { region: r, at: 100 * i }").unwrap().tasking.affinity.unwrap();
    assert_eq!(near.offsets[9], 900);
    // A chain of five tasks of two iterations: each task reads the item that the task before wrote.
    let chain = tasks("grain: 2, depends: [{ in: i - 1, out: i }]").unwrap().tasking;
    assert_eq!(chain.producers, Producers::Single);
    let graph = chain.dependences.unwrap();
    assert_eq!((&graph.first[..], &graph.successors[..]), (&[0, 1, 2, 3, 4, 4][..], &[1, 2, 3, 4][..]));
    assert_eq!(graph.predecessors, [0, 1, 1, 1, 1]);
    let free =
        tasks("depends: [{ inout: i }, { in: 0 - 1 }, { in: 0 / 0 }]").unwrap().tasking.dependences.unwrap();
    assert!(free.successors.is_empty());
}

#[test]
fn what_is_wrong_with_tasks_is_shown() {
    let wrong = |more: &str| phase(&format!("loop: {{ iterations: 10, tasks: {{ {more} }} }}")).unwrap_err();
    assert_shows(
        &wrong("producers: singel"),
        &["unknown way to create tasks \"singel\"", "did you mean `single`?"],
    );
    assert_shows(&wrong("grain: 0"), &["grain is 0", "at least 1"]);
    assert_shows(
        &wrong("affinity: { region: r, at: 101 * i * 2 }"),
        &["the affinity of iteration 5 is byte 1010 of a region of 1000"],
    );
    assert_shows(&wrong("depends: [{ in: i / 2 }]"), &["iteration 1 names the item 0.5", "whole number"]);
    assert_shows(&wrong("depends: [{}]"), &["this dependence names no item", "`in`, `out` or `inout`"]);
    assert_shows(
        &wrong("producers: parallel, depends: [{ in: i }]"),
        &["do not depend on each other", "one producer"],
    );
    let fixed = phase("loop: { iterations: 1, schedule: static, tasks: {} }").unwrap_err();
    assert_shows(&fixed, &["the schedule static makes no tasks", "tasks:central"]);
}

#[test]
fn what_is_left_out_is_checked_for_names() {
    let text = |left: &str| {
        format!(
            "name: w\nregions: {{}}\nphases:\n  - name: a\n    when: 0\n    {left}\n  \
             - name: b\n    measured: true\n    construct: barrier\n"
        )
    };
    assert!(load(&text("construct: barrier\n    body: { instructions: i }"), &[]).is_ok());
    for (left, name) in [
        ("construct: barrier\n    body: { instructions: j }", "unknown name `j`"),
        ("construct: barier", "unknown construct"),
        ("construct: barrier\n    times: many", "unknown name `many`"),
        ("loop: { iterations: 1, tasks: { grain: g } }", "unknown name `g`"),
        ("tasks: { root: { task: f }, kinds: { g: {} } }", "there is no task `f`"),
        ("tasks: { root: { task: f }, kinds: { f: { after: x } } }", "unknown name `x`"),
    ] {
        assert_shows(&load(&text(left), &[]).err().unwrap(), &[name]);
    }
}

/// Where tasks create tasks, only policies of tasks can be compared; without `compare`, all policies of tasks are
/// compared.
#[test]
fn policies_of_tasks_alone_run_tasks() {
    let text = |compare: &str| {
        format!(
            "name: w\nregions: {{}}\nphases:\n  - name: a\n    measured: true\n    \
             tasks: {{ root: {{ task: f }}, kinds: {{ f: {{}} }} }}\n{compare}"
        )
    };
    let all = load(&text(""), &[]).unwrap().workload.value.compare;
    assert!(all.len() == 6 && all.iter().all(|policy| matches!(policy, Schedule::Tasks(_))));
    let error = load(&text("compare: [tasks, dynamic]\n"), &[]).err().unwrap();
    assert_shows(&error, &["phase a is made of tasks, which dynamic does not execute", "tasks:central"]);
}
