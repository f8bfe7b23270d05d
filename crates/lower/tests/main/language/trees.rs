//! Tasks that create tasks.

use super::load;
use crate::support::assert_shows;
use numalab_files::{Facts, parse_overrides};
use numalab_lower::workload;
use numalab_workload::{Phase, Producers, Slice, Tree};

/// Resolved phase of tasks with this grammar, over a region of 1000 bytes.
fn solve(grammar: &str) -> Result<Phase, String> {
    let text = format!(
        "name: w\nregions: {{ r: {{ size: 1000 }}, s: {{ size: 8 }} }}\nphases:\n  - name: solve\n    measured: true\n    \
         tasks: {{ {grammar} }}\n"
    );
    load(&text, &[]).map(|experiment| experiment.workload.value.phases[0].clone())
}

/// Resolved phase with the kind `fib`, to which `more` adds keys.
fn fib(root: &str, more: &str) -> Result<Phase, String> {
    solve(&format!(
        "root: {{ task: fib, arguments: [{root}] }}, kinds: {{ fib: {{ arguments: [k], instructions: 30, spawn: [\
         {{ task: fib, arguments: [k - 1], when: k >= 2 }}, {{ task: fib, arguments: [k - 2], when: k >= 2 }}], {more} }} }}"
    ))
}

fn tree(phase: &Phase) -> &Tree {
    phase.tasking.tree.as_ref().unwrap()
}

fn executed(phase: &Phase) -> f64 {
    tree(phase).executions().unwrap().iter().sum()
}

/// Sum of the instructions of all tasks, each task counted as often as it is executed.
fn instructions(phase: &Phase) -> f64 {
    let times = tree(phase).executions().unwrap();
    let tasks = tree(phase).tasks.iter().zip(&phase.instructions[..]).zip(times);
    tasks.map(|((task, before), times)| (task.after + before) * times).sum()
}

/// fib(n) makes 2 F(n + 1) - 1 calls: 177 for n = 10, since F(11) = 89; 11 405 773 for n = 33, since F(34) = 5 702
/// 887.
#[test]
fn fibonacci_has_as_many_calls_as_it_has() {
    let ten = fib("10", "after: 10").unwrap();
    assert_eq!((ten.iterations, executed(&ten)), (11, 177.0));
    assert_eq!(instructions(&ten), 177.0 * 40.0);
    let first = tree(&ten).tasks[0];
    assert_eq!((first.count, first.wait, first.after), (2, true, 10.0));
    assert_eq!(ten.tasking.producers, Producers::Single);
    let more = fib("33", "wait: false").unwrap();
    assert_eq!((more.iterations, executed(&more)), (34, 11_405_773.0));
    assert!(!tree(&more).tasks[0].wait);
}

/// Cut at depth 2, fib(10) becomes the tasks fib(10), fib(9) and fib(8), and four tasks that do all work below:
/// fib(8) with 67 calls, fib(7) twice with 41 each, fib(6) with 25. With the three above that is 177 calls.
#[test]
fn what_is_cut_off_is_the_same_work() {
    let cut = fib("10", "after: 10, cutoff: depth >= 2").unwrap();
    // fib(8) at depth 1 and at depth 2 are two different tasks.
    assert_eq!((cut.iterations, executed(&cut)), (6, 7.0));
    let mut work = cut.instructions.to_vec();
    work.sort_by(f64::total_cmp);
    assert_eq!(work, [30.0, 30.0, 30.0, 25.0 * 40.0, 41.0 * 40.0, 67.0 * 40.0]);
    assert_eq!(instructions(&cut), 177.0 * 40.0);
    // Cut at the root, there is one task.
    let alone = fib("10", "after: 10, cutoff: 1").unwrap();
    assert_eq!((alone.iterations, alone.instructions[0]), (1, 177.0 * 40.0));
}

