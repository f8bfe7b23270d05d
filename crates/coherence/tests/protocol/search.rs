//! The search: from nobody caching the line, every move of every cache, until no state is new.

use crate::laws::check;
use crate::moves::{Move, Mover};
use crate::world::World;
use numalab_coherence::protocol::{Protocol, Request, Row, State, transition};
use std::collections::BTreeSet;

type Rows = BTreeSet<(State, Request)>;

/// What was met on the way.
struct Reached {
    worlds: BTreeSet<World>,
    rows: Rows,
}

/// Everything reachable in a tree of this shape, or the first law that is broken and how.
fn search(table: &dyn Fn(State, Request) -> Row, shape: &[usize]) -> Result<Reached, String> {
    let start = World::new(shape).canonical();
    let (mut worlds, mut rows) = (BTreeSet::from([start.clone()]), Rows::new());
    let mut open = vec![start];
    while let Some(world) = open.pop() {
        for path in world.home.paths() {
            for step in Move::ALL {
                let after = Mover { table, rows: &mut rows }.after(&world, &path, step);
                let after = after
                    .and_then(|after| check(&after).map(|()| after))
                    .map_err(|why| format!("{why}: {step:?} by {path:?} in {world:#?}"))?;
                if worlds.insert(after.clone()) {
                    open.push(after);
                }
            }
        }
    }
    Ok(Reached { worlds, rows })
}

/// The same of a protocol's own table.
fn reached(protocol: Protocol, shape: &[usize]) -> Reached {
    search(&|state, request| transition(protocol, state, request), shape)
        .unwrap_or_else(|why| panic!("{protocol}, {shape:?}: {why}"))
}

/// The rows that say what to do.
fn rows(protocol: Protocol) -> Rows {
    let all = State::ALL.into_iter().flat_map(|state| Request::ALL.map(|request| (state, request)));
    all.filter(|(state, request)| matches!(transition(protocol, *state, *request), Row::Go(..))).collect()
}

const NESTED: [&[usize]; 4] = [&[2, 2], &[2, 3], &[3, 2], &[2, 2, 2]];

#[test]
fn two_to_six_caches_keep_every_law_and_use_every_row_of_theirs() {
    for protocol in Protocol::ALL {
        let used: Rows = (2..=6).flat_map(|caches| reached(protocol, &[caches]).rows).collect();
        let mut expected = rows(protocol);
        // What only caches outside bring about.
        expected.retain(|(_, request)| !request.from_outside() && *request != Request::ReadShared);
        assert_eq!(used, expected, "{protocol}");
    }
}

#[test]
fn nested_directories_keep_every_law_and_use_every_row() {
    for protocol in Protocol::ALL {
        let used: Rows = NESTED.iter().flat_map(|shape| reached(protocol, shape).rows).collect();
        assert_eq!(used, rows(protocol), "{protocol}");
    }
}

/// n caches, of which one is as good as another:
///
/// - MESI: nobody, one exclusive, one modified, 1 to n sharers: 3 + n.
/// - MESIF: 1 to n - 1 sharers, as the last of n to ask forwards; a forwarder beside 0 to n - 1: 3 + 2n - 1.
/// - MOESI: as MESI, and an owner beside 0 to n - 1 sharers, memory being stale or not: 3 + n + 2n.
#[test]
fn as_many_states_as_counted_by_hand() {
    for n in 2..=6 {
        let states = Protocol::ALL.map(|protocol| reached(protocol, &[n]).worlds.len());
        assert_eq!(states, [3 + n, 3 + 2 * n - 1, 3 + n + 2 * n]);
    }
}

#[test]
fn the_search_finds_any_action_that_a_row_leaves_out() {
    for protocol in Protocol::ALL {
        for (state, request) in rows(protocol) {
            let Row::Go(next, actions) = transition(protocol, state, request) else { continue };
            for left_out in actions {
                let fewer = actions.iter().copied().filter(|action| action != left_out);
                let fewer: &'static [_] = Vec::leak(fewer.collect());
                let table = |at, by| match (at, by) == (state, request) {
                    true => Row::Go(next, fewer),
                    false => transition(protocol, at, by),
                };
                let caught = NESTED.iter().any(|shape| search(&table, shape).is_err());
                assert!(caught, "{protocol}: ({state:?}, {request:?}) does not need {left_out:?}");
            }
        }
    }
}

#[test]
fn the_search_finds_any_row_that_leads_to_another_state() {
    for protocol in Protocol::ALL {
        for (state, request) in rows(protocol) {
            let Row::Go(next, actions) = transition(protocol, state, request) else { continue };
            for wrong in State::ALL.into_iter().filter(|wrong| *wrong != next) {
                let table = |at, by| match (at, by) == (state, request) {
                    true => Row::Go(wrong, actions),
                    false => transition(protocol, at, by),
                };
                let caught = NESTED.iter().any(|shape| search(&table, shape).is_err());
                assert!(caught, "{protocol}: ({state:?}, {request:?}) may lead to {wrong:?}");
            }
        }
    }
}
