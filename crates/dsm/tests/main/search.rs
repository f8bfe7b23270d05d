//! Search of every state of one page, on 2 to 5 nodes, by a plain interpreter of the rows: each request is one step.

use numalab_dsm::Right;
use numalab_dsm::protocol::{Answer, Ask, Next, Request, Row, Standing, State, Table};
use std::collections::BTreeSet;

/// A page: its directory entry, and the rights of nodes. Node 0 is the master.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    owner: Option<usize>,
    copies: BTreeSet<usize>,
    rights: Vec<Right>,
}

type Rows = BTreeSet<(State, Request, Standing)>;

/// State of the page after one request has been served completely. `targets`: expected next users. Adds the executed
/// row to `rows`.
fn step(
    table: &Table,
    world: &World,
    request: Request,
    asker: usize,
    targets: &BTreeSet<usize>,
    rows: &mut Rows,
) -> World {
    let mut next = world.clone();
    let state = if world.owner.is_some() { State::Owned } else { State::Shared };
    let holds = world.owner == Some(asker) || world.copies.contains(&asker);
    let standing = if holds { Standing::Holder } else { Standing::Bare };
    rows.insert((state, request, standing));
    let Row { ask, answer, next: entry } = table.row(state, request, standing);
    match ask {
        Ask::Nothing => {}
        Ask::Fetch => next.rights[world.owner.unwrap_or(0)] = Right::Read,
        Ask::FetchInvalidate => next.rights[world.owner.unwrap_or(0)] = Right::None,
        Ask::InvalidateOthers => {
            world
                .copies
                .iter()
                .filter(|node| **node != asker)
                .for_each(|node| next.rights[*node] = Right::None);
        }
        Ask::DropOwn if asker != 0 => next.rights[asker] = Right::None,
        Ask::DropOwn => {}
    }
    match entry {
        Next::Same => {}
        Next::AddRequester => drop(next.copies.insert(asker)),
        Next::Share => {
            next.copies = [Some(0), Some(asker), next.owner.take()].into_iter().flatten().collect();
            next.rights[0] = Right::Read;
        }
        Next::Own => (next.owner, next.copies) = (Some(asker), BTreeSet::new()),
        Next::ShareAhead => {
            next.copies.extend(next.owner.take());
            next.copies.insert(0);
            next.rights[0] = Right::Read;
        }
        Next::DropRequester if asker != 0 => drop(next.copies.remove(&asker)),
        Next::DropRequester => {}
        Next::OwnWriter => next.owner = targets.first().copied(),
    }
    let to_asker = if next.owner == Some(asker) { Right::Write } else { Right::Read };
    match answer {
        Answer::Grant | Answer::Page => next.rights[asker] = to_asker,
        Answer::PageToReaders => {
            for reader in targets {
                if next.copies.insert(*reader) {
                    next.rights[*reader] = Right::Read;
                }
            }
        }
        Answer::UpgradeLast => {
            let writer = *targets.first().unwrap();
            if next.copies.contains(&writer) && next.copies.iter().all(|node| [0, writer].contains(node)) {
                (next.owner, next.copies) = (Some(writer), BTreeSet::new());
                next.rights[0] = Right::None;
                next.rights[writer] = Right::Write;
            }
        }
        Answer::PageToWriter => {
            next.rights[*targets.first().unwrap()] = Right::Write;
        }
        Answer::Nothing => {}
    }
    next
}