/// Equal tasks of different depth are different only if an expression uses `depth`: kind `b` of the first grammar
/// does, no kind of the second.
#[test]
fn depth_matters_where_it_is_asked_for() {
    let asked = solve(
        "root: { task: a, arguments: [3] }, kinds: { a: { arguments: [k], spawn: [{ task: a, arguments: [k - 1], when: k > 0 }, \
         { task: b }] }, b: { instructions: depth } }",
    )
    .unwrap();
    // a(3) to a(0), and b at depths 1 to 4.
    assert_eq!((asked.iterations, instructions(&asked)), (8, 10.0));
    let ignored = solve(
        "root: { task: a, arguments: [3] }, kinds: { a: { arguments: [k], spawn: [{ task: a, arguments: [k - 1], when: k > 0 }, \
         { task: b }] }, b: { instructions: 2 } }",
    )
    .unwrap();
    assert_eq!((ignored.iterations, executed(&ignored), instructions(&ignored)), (5, 8.0, 8.0));
}

/// Six queens have 4 solutions, and 1, 6, 20, 36, 46, 40 and 4 partial boards of 0 to 6 rows.
#[test]
fn six_queens_have_four_solutions() {
    let load = |set: &[&str]| {
        let set: Vec<String> = set.iter().map(|text| (*text).to_owned()).collect();
        let set = parse_overrides(&set).unwrap().workload;
        workload("nqueens", &set, &Facts::default()).unwrap().workload.value.phases[0].clone()
    };
    let all = load(&["workload.n=6", "workload.cutoff=99"]);
    assert_eq!(executed(&all), 153.0);
    // A complete board has 5 instructions.
    let times = tree(&all).executions().unwrap();
    let complete = all.instructions.iter().zip(times).filter(|(count, _)| **count == 5.0);
    assert_eq!(complete.map(|(_, times)| times).sum::<f64>(), 4.0);
    let cut = load(&["workload.n=6", "workload.cutoff=2"]);
    assert_eq!(executed(&cut), 27.0);
    assert_eq!(instructions(&cut), instructions(&all));
    let default = load(&["workload.cutoff=99"]);
    assert_eq!(executed(&default), 35_539.0);
}

/// Merge sort of 16 elements of 10 bytes, cut at 4: tasks touch 160 bytes, 80 twice, and 40 four times. Each of the
/// last four passes over its bytes at three levels.
#[test]
fn tasks_touch_what_their_arguments_say() {
    let sort = |cutoff: &str| {
        solve(&format!(
            "root: {{ task: sort, arguments: [0, 16] }}, kinds: {{ sort: {{ arguments: [at, n], cutoff: {cutoff}, spawn: [\
             {{ task: sort, for: half, from: 0, to: 1, arguments: [at + half * n / 2, n / 2], when: n > 1 }}], \
             touches: [{{ region: r, slice: {{ start: at * 10, length: n * 10 }}, mode: update }}, \
             {{ region: s, mode: read, when: n == 16 }}] }} }}"
        ))
        .unwrap()
    };
    let cut = sort("n <= 4");
    assert_eq!(cut.iterations, 7);
    let piece = |access: usize, task| cut.accesses[access].slice.piece(task, task + 1).unwrap();
    assert_eq!((piece(0, 0).start, piece(0, 0).end, piece(0, 0).again), (0, 160, 0));
    assert_eq!((piece(0, 2).start, piece(0, 2).end), (80, 160));
    let last = piece(0, 6);
    assert_eq!((last.start, last.end, last.touched, last.again, last.reuse), (120, 160, 40, 80, 40));
    assert_eq!((piece(1, 0).touched, piece(1, 1).touched), (8, 0));
    let all = sort("0");
    assert_eq!(all.iterations, 31);
    assert!(matches!(all.accesses[0].slice, Slice::Explicit(_)));
}

#[test]
fn tasks_run_near_their_data() {
    let near = solve(
        "producers: parallel, root: [{ task: a, for: x, from: 0, to: 3, arguments: [x] }, { task: a, arguments: [9] }], \
         kinds: { a: { arguments: [x], affinity: { region: r, at: 100 * x } } }",
    )
    .unwrap();
    let affinity = near.tasking.affinity.unwrap();
    assert_eq!((affinity.region.0, &affinity.offsets[..]), (0, &[0, 100, 200, 300, 900][..]));
    assert_eq!(near.tasking.producers, Producers::Parallel);
    assert_eq!(&near.tasking.tree.unwrap().roots[..], [0, 1, 2, 3, 4]);
}

