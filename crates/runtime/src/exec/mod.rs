//! Runs programs over the coherence engine.
//!
//! An operation on a word takes effect when its thread has the line. Later operations that need no other thread (own
//! hits, computing, short delays) happen in the same event, for at most `HITS_AHEAD`. No operation of another thread
//! comes in between, so the result equals that of some order of single operations (sequential consistency). A line
//! that the thread wrote is kept from others until the time of that write. A thread does not run ahead on lines that
//! others wait for.
//!
//! A spinning thread causes no events: it holds a copy and requests the line again when another thread takes it away,
//! for any word of the line.
//!
//! A store that misses goes into a store buffer, and its thread continues. Helpers (agents on the same core) request
//! the lines of several stores together; the stores become visible in program order. Loads pass them, atomic
//! operations do not (x86 TSO). Where threads pause between two polls (`core.pause`), a thread that lost its copy has
//! an event at its next poll. A value that a spinning thread will see is known once its group's cache is about to
//! answer, since no thread writes a line before all requested copies are delivered; so only a thread whose condition
//! holds has an event (`spin`).

mod ahead;
mod heads;
mod memory;
mod registers;
mod sleep;
mod snapshot;
mod spin;
mod step;
mod stores;

use crate::code::{Code, CodeId, Op, REGISTERS, Word, WordTable};
use ahead::Sight;
use heads::Heads;
use memory::{Moment, WordMemory};
use numalab_base::{Span, Time};
use numalab_coherence::{AgentId, Counts, LineId, Lines};
use numalab_des::{EventQueue, Stream};
use numalab_machine::{Cache, CoreId, Fabric, Machine, NodeId, ResourceId};
pub use sleep::Sleep;
use sleep::Sleeping;
pub use snapshot::Decisions;
use stores::StoreBuffer;

/// Limit on how far a thread runs ahead of the others inside one event, in latencies of the fastest cache, so that it
/// scales with the times of the machine: 100 ns on Nehalem-EX, about a miss, which ends the event otherwise. Without caches the
/// limit is one latency of the memory.
const HITS_AHEAD: u64 = 50;

/// Most events of one call of [`Exec::advance`] in which no program ends, so that the caller sees programs that make
/// no progress.
pub const AT_ONCE: u64 = 1 << 20;

/// End of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    pub at: Time,
    pub agent: AgentId,
    pub result: u64,
}

/// State of a thread between events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    Idle,
    /// Waits for a timer, at the time at which the thread continues.
    Due,
    /// Has requested the line of its present operation.
    Asked,
    /// Spins on its copy of the given line.
    Watching(LineId),
    /// Sleeps in the kernel.
    Asleep,
    /// Waits until the store buffer has space, or is empty.
    Draining,
}

#[derive(Clone, Debug)]
struct AgentState {
    at: u32,
    state: State,
    /// Time until which a thread that spins, sleeps or drains has executed, possibly after the present event. The
    /// thread continues at this time at the earliest.
    ready: Time,
    registers: [u64; REGISTERS],
    stores: StoreBuffer,
    /// True if the thread's program has waited for no value so far.
    straight: bool,
    /// Time of the atomic operations in the thread's program, without the waits for their lines. No other operation
    /// overlaps with this time. `None`: no atomic operation so far.
    atomics: Option<Span>,
    /// Time since which the thread has computed without waiting for another thread.
    computes_since: Time,
}

impl AgentState {
    fn new() -> AgentState {
        AgentState {
            at: 0,
            state: State::Idle,
            ready: Time::ZERO,
            registers: [0; REGISTERS],
            stores: StoreBuffer::default(),
            straight: true,
            atomics: None,
            computes_since: Time::ZERO,
        }
    }
}