/// Checks all laws; the error names the first broken one.
fn check(
    before: &World,
    world: &World,
    request: Request,
    asker: usize,
    targets: &BTreeSet<usize>,
) -> Result<(), String> {
    let writers: Vec<usize> =
        (0..world.rights.len()).filter(|node| world.rights[*node] == Right::Write).collect();
    let readers: BTreeSet<usize> =
        (0..world.rights.len()).filter(|node| world.rights[*node] == Right::Read).collect();
    let held = before.rights[asker] != Right::None;
    let writer = targets.first().copied().unwrap_or(0);
    let wrong = if writers.len() > 1 || writers.len() == 1 && !readers.is_empty() {
        "a writer is alone"
    } else if world.owner != writers.first().copied() || world.owner.is_none() && world.copies != readers {
        "entry and copies agree"
    } else if world.owner.is_none() && !world.copies.contains(&0) {
        "the master has a copy of what is shared"
    } else if request == Request::Read && world.rights[asker] == Right::None
        || request == Request::Write && world.rights[asker] != Right::Write
    {
        "every request is answered"
    } else if request == Request::Presend
        && held
        && targets.iter().any(|node| world.rights[*node] == Right::None)
    {
        "who is expected to read has the page"
    } else if request == Request::Preinvalidate
        && before.rights[asker] == Right::Write
        && world.owner != Some(writer)
    {
        "a dirty page moves to who is expected to write"
    } else if request == Request::Preinvalidate && held && asker != 0 && world.rights[asker] != Right::None {
        "who is done has no copy"
    } else if request == Request::Preinvalidate
        && held
        && before.copies.contains(&writer)
        && before.copies.iter().all(|node| [0, asker, writer].contains(node))
        && world.owner != Some(writer)
    {
        "the last copy is upgraded"
    } else if !held && matches!(request, Request::Presend | Request::Preinvalidate) && world != before {
        "who has no copy releases nothing"
    } else {
        return Ok(());
    };
    Err(format!("{wrong}: {request:?} by {asker} for {targets:?}: {before:?} -> {world:?}"))
}

fn search(table: &Table, nodes: usize) -> Result<(usize, Rows), String> {
    let mut rights = vec![Right::None; nodes];
    rights[0] = Right::Write;
    let start = World { owner: Some(0), copies: BTreeSet::new(), rights };
    let (mut worlds, mut rows) = (BTreeSet::from([start.clone()]), Rows::new());
    let mut open = vec![start];
    while let Some(world) = open.pop() {
        for asker in 0..nodes {
            for request in Request::ALL {
                let sets: Vec<BTreeSet<usize>> = match request {
                    Request::Read | Request::Write => vec![BTreeSet::new()],
                    Request::Presend => (1..1_u32 << nodes)
                        .map(|bits| {
                            (0..nodes).filter(|node| bits >> node & 1 == 1 && *node != asker).collect()
                        })
                        .collect(),
                    Request::Preinvalidate => {
                        (0..nodes).filter(|node| *node != asker).map(|node| BTreeSet::from([node])).collect()
                    }
                };
                for targets in sets {
                    let after = step(table, &world, request, asker, &targets, &mut rows);
                    check(&world, &after, request, asker, &targets)?;
                    if worlds.insert(after.clone()) {
                        open.push(after);
                    }
                }
            }
        }
    }
    Ok((worlds.len(), rows))
}

/// Law: Rows of the shared-page protocol keep every law, and a broken row is noticed.
///
/// States: one owner of n nodes, or shared by the master and any subset of the others: n + 2^(n - 1). Every row
/// occurs.
#[test]
fn the_table_keeps_every_law() {
    for nodes in 2..=5 {
        let (worlds, rows) = search(&Table::default(), nodes).unwrap();
        assert_eq!(worlds, nodes + (1 << (nodes - 1)), "{nodes} nodes");
        assert_eq!(rows.len(), State::ALL.len() * Request::ALL.len() * Standing::ALL.len());
    }
}

/// Each row in turn loses its request to other nodes, its answer, or its change of the entry; the search notices each
/// loss.
#[test]
fn every_broken_row_is_noticed() {
    let table = Table::default();
    for state in State::ALL {
        for request in Request::ALL {
            for standing in Standing::ALL {
                let row = table.row(state, request, standing);
                let broken = [
                    Row { ask: Ask::Nothing, ..row },
                    Row { answer: Answer::Nothing, ..row },
                    Row { next: Next::Same, ..row },
                ];
                // A grant to a node that has the right already only wakes workers.
                let wakes = row.ask == Ask::Nothing && row.next == Next::Same;
                for broken in broken.into_iter().filter(|broken| *broken != row && !wakes) {
                    let outcome = search(&table.clone().with(state, request, standing, broken), 4);
                    assert!(outcome.is_err(), "{state:?} {request:?} {standing:?} as {broken:?}");
                }
            }
        }
    }
}