/// Law: With dependences each task is created once.
///
/// Two blocks, one after the other, of three rows each; each row depends on the row before. In the order of creation,
/// 0 and 1 are the blocks, 2 to 4 the rows of the first block, 5 to 7 those of the second. Dependences: 0 -> 1, 2 ->
/// 3 -> 4, 5 -> 6 -> 7.
#[test]
fn each_task_is_created_once_where_tasks_depend_on_others() {
    let blocks = |more: &str| {
        solve(&format!(
            "{more} root: {{ task: block, for: b, from: 0, to: 1 }}, kinds: {{ block: {{ depends: [{{ inout: 0 }}], after: 7, spawn: [\
             {{ task: row, for: r, from: 0, to: 2, arguments: [r] }}] }}, row: {{ arguments: [r], instructions: 10 * (r + 1), \
             depends: [{{ in: r - 1, out: r }}], touches: [{{ region: r, slice: {{ start: 100 * r, length: 100 }}, mode: read }}] }} }}"
        ))
    };
    let phase = blocks("").unwrap();
    assert_eq!(phase.instructions[..], [0.0, 0.0, 10.0, 20.0, 30.0, 10.0, 20.0, 30.0]);
    let starts = (0..8).map(|task| phase.accesses[0].slice.piece(task, task + 1).unwrap());
    let touched: Vec<(u64, u64)> = starts.map(|piece| (piece.start, piece.touched)).collect();
    assert_eq!(touched[2..], [(0, 100), (100, 100), (200, 100), (0, 100), (100, 100), (200, 100)]);
    assert_eq!((touched[0].1, touched[1].1), (0, 0));
    let tree = tree(&phase);
    assert_eq!((&tree.roots[..], &tree.children[..]), (&[0, 1][..], &[2, 3, 4, 5, 6, 7][..]));
    let spans: Vec<(u32, u32)> = tree.tasks.iter().map(|task| (task.first, task.count)).collect();
    assert_eq!(spans, [(0, 3), (3, 3), (6, 0), (6, 0), (6, 0), (6, 0), (6, 0), (6, 0)]);
    assert_eq!((tree.tasks[1].after, tree.tasks[2].after), (7.0, 0.0));
    let graph = phase.tasking.dependences.as_ref().unwrap();
    assert_eq!(graph.first, [0, 1, 1, 2, 3, 3, 4, 5, 5]);
    assert_eq!(graph.successors, [1, 3, 4, 6, 7]);
    assert_eq!(graph.predecessors, [0, 1, 0, 1, 1, 0, 1, 1]);
    // A task that is cut off executes its descendants in order, so no tasks of rows exist and none wait.
    let cut = solve(
        "root: { task: block, for: b, from: 0, to: 1 }, kinds: { block: { cutoff: 1, depends: [{ inout: 0 }], spawn: [{ task: row, \
         for: r, from: 0, to: 2 }] }, row: { instructions: 10, depends: [{ inout: 0 }] } }",
    )
    .unwrap();
    assert_eq!((cut.iterations, cut.instructions[1]), (2, 30.0));
    assert_eq!(cut.tasking.dependences.unwrap().successors, [1]);
    assert_shows(&blocks("producers: parallel,").unwrap_err(), &["do not depend on each other", "`single`"]);
}

#[test]
fn what_is_wrong_with_dependences_of_kinds_is_shown() {
    let wrong = |depends: &str| fib("10", &format!("depends: [{depends}]")).unwrap_err();
    assert_shows(&wrong("{}"), &["FILE:6", "this dependence names no item", "`in`, `out` or `inout`"]);
    assert_shows(&wrong("{ in: j }"), &["unknown name `j`"]);
    assert_shows(&wrong("{ in: k / 4 }"), &["fib(k = 10) names the item 2.5", "whole number"]);
    assert_shows(&wrong("{ on: k }"), &["unknown key `on`"]);
    // 2 F(31) - 1 calls: F(31) = 1 346 269 are 2 692 537, and F(33) = 3 524 578 are 7 049 155.
    assert_eq!(fib("30", "depends: [{ out: 0 }]").unwrap().iterations, 2_692_537);
    assert_shows(
        &fib("32", "depends: [{ out: 0 }]").unwrap_err(),
        &["7049155 tasks would be created, each by itself", "expected at most 4e6; `cutoff` makes fewer"],
    );
}

