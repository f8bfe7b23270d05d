//! Every row of every table is changed. The engine executes the changed table and must differ from the oracle in its
//! copies or in the sources of data.

use super::agreement::{Pair, machine};
use numalab_base::Time;
use numalab_coherence::protocol::{CacheState, Protocol, Request, Row, State, Table, Tables, transition};
use numalab_coherence::{Access, AgentId, LineId};
use numalab_machine::{CoreId, Fabric, Machine};

/// Number of loads and stores by random cores, and evictions by random holders, one after another.
const STEPS: u64 = 3000;

/// Picoseconds between steps: every transaction is over by then.
const LATER: u64 = 100_000_000;

/// Error with the first difference between an engine with `tables` and an oracle with `truth`.
fn difference(machine: &Machine, fabric: &Fabric, tables: &Tables, truth: &Tables) -> Result<(), String> {
    let mut pair = Pair::new(machine, fabric, tables, truth, 1);
    for core in 0..fabric.cores() {
        pair.lines.add_agent(CoreId(core));
    }
    let mut random = 1u64;
    for step in 0..STEPS {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (now, core) = (step * LATER, (random >> 33) as u32 % fabric.cores());
        let access = match random >> 60 {
            0..7 => Access::Read,
            7..9 => Access::Own,
            _ => {
                let copies = pair.lines.view(LineId(0)).cores;
                let holders: Vec<u32> = (0..fabric.cores())
                    .filter(|core| copies[*core as usize] != CacheState::Invalid)
                    .collect();
                if !holders.is_empty() {
                    let core = holders[core as usize % holders.len()];
                    pair.lines.evict(Time(now), CoreId(core), LineId(0));
                    pair.compare()?;
                }
                continue;
            }
        };
        if pair.lines.request(Time(now), AgentId::new(core), LineId(0), access).is_none() {
            while pair.lines.next().is_some() {
                pair.lines.pop();
            }
        }
        pair.compare()?;
    }
    Ok(())
}

/// Every table that differs from a protocol's in one place, with a description of the difference.
fn mutants(protocol: Protocol) -> Vec<(String, Table)> {
    let mut mutants = Vec::new();
    for (state, request) in
        State::ALL.into_iter().flat_map(|state| Request::ALL.map(|request| (state, request)))
    {
        let Row::Go(next, actions) = transition(protocol, state, request) else { continue };
        let mut add = |how: String, row| {
            let table = Table::of(protocol).with(state, request, row);
            mutants.push((format!("{protocol} ({state:?}, {request:?}) {how}"), table));
        };
        add("left out".to_owned(), Row::Never("left out"));
        for wrong in State::ALL.into_iter().filter(|wrong| *wrong != next) {
            add(format!("to {wrong:?}"), Row::Go(wrong, actions));
        }
        for left_out in actions {
            let fewer = actions.iter().copied().filter(|action| action != left_out);
            add(format!("without {left_out:?}"), Row::Go(next, Vec::leak(fewer.collect())));
        }
    }
    mutants
}

/// Descriptions of the broken tables that go unnoticed. `seen`: true if a broken table (first argument; the second is
/// the sound one) is noticed.
fn broken(seen: impl Fn(&Tables, &Tables) -> bool) -> Vec<String> {
    let of = |protocol| {
        let truth = Tables::everywhere(&Table::of(protocol));
        let seen = &seen;
        let unseen = move |(_, table): &(String, Table)| !seen(&Tables::everywhere(table), &truth);
        mutants(protocol).into_iter().filter(unseen).map(|(how, _)| how)
    };
    Protocol::ALL.into_iter().flat_map(of).collect()
}

/// Law: Rows of a protocol table decide what happens to copies.
#[test]
fn an_engine_that_executes_a_broken_row_holds_something_else() {
    let machine = machine("board:3 socket:2 core:3", true);
    let fabric = Fabric::new(&machine).expect("sound");
    for protocol in Protocol::ALL {
        for tables in [Tables::of(protocol), Tables::everywhere(&Table::of(protocol))] {
            assert_eq!(difference(&machine, &fabric, &tables, &tables), Ok(()), "{protocol}");
        }
    }
    let unseen = broken(|tables, truth| difference(&machine, &fabric, tables, truth).is_err());
    assert!(unseen.is_empty(), "the engine does the same with {unseen:#?}");
}

/// Engine and oracle execute the same broken row: either they differ, or a law is broken.
#[test]
fn a_broken_row_is_seen_where_the_oracle_has_it_too() {
    let machine = machine("board:3 socket:2 core:3", true);
    let fabric = Fabric::new(&machine).expect("sound");
    let unseen = broken(|tables, _| difference(&machine, &fabric, tables, tables).is_err());
    assert!(unseen.is_empty(), "nothing is wrong with {unseen:#?}");
}
