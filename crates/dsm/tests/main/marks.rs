//! Marks of pages in the first execution of a chopped loop, with several workers on a node.

use crate::support::{US, on};
use numalab_base::{Span, Time};
use numalab_dsm::{Dsm, Use};
use numalab_machine::Technique;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Step of a worker.
#[derive(Clone, Copy, Debug)]
enum Step {
    Use(u64, Use),
    Point,
    Compute(u64),
}

/// Counts of faults that only marks caused.
#[derive(Debug, Default)]
struct Marked {
    /// Most faults of a single use.
    of_a_use: u32,
    /// Faults by page and node.
    of_a_page: BTreeMap<(u64, u32), u32>,
    /// Points passed by the workers of each node.
    points: BTreeMap<u32, u32>,
}

/// Most steps and events of a run, far above the number that any run here needs.
const MOST: u32 = 100_000;

/// Executes a loop's first execution. The error names the workers that do not end.
fn learn(dsm: &mut Dsm, work: &[Vec<Step>]) -> Result<Marked, String> {
    let mut work: Vec<VecDeque<Step>> = work.iter().map(|steps| steps.iter().copied().collect()).collect();
    let mut faults = vec![0; work.len()];
    let mut due: BTreeSet<(u64, usize)> = (0..work.len()).map(|worker| (0, worker)).collect();
    let (mut marked, mut woken) = (Marked::default(), Vec::new());
    dsm.enter(0, Some(0), true);
    for _ in 0..MOST {
        let own = due.first().copied();
        if dsm.next().is_some_and(|next| own.is_none_or(|(own, _)| next <= Time(own))) {
            if let Some(at) = dsm.advance(Time(own.map_or(u64::MAX, |own| own.0)), &mut 0, &mut woken) {
                due.extend(woken.drain(..).map(|worker| (at.0, worker as usize)));
            }
            continue;
        }
        let Some((now, worker)) = due.pop_first() else { return Ok(marked) };
        let Some(step) = work[worker].front().copied() else { continue };
        let (number, node) = (worker as u32, dsm.node_of(worker as u32));
        let mut until = now;
        match step {
            Step::Compute(span) => until += span,
            Step::Point => {
                *marked.points.entry(node).or_default() += 1;
                dsm.sync_point(number, Time(now));
            }
            Step::Use(page, how) => {
                if let Some(fault) = dsm.touch(number, page..page + 1, how, 4096) {
                    if fault.request.is_none() {
                        faults[worker] += 1;
                        marked.of_a_use = marked.of_a_use.max(faults[worker]);
                        *marked.of_a_page.entry((page, node)).or_default() += 1;
                    }
                    dsm.fault(number, fault, Time(now));
                    continue;
                }
                faults[worker] = 0;
            }
        }
        work[worker].pop_front();
        due.insert((until, worker));
    }
    Err(format!("not ended: {:?}", work.iter().map(VecDeque::len).collect::<Vec<_>>()))
}

/// Nodes with `workers` workers on the first, one on the second, and a technique that chops loops.
fn chopped(workers: usize, trap: u64) -> Dsm {
    on(2, (0..=workers).map(|worker| u32::from(worker == workers)).collect(), 6, |parameters| {
        parameters.technique = Technique::Chopper;
        parameters.trap = Span(trap);
    })
}

/// Two workers of a node use one page, which they have for themselves, in sections of different numbers. A point marks
/// the page once. While worker 1 is stopped by the mark, worker 0 goes on.
#[test]
fn workers_in_different_sections_use_a_page() {
    let (uses, wait) = (Step::Use(0, Use::Read), Step::Compute(50 * US));
    let work = |passing| [vec![uses, wait, wait, uses], vec![uses, wait, passing, wait, uses], Vec::new()];
    let faults = |passing| learn(&mut chopped(2, 5 * US), &work(passing)).unwrap().of_a_page;
    assert_eq!(faults(Step::Compute(0)), BTreeMap::new());
    assert_eq!(faults(Step::Point), BTreeMap::from([((0, 0), 1)]));
}

proptest! {
    /// Several workers of a node use pages in random sections, with a worker of another node beside them. Every run
    /// ends, marks stop a use at most once, and a page is marked at most once for its first read, its first write and
    /// each point of the node.
    #[test]
    fn a_mark_stops_a_use_once(
        workers in 2_usize..5,
        trap in 0_u64..50_000_000,
        seed in prop::collection::vec((0..5_usize, 0..6_u64, 0..5_usize), 1..80),
    ) {
        let mut work = vec![Vec::new(); workers + 1];
        for (worker, page, step) in seed {
            work[worker % (workers + 1)].push(match step {
                0 => Step::Use(page, Use::Read),
                1 => Step::Use(page, Use::Write),
                2 => Step::Use(page, Use::Update),
                3 => Step::Point,
                _ => Step::Compute(page * 3 * US),
            });
        }
        let marked = learn(&mut chopped(workers, trap), &work);
        prop_assert!(marked.is_ok(), "{:?}", marked);
        let marked = marked.unwrap();
        prop_assert!(marked.of_a_use <= 1, "{:?}", marked);
        for ((page, node), faults) in &marked.of_a_page {
            let points = marked.points.get(node).copied().unwrap_or(0);
            prop_assert!(*faults <= points + 2, "page {} on node {}: {:?}", page, node, marked);
        }
    }
}
