//! The engine against the oracle after every transaction: holders, their states, all directories, and the source of
//! the data.

use crate::oracle::{Move, Mover, Supply, World};
use crate::protocol::check;
use numalab_base::{Span, Time};
use numalab_coherence::protocol::{Protocol, Scope, Table, Tables};
use numalab_coherence::{Access, LineId, LineView, Lines, Served, Supplied, Transaction};
use numalab_machine::{CoreId, Fabric, Machine, NodeId, synthetic};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Synthetic machine. `shared`: false removes the caches that cores share.
pub fn machine(text: &str, shared: bool) -> Machine {
    let mut machine = synthetic(text).expect("a machine");
    machine.caches.retain(|cache| shared || cache.shared_by == 1);
    machine
}

/// Engine and oracle with a few lines.
pub struct Pair<'a> {
    pub lines: Lines<'a>,
    worlds: Vec<World>,
    /// Tables that the oracle executes.
    tables: &'a Tables,
    /// Number of domains, of groups in each, and of cores in each group.
    tree: [usize; 3],
}

impl<'a> Pair<'a> {
    /// Pair with `lines` uncached lines. The engine executes `tables`, the oracle `truth`.
    pub fn new(
        machine: &Machine,
        fabric: &'a Fabric,
        tables: &Tables,
        truth: &'a Tables,
        lines: u32,
    ) -> Pair<'a> {
        let mut engine = Lines::with_tables(machine, fabric, tables);
        engine.record();
        for line in 0..lines {
            engine.add_line(NodeId(line % fabric.nodes()));
        }
        let LineView { domains, groups, cores, .. } = engine.view(LineId(0));
        let (domains, groups, cores) = (domains.len(), groups.len(), cores.len());
        let tree = [domains, groups / domains, cores / groups];
        let worlds = vec![World::new(&tree, true); lines as usize];
        Pair { lines: engine, worlds, tables: truth, tree }
    }

    /// Executes the engine's recorded transactions in the oracle, and compares all copies.
    pub fn compare(&mut self) -> Result<(), String> {
        let mut met = BTreeSet::new();
        let transactions = self.lines.recorded();
        let one = transactions.len() == 1;
        for transaction in transactions {
            let Transaction { core: CoreId(core), line: LineId(line), kind } = transaction;
            let step = match kind {
                Served::Load => Move::Load,
                Served::Store => Move::Store,
                Served::Evict => Move::Evict,
            };
            let [_, groups, cores] = self.tree.map(|count| count as u32);
            let path = [core / cores / groups, core / cores % groups, core % cores].map(|at| at as usize);
            let world = &mut self.worlds[line as usize];
            let supply = Mover::new(self.tables, &mut BTreeSet::new()).step(world, &path, step)?;
            check(world, self.tables.at(Scope::Domain) != self.tables.at(Scope::Machine))?;
            if one && step != Move::Evict {
                self.compare_supply(line, &supply)?;
            }
            met.insert(line);
        }
        for line in met {
            let (engine, oracle) = (self.lines.view(LineId(line)), self.worlds[line as usize].view());
            if engine != oracle {
                return Err(format!("line {line}: the engine has {engine:#?}, the oracle {oracle:#?}"));
            }
        }
        Ok(())
    }

    /// Compares the source of data. If the oracle names several groups, any of them may have supplied it.
    fn compare_supply(&self, line: u32, supply: &Supply) -> Result<(), String> {
        let supplied = self.lines.supplied(LineId(line));
        let agrees = match supplied {
            Supplied::Nearby => *supply == Supply::default(),
            Supplied::Memory => supply.memory && supply.groups.is_empty(),
            Supplied::Group(group) => {
                let (group, groups) = (group as usize, self.tree[1]);
                !supply.memory && supply.groups.contains(&[group / groups, group % groups])
            }
        };
        if agrees { Ok(()) } else { Err(format!("the engine says {supplied:?}, the oracle {supply:?}")) }
    }
}

