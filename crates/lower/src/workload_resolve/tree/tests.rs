//! Laws of grammars: growing ends for any grammar, and cutting off changes no sums.

use super::grammar::{Call, Grammar, Kind, KindSection, Row, Touch};
use super::grow::{Grown, Limits, grow};
use numalab_syntax::expression::{Formula, Scope, parse};
use numalab_workload::{Construct, Mode};
use proptest::prelude::*;

const LIMITS: Limits = Limits {
    tasks: 2000,
    levels: 60,
    steps: 20_000,
    executed: f64::INFINITY,
    apart: 1 << 20,
    children: 1 << 20,
    numbers: 1 << 20,
};

fn formula(text: &str, variables: &[&str]) -> Formula {
    parse(text).unwrap().formula(&Scope::default(), variables).unwrap()
}

/// Kind `k(x, y)` with work of its own, which creates the tasks in `calls`: kind, arguments, condition, row.
fn kind(calls: &[(usize, [&str; 2], &str, bool)], cutoff: Option<&str>) -> Kind {
    let own = ["x", "y", "depth"];
    let call = |(kind, arguments, when, row): &(usize, [&str; 2], &str, bool)| {
        let names = ["x", "y", "depth", "c"];
        let inner = &names[..if *row { 4 } else { 3 }];
        Call {
            path: String::new(),
            kind: *kind,
            arguments: arguments.iter().map(|text| formula(text, inner)).collect(),
            when: Some(formula(when, inner)),
            row: row.then(|| Row::Steps(formula("0", &own), formula("2", &own))),
        }
    };
    Kind {
        name: "k".to_owned(),
        path: String::new(),
        arguments: vec!["x".to_owned(), "y".to_owned()],
        names: Vec::new(),
        is_late: Vec::new(),
        spawn: calls.iter().map(call).collect(),
        wait: true,
        cutoff: cutoff.map(|text| formula(text, &own)),
        instructions: Some(formula("1 + abs(x) % 7", &own)),
        after: Some(formula("abs(y) % 3", &own)),
        touches: vec![Touch {
            path: String::new(),
            region: 0,
            size: 100,
            mode: Mode::Read,
            demand: numalab_workload::Demand::default(),
            when: Some(formula("x > y", &own)),
            piece: Some((formula("abs(x) % 50", &own), formula("abs(y) % 50", &own))),
        }],
        affinity: None,
        depends: Vec::new(),
        copied: None,
        next: None,
        may_be_left_out: false,
        section: Some(KindSection {
            construct: Construct::Critical,
            times: Some(formula("floor(abs(x)) % 3", &own)),
            instructions: Some(formula("1 + floor(abs(y)) % 2", &own)),
        }),
    }
}

fn root() -> Call {
    let arguments = vec![formula("5", &[]), formula("2", &[])];
    Call { path: String::new(), kind: 0, arguments, when: None, row: None }
}

fn grammar(kinds: Vec<Kind>) -> Grammar {
    Grammar { kinds, roots: vec![root()] }
}

/// Number of times that each node is created; children have higher numbers or are deeper, so levels are counted down.
fn times(grown: &Grown) -> Vec<f64> {
    let nodes = &grown.nodes;
    let order = numalab_workload::parents_first(nodes.len(), |node| nodes.children_of(node)).unwrap();
    let mut times = vec![0.0; nodes.len()];
    grown.roots.iter().for_each(|root| times[*root as usize] += 1.0);
    for node in order {
        let ways = times[node as usize];
        nodes.children_of(node).iter().for_each(|child| times[*child as usize] += ways);
    }
    times
}

