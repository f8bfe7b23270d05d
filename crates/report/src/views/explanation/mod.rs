//! An explanation: where the time goes, which costs could be recovered, and which changes help.

pub(crate) mod advice;
mod blame;
mod worst;

pub use blame::waits_for;
pub use worst::worst_of_all;

use crate::numbers::{TimeScale, count, percent, signed_percent, significant};
use crate::page::{Page, Rows, Sheet, View};
use crate::style::{Ink, Style};
use crate::views::replay::above;
use crate::views::summary::unusual_runtime;
use crate::views::{influence, origins};
use numalab_results::{Explanation, Ideals, LeftOut, VirtualSpeedup};

impl View for Explanation {
    fn page(&self, style: &Style) -> Page {
        Blamed(self).page(style).then(Recoverable(self).page(style))
    }
}

/// First part of an explanation, known after one run: where the time of the threads goes.
pub struct Blamed<'a>(pub &'a Explanation);

/// Second part of an explanation: costs that could be recovered, changes that help, and the parts left out. Empty
/// without any of these.
pub struct Recoverable<'a>(pub &'a Explanation);

impl View for Blamed<'_> {
    fn page(&self, _: &Style) -> Page {
        let Blamed(explanation) = *self;
        let scale = TimeScale::of([explanation.makespan_ps]);
        let mut facts = vec![explanation.machine.name.clone(), explanation.workload.name.clone()];
        facts.push(count(explanation.threads, "thread"));
        facts.extend(unusual_runtime(explanation.runtime.as_ref()));
        facts.push(explanation.policy.clone());
        facts.push(scale.show(explanation.makespan_ps as f64));
        let page = above(Page::titled(facts), explanation.replay.as_ref()).text([worst_of_all(explanation)]);
        let page = page
            .table_under(
                Ink::Bold,
                "where the time of the threads goes".to_owned(),
                blame::table(explanation),
            )
            .below(blame::remainder(explanation));
        let page = page.text([amdahl(explanation)]);
        let page = page.with((explanation.phases.len() > 1).then_some(()), |page, ()| {
            page.table_under(Ink::Bold, "phases".to_owned(), phases(explanation, &scale))
        });
        let page = page.with((!explanation.hot_spots.is_empty()).then_some(()), |page, ()| {
            let spots = blame::hot_spots(explanation);
            page.table_under(Ink::Bold, "resources that delayed most".to_owned(), spots)
        });
        page.text(origins::sentences(&explanation.machine, &explanation.workload))
    }
}

impl View for Recoverable<'_> {
    fn page(&self, _: &Style) -> Page {
        let Recoverable(explanation) = *self;
        let scale = TimeScale::of([explanation.makespan_ps]);
        let page = Page::default().with(explanation.ideals.as_ref(), |page, ideals| {
            let heading = format!(
                "time recovered if everything were ideal: {} of {}",
                scale.show(explanation.makespan_ps as f64 - ideals.ideal_ps as f64),
                scale.show(explanation.makespan_ps as f64)
            );
            page.table_under(Ink::Bold, heading, ideals_table(ideals, explanation)).below(sampled(ideals))
        });
        let page = advice::add(page, &explanation.advice, explanation.tried, explanation.makespan_ps);
        let useful: Vec<&VirtualSpeedup> =
            explanation.speedups.iter().filter(|speedup| helps(speedup, explanation)).collect();
        let page = match (explanation.speedups.is_empty(), useful.is_empty()) {
            (true, _) => page,
            (false, true) => page.text(["Less computing in any one phase gains less than 0.5%.".to_owned()]),
            (false, false) => {
                let heading = "makespan with less computing in one phase".to_owned();
                page.table_under(Ink::Bold, heading, speedups(useful, &scale))
            }
        };
        let page = page.with(explanation.influences.as_ref(), |page, values| {
            influence::add(page, "the run", explanation.makespan_ps, values)
        });
        page.text(advice::best(&explanation.advice, explanation.tried))
            .text(explanation.left_out.as_ref().map(left_out))
    }
}