/// Next step of an agent: wait after its last answer, line, and operation.
#[derive(Clone, Copy, Debug)]
struct Step {
    wait: u64,
    line: u32,
    kind: Served,
}

fn steps() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let kinds = prop::sample::select(vec![Served::Load, Served::Load, Served::Store, Served::Evict]);
    // After long waits an agent is mostly alone; after short waits several agents want a line together.
    let waits = prop_oneof![0u64..3_000_000, 0u64..50_000];
    let step = (waits, 0u32..2, kinds).prop_map(|(wait, line, kind)| Step { wait, line, kind });
    prop::collection::vec(prop::collection::vec(step, 0..16), 1..24)
}

fn machines() -> impl Strategy<Value = Machine> {
    let texts = [
        "board:2 socket:2 core:4",
        "socket:2 core:3",
        "board:3 socket:2 core:2",
        "board:6 socket:1 core:2",
        "core:5",
    ];
    let requests = prop::option::of(1.0f64..4.0);
    (prop::sample::select(texts.to_vec()), any::<bool>(), 1u32..3, requests).prop_map(
        |(text, shared, threads, requests)| {
            let mut machine = machine(text, shared);
            machine.core.threads = threads;
            for level in &mut machine.levels {
                if let Some(controller) = &mut level.controller {
                    controller.requests = requests;
                }
            }
            machine
        },
    )
}

/// Tables of a machine with the protocol. `everywhere`: directories of every scope execute the protocol's own table.
fn tables(protocol: Protocol, everywhere: bool) -> Tables {
    match everywhere {
        true => Tables::everywhere(&Table::of(protocol)),
        false => Tables::of(protocol),
    }
}

/// Executes all steps, and compares engine and oracle after every event.
fn run(machine: &Machine, tables: &Tables, todo: &[Vec<Step>]) -> Result<(), String> {
    let fabric = Fabric::new(machine).map_err(|why| format!("{why:?}"))?;
    let mut pair = Pair::new(machine, &fabric, tables, tables, 2);
    let agents = todo.len().min(fabric.processors() as usize) as u32;
    let core = |agent: u32| CoreId(agent % fabric.cores());
    let mut next = vec![0; agents as usize];
    for number in 0..agents {
        let agent = pair.lines.add_agent(core(number));
        pair.lines.timer(Time::ZERO, agent);
    }
    // True for agents whose next event is the answer to a request.
    let mut asked = vec![false; agents as usize];
    while pair.lines.next().is_some() {
        let popped = pair.lines.pop();
        pair.compare()?;
        let Some((now, agent)) = popped else { continue };
        let at = agent.index();
        let Some(step) = todo[at].get(next[at]) else { continue };
        if std::mem::take(&mut asked[at]) {
            next[at] += 1;
            pair.lines.timer(now + Span(step.wait), agent);
            continue;
        }
        let line = LineId(step.line);
        let done = match step.kind {
            Served::Load => pair.lines.request(now, agent, line, Access::Read),
            Served::Store => pair.lines.request(now, agent, line, Access::Own),
            Served::Evict => {
                pair.lines.evict(now, core(agent.number()), line);
                Some(now)
            }
        };
        pair.compare()?;
        match done {
            Some(done) => {
                next[at] += 1;
                pair.lines.timer(done + Span(step.wait), agent);
            }
            None => asked[at] = true,
        }
    }
    match (0..agents as usize).all(|at| next[at] == todo[at].len()) {
        true => Ok(()),
        false => Err("somebody was never answered".to_owned()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Law: Rows of a protocol table decide what happens to copies.
    #[test]
    fn the_engine_holds_what_the_oracle_holds(
        machine in machines(),
        protocol in prop::sample::select(Protocol::ALL.to_vec()),
        everywhere in any::<bool>(),
        steps in steps(),
    ) {
        let tables = tables(protocol, everywhere);
        run(&machine, &tables, &steps).map_err(TestCaseError::fail)?;
    }
}
