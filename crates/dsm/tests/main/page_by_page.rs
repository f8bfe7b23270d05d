//! Page accesses of the NAS benchmark BT, on the engine and on a plain page-by-page simulator.

use crate::plain::{Step, Sums, plainly};
use crate::support::{US, nodes};
use numalab_base::Time;
use numalab_counts::NodeCounts;
use numalab_dsm::{Dsm, Meeting, Use};
use numalab_machine::Master;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

/// Runs a program on the engine. `work`: steps of each worker.
fn on_engine(dsm: &mut Dsm, work: &[Vec<Step>]) -> Sums {
    let mut work: Vec<VecDeque<Step>> = work.iter().map(|steps| steps.iter().cloned().collect()).collect();
    let mut due: BTreeSet<(u64, usize)> = (0..work.len()).map(|worker| (0, worker)).collect();
    let (mut end, mut woken) = (0, Vec::new());
    loop {
        let own = due.first().copied();
        if dsm.next().is_some_and(|next| own.is_none_or(|(own, _)| next <= Time(own))) {
            if let Some(at) = dsm.advance(Time(own.map_or(u64::MAX, |own| own.0)), &mut 0, &mut woken) {
                due.extend(woken.drain(..).map(|worker| (at.0, worker as usize)));
                end = end.max(at.0);
            }
            continue;
        }
        let Some((now, worker)) = due.pop_first() else { break };
        end = end.max(now);
        let number = worker as u32;
        let goes_on = match work[worker].pop_front() {
            None => false,
            Some(Step::Compute(span)) => {
                due.insert((now + span, worker));
                false
            }
            Some(Step::Use(pages, how)) => match dsm.touch(number, pages.clone(), how, 4096) {
                None => true,
                Some(fault) => {
                    work[worker].push_front(Step::Use(fault.page..pages.end, how));
                    dsm.fault(number, fault, Time(now));
                    false
                }
            },
            Some(Step::Open) if worker == 0 => {
                dsm.fork(Time(now));
                true
            }
            Some(Step::Open) => dsm.follow(number),
            Some(Step::Join) => !dsm.meet(number, Meeting::Join, Time(now)),
        };
        if goes_on {
            due.insert((now, worker));
        }
    }
    assert!(work.iter().all(VecDeque::is_empty) && dsm.is_quiet());
    let sum = |of: fn(&NodeCounts) -> u64| dsm.counts().iter().map(of).sum();
    Sums {
        end,
        read_faults: sum(|node| node.faults.read),
        write_faults: sum(|node| node.faults.write),
        upgrades: sum(|node| node.faults.upgrade),
        messages: sum(|node| node.messages.iter().sum()),
        bytes: sum(|node| node.bytes),
    }
}

/// Points of the grid in each direction.
const N: u64 = 20;
/// Bytes of a row and of a plane, for the large arrays (5 values a point) and for the small arrays (1 value).
const ROWS: [(u64, u64); 2] = [(40 * (N + 1), 40 * (N + 1) * (N + 1)), (8 * (N + 1), 8 * (N + 1) * (N + 1))];
/// Index into `ROWS` and first page of each array: u, rhs, and two small ones.
const ARRAYS: [(usize, u64); 4] = [(0, 0), (0, 100), (1, 200), (1, 230)];
const PAGES: u64 = 260;
const U: usize = 0;
const RHS: usize = 1;
const RHO: usize = 2;
const QS: usize = 3;

/// Pages that contain a range of bytes of an array.
fn pages(array: usize, bytes: Range<u64>) -> Range<u64> {
    let first = ARRAYS[array].1;
    first + bytes.start / 4096..first + (bytes.end - 1) / 4096 + 1
}

/// Pages of a range of planes of an array.
fn planes(array: usize, planes: Range<u64>) -> Vec<Range<u64>> {
    let (_, plane) = ROWS[ARRAYS[array].0];
    vec![pages(array, plane * planes.start..plane * planes.end)]
}

/// Pages of one row in every plane of an array.
fn rows(array: usize, row: u64) -> Vec<Range<u64>> {
    let (length, plane) = ROWS[ARRAYS[array].0];
    let at = |k: u64| plane * k + length * row;
    (0..N).map(|k| pages(array, at(k)..at(k) + length)).collect()
}

/// Page ranges that an iteration uses, each group with the kind of use.
type Uses = Vec<(Vec<Range<u64>>, Use)>;

/// Program of BT by worker: loops over planes, and one loop over rows, which cross all planes.
fn bt(nodes: u64, steps: u64) -> Vec<Vec<Step>> {
    let loops: [fn(u64) -> Uses; 6] = [
        |k| {
            vec![
                (planes(U, k..k + 1), Use::Read),
                (planes(RHO, k..k + 1), Use::Write),
                (planes(QS, k..k + 1), Use::Write),
            ]
        },
        |k| vec![(planes(RHS, k..k + 1), Use::Write)],
        |k| vec![(planes(U, k.max(2) - 2..(k + 3).min(N)), Use::Read), (planes(RHS, k..k + 1), Use::Update)],
        |k| {
            vec![
                (planes(U, k..k + 1), Use::Read),
                (planes(QS, k..k + 1), Use::Read),
                (planes(RHS, k..k + 1), Use::Update),
            ]
        },
        |j| {
            vec![
                (rows(U, j), Use::Read),
                (rows(RHO, j), Use::Read),
                (rows(QS, j), Use::Read),
                (rows(RHS, j), Use::Update),
            ]
        },
        |k| vec![(planes(RHS, k..k + 1), Use::Read), (planes(U, k..k + 1), Use::Update)],
    ];
    let share = |worker: u64| worker * N / nodes..(worker + 1) * N / nodes;
    let region = |worker: u64, of: &fn(u64) -> Uses| {
        let iterations = share(worker).flat_map(move |i| {
            let uses = of(i)
                .into_iter()
                .flat_map(|(pages, how)| pages.into_iter().map(move |pages| Step::Use(pages, how)));
            uses.chain([Step::Compute(700 * US)]).collect::<Vec<_>>()
        });
        [Step::Open].into_iter().chain(iterations).chain([Step::Join]).collect::<Vec<_>>()
    };
    (0..nodes)
        .map(|worker| {
            (0..steps)
                .flat_map(|_| loops.iter().flat_map(|of| region(worker, of)).collect::<Vec<_>>())
                .collect()
        })
        .collect()
}

/// Law: Shared pages take the time that a plain page-by-page simulator finds.
///
/// Three steps of BT on two to five nodes, with either choice of masters: time, faults, messages and bytes are those
/// of the plain simulator, to the picosecond.
#[test]
fn bt_takes_as_long_as_page_by_page() {
    for (count, cyclic) in [(2, false), (3, true), (4, false), (5, true)] {
        let work = bt(count, 3);
        let mut dsm = nodes(count as u32, PAGES, |parameters| {
            parameters.master = if cyclic { Master::Cyclic } else { Master::FirstTouch };
        });
        let plain = plainly(&work, cyclic);
        assert!(plain.read_faults > 500 && plain.upgrades > 300, "{plain:?}");
        assert_eq!(on_engine(&mut dsm, &work), plain, "{count} nodes");
    }
}