/// Interpreter: threads that run programs, and the values of all words.
#[derive(Clone, Debug)]
pub struct Exec<'a> {
    lines: Lines<'a>,
    memory: WordMemory,
    agents: Vec<AgentState>,
    /// Thread to which each helper belongs, in the order of helpers.
    helpers: Vec<AgentId>,
    ops: Vec<Op>,
    /// Index in `ops` of the first operation of each program.
    codes: Vec<u32>,
    /// Time of an atomic operation, in addition to the time for its line.
    atomic: Span,
    /// Limit on how far a thread runs ahead of the others inside one event.
    ahead: Span,
    /// Pause of a spinning thread between two polls.
    pause: Span,
    /// Time until a spinning thread sees what another thread of its core has written.
    beside: Span,
    sight: Sight,
    /// Times of sleep; `None` if waiting threads never sleep.
    sleep: Option<Box<Sleeping>>,
    /// Limits on the stores in a thread's buffer, on the requests for their lines in flight, and on those of stores
    /// that are not in sequence.
    store_buffers: usize,
    lines_in_flight: usize,
    store_requests: usize,
    /// Times at which spinning threads with a time limit give up.
    alarms: EventQueue<AgentId>,
    /// Programs that ended at the present instant.
    ended: Vec<Finished>,
    operations: u64,
    /// Present event (`present`), and the last event that has been processed (`reached`).
    present: Moment,
    reached: Moment,
    heads: Heads,
    decisions: Decisions,
}

