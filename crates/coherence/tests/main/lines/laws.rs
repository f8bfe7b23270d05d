//! Laws that hold for any sequence of requests, against a plain model of the holders.

use numalab_base::Time;
use numalab_coherence::{Access, AgentId, LineId, Lines};
use numalab_machine::{CoreId, Fabric, Machine, NodeId, Protocol, synthetic};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Holders of a line as a set, which has one element after a write.
#[derive(Clone, Debug, Default)]
struct Plain {
    holders: BTreeSet<u32>,
    /// Time at which the last writer received the line, and time until which the writer keeps the line.
    owned_at: u64,
    busy_until: u64,
}

/// Next step of an agent: wait after its last answer, line, true if it writes, and time for which a writer keeps the
/// line.
#[derive(Clone, Copy, Debug)]
struct Step {
    wait: u64,
    line: u32,
    writes: bool,
    holds: u64,
}

fn steps() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let step = (0u64..300_000, 0u32..3, any::<bool>(), prop_oneof![Just(0u64), 0u64..50_000])
        .prop_map(|(wait, line, writes, holds)| Step { wait, line, writes, holds });
    prop::collection::vec(prop::collection::vec(step, 0..12), 1..40)
}

fn machines() -> impl Strategy<Value = Machine> {
    let texts = ["board:2 socket:2 core:4", "socket:2 core:3", "board:3 socket:2 core:2", "core:5"];
    let protocols = prop::sample::select(Protocol::ALL.to_vec());
    (prop::sample::select(texts.to_vec()), protocols, 1u32..3, prop::option::of(1.0f64..4.0), any::<bool>())
        .prop_map(|(text, protocol, threads, requests, shares)| {
            let mut machine = synthetic(text).expect("a machine");
            machine.protocol = protocol;
            machine.core.threads = threads;
            for level in &mut machine.levels {
                if let Some(controller) = &mut level.controller {
                    controller.requests = requests;
                }
            }
            if !shares {
                machine.caches.retain(|cache| cache.shared_by == 1);
            }
            machine
        })
}

/// Answers of a run: time, agent, true for a write.
type Log = Vec<(u64, u32, bool)>;

struct Run<'a> {
    lines: Lines<'a>,
    cores: Vec<u32>,
    todo: Vec<Vec<Step>>,
    /// Step for which an agent waits: `None` during a pause.
    asked: Vec<Option<Step>>,
    plain: Vec<Plain>,
    now: u64,
    log: Log,
    hits: u64,
}

impl<'a> Run<'a> {
    fn new(machine: &Machine, fabric: &'a Fabric, todo: &[Vec<Step>]) -> Run<'a> {
        let mut lines = Lines::new(machine, fabric);
        let agents = todo.len().min(fabric.processors() as usize);
        let cores: Vec<u32> = (0..agents as u32).map(|agent| agent % fabric.cores()).collect();
        for core in &cores {
            lines.add_agent(CoreId(*core));
        }
        for line in 0..3 {
            lines.add_line(NodeId(line % fabric.nodes()));
        }
        let mut todo: Vec<Vec<Step>> = todo[..agents].to_vec();
        todo.iter_mut().for_each(|steps| steps.reverse());
        let (asked, plain) = (vec![None; agents], vec![Plain::default(); 3]);
        Run { lines, cores, todo, asked, plain, now: 0, log: Vec::new(), hits: 0 }
    }

    /// Sets a timer for the agent's next step, if it has one: the step's wait after `from`.
    fn rest(&mut self, from: u64, agent: u32) {
        if let Some(step) = self.todo[agent as usize].last() {
            self.lines.timer(Time(from + step.wait), AgentId::new(agent));
        }
    }

    /// Handles the arrival of an agent's line: checks the laws and updates the plain model.
    fn has(&mut self, at: u64, agent: u32, step: Step, hit: bool) -> Result<(), TestCaseError> {
        let core = self.cores[agent as usize];
        let plain = &mut self.plain[step.line as usize];
        if hit {
            self.hits += 1;
            prop_assert!(plain.holders.contains(&core), "a hit needs a copy");
            if step.writes {
                prop_assert_eq!(plain.holders.len(), 1, "a writer is alone");
            }
        }
        if step.writes {
            prop_assert!(at >= plain.busy_until, "two writers at a time: {at} {agent} {plain:?}");
            *plain = Plain { holders: BTreeSet::from([core]), owned_at: at, busy_until: at + step.holds };
            self.lines.hold(LineId(step.line), Time(at + step.holds));
        } else if hit || at != plain.owned_at {
            // A copy that arrives at the time at which another core becomes owner is lost.
            plain.holders.insert(core);
        }
        self.log.push((at, agent, step.writes));
        self.rest(at + step.holds, agent);
        Ok(())
    }

    fn due(&mut self, agent: u32) -> Result<(), TestCaseError> {
        if let Some(step) = self.asked[agent as usize].take() {
            self.has(self.now, agent, step, false)?;
        } else if let Some(step) = self.todo[agent as usize].pop() {
            let access = if step.writes { Access::Own } else { Access::Read };
            match self.lines.request(Time(self.now), AgentId::new(agent), LineId(step.line), access) {
                Some(at) => {
                    prop_assert!(at >= Time(self.now));
                    self.has(at.0, agent, step, true)?;
                }
                None => self.asked[agent as usize] = Some(step),
            }
        }
        Ok(())
    }

    fn all(mut self) -> Result<(Log, u64), TestCaseError> {
        (0..self.cores.len() as u32).for_each(|agent| self.rest(0, agent));
        let requests: usize = self.todo.iter().map(Vec::len).sum();
        let mut last = (Time::ZERO, 0);
        while let Some(next) = self.lines.next() {
            prop_assert!(next >= Time(self.now), "time runs backwards");
            let Some((now, agent)) = self.lines.pop() else { continue };
            let agent = agent.number();
            prop_assert!(now >= next);
            prop_assert!((now, agent) > last || now == last.0, "{now:?} {agent} after {last:?}");
            last = (Time(now.0), agent);
            self.now = now.0;
            self.due(agent)?;
        }
        prop_assert!(self.asked.iter().all(Option::is_none), "somebody was never answered");
        prop_assert!(self.todo.iter().all(Vec::is_empty));
        prop_assert_eq!(self.log.len(), requests);
        let counts = self.lines.counts();
        prop_assert_eq!(counts.hits, self.hits);
        prop_assert_eq!(counts.hits + counts.transactions(), requests as u64);
        Ok((self.log, counts.transactions()))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Every request is answered once, a writer is the only holder, writers do not overlap, time never decreases,
    /// counts add up, and equal requests have equal answers.
    #[test]
    fn one_writer_at_a_time(machine in machines(), steps in steps()) {
        let fabric = Fabric::new(&machine).expect("sound");
        let first = Run::new(&machine, &fabric, &steps).all()?;
        let second = Run::new(&machine, &fabric, &steps).all()?;
        prop_assert_eq!(first, second);
    }
}