/// Instructions and bytes of all tasks, with the number of their sections among the instructions, and the number of tasks. A task
/// counts as often as it is executed.
fn sums(grammar: &Grammar, limits: Limits) -> Option<[f64; 3]> {
    let grown = grow(grammar, None, limits).ok()?;
    let own = &grown.nodes.own;
    let (mut all, mut bytes, mut tasks) = (0.0, 0.0, 0.0);
    for (task, ways) in times(&grown).into_iter().enumerate() {
        let (number, inside) = own.sections[task];
        all += ways * (own.instructions[task] + own.after[task] + number + inside);
        bytes += own.columns.iter().map(|column| column.bytes(task) as f64).sum::<f64>() * ways;
        tasks += ways;
    }
    Some([all, bytes, tasks])
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs()
}

const ARGUMENTS: [&str; 8] = [
    "x - 1",
    "y",
    "x + y",
    "floor(x / 2)",
    "0 / y",
    "random(x, y) * 8",
    "x * 1e100 * 1e100 * 1e100",
    "depth",
];
const CONDITIONS: [&str; 6] = ["1", "x > 0", "depth < 3", "y / x", "random(x, y, 3) < 0.4", "x != y"];

fn calls(kinds: usize) -> impl Strategy<Value = Vec<(usize, [&'static str; 2], &'static str, bool)>> {
    let argument = || prop::sample::select(&ARGUMENTS[..]);
    let one = (0..kinds, [argument(), argument()], prop::sample::select(&CONDITIONS[..]), any::<bool>());
    prop::collection::vec(one, 0..3)
}

proptest! {
    #[test]
    fn every_grammar_ends(first in calls(2), second in calls(2), cut in prop::sample::select(&CONDITIONS[..])) {
        let grammar = grammar(vec![kind(&first, Some(cut)), kind(&second, None)]);
        match grow(&grammar, None, LIMITS) {
            // A task is found before the tasks that create it.
            Ok(grown) => prop_assert!(grown.nodes.len() <= LIMITS.tasks + LIMITS.levels + 1),
            Err(fault) => prop_assert!(!fault.message.is_empty()),
        }
    }

    /// Each different task is grown once, so as many entries are looked at as these have.
    #[test]
    fn as_many_entries_as_are_looked_at_are_accepted(
        first in calls(2), second in calls(2),
    ) {
        let grammar = grammar(vec![kind(&first, None), kind(&second, None)]);
        let Ok(grown) = grow(&grammar, None, LIMITS) else { return Ok(()) };
        let entries = |node: u32| {
            let calls = &grammar.kinds[grown.nodes.kind(node)].spawn;
            calls.iter().map(|call| if call.row.is_some() { 3 } else { 1 }).sum::<u64>()
        };
        let steps = 1 + (0..grown.nodes.len() as u32).map(entries).sum::<u64>();
        let accepted = grow(&grammar, None, Limits { steps, ..LIMITS }).is_ok();
        prop_assert!(accepted);
        let refused = grow(&grammar, None, Limits { steps: steps - 1, ..LIMITS }).err();
        prop_assert!(refused.is_some_and(|fault| fault.message.ends_with("are considered")));
    }

    /// The number of tasks that a node executes is the number of paths below it.
    #[test]
    fn executions_are_counted(
        first in calls(2), second in calls(2), cut in prop::sample::select(&CONDITIONS[..]),
    ) {
        let grammar = grammar(vec![kind(&first, Some(cut)), kind(&second, None)]);
        let Ok(grown) = grow(&grammar, None, LIMITS) else { return Ok(()) };
        let counted: f64 = grown.roots.iter().map(|root| grown.nodes.executed(*root)).sum();
        prop_assert!(near(counted, times(&grown).into_iter().sum()), "{counted}");
    }

    /// A task that is cut off does the work of all its descendants. After a cut, `depth` continues.
    #[test]
    fn cutting_off_keeps_the_sums(
        first in calls(2), second in calls(2),
        cut in prop::sample::select(&["depth >= 1", "depth >= 2", "x < 3", "1", "random(x, y) < 0.5"][..]),
    ) {
        let whole = grammar(vec![kind(&first, None), kind(&second, None)]);
        let Some([instructions, bytes, _]) = sums(&whole, LIMITS) else { return Ok(()) };
        let parts = grammar(vec![kind(&first, Some(cut)), kind(&second, Some("y > 3"))]);
        let Some(parts) = sums(&parts, LIMITS) else { return Ok(()) };
        prop_assert!(near(parts[0], instructions), "{parts:?} {instructions}");
        prop_assert!(near(parts[1], bytes), "{parts:?} {bytes}");
    }

    /// Tasks of equal work may be one, which changes no sums.
    #[test]
    fn tasks_of_equal_work_may_be_one(
        first in calls(2), second in calls(2), cut in prop::sample::select(&CONDITIONS[..]), apart in 0..20_usize,
    ) {
        let grammar = grammar(vec![kind(&first, Some(cut)), kind(&second, None)]);
        let (Some(told), Some(one)) = (sums(&grammar, LIMITS), sums(&grammar, Limits { apart, ..LIMITS })) else {
            return Ok(());
        };
        prop_assert!(told.iter().zip(one).all(|(told, one)| near(*told, one)), "{told:?} {one:?}");
        let count = |apart| grow(&grammar, None, Limits { apart, ..LIMITS }).unwrap().nodes.len();
        prop_assert!(count(apart) <= count(LIMITS.apart));
    }
}

/// Ten levels of rows of 300 tasks, of two arguments and a depth: a level has at most 256 + 1 of them waiting, which is
/// 10 * 257 * 3 = 7710 numbers, and all have 3000 children.
#[test]
fn rows_wait_in_blocks() {
    let own = ["x", "y", "depth"];
    let row = |kind, when: &str| Call {
        path: "entry".to_owned(),
        kind,
        arguments: vec![formula("x - 1", &own), formula("c", &["x", "y", "depth", "c"])],
        when: Some(formula(when, &["x", "y", "depth", "c"])),
        row: Some(Row::Steps(formula("1", &own), formula("300", &own))),
    };
    let parent =
        Kind { spawn: vec![row(0, "x > 0 and c == 300"), row(1, "1")], cutoff: None, ..kind(&[], None) };
    let grammar = Grammar { roots: grammar(Vec::new()).roots, kinds: vec![parent, kind(&[], None)] };
    let root = Grammar {
        roots: vec![Call { arguments: vec![formula("9", &[]), formula("0", &[])], ..root() }],
        ..grammar
    };
    let grown = grow(&root, None, Limits { numbers: 7800, tasks: 1 << 20, ..LIMITS }).unwrap();
    assert_eq!(grown.nodes.len(), 10 + 10 * 300);
    let nodes = &grown.nodes;
    // The task of the next level stands before the row of leaves, which is in order: the leaf of 300 is the last.
    let first = nodes.children_of(grown.roots[0]);
    assert_eq!((first.len(), nodes.kind(first[0]), nodes.kind(first[1])), (301, 0, 1));
    assert!(first.is_sorted());
    let refused = |limits| grow(&root, None, limits).err().unwrap().message;
    assert!(refused(Limits { numbers: 2000, tasks: 1 << 20, ..LIMITS }).contains("tasks wait to be created"));
    assert!(
        refused(Limits { children: 2000, tasks: 1 << 20, ..LIMITS }).contains("create more than 2000 others")
    );
}

/// First tasks that are alike are one node, and each of them is in the list of first tasks. 10 000 are refused where 2000
/// are allowed.
#[test]
fn first_tasks_have_a_limit() {
    let arguments = vec![formula("5", &["c"]), formula("2", &["c"])];
    let row = Some(Row::Steps(formula("1", &[]), formula("10000", &[])));
    let alike = Grammar { roots: vec![Call { arguments, row, ..root() }], kinds: vec![kind(&[], None)] };
    let grown = grow(&alike, None, LIMITS).unwrap();
    assert_eq!((grown.nodes.len(), grown.roots.len()), (1, 10_000));
    let refused = grow(&alike, None, Limits { children: 2000, ..LIMITS }).err().unwrap();
    assert!(refused.message.contains("create more than 2000 others"), "{}", refused.message);
}
