//! Driver of workers that use pages one after another, without pause unless stated.

use numalab_base::{Bandwidth, Bytes, Span, Time};
use numalab_dsm::protocol::Table;
use numalab_dsm::{Cards, Dsm, Fault, Right, Use};
use numalab_machine::{Crowding, Dsm as Parameters};
use std::collections::{BTreeMap, BTreeSet};

pub const US: u64 = 1_000_000;

/// Nodes with one worker each, 64 us apart on cards of 90 MB/s, that share `pages` pages. `change` changes the
/// default parameters.
pub fn nodes(count: u32, pages: u64, change: impl FnOnce(&mut Parameters)) -> Dsm {
    on(count, (0..count).collect(), pages, change)
}

/// As `nodes`, with the worker `i` on the node `workers[i]`.
pub fn on(count: u32, workers: Vec<u32>, pages: u64, change: impl FnOnce(&mut Parameters)) -> Dsm {
    build(workers, (count, pages), cards(&[]), change)
}

/// As `nodes`, with given network cards.
pub fn with_cards(count: u32, pages: u64, cards: Cards, change: impl FnOnce(&mut Parameters)) -> Dsm {
    build((0..count).collect(), (count, pages), cards, change)
}

/// Network cards of 90 MB/s with this curve of bandwidth under congestion.
pub fn cards(crowding: &[(f64, f64)]) -> Cards {
    Cards { bandwidth: Bandwidth(90e6), crowding: Crowding(crowding.to_vec()) }
}

fn build(
    workers: Vec<u32>,
    (count, pages): (u32, u64),
    cards: Cards,
    change: impl FnOnce(&mut Parameters),
) -> Dsm {
    let mut parameters = Parameters::default();
    change(&mut parameters);
    let latencies = vec![Span(64 * US); (count * count) as usize].into();
    let mut dsm = Dsm::new(&parameters, &cards, latencies, count, workers);
    dsm.add_region(pages * 4096);
    dsm
}

/// Picoseconds of a message of 4096 bytes and its header on a card.
pub const MESSAGE: u64 = 46_222_223;

/// Time in picoseconds in which `count` messages go to other nodes and return, with `in_flight` messages under way at
/// a time.
pub fn echo(dsm: &mut Dsm, in_flight: u32, count: u32) -> u64 {
    dsm.echo(0, Bytes(4096), (in_flight, count), Time::ZERO);
    let mut woken = Vec::new();
    let at = dsm.advance(Time::NEVER, &mut 0, &mut woken).unwrap();
    assert_eq!(woken, [0]);
    while dsm.advance(Time::NEVER, &mut 0, &mut woken).is_some() {}
    assert!(dsm.is_quiet());
    at.0 - 21 * US
}

/// Completed use of a page by a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    pub at: u64,
    pub worker: u32,
    pub page: u64,
    pub how: Use,
}

/// Runs all workers to their ends; the error states a broken law. `think`: picoseconds between two uses of a worker.
pub fn drive(dsm: &mut Dsm, todo: &[Vec<(u64, Use)>], think: u64) -> Result<Vec<Done>, String> {
    drive_from(dsm, todo, think, 0)
}

