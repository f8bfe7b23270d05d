//! Policy file to policy. Parts that do not fit together are refused, each with its line.

use super::formula::{Formulas, Lowered};
use crate::policy_file::{
    CounterWord, EndWord, FirstWord, OrderWord, PolicyFile, SearchFile, StealFile, UpdateWord, WithinWord,
};
use crate::quantity::Expression;
use numalab_base::Span;
use numalab_syntax::report::Report;
use numalab_workload::policy::{
    CounterAccess, Division, End, LoopPolicy, Measures, Order, Reach, Rule, SearchStep, StealRule, Update,
    VALUES, variable,
};

/// Policy of a file that was found as `typed`. Only meaningful if nothing was reported.
pub(super) fn resolve(file: &PolicyFile, typed: &str, report: &mut Report<'_>) -> LoopPolicy {
    let mut formulas = Formulas::new(file);
    formulas.names(report);
    let of_loop =
        |key: &str, text: &Option<Expression>, formulas: &mut Formulas<'_>, report: &mut Report<'_>| {
            let lowered = text.as_ref().and_then(|text| formulas.lower(key, text, report))?;
            // Names count units, which are not known before the unit is.
            let is_named = |number: u8| number >= variable::FIRST_NAMED && lowered.rule.reads(number);
            let uses_names = key == "unit" && (0..VALUES as u8).any(is_named);
            if uses_names || !lowered.is_fixed {
                let label = "expected an expression of N, P and chunk";
                report.at(key, format!("{key} is needed before the loop starts"), label);
            }
            Some(lowered.rule)
        };
    let unit = of_loop("unit", &file.unit, &mut formulas, report);
    let part = of_loop("part", &file.part, &mut formulas, report);
    let take = file.take.as_ref().and_then(|text| formulas.lower("take", text, report));
    let steal = file.steal.as_ref().map(|steal| steal_rule(steal, &mut formulas, report));
    fits(file, &take, report);
    if (formulas.reads_measured || !file.sums.is_empty()) && file.measures.is_none() {
        let label = "expected for example `measures: { update: step }`";
        report.at_key("name", "expressions read measured values, and nothing is measured", label);
    }
    let of_counter = take.as_ref().is_some_and(|take| take.of_counter);
    let usual = match (file.first, &file.steal) {
        (FirstWord::Even, None) => Rule::value(variable::REST),
        (FirstWord::Shared | FirstWord::Even | FirstWord::Cyclic | FirstWord::Part, _) => Rule::number(1.0),
    };
    LoopPolicy {
        name: file.name.clone(),
        typed: typed.to_owned(),
        digest: String::new(),
        chunk: file.chunk,
        unit: unit.unwrap_or(Rule::number(1.0)),
        division: match file.first {
            FirstWord::Shared => Division::Shared,
            FirstWord::Even => Division::Even,
            FirstWord::Cyclic => Division::Cyclic,
            FirstWord::Part => Division::Part(part.unwrap_or(Rule::number(0.0))),
        },
        take: take.map_or(usual, |take| take.rule),
        counter: match file.counter {
            Some(CounterWord::CompareAndSwap) => CounterAccess::CompareSwap,
            None if of_counter => CounterAccess::CompareSwap,
            Some(CounterWord::FetchAndAdd) | None => CounterAccess::FetchAdd,
        },
        named: formulas.named,
        steal,
        measures: file.measures.map(|measures| Measures {
            update: match measures.update {
                UpdateWord::Step => Update::Step,
                UpdateWord::Chunk => Update::Chunk,
            },
            with_overhead: measures.with_overhead.unwrap_or(false),
        }),
    }
}

/// Refuses parts of a file that have no effect, or that contradict each other.
fn fits(file: &PolicyFile, take: &Option<Lowered>, report: &mut Report<'_>) {
    let has_counter = matches!(file.first, FirstWord::Shared | FirstWord::Part);
    if (file.first == FirstWord::Part) != file.part.is_some() {
        let (path, label) = match file.part {
            Some(_) => ("part", "expected `first: part` with it"),
            None => ("first", "expected `part: EXPRESSION` beside it"),
        };
        report.at(path, "`first: part` and `part` belong together", label);
    }
    if has_counter && file.take.is_none() {
        report.at(
            "first",
            "a shared counter needs the size of its chunks",
            "expected `take: EXPRESSION` beside it",
        );
    }
    if file.first == FirstWord::Cyclic && file.take.is_some() {
        report.at(
            "take",
            "units that go round are taken one at a time",
            "expected `unit: EXPRESSION` instead",
        );
    }
    if !has_counter && file.counter.is_some() {
        report.at("counter", "nothing is in a shared counter", "expected `first: shared` or `first: part`");
    }
    if file.first != FirstWord::Even && file.steal.is_some() {
        report.at(
            "steal",
            "threads steal from ranges, which this policy does not divide",
            "expected `first: even`",
        );
    }
    let of_counter = take.as_ref().is_some_and(|take| take.of_counter);
    if of_counter && file.counter == Some(CounterWord::FetchAndAdd) {
        let message = "the chunk depends on what is left, which fetch-and-add does not tell before it takes";
        report.at("counter", message, "expected compare-and-swap, or a `take` without R and batch_rest");
    }
}

fn steal_rule(file: &StealFile, formulas: &mut Formulas<'_>, report: &mut Report<'_>) -> StealRule {
    let amount = file.amount.as_ref().and_then(|text| formulas.lower("steal.amount", text, report));
    if let (Some(_), None) = (&file.longest_wait, &file.wait) {
        report.at("steal.longest_wait", "there is no wait", "expected `wait` beside it");
    }
    let wait = file.wait.as_ref().map_or(Span::ZERO, |wait| wait.0);
    StealRule {
        search: file.search.iter().map(search_step).collect(),
        amount: amount.map_or(Rule::number(1.0), |amount| amount.rule),
        least: file.least.unwrap_or(1).max(1),
        end: match file.end {
            Some(EndWord::Front) => End::Front,
            Some(EndWord::Back) | None => End::Back,
        },
        keeps: file.keeps.unwrap_or(false),
        rounds: file.rounds.unwrap_or(1).max(1),
        wait,
        longest_wait: file.longest_wait.as_ref().map_or(Span(wait.0.saturating_mul(64)), |wait| wait.0),
    }
}

fn search_step(file: &SearchFile) -> SearchStep {
    SearchStep {
        within: match file.within {
            Some(WithinWord::Node) => Reach::Node,
            Some(WithinWord::Socket) => Reach::Socket,
            Some(WithinWord::Board) => Reach::Board,
            Some(WithinWord::Machine) | None => Reach::Machine,
        },
        order: match file.order {
            OrderWord::Last => Order::Last,
            OrderWord::Next => Order::Next,
            OrderWord::Nearest => Order::Nearest,
            OrderWord::Random => Order::Random,
            OrderWord::MostLoaded => Order::MostLoaded,
        },
        tries: file.tries,
        loaded_only: file.loaded_only.unwrap_or(false),
    }
}
