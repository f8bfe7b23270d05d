//! Search of all states: every move of every cache, from the uncached line, until no state is new.

use super::laws::check;
use crate::oracle::{Move, Mover, World};
use numalab_coherence::protocol::{Protocol, Request, Row, Scope, State, Table, Tables, transition};
use std::collections::BTreeSet;

type Rows = BTreeSet<(State, Request)>;
type ScopedRows = BTreeSet<(Scope, State, Request)>;

/// Worlds and rows that the search has reached.
struct Reached {
    worlds: BTreeSet<World>,
    rows: ScopedRows,
}

/// All worlds and rows that can be reached from a world; the error names the first broken law and the moves.
fn search(tables: &Tables, start: World, mixed: bool) -> Result<Reached, String> {
    let start = start.canonical();
    let (mut worlds, mut rows) = (BTreeSet::from([start.clone()]), ScopedRows::new());
    let mut open = vec![start];
    while let Some(world) = open.pop() {
        for path in world.home.paths() {
            for step in Move::ALL {
                let after = Mover::new(tables, &mut rows).after(&world, &path, step);
                let after = after
                    .and_then(|after| check(&after, mixed).map(|()| after))
                    .map_err(|why| format!("{why}: {step:?} by {path:?} in {world:#?}"))?;
                if worlds.insert(after.clone()) {
                    open.push(after);
                }
            }
        }
    }
    Ok(Reached { worlds, rows })
}

/// True if a table keeps every law when used at every level of the trees in `NESTED`.
fn is_sound(table: &Table) -> bool {
    let tables = Tables::everywhere(table);
    NESTED.iter().all(|shape| search(&tables, World::new(shape, false), false).is_ok())
}

/// Worlds and rows that a protocol's table reaches in a tree of this shape.
fn reached(protocol: Protocol, shape: &[usize]) -> Reached {
    search(&Tables::everywhere(&Table::of(protocol)), World::new(shape, false), false)
        .unwrap_or_else(|why| panic!("{protocol}, {shape:?}: {why}"))
}

fn unscoped(rows: ScopedRows) -> impl Iterator<Item = (State, Request)> {
    rows.into_iter().map(|(_, state, request)| (state, request))
}

/// Rows of a protocol that can occur.
fn rows(protocol: Protocol) -> Rows {
    let all = State::ALL.into_iter().flat_map(|state| Request::ALL.map(|request| (state, request)));
    all.filter(|(state, request)| matches!(transition(protocol, *state, *request), Row::Go(..))).collect()
}

const NESTED: [&[usize]; 4] = [&[2, 2], &[2, 3], &[3, 2], &[2, 2, 2]];

#[test]
fn two_to_six_caches_keep_every_law_and_use_every_row_of_theirs() {
    for protocol in Protocol::ALL {
        let used: Rows = (2..=6).flat_map(|caches| unscoped(reached(protocol, &[caches]).rows)).collect();
        let mut expected = rows(protocol);
        // Requests that only caches outside the tree cause.
        expected.retain(|(_, request)| !request.from_outside() && *request != Request::ReadShared);
        assert_eq!(used, expected, "{protocol}");
    }
}

#[test]
fn nested_directories_keep_every_law_and_use_every_row() {
    for protocol in Protocol::ALL {
        let used: Rows = NESTED.iter().flat_map(|shape| unscoped(reached(protocol, shape).rows)).collect();
        assert_eq!(used, rows(protocol), "{protocol}");
    }
}

/// A machine has a table for each scope, and a cache that the cores of a group share.
#[test]
fn the_tables_of_a_machine_keep_every_law_together() {
    for protocol in Protocol::ALL {
        let mut inside = Rows::new();
        for shape in [[2, 2, 2], [2, 3, 1], [3, 2, 1], [1, 3, 2]] {
            let reached = search(&Tables::of(protocol), World::new(&shape, true), true)
                .unwrap_or_else(|why| panic!("{protocol}, {shape:?}: {why}"));
            let rows = reached.rows.into_iter().filter(|(scope, ..)| *scope == Scope::Domain);
            inside.extend(rows.map(|(_, state, request)| (state, request)));
        }
        assert_eq!(inside, rows(protocol), "{protocol}: every row serves a board");
    }
}

/// Number of worlds with n interchangeable caches:
///
/// - MESI: uncached, one exclusive, one modified, 1 to n sharers: 3 + n.
/// - MESIF: 1 to n - 1 sharers (the last of n requesters is the forwarder), a forwarder with 0 to n - 1 sharers: 3 +
///   2n - 1.
/// - MOESI: as MESI, and an owner with 0 to n - 1 sharers, where memory is current or stale: 3 + n + 2n.
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
                let table = Table::of(protocol).with(state, request, Row::Go(next, fewer));
                assert!(!is_sound(&table), "{protocol}: ({state:?}, {request:?}) does not need {left_out:?}");
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
                let table = Table::of(protocol).with(state, request, Row::Go(wrong, actions));
                assert!(!is_sound(&table), "{protocol}: ({state:?}, {request:?}) may lead to {wrong:?}");
            }
        }
    }
}