#[test]
fn recursion_that_does_not_end_is_refused() {
    let kind = |arguments: &str, when: &str| {
        solve(&format!(
            "root: {{ task: f, arguments: [3] }}, kinds: {{ f: {{ arguments: [k], spawn: [{{ task: f, arguments: [{arguments}], \
             when: {when} }}] }} }}"
        ))
        .unwrap_err()
    };
    assert_shows(&kind("k", "1"), &["FILE:6", "f(k = 3) is its own descendant"]);
    assert_shows(&kind("3 - k", "1"), &["is its own descendant"]);
    assert_shows(&kind("k + 1", "1"), &["is created 100001 tasks below the first one", "`when` ends it"]);
    assert_shows(&kind("k / 0", "1"), &["f(k = 3): this is inf", "expected a finite number"]);
    assert_shows(&kind("k", "0 / 0"), &["f(k = 3): this is NaN"]);
    // An endless recursion below a cut-off is refused, too.
    let below = solve(
        "root: { task: f, arguments: [3] }, kinds: { f: { arguments: [k], cutoff: k < 3, spawn: [{ task: f, arguments: [k - 1] }, \
         { task: g }] }, g: { spawn: [{ task: g }] } }",
    );
    assert_shows(&below.unwrap_err(), &["is created 100001 tasks below the first one"]);
    let deep = fib("200", "").unwrap_err();
    assert_shows(&deep, &["tasks would be executed", "expected at most 12000000; `cutoff` makes fewer"]);
    assert_eq!(fib("200", "cutoff: k < 190").unwrap_err().matches("error").count(), 1);
}

#[test]
fn mistakes_in_grammars_are_shown() {
    let kinds = "kinds: { f: { arguments: [k], spawn: [{ task: f, arguments: [k - 1], when: k > 0 }] } }";
    let wrong = |from: &str, to: &str| {
        let text = format!("root: {{ task: f, arguments: [3] }}, {kinds}");
        assert!(text.contains(from), "{from}");
        solve(&text.replacen(from, to, 1)).unwrap_err()
    };
    assert_shows(&wrong("task: f", "task: fibo"), &["there is no task `fibo`", "did you mean `f`?"]);
    assert_shows(
        &wrong("arguments: [3]", "arguments: [3, 4]"),
        &["f gets 2 arguments", "expected a value for each of k"],
    );
    assert_shows(&wrong("arguments: [k]", "arguments: [i]"), &["`i` has a meaning in expressions"]);
    assert_shows(&wrong("arguments: [k]", "arguments: [depth]"), &["`depth` has a meaning"]);
    assert_shows(&wrong("arguments: [k]", "arguments: [threads]"), &["`threads` has a meaning"]);
    assert_shows(&wrong("arguments: [k]", "arguments: [k, k]"), &["`k` is here twice"]);
    assert_shows(&wrong("arguments: [k]", "arguments: [k-1]"), &["`k-1` cannot name a number"]);
    assert_shows(&wrong("k - 1", "kk - 1"), &["unknown name `kk`", "did you mean `k`?"]);
    assert_shows(
        &wrong("when: k > 0", "for: c, from: 0"),
        &["row of tasks is incomplete", "`for`, `from` and `to`"],
    );
    assert_shows(&wrong("when: k > 0", "for: k, from: 0, to: 1"), &["`k` is here twice"]);
    assert_shows(&wrong("when: k > 0", "for: c, from: 0, to: 10 ^ 12"), &["1000000000001 tasks at once"]);
    assert_shows(
        &wrong("spawn", "instructions: -k, spawn"),
        &["f(k = 3): this is -3", "a number from 0 to 1e18"],
    );
    assert_shows(&wrong("spawn", "after: 0 / 0, spawn"), &["f(k = 3): this is NaN"]);
    assert_shows(&wrong("spawn", "affinity: { region: r, at: 1000 }, spawn"), &["this is 1000", "0 to 999"]);
    assert_shows(&wrong("spawn", "affinity: { region: q, at: 1 }, spawn"), &["unknown region `q`"]);
    assert_shows(
        &wrong("kinds: {", "kinds: { g: { affinity: { region: r, at: 1 } },"),
        &["f does not say where"],
    );
    let touch = |slice: &str| {
        wrong("spawn", &format!("touches: [{{ region: r, slice: {slice}, mode: read }}], spawn"))
    };
    assert_shows(
        &touch("{ start: 998, length: k }"),
        &["f(k = 3) touches 3 bytes from byte 998", "inside the region"],
    );
    assert_shows(&touch("{ partition: 1 }"), &["this is not a slice", "{ start: …, length: … } of a task"]);
    assert_shows(&wrong("root", "schedule: dynamic, root"), &["dynamic executes no tasks", "`tasks`"]);
    assert_shows(&wrong("root", "producers: all, root"), &["unknown way to create tasks \"all\""]);
    assert_shows(&wrong("spawn", "instructions: 1e18, cutoff: 1, spawn"), &["more than 1e18 instructions"]);
}