impl<'a> Exec<'a> {
    /// Interpreter without threads and words.
    pub fn new(machine: &Machine, fabric: &'a Fabric) -> Exec<'a> {
        let lines = Lines::new(machine, fabric);
        // An atomic operation waits for the first-level cache; other operations overlap with that wait.
        let latency = machine.first_latency() - lines.hit();
        let hits = |cache: &Cache| Span(cache.latency.0.saturating_mul(HITS_AHEAD));
        let ahead = machine.caches.first().map_or(machine.memory.latency, hits);
        let lines_in_flight = (machine.core.outstanding as usize).max(1);
        Exec {
            lines,
            memory: WordMemory::default(),
            agents: Vec::new(),
            helpers: Vec::new(),
            ops: Vec::new(),
            codes: Vec::new(),
            atomic: machine.core.atomic + latency,
            ahead,
            pause: machine.core.pause,
            beside: machine.core.between_threads.unwrap_or_default().max(spin::LOOK),
            sight: Sight::new(machine),
            sleep: None,
            store_buffers: machine.core.store_buffers as usize,
            lines_in_flight,
            store_requests: machine.core.store_requests.map_or(lines_in_flight, |most| most as usize),
            alarms: EventQueue::new(),
            ended: Vec::new(),
            operations: 0,
            present: memory::START,
            heads: Heads::default(),
            reached: memory::START,
            decisions: Decisions::default(),
        }
    }

    /// Reserves memory for exactly this number of threads.
    pub fn reserve(&mut self, threads: usize) {
        self.agents.reserve_exact(threads);
        self.lines.reserve(threads);
    }

    /// Sets the node of the lines that are added for each node, by node: memoryless nodes hold no lines.
    pub fn home_lines_at(&mut self, nearest: Vec<NodeId>) {
        self.lines.home_lines_at(nearest);
    }

    /// Adds a thread on a core; threads are numbered from 0. All threads are added before a program starts.
    pub fn add_agent(&mut self, core: CoreId) -> AgentId {
        debug_assert!(self.helpers.is_empty(), "threads are added before one of them runs");
        self.agents.push(AgentState::new());
        self.lines.add_agent(core)
    }

    /// Adds a word in a line of its own. Every word starts at 0.
    pub fn add_word(&mut self, home: NodeId) -> Word {
        let line = self.add_line(home);
        self.add_word_in(line)
    }

    /// Adds a line on a node; [`Exec::add_word_in`] adds words to it.
    pub fn add_line(&mut self, home: NodeId) -> LineId {
        let line = self.lines.add_line(home);
        self.memory.add_line(line);
        line
    }

    /// Adds a word with value 0 to a line, which may hold other words.
    pub fn add_word_in(&mut self, line: LineId) -> Word {
        self.memory.add_word(line)
    }

    /// Adds one record for each home: `fields` words, each in a line of its own. Returns the table of the first
    /// field.
    pub fn add_table(&mut self, homes: impl IntoIterator<Item = NodeId>, fields: u32) -> WordTable {
        let first = Word(self.memory.words());
        for home in homes {
            for _ in 0..fields {
                self.add_word(home);
            }
        }
        WordTable { first, stride: fields }
    }

    /// Sets the wait of each message on a link, or of each line read from a memory, that bulk flows cause from now
    /// on.
    pub fn load(&mut self, resource: ResourceId, wait: Span) {
        self.lines.load(resource, wait);
    }

    /// Draws the times of requests that race with an owner's writes from `stream`.
    pub fn vary(&mut self, stream: Stream) {
        self.lines.vary(stream);
    }

    /// Number of times of requests drawn so far.
    pub fn draws(&self) -> u64 {
        self.lines.draws()
    }

    /// Disables the fast path for exclusive lines. The results are the same.
    pub fn ask_always(&mut self) {
        self.lines.ask_always();
    }

    pub fn add_code(&mut self, code: Code) -> CodeId {
        let base = self.ops.len() as u32;
        self.ops.extend(code.ops().iter().map(|op| match *op {
            Op::Branch { value, test, to } => Op::Branch { value, test, to: base + to },
            Op::Jump(to) => Op::Jump(base + to),
            Op::Delay(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::FetchAdd { .. }
            | Op::Swap { .. }
            | Op::CompareSwap { .. }
            | Op::Wait { .. }
            | Op::Rouse { .. }
            | Op::SwapUntil { .. }
            | Op::Clock(_)
            | Op::Sleep { .. }
            | Op::Wake { .. }
            | Op::Set { .. }
            | Op::Compute { .. }
            | Op::Finish(_) => *op,
        }));
        self.codes.push(base);
        CodeId(self.codes.len() as u32 - 1)
    }

    /// Starts a program for an idle agent, with its first registers set to `arguments`. No event may be due before
    /// `now`.
    pub fn start(&mut self, now: Time, agent: AgentId, code: CodeId, arguments: &[u64]) {
        let thread = &mut self.agents[agent.index()];
        debug_assert_eq!(thread.state, State::Idle, "one program at a time");
        thread.at = self.codes[code.0 as usize];
        thread.registers[..arguments.len()].copy_from_slice(arguments);
        (thread.straight, thread.atomics) = (true, None);
        self.present = self.reached.min((now, AgentId::LAST));
        self.proceed(now, agent, false, true);
        self.foresee();
    }

    pub fn value(&self, word: Word) -> u64 {
        self.memory.value(word)
    }

    /// Time of the next event; `None` if no event is due.
    #[inline]
    pub fn next(&self) -> Option<Time> {
        match (self.lines.next(), self.alarms.peek()) {
            (None, None) => None,
            (lines, alarm) => Some(lines.unwrap_or(Time::NEVER).min(alarm.map_or(Time::NEVER, |(at, _)| at))),
        }
    }

    /// Processes events up to and including `until`, but not beyond the first instant at which a program ends.
    /// Appends the programs that end then, in the order of agents, so that the caller can react before later events.
    /// Stops after [`AT_ONCE`] events without such an end. Returns the number of events.
    pub fn advance(&mut self, until: Time, finished: &mut Vec<Finished>) -> u64 {
        let (mut until, mut events) = (until, 0);
        while let Some(due) = self.next().filter(|due| *due <= until) {
            if events >= AT_ONCE && self.ended.is_empty() {
                self.reached = self.present;
                return events;
            }
            events += 1;
            if self.alarms.peek().is_some_and(|(at, _)| at == due) {
                self.ring();
                continue;
            }
            let Some((now, agent)) = self.lines.pop() else {
                self.foresee();
                continue;
            };
            self.present = (now, agent);
            let Some(thread) = self.agents.get(agent.index()) else {
                let thread = self.helpers[agent.index() - self.agents.len()];
                self.store_answered(now, agent, thread);
                self.foresee();
                if !self.ended.is_empty() {
                    until = now;
                }
                continue;
            };
            let AgentState { state, at, ref stores, .. } = *thread;
            if let Op::Finish(result) = self.ops[at as usize]
                && stores.is_empty()
            {
                self.operations += 1;
                self.end(now, agent, result);
            } else {
                self.proceed(now, agent, state == State::Asked, false);
            }
            self.foresee();
            if !self.ended.is_empty() {
                until = now;
            }
        }
        self.reached = (until, AgentId::LAST);
        self.ended.sort_unstable_by_key(|end| end.agent);
        finished.append(&mut self.ended);
        events
    }

    /// Operations executed so far, including failed polls.
    pub fn operations(&self) -> u64 {
        self.operations
    }

    pub fn counts(&self) -> Counts {
        self.lines.counts()
    }
}