/// Sentence on the parts that were not simulated.
fn left_out(missing: &LeftOut) -> String {
    let changes = (missing.changes > 0).then(|| count(missing.changes, "change"));
    let ideals = missing.ideals.then(|| "time recovered by ideals".to_owned());
    let phases =
        (missing.phases > 0).then(|| format!("less computing in {}", count(missing.phases, "phase")));
    let values = missing.values.then(|| "unknown values".to_owned());
    let parts: Vec<String> = ideals.into_iter().chain(changes).chain(phases).chain(values).collect();
    format!("Left out: {}.", parts.join(", "))
}

impl Rows for Explanation {
    fn csv(&self) -> String {
        blame::rows(self).csv()
    }
}

fn amdahl(explanation: &Explanation) -> String {
    let amdahl = &explanation.amdahl;
    let limit = amdahl.limit.map_or(String::new(), |limit| match limit {
        limit if limit > 10_000.0 => ", no practical limit with more threads".to_owned(),
        limit => format!(", {} with unlimited threads", significant(limit)),
    });
    format!(
        "On average {} of {} threads are busy. {:.2}% of the work runs in parallel: by Amdahl's law a \
         speed-up of at most {} with this team{limit}. The critical path changes threads {}.",
        significant(amdahl.speedup),
        explanation.threads,
        amdahl.parallel_fraction * 100.0,
        significant(amdahl.bound),
        count(explanation.handed_over, "time")
    )
}

fn phases(explanation: &Explanation, scale: &TimeScale) -> Sheet<numalab_results::ExplainedPhase> {
    let threads = f64::from(explanation.threads);
    let whole = explanation.makespan_ps as f64;
    Sheet::of(explanation.phases.iter().cloned())
        .text("phase", |phase| phase.name.clone())
        .number("time", |phase| scale.show(phase.time_ps as f64))
        .number("of the run", |phase| percent(crate::numbers::share(phase.time_ps as f64, whole)))
        .number("threads busy", |phase| {
            percent(crate::numbers::share(phase.busy_ps as f64, threads * phase.time_ps as f64))
        })
        .number("one alone", |phase| {
            percent(crate::numbers::share(phase.alone_ps as f64, phase.time_ps as f64))
        })
}

fn ideals_table(ideals: &Ideals, explanation: &Explanation) -> Sheet<numalab_results::IdealShare> {
    let whole = explanation.makespan_ps as f64;
    let part = |ps: f64| signed_percent(-crate::numbers::share(ps, whole));
    Sheet::of(ideals.shares.iter().cloned())
        .text("ideal", |ideal| ideal.name.clone())
        .number("share", |ideal| part(ideal.share_ps))
        .when(ideals.sampled.is_some(), |sheet| {
            sheet.number("±", |ideal| percent(crate::numbers::share(ideal.error_ps, whole)))
        })
        .number("if alone ideal", |ideal| part(ideal.alone_ps as f64))
        .text("meaning", |ideal| ideal.description.clone())
}

fn sampled(ideals: &Ideals) -> Option<String> {
    let runs = count(ideals.runs, "run");
    Some(match ideals.sampled {
        Some(orders) => format!("{runs}; shares are means over {} drawn at random", count(orders, "order")),
        None => format!("{runs}: all combinations"),
    })
}

/// True if less computing in a phase shortens the run by at least 0.5 %.
fn helps(speedup: &VirtualSpeedup, explanation: &Explanation) -> bool {
    const WORTH: f64 = 0.995;
    let most = explanation.makespan_ps as f64 * WORTH;
    speedup.points.iter().any(|point| point.makespan_ps as f64 <= most)
}

fn speedups<'a>(shown: Vec<&'a VirtualSpeedup>, scale: &'a TimeScale) -> Sheet<&'a VirtualSpeedup> {
    let parts: Vec<f64> =
        shown.first().map_or(Vec::new(), |first| first.points.iter().map(|point| point.faster).collect());
    Sheet::of(shown).text("phase", |speedup| speedup.phase.clone()).each(
        parts.into_iter().enumerate(),
        |sheet, (at, part)| {
            sheet.number(&format!("-{:.0}%", part * 100.0), |speedup| {
                speedup.points.get(at).map(|point| scale.show(point.makespan_ps as f64))
            })
        },
    )
}