#[test]
fn a_phase_may_have_no_first_task() {
    let none = solve("root: { task: f, for: c, from: 1, to: 0 }, kinds: { f: { instructions: 1 } }").unwrap();
    assert_eq!((none.iterations, executed(&none)), (0, 0.0));
}

/// fib(30) has 2 692 537 tasks.
#[test]
fn executed_tasks_have_a_limit_that_the_file_can_raise() {
    let load = |most: &str, repeat: u32| {
        load(
            &format!(
                "name: w\n{most}regions: {{}}\nphases:\n  - name: solve\n    measured: true\n    repeat: {repeat}\n    \
                 tasks: {{ root: {{ task: fib, arguments: [30] }}, kinds: {{ fib: {{ arguments: [k], spawn: [\
                 {{ task: fib, arguments: [k - 1], when: k >= 2 }}, {{ task: fib, arguments: [k - 2], when: k >= 2 }}] }} }} }}\n"
            ),
            &[],
        )
    };
    load("", 4).unwrap();
    let refused = load("", 5).unwrap_err();
    assert_shows(
        &refused,
        &["13462685 tasks would be executed", "at most 12000000", "`most_tasks` allows more"],
    );
    load("most_tasks: 13462685\n", 5).unwrap();
    assert_shows(&load("most_tasks: 13462684\n", 5).unwrap_err(), &["13462685 tasks", "at most 13462684"]);
    assert_shows(&load("most_tasks: 0\n", 1).unwrap_err(), &["most_tasks is 0", "at least 1"]);
}

/// 41 is 101001 in binary: tasks for 0, 3 and 5, in this order; 2^53 has no place.
#[test]
fn a_row_may_have_a_task_for_each_bit() {
    let bits = |mask: &str, more: &str| {
        solve(&format!(
            "root: {{ task: a, arguments: [{mask}] }}, kinds: {{ a: {{ arguments: [m], spawn: [\
             {{ task: b, for: v, in: m, arguments: [v]{more} }}] }}, b: {{ arguments: [v], instructions: 2 ^ v }} }}"
        ))
    };
    let phase = bits("\"bit_or(40, 1)\"", "").unwrap();
    assert_eq!(phase.instructions[..], [0.0, 1.0, 8.0, 32.0]);
    assert_eq!(bits("41", ", when: v > 2").unwrap().instructions[..], [0.0, 8.0, 32.0]);
    assert_eq!(bits("0", "").unwrap().iterations, 1);
    assert_eq!(executed(&bits("2 ^ 53 - 1", "").unwrap()), 54.0);
    for wrong in ["2 ^ 53", "-1", "1 / 2"] {
        assert_shows(&bits(wrong, "").unwrap_err(), &["a(m = ", "a whole number from 0 to 2^53 - 1"]);
    }
    assert_shows(&bits("1", ", from: 1, to: 2").unwrap_err(), &["has two kinds of values", "or with `in`"]);
}

/// Names of a kind may use each other; they are the same for all its values, and for its steps.
#[test]
fn kinds_have_names() {
    let phase = solve(
        "root: { task: a, arguments: [3] }, kinds: { a: { arguments: [k], let: { four: half * 2 + 1, half: k / 2 }, \
         instructions: four, spawn: [{ task: a, for: c, from: 1, to: half, when: four > 3, arguments: [four - c * 2] }], \
         then: [{ instructions: 100 * four }] } }",
    )
    .unwrap();
    // a(3) has four = 4 and half = 1.5, so it creates a(2), which has four = 3.
    assert_eq!(phase.instructions[..], [4.0, 3.0, 400.0, 300.0]);
}

