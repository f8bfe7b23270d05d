//! Laws of grammars: growing ends for any grammar, and cutting off changes no sums.

use super::grammar::{Call, Grammar, Kind, KindSection, Touch};
use super::grow::{Limits, grow};
use super::work::{Work, work};
use numalab_syntax::expression::{Formula, Scope, parse};
use numalab_workload::{Construct, Mode, parents_first};
use proptest::prelude::*;

const LIMITS: Limits = Limits { tasks: 2000, levels: 60, steps: 20_000, executed: f64::INFINITY };

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
            row: row.then(|| (formula("0", &own), formula("2", &own))),
        }
    };
    Kind {
        name: "k".to_owned(),
        path: String::new(),
        arguments: vec!["x".to_owned(), "y".to_owned()],
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
        section: Some(KindSection {
            construct: Construct::Critical,
            times: Some(formula("floor(abs(x)) % 3", &own)),
            instructions: Some(formula("1 + floor(abs(y)) % 2", &own)),
        }),
    }
}

fn grammar(kinds: Vec<Kind>) -> Grammar {
    let root = |_| Call {
        path: String::new(),
        kind: 0,
        arguments: vec![formula("5", &[]), formula("2", &[])],
        when: None,
        row: None,
    };
    Grammar { kinds, roots: (0..1).map(root).collect() }
}

/// Instructions and bytes of all tasks, with the number of their sections among the instructions. A task counts as often as it is executed.
fn sums(grammar: &Grammar) -> Option<(f64, f64)> {
    let grown = grow(grammar, LIMITS).ok()?;
    let order = parents_first(grown.graph.len(), |task| grown.graph.children(task)).ok()?;
    let Work { instructions, after, sections, accesses } = work(grammar, &grown, LIMITS).ok()?;
    let mut times = vec![0.0; grown.graph.len()];
    grown.roots.iter().for_each(|root| times[*root as usize] += 1.0);
    let (mut all, mut bytes) = (0.0, 0.0);
    for task in order {
        let ways = times[task as usize];
        let (number, inside) = sections[task as usize];
        all += ways * (instructions[task as usize] + after[task as usize] + number + inside);
        bytes += accesses.iter().map(|column| column.bytes(task as usize) as f64).sum::<f64>() * ways;
        grown.graph.children(task).iter().for_each(|child| times[*child as usize] += ways);
    }
    Some((all, bytes))
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
        match grow(&grammar, LIMITS) {
            // A level may exceed the limit by the tasks that one task creates.
            Ok(grown) => prop_assert!(grown.graph.len() <= LIMITS.tasks + 6),
            Err(fault) => prop_assert!(!fault.message.is_empty()),
        }
        sums(&grammar);
    }

    /// Counting certain evaluations in advance refuses only graphs that exceed a limit anyway.
    #[test]
    fn as_many_entries_as_are_looked_at_are_accepted(
        first in calls(2), second in calls(2), cut in prop::sample::select(&CONDITIONS[..]),
    ) {
        let grammar = grammar(vec![kind(&first, Some(cut)), kind(&second, None)]);
        let Ok(grown) = grow(&grammar, LIMITS) else { return Ok(()) };
        let entries = |task: usize| {
            let calls = &grammar.kinds[grown.graph.kind(task)].spawn;
            calls.iter().map(|call| if call.row.is_some() { 3 } else { 1 }).sum::<u64>()
        };
        let expanded = (0..grown.graph.len()).filter(|task| !grown.cut.contains(&(*task as u32)));
        let steps = 1 + expanded.map(entries).sum::<u64>();
        let accepted = grow(&grammar, Limits { steps, ..LIMITS }).is_ok();
        prop_assert!(accepted);
        let refused = grow(&grammar, Limits { steps: steps - 1, ..LIMITS }).err();
        prop_assert!(refused.is_some_and(|fault| fault.message.ends_with("are considered")));
    }

    /// The number of executed tasks is never counted too high, so that no search is refused by mistake.
    #[test]
    fn executions_are_bounded_from_below(
        first in calls(2), second in calls(2), cut in prop::sample::select(&CONDITIONS[..]),
    ) {
        let grammar = grammar(vec![kind(&first, Some(cut)), kind(&second, None)]);
        let Ok(grown) = grow(&grammar, LIMITS) else { return Ok(()) };
        let Ok(order) = parents_first(grown.graph.len(), |task| grown.graph.children(task)) else { return Ok(()) };
        let mut times = vec![0.0; grown.graph.len()];
        grown.roots.iter().for_each(|root| times[*root as usize] += 1.0);
        for task in order {
            let ways = times[task as usize];
            grown.graph.children(task).iter().for_each(|child| times[*child as usize] += ways);
        }
        let all = times.iter().sum::<f64>();
        prop_assert!(grown.at_least <= all && grown.at_least >= 1.0, "{} {all}", grown.at_least);
    }

    /// A task that is cut off does the work of all its descendants. After a cut, `depth` continues.
    #[test]
    fn cutting_off_keeps_the_sums(
        first in calls(2), second in calls(2),
        cut in prop::sample::select(&["depth >= 1", "depth >= 2", "x < 3", "1", "random(x, y) < 0.5"][..]),
    ) {
        let whole = grammar(vec![kind(&first, None), kind(&second, None)]);
        let Some((instructions, bytes)) = sums(&whole) else { return Ok(()) };
        let parts = grammar(vec![kind(&first, Some(cut)), kind(&second, Some("y > 3"))]);
        let Some(parts) = sums(&parts) else { return Ok(()) };
        prop_assert!((parts.0 - instructions).abs() <= 1e-9 * instructions, "{parts:?} {instructions}");
        prop_assert!((parts.1 - bytes).abs() <= 1e-9 * bytes, "{parts:?} {bytes}");
    }
}