/// As `drive`, from a start time. Before every second use a worker reaches a virtual synchronisation point.
pub fn drive_from(
    dsm: &mut Dsm,
    todo: &[Vec<(u64, Use)>],
    think: u64,
    start: u64,
) -> Result<Vec<Done>, String> {
    let mut at: Vec<usize> = vec![0; todo.len()];
    let mut due: BTreeMap<(u64, u32), ()> =
        (0..todo.len() as u32).map(|worker| ((start, worker), ())).collect();
    let mut faulted: BTreeMap<u32, u64> = BTreeMap::new();
    let mut passed: BTreeSet<(u32, usize)> = BTreeSet::new();
    let (mut done, mut events, mut woken) = (Vec::new(), 0, Vec::new());
    let mut now = 0;
    for _ in 0..1_000_000 {
        let own = due.keys().next().copied();
        if dsm.next().is_some_and(|next| own.is_none_or(|(own, _)| next <= Time(own))) {
            if let Some(at) = dsm.advance(Time(own.map_or(u64::MAX, |own| own.0)), &mut events, &mut woken) {
                now = at.0;
                for worker in woken.drain(..) {
                    let since = faulted.remove(&worker).ok_or(format!("{worker} was not stopped"))?;
                    let stop = dsm.take_stop(worker).total().0;
                    if stop != at.0 - since {
                        return Err(format!("parts of a stop of {} sum to {stop}", at.0 - since));
                    }
                    due.insert((at.0, worker), ());
                }
            }
            continue;
        }
        let Some((when, worker)) = own else { break };
        due.remove(&(when, worker));
        now = now.max(when);
        let Some(&(page, how)) = todo[worker as usize].get(at[worker as usize]) else { continue };
        if at[worker as usize] % 2 == 1 && passed.insert((worker, at[worker as usize])) {
            dsm.sync_point(worker, Time(now));
        }
        match dsm.touch(worker, page..page + 1, how, 4096) {
            Some(fault) => {
                faulted.insert(worker, now);
                dsm.fault(worker, fault, Time(now));
            }
            None => {
                law(dsm, worker, page, how)?;
                done.push(Done { at: now, worker, page, how });
                at[worker as usize] += 1;
                due.insert((now + think, worker), ());
            }
        }
    }
    match at.iter().zip(todo).all(|(at, todo)| *at == todo.len()) {
        true => Ok(done),
        false => Err(format!("not everybody came to an end: {at:?}")),
    }
}

/// Checks that the worker's node has the right and that a writer is the only holder.
fn law(dsm: &Dsm, worker: u32, page: u64, how: Use) -> Result<(), String> {
    let node = dsm.node_of(worker);
    let needs = if how == Use::Read { Right::Read } else { Right::Write };
    let rights: Vec<Right> = (0..dsm.counts().len() as u32).map(|node| dsm.right(page, node)).collect();
    let writers = rights.iter().filter(|right| **right == Right::Write).count();
    let holders = rights.iter().filter(|right| **right != Right::None).count();
    let alone = writers == 0 || holders == 1;
    if rights[node as usize] < needs || !alone {
        return Err(format!("node {node} uses page {page} ({how:?}) with {rights:?}"));
    }
    Ok(())
}

/// Uses pages one after another, each after all events of the previous use, under the rows of `table` if given.
/// Returns the rights of all nodes after each use.
pub fn in_turn(
    dsm: &mut Dsm,
    table: Option<Table>,
    uses: &[(u32, u64, Use)],
) -> Result<Vec<Vec<Right>>, String> {
    if let Some(table) = table {
        *dsm = dsm.clone().with_table(table);
    }
    let nodes = dsm.counts().len() as u32;
    let (mut now, mut events, mut woken) = (0, 0, Vec::new());
    let mut rights = Vec::new();
    for &(worker, page, how) in uses {
        for _ in 0..3 {
            let Some(fault @ Fault { .. }) = dsm.touch(worker, page..page + 1, how, 4096) else { break };
            dsm.fault(worker, fault, Time(now));
            while dsm.next().is_some() {
                now = (dsm.advance(Time::NEVER, &mut events, &mut woken).unwrap_or(Time(now))).0;
            }
            if std::mem::take(&mut woken).is_empty() {
                return Err(format!("{worker} waits for page {page} for ever"));
            }
            now += 1000 * US;
        }
        if dsm.touch(worker, page..page + 1, how, 4096).is_some() {
            return Err(format!("{worker} lacks a right after its faults"));
        }
        rights.push((0..nodes).map(|node| dsm.right(page, node)).collect());
    }
    Ok(rights)
}
