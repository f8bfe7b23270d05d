//! Line transactions: the holders of each line, and the time of the next hand-over.
//!
//! | module | what |
//! |---|---|
//! | `topology` | groups, domains, and the times of their caches |
//! | `ways` | routes between homes and groups, cached |
//! | `ports` | queues at links, caches and memory |
//! | `slots` | limits of requests beyond a controller |
//! | `holders` | sets of cores |
//! | `agenda`, `ring` | the queue of events |
//! | `line`, `agent` | state of a line, state of an agent |
//! | `access` | lines, kinds of access, counts of requests |
//! | `request` | requests of agents, evictions |
//! | `rows` | protocol tables, compiled |
//! | `chain` | requests of an access, from directory to directory |
//! | `lists` | storage for lines with several directories of a scope |
//! | `directories` | the directories of a line |
//! | `exclusive_fast_path` | fast path for hits on exclusive lines |
//! | `copies`, `execute` | the execution of rows |
//! | `jitter` | variation of the time until an owner hears of a request |
//! | `request_plan` | service point of a request, and source of the data |
//! | `inspect` | the state of a line, for tests and tools |
//! | `snapshot` | state of all lines, for cycle detection |
//! | `cost` | latency of a request |
//! | `fetch` | misses of one group that merge |
//! | `serve` | one transaction at a time on each line |
//! | `turn` | the request that a line's owner hears of next |
//! | `waiting` | the queue of a line |

// Glossary: line transaction: A request for a cache line that a core's own copy cannot serve, with all that
//   it causes until the core has the line.

mod access;
mod agenda;
mod agent;
mod chain;
mod copies;
mod cost;
mod directories;
mod exclusive_fast_path;
mod execute;
mod fetch;
mod holders;
mod inspect;
mod jitter;
mod line;
mod lists;
mod ports;
mod request;
mod request_plan;
mod ring;
mod rows;
mod serve;
mod slots;
mod snapshot;
mod topology;
mod turn;
mod waiting;
mod ways;

use crate::protocol::Tables;
pub use access::{Access, Counts, LineId};
use agenda::Agenda;
pub use agent::AgentId;
use agent::{Agent, Phase};
use chain::Owned;
use copies::Copies;
use exclusive_fast_path::Exclusive;
pub use exclusive_fast_path::Owner;
use holders::Sets;
pub use inspect::{DirectoryView, LineView, Served, Supplied, Transaction};
use jitter::Jitter;
use line::Line;
use numalab_base::{Span, Time};
use numalab_machine::{CoreId, Fabric, Machine, NodeId, ResourceId};
use ports::Ports;
use rows::Rows;
use slots::Slots;
use topology::Topology;
use ways::Ways;

/// Time ahead of the present that the ring of the event queue covers, in latencies of local memory.
const NEAR: u64 = 16;

/// Coherence engine: the lines and agents of a run, and the queue of their events. An agent is a hardware thread with
/// at most one request or timer.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    topology: Topology,
    rows: Rows,
    owned: Owned,
    ways: Ways<'a>,
    ports: Ports,
    slots: Vec<Slots>,
    sets: Sets,
    lines: Vec<Line>,
    /// Node of the lines that are added for each node; empty if each node holds its own.
    homes: Vec<NodeId>,
    exclusive: Vec<Exclusive>,
    /// True if every access takes the slow path, so that an observer sees it.
    asks_always: bool,
    agents: Vec<Agent>,
    /// Last agent added on each core; earlier ones are linked by `Agent::neighbour`.
    residents: Vec<Option<AgentId>>,
    /// First agent of each group that fetches a line for the group, by group; further ones are linked by
    /// `Agent::fetcher`.
    fetchers: Vec<Option<AgentId>>,
    agenda: Agenda,
    ready: Option<Ready>,
    /// Agents that polled a line, each with the time at which it has the line, until the caller takes them.
    looks: Vec<(Time, AgentId)>,
    /// Scopes that contain a core and others, by scope.
    scopes: [bool; 3],
    jitter: Jitter,
    counts: Counts,
    /// Transactions in the order of their effect; `None` if not recorded.
    log: Option<Vec<Transaction>>,
}

