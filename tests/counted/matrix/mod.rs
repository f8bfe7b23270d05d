//! Work per event of each kind of question, under a budget.
//!
//! | file | topic |
//! |---|---|
//! | `cases` | workloads, machines, placements and policies |
//! | `measure` | work of one case |
//! | `limits` | outliers, and the list of the known ones |

mod cases;
mod limits;
mod measure;

use cases::Case;
use limits::median;
use measure::{Measured, measure};
use numalab_study::Files;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Work of one case of the sample, and of the whole matrix, in visits of the solver.
const BUDGET_OF_SAMPLE: u64 = 2_000_000;
const BUDGET: u64 = 5_000_000;

/// Compares the sample's work per event with the known outliers. Returns a message for each difference.
pub fn check() -> Vec<String> {
    let files = Files::default();
    limits::check(&measured(&cases::sample(&files), &files, BUDGET_OF_SAMPLE))
}

/// Prints the cases whose lines contain `words`, one a line, those above the limit of their machine first.
pub fn list(words: &str) {
    let files = Files::default();
    let mut cases = cases::all(&files);
    cases.retain(|case| case.to_string().contains(words));
    let mut all = measured(&cases, &files, BUDGET);
    let ns_per_work = |measured: &Measured| measured.cpu_ns * 100 / measured.work.units().max(1);
    all.sort_by_key(|(_, measured)| std::cmp::Reverse(measured.per_event()));
    println!(
        "workload machine placement policy: work/event ns/100 work, events, solver and cache visits, operations"
    );
    for (case, measured) in &all {
        let work = measured.work;
        let engine = work.engine;
        println!(
            "{case}: {} {}, {} {} {} {}",
            measured.per_event(),
            ns_per_work(measured),
            work.events,
            engine.solver_visits,
            engine.cache_visits,
            engine.operations
        );
    }
    let machines: BTreeSet<&str> = all.iter().map(|(case, _)| case.machine).collect();
    for machine in machines {
        let of_machine =
            || all.iter().filter(|(case, _)| case.machine == machine).map(|(_, measured)| measured);
        let works = median(of_machine().map(Measured::per_event).collect());
        let times = median(of_machine().map(ns_per_work).collect());
        let count =
            |is_high: &dyn Fn(&Measured) -> bool| of_machine().filter(|measured| is_high(measured)).count();
        println!(
            "{machine}: median {works} work/event, {} of {} above the limit; median {times} ns/100 work, {} above 4 times",
            count(&|measured| measured.per_event() > limits::MOST * works),
            of_machine().count(),
            count(&|measured| ns_per_work(measured) > limits::MOST * times),
        );
    }
}

/// Measures cases on all processors; cases that a machine cannot have are left out.
fn measured<'a>(cases: &'a [Case], files: &Files, budget: u64) -> Vec<(&'a Case, Measured)> {
    let (next, measured) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(place) else { break };
                    if let Some(one) = measure(case, files, budget) {
                        measured.lock().unwrap_or_else(PoisonError::into_inner).push((place, one));
                    }
                }
            });
        }
    });
    let mut measured = measured.into_inner().unwrap_or_else(PoisonError::into_inner);
    measured.sort_unstable_by_key(|(place, _)| *place);
    measured.into_iter().map(|(place, one)| (&cases[place], one)).collect()
}