/// A task of three steps: it creates one child, then two, then none. Numbers: 0 is the task, 1 its child, 2 its second
/// step, whose children are 3 and 3 again, and 4 the third step. Cut off, it does 1 + 7 + 10 + 7 + 7 + 100 + 4 = 136
/// instructions.
#[test]
fn a_task_may_have_several_steps() {
    let steps = |more: &str| {
        solve(&format!(
            "root: {{ task: a }}, kinds: {{ a: {{ {more} instructions: 1, spawn: [{{ task: b, arguments: [0] }}], then: [{{ instructions: 10, \
             spawn: [{{ task: b, for: c, from: 1, to: 2, arguments: [1] }}], touches: [{{ region: r, mode: read }}] }}, \
             {{ instructions: 100, after: 4, wait: false }}] }}, b: {{ arguments: [c], instructions: 7 }} }}"
        ))
    };
    let phase = steps("").unwrap();
    let tree = tree(&phase);
    assert_eq!(phase.instructions[..], [1.0, 7.0, 10.0, 7.0, 100.0]);
    assert_eq!((tree.next_step(0), tree.next_step(2), tree.next_step(4)), (Some(2), Some(4), None));
    assert_eq!(tree.children[..], [1, 3, 3]);
    assert_eq!(executed(&phase), 6.0); // of three steps and three children
    assert_eq!((tree.tasks[2].wait, tree.tasks[4].wait, tree.tasks[4].after), (true, false, 4.0));
    let touched = |task| phase.accesses[0].slice.piece(task, task + 1).unwrap().touched;
    assert_eq!((touched(0), touched(2), touched(4)), (0, 1000, 0));
    let cut = steps("cutoff: 1,").unwrap();
    assert_eq!((cut.iterations, cut.instructions[0]), (1, 136.0));
    // With dependences, each task is numbered by itself, and so are its steps.
    let depends = steps("depends: [{ out: 1 }],").unwrap();
    assert_eq!(depends.iterations, 6);
    assert_eq!(instructions(&depends), 136.0);
    let phase = solve(
        "root: { task: a, for: n, from: 0, to: 1 }, kinds: { a: { depends: [{ out: 1 }], instructions: 1, spawn: [{ task: b }], \
         then: [{ instructions: 10, spawn: [{ task: b }] }] }, b: { instructions: 7 } }",
    )
    .unwrap();
    assert_eq!(phase.instructions[..], [1.0, 1.0, 7.0, 10.0, 7.0, 10.0, 7.0, 7.0]);
    let of = phase.tasking.tree.as_ref().unwrap();
    assert_eq!(of.next[..2], [3, 5]);
    assert_eq!((of.tasks[3].first, of.tasks[3].count, of.children[of.tasks[3].first as usize]), (4, 1, 6));
    assert_shows(&steps("then: 3,").unwrap_err(), &["then"]);
    let wrong = solve("root: { task: a }, kinds: { a: { then: [{ instructions: 0 / 0 }] } }").unwrap_err();
    assert_shows(&wrong, &["a(): this is NaN"]);
}

/// Tasks have copies of 8 bytes for each unit of their argument.
#[test]
fn tasks_have_copies() {
    let copies = |bytes: &str| {
        solve(&format!(
            "root: {{ task: a, arguments: [3] }}, kinds: {{ a: {{ arguments: [k], firstprivate: {bytes}, spawn: [\
             {{ task: a, arguments: [k - 1], when: k > 1 }}] }} }}"
        ))
    };
    assert_eq!(copies("8 * k").unwrap().tasking.copied[..], [24, 16, 8]);
    assert!(fib("3", "").unwrap().tasking.copied.is_empty());
    assert_shows(&copies("-k").unwrap_err(), &["a(k = 3): this is -3", "a number from 0 to 1073741824"]);
}

