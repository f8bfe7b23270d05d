//! `numalab protocol`: the coherence tables of the engine.

use crate::failure::Failure;
use crate::flags::{Protocol, ProtocolFormat};
use crate::output::{Destination, check_apart};
use crate::terminal;
use numalab_coherence::protocol::{Action, CacheState, NextState, Request, Row, State, transition};
use numalab_machine::Protocol as Name;
use numalab_report as report;
use numalab_results::{NeverRow, ProtocolRow, ProtocolTable, SCHEMA_VERSION, Word};

/// Writes the table and, if asked for, the diagram.
pub fn run(flags: &Protocol) -> Result<(), Failure> {
    let output = flags.destination();
    let dot = flags.dot.clone().map(Destination::from);
    let mut places = vec![("the table", &output)];
    places.extend(dot.iter().map(|dot| ("the diagram", dot)));
    check_apart(&places)?;

    let table = table(flags.name);
    let text = match flags.format() {
        ProtocolFormat::Table => report::table(&table, terminal::style(&output, report::Bars::None)),
        ProtocolFormat::Json => report::json(&table),
        ProtocolFormat::Csv => report::csv(&table),
        ProtocolFormat::Markdown => report::markdown(&table),
    };
    let written = output.write(text.as_bytes());
    // If the reader of the table left early, the diagram is still written.
    let drawn = dot.map_or(Ok(()), |dot| dot.write(report::protocol_dot(&table).as_bytes()));
    match written {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(written),
        failed => failed,
    }
}

/// Table of a protocol as a result, with the meanings of its states, requests and actions.
fn table(protocol: Name) -> ProtocolTable {
    let (mut seen, mut rows, mut never) = (Vec::new(), Vec::new(), Vec::new());
    for state in State::ALL {
        for request in Request::ALL {
            match transition(protocol, state, request) {
                Row::Go(next, actions) => {
                    rows.push(row(state, request, next, actions));
                    seen.push((state, request, actions));
                }
                Row::Never(reason) => never.push(NeverRow {
                    state: state.name().to_owned(),
                    request: request.name().to_owned(),
                    reason: reason.to_owned(),
                }),
            }
        }
    }
    let states = State::ALL.into_iter().filter(|state| seen.iter().any(|row| row.0 == *state));
    // States of other protocols never occur and are not listed.
    never.retain(|row: &NeverRow| states.clone().any(|state| state.name() == row.state));
    let requests = Request::ALL.into_iter().filter(|request| seen.iter().any(|row| row.1 == *request));
    let actions = Action::ALL.into_iter().filter(|action| seen.iter().any(|row| row.2.contains(action)));
    let occurs = |letter: &str| {
        let outcomes = |row: &ProtocolRow| {
            [&row.requester, &row.owner, &row.forwarder, &row.sharers]
                .into_iter()
                .any(|state| state.as_deref() == Some(letter))
        };
        rows.iter().any(outcomes)
    };
    let copies = CacheState::ALL.into_iter().filter(|copy| occurs(copy.letter()));
    ProtocolTable {
        schema_version: SCHEMA_VERSION,
        protocol: protocol.name().to_owned(),
        states: states.map(|state| word(state.name(), state.meaning())).collect(),
        requests: requests.map(|request| word(request.name(), request.meaning())).collect(),
        actions: actions.map(|action| word(action.name(), action.meaning())).collect(),
        copies: copies.map(|copy| word(copy.letter(), copy.meaning())).collect(),
        rows,
        never,
    }
}

fn row(state: State, request: Request, next: State, actions: &[Action]) -> ProtocolRow {
    let after = NextState::of(request, actions);
    let letter = |copy: Option<CacheState>| copy.map(|copy| copy.letter().to_owned());
    ProtocolRow {
        state: state.name().to_owned(),
        request: request.name().to_owned(),
        next: next.name().to_owned(),
        actions: actions.iter().map(|action| action.name().to_owned()).collect(),
        requester: letter(after.requester),
        owner: letter(after.owner),
        // `InvalidateSharers` also invalidates the forwarder's copy; only the state `Forwarded` has a forwarder.
        forwarder: letter(after.forwarder).filter(|_| state == State::Forwarded),
        sharers: letter(after.sharers),
    }
}

fn word(name: &str, meaning: &str) -> Word {
    Word { name: name.to_owned(), meaning: meaning.to_owned() }
}