/// Steps that follow when an agent has received its line. The next call of [`Lines::pop`] takes them: by then the
/// caller has stated how long the agent keeps the line.
#[derive(Clone, Copy, Debug)]
struct Ready {
    at: Time,
    /// Line whose queue is served next.
    line: Option<LineId>,
    /// Child of a node controller (the cores below one of its links) that got a slot back, numbered across the
    /// machine.
    child: Option<u32>,
}

impl<'a> Lines<'a> {
    /// Engine without lines and agents, with the tables of the machine's protocol.
    pub fn new(machine: &Machine, fabric: &'a Fabric) -> Lines<'a> {
        Lines::with_tables(machine, fabric, &Tables::of(machine.protocol))
    }

    /// As [`Lines::new`], with other protocol tables.
    pub fn with_tables(machine: &Machine, fabric: &'a Fabric, tables: &Tables) -> Lines<'a> {
        let topology = Topology::new(machine, fabric);
        let rows = Rows::new(tables);
        Lines {
            owned: Owned::new(&rows),
            rows,
            ways: Ways::new(fabric, &topology),
            ports: Ports::new(&topology, fabric),
            slots: Slots::all(&topology),
            sets: Sets::new(topology.cores),
            lines: Vec::new(),
            homes: Vec::new(),
            exclusive: Vec::new(),
            asks_always: false,
            agents: Vec::new(),
            residents: vec![None; topology.cores as usize],
            fetchers: vec![None; topology.groups() as usize],
            agenda: Agenda::new(NEAR * topology.local_miss),
            ready: None,
            looks: Vec::new(),
            scopes: topology.scopes(),
            jitter: Jitter::default(),
            counts: Counts::default(),
            log: None,
            topology,
        }
    }

    /// Adds a thread on a core. Agents are numbered from 0 in the order of addition.
    pub fn add_agent(&mut self, CoreId(core): CoreId) -> AgentId {
        let agent = AgentId::new(self.agents.len() as u32);
        let neighbour = self.residents[core as usize].replace(agent);
        if let Some(neighbour) = neighbour {
            self.agents[neighbour.index()].alone = false;
        }
        self.agents.push(Agent::new(core, self.topology.group_of(core), neighbour));
        self.agenda.add();
        agent
    }

    /// Reserves memory for exactly `threads` more agents.
    pub fn reserve(&mut self, threads: usize) {
        self.agents.reserve_exact(threads);
    }

    /// Adds a helper on a thread's core: an agent that requests ownership of lines to which the thread stores.
    pub fn add_helper(&mut self, thread: AgentId) -> AgentId {
        let Agent { core, group, alone, .. } = self.agents[thread.index()];
        let agent = AgentId::new(self.agents.len() as u32);
        self.agents.push(Agent { alone, ..Agent::new(core, group, None) });
        self.agenda.add();
        agent
    }

    /// Latency of a hit in the core's innermost cache.
    #[inline]
    pub fn hit(&self) -> Span {
        self.topology.hit
    }

    /// Number of the group of an agent's core (the cores that share its last-level cache), below [`Lines::groups`].
    #[inline]
    pub fn group_of(&self, agent: AgentId) -> usize {
        self.agents[agent.index()].group as usize
    }

    pub fn groups(&self) -> usize {
        self.fetchers.len()
    }

    /// Sets the node of the lines that are added for each node, by node.
    pub fn home_lines_at(&mut self, nearest: Vec<NodeId>) {
        self.homes = nearest;
    }

    /// Adds an uncached line for a node, which is its home unless [`Lines::home_lines_at`] names another one.
    pub fn add_line(&mut self, home: NodeId) -> LineId {
        let home = self.homes.get(home.0 as usize).copied().unwrap_or(home);
        self.lines.push(Line::new(home));
        self.exclusive.push(Exclusive::default());
        LineId(self.lines.len() as u32 - 1)
    }

    /// Sets the wait of each message that crosses a link, or of each line that is read from a memory, caused by bulk
    /// flows.
    pub fn load(&mut self, resource: ResourceId, wait: Span) {
        self.ports.load(resource, wait);
    }

    /// Keeps a line at its present core until a time: other requests wait until then.
    #[inline]
    pub fn hold(&mut self, line: LineId, until: Time) {
        let exclusive = &mut self.exclusive[line.index()];
        let before = exclusive.free_at;
        let until = until.max(before);
        exclusive.free_at = until;
        let state = &self.lines[line.index()];
        if let Some(agent) = state.lone {
            let Agent { place, arrives, reach, .. } = self.agents[agent.index()];
            let reached = self.hears(state, place, arrives, reach);
            let this = &mut self.agents[agent.index()];
            let later = until.since(before.max(reached));
            this.answer += later;
            this.release += later;
            self.agenda.set(agent, this.answer);
        }
    }

    /// True if some request for the line has not been served yet.
    #[inline]
    pub fn is_wanted(&self, line: LineId) -> bool {
        let state = &self.lines[line.index()];
        state.first.is_some() || state.lone.is_some()
    }

    /// Makes [`Lines::pop`] return the agent at a time.
    #[inline]
    pub fn timer(&mut self, at: Time, agent: AgentId) {
        self.agents[agent.index()].phase = Phase::Timer;
        self.agenda.set(agent, at);
    }

    /// Time of the next event, internal or not: a lower bound on the time of the next result of [`Lines::pop`].
    /// `None` without events.
    #[inline]
    pub fn next(&self) -> Option<Time> {
        match self.ready {
            Some(Ready { at, .. }) => Some(at),
            None => self.agenda.next(),
        }
    }

    /// Handles the next event, by time and then by agent. Returns the agent whose request or timer is due; `None` if
    /// the event is internal or if there is none.
    pub fn pop(&mut self) -> Option<(Time, AgentId)> {
        if let Some(Ready { at, line, child }) = self.ready.take() {
            if let Some(line) = line {
                self.serve_next(at, line);
            }
            if let Some(child) = child {
                self.use_slot(at, child);
            }
            return None;
        }
        let (now, agent) = self.agenda.pop()?;
        match self.agents[agent.index()].phase {
            Phase::Timer => {}
            Phase::Queued => {
                self.serve_first(now, agent);
                return None;
            }
            Phase::Alone => {
                self.settle(agent);
                self.finish(now, agent);
            }
            Phase::Answer => self.finish(now, agent),
            Phase::Idle | Phase::Slot | Phase::Follows => debug_assert!(false, "these have no entry"),
        }
        self.agents[agent.index()].phase = Phase::Idle;
        Some((now, agent))
    }

    /// View of a line's copies on which rows are executed.
    #[inline]
    fn copies(&mut self, line: LineId) -> Copies<'_> {
        let Lines { topology, rows, sets, lines, .. } = self;
        Copies { topology, rows, sets, line: &mut lines[line.index()] }
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Ends the request of an agent whose line has arrived, and stores the remaining work in `ready`.
    fn finish(&mut self, now: Time, agent: AgentId) {
        let this = &self.agents[agent.index()];
        let (line, scope) = (this.line, this.scope);
        let mut next = None;
        if this.access == Access::Own {
            let state = &mut self.lines[line.index()];
            state.promised = false;
            state.given(now, scope);
            next = state.first.map(|_| line);
            let exclusive = &mut self.exclusive[line.index()];
            exclusive.free_at = exclusive.free_at.max(now);
        } else {
            self.led(agent);
        }
        let child = self.give_slot(agent);
        if next.is_some() || child.is_some() {
            self.ready = Some(Ready { at: now, line: next, child });
        }
    }
}