/// Task `a` creates `b(0)` in its first step, does not wait, and creates `b(1)` in its second step: `b(1)` reads what
/// `b(0)` writes. Numbers: a 0, b(0) 1, the second step 2, b(1) 3. With `wait` the dependence is the same.
#[test]
fn children_of_later_steps_depend_on_those_before() {
    for wait in [false, true] {
        let phase = solve(&format!(
            "root: {{ task: a }}, kinds: {{ a: {{ spawn: [{{ task: b, arguments: [0] }}], wait: {wait}, \
             then: [{{ spawn: [{{ task: b, arguments: [1] }}] }}] }}, \
             b: {{ arguments: [c], depends: [{{ inout: 7 }}], instructions: 1 }} }}"
        ))
        .unwrap();
        let dependences = phase.tasking.dependences.as_ref().unwrap();
        assert_eq!(dependences.first, [0, 0, 1, 1, 1]);
        assert_eq!(
            (&dependences.successors[..], &dependences.predecessors[..]),
            (&[3][..], &[0, 0, 0, 1][..])
        );
    }
}

/// Ten thousand steps are one task; the cost of a step is in proportion to it alone.
#[test]
fn a_task_may_have_many_steps() {
    let steps = vec!["{ instructions: depth + 1 }"; 10_000].join(", ");
    let phase = solve(&format!("root: {{ task: a }}, kinds: {{ a: {{ then: [{steps}] }} }}")).unwrap();
    assert_eq!((phase.iterations, instructions(&phase)), (10_001, 10_000.0));
}

/// 100 000 tasks of 40 steps are 4 million steps, each of which is kept where tasks depend on others; of 41 steps, 4.1
/// million.
#[test]
fn steps_of_tasks_that_depend_on_others_have_a_limit() {
    let tasks = |later: usize| {
        let steps = vec!["{ instructions: 1 }"; later].join(", ");
        solve(&format!(
            "root: {{ task: a, for: v, from: 1, to: 100000 }}, kinds: {{ a: {{ depends: [{{ inout: 1 }}], then: [{steps}] }} }}"
        ))
    };
    assert_eq!(tasks(39).unwrap().iterations, 4_000_000);
    assert_shows(
        &tasks(40).unwrap_err(),
        &["more than 4000000 steps of tasks would be created, each by itself", "expected at most 4e6"],
    );
}

/// A name that is refused is the only error: the tasks, a billion in a row, are not grown.
#[test]
fn a_file_with_a_wrong_name_is_not_grown() {
    let row = |name: &str| {
        solve(&format!(
            "root: {{ task: a, for: {name}, from: 1, to: 1e9 }}, kinds: {{ a: {{ instructions: 1 }} }}"
        ))
        .unwrap_err()
    };
    let below = |name: &str, argument: &str| {
        solve(&format!(
            "root: {{ task: a, arguments: [1] }}, kinds: {{ a: {{ arguments: [{argument}], spawn: [{{ task: b, for: {name}, from: 1, \
             to: 1e9 }}] }}, b: {{ instructions: 1 }} }}"
        ))
        .unwrap_err()
    };
    for (error, why) in [
        (row("i"), "`i` has a meaning in expressions"),
        (row("2x"), "`2x` cannot name a number"),
        (below("i", "k"), "`i` has a meaning in expressions"),
        (below("k", "k"), "`k` is here twice"),
        (below("c", "i"), "`i` has a meaning in expressions"),
    ] {
        assert_shows(&error, &[why]);
        assert!(!error.contains("at once"), "{error}");
    }
    assert_shows(&row("c"), &["1000000000 tasks at once"]);
}

/// 33 arguments are one too many. A terabyte is more than a task can copy.
#[test]
fn limits_of_a_kind_are_said() {
    let names: Vec<String> = (0..33).map(|at| format!("a{at}")).collect();
    let kind = |count: usize| {
        let (names, zeros) = (names[..count].join(", "), vec!["0"; count].join(", "));
        solve(&format!(
            "root: {{ task: a, arguments: [{zeros}] }}, kinds: {{ a: {{ arguments: [{names}], instructions: 1 }} }}"
        ))
    };
    assert_eq!(kind(32).unwrap().instructions[..], [1.0]);
    assert_shows(&kind(33).unwrap_err(), &["a has 33 arguments", "expected at most 32"]);
    let copies = solve("root: { task: a }, kinds: { a: { firstprivate: 1 TB } }").unwrap_err();
    assert_shows(&copies, &["a(): this is 1000000000000", "a number from 0 to 1073741824"]);
}
