//! Tasks: creation, queueing, fetching, stealing, execution and completion. Every queue operation is a program on the
//! queue's lines ([`codes`]). The queue itself changes at the instant at which that program ends, so every task runs
//! exactly once, whatever overlaps.
//!
//! | file | what |
//! |---|---|
//! | `plan` | tasks of the phase, and the threads that create the first tasks |
//! | `live`, `lists` | existing tasks and their queues |
//! | `chunks` | a list of up to millions of entries |
//! | `words`, `codes` | lines of tasks and the programs on them |
//! | `thread` | a thread's current operation and its suspended tasks |
//! | `conclude` | effects of a finished operation |
//! | `next` | choice of the next action |
//! | `search` | fetching, stealing, parking |
//! | `ending` | end of a task |
//! | `idle` | parked threads and the draw of the one that finds a new task |
//! | `tally` | counts |

mod chunks;
mod codes;
mod conclude;
mod ending;
mod idle;
mod lists;
mod live;
mod next;
mod plan;
mod search;
mod tally;
mod thread;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use words::TaskWords;

use crate::engine::team::Member;
use crate::work_source::{NextAction, SourceContext, WakeReason, WorkSource};
use codes::Arguments;
use idle::Idle;
use lists::Lists;
use live::{Live, QueueId, TaskId};
use numalab_base::Span;
use numalab_counts::TaskCounts;
use numalab_des::{Domain, Stream, Streams};
use numalab_machine::{Fabric, NodeId};
use numalab_openmp::queues::{QueueBound, QueueOrder};
use numalab_runtime::{CodeId, Profile, profile};
use numalab_workload::Phase;
use plan::Plan;
use std::cell::OnceCell;
use tally::Tally;
use thread::{Operation, Thread};

/// Source that hands the tasks of a phase to a team.
pub(crate) struct Tasks<'a> {
    plan: Plan<'a>,
    costs: &'a profile::TaskProfile,
    /// Time of the system call by which a thread that enqueues a task wakes a sleeper.
    call: Span,
    words: TaskWords,
    fabric: &'a Fabric,
    nodes: Vec<NodeId>,
    order: QueueOrder,
    bound: QueueBound,
    /// Queue that serves the data that each task names, by task number; empty if no task names data.
    named: Vec<Option<QueueId>>,
    live: Live,
    lists: Lists,
    threads: Vec<Thread>,
    idle: Idle,
    /// Queues that the threads of each queue steal from, in order; computed at the first steal.
    rounds: Vec<OnceCell<Vec<u32>>>,
    /// True for each group of threads of which one thread, the group's thief, searches other queues.
    busy: Vec<bool>,
    /// Number of unfinished predecessors of each task, plus one until it is created. `created`: slot of each created
    /// task. Both are empty without dependences.
    waits: Vec<u32>,
    created: Vec<Option<TaskId>>,
    /// Number of threads that have not yet created all of their first tasks.
    producing: u32,
    /// Number of tasks that are created and not ended.
    unfinished: u64,
    /// Number of threads that have created their first tasks and execute a task.
    running: u32,
    /// Number of times that the phase has begun. `finished`: number of times that all of its tasks have ended.
    /// `pass`: number of times that each thread has left the phase and begun it again.
    begun: u32,
    finished: u32,
    pass: Vec<u32>,
    /// Random stream of the draws among parked threads.
    stream: Stream,
    tally: Tally,
    /// True if all threads share one queue, whose lock also guards the counters of children.
    central: bool,
}

/// Team that executes a phase of tasks, with its place in the run.
pub(crate) struct TaskTeam<'a, 's> {
    pub fabric: &'a Fabric,
    pub members: &'s [Member],
    /// Number of the team's first thread in the whole run.
    pub first: u32,
}

impl<'a> Tasks<'a> {
    /// `homes`: home of the data that each iteration names; empty if the phase names no data.
    pub fn new(
        phase: &'a Phase,
        runtime: &'a Profile,
        words: TaskWords,
        team: &TaskTeam<'a, '_>,
        streams: &Streams,
        homes: &[Option<NodeId>],
    ) -> Tasks<'a> {
        let threads = team.members.len() as u32;
        let costs = &runtime.tasks;
        let plan = Plan::new(phase, threads);
        let fabric = team.fabric;
        let queues = words.shape.queues();
        let central = words.kind == numalab_workload::QueueKind::Central;
        let stream = |thread| streams.stream(Domain::TaskSteal, u64::from(team.first + thread));
        let named = named(&plan, &words, fabric, homes);
        let dependences = plan.tasking.dependences.is_some();
        Tasks {
            costs,
            call: if costs.wakes { runtime.barrier.wake_call } else { Span::ZERO },
            fabric,
            nodes: team.members.iter().map(|member| member.node).collect(),
            order: QueueOrder::new(words.kind),
            bound: QueueBound::new(words.kind, costs.bound_of(threads), threads),
            live: Live::new(central, !named.is_empty()),
            named,
            lists: Lists::new(queues),
            threads: (0..threads).map(|thread| Thread::new(plan.produces(thread), stream(thread))).collect(),
            idle: Idle::new(&words.shape, threads, words.look.0),
            rounds: (0..queues).map(|_| OnceCell::new()).collect(),
            busy: vec![false; queues as usize],
            waits: plan.waits(),
            created: if dependences { vec![None; plan.numbers() as usize] } else { Vec::new() },
            producing: threads,
            unfinished: 0,
            running: 0,
            begun: 1,
            finished: 0,
            pass: vec![0; threads as usize],
            // A stream number above those of threads, so that no thread uses it.
            stream: streams.stream(Domain::TaskSteal, u64::MAX - u64::from(team.first)),
            tally: Tally::new(threads),
            central,
            plan,
            words,
        }
    }

    /// Task counts of the phase; the caller sets the time of the phase.
    pub fn sum(&self) -> TaskCounts {
        self.tally.sum(self.lists.longest)
    }

    /// Returns the lines of the tasks, which later phases use again.
    pub fn into_words(self) -> TaskWords {
        self.words
    }

    /// Starts the phase again for a thread that has left it; every thread of the team does so.
    fn again(&mut self, thread: u32) {
        self.pass[thread as usize] += 1;
        if self.pass[thread as usize] == self.begun {
            self.begun += 1;
            self.producing += self.threads.len() as u32;
            self.waits = self.plan.waits();
            self.created.fill(None);
        }
        let produces = self.plan.produces(thread);
        self.threads[thread as usize].begin(produces);
    }

    /// Starts the program of `operation` on a thread.
    fn run(
        &mut self,
        thread: u32,
        operation: Operation,
        code: CodeId,
        with: Arguments,
        context: &mut SourceContext<'_, 'a>,
    ) -> NextAction {
        self.threads[thread as usize].operation = operation;
        let with = Arguments { thread, ..with };
        with.start(context.exec, context.now, context.first + thread, code);
        NextAction::Program
    }

    /// Number of the word that counts the children of `parent`, or else of the creator's implicit task.
    fn counter(&self, parent: Option<TaskId>, creator: u32) -> u32 {
        match parent {
            None => self.words.implicit[creator as usize].0,
            Some(parent) => self.live[parent].words,
        }
    }
}

/// Queue that serves the node of each task's data, by task number; empty if tasks name no data.
fn named(
    plan: &Plan<'_>,
    words: &TaskWords,
    fabric: &Fabric,
    homes: &[Option<NodeId>],
) -> Vec<Option<QueueId>> {
    if homes.is_empty() {
        return Vec::new();
    }
    let mut serving: Vec<Option<QueueId>> = vec![None; fabric.memory_nodes() as usize];
    let distance = |from, to| fabric.line_latency(NodeId(from), NodeId(to)).0;
    let mut queue = |number| {
        let at = plan.iterations(number).start as usize;
        let NodeId(node) = homes.get(at).copied().flatten()?;
        let serve = || QueueId::new(words.shape.serving(node, distance));
        Some(*serving[node as usize].get_or_insert_with(serve))
    };
    (0..plan.numbers()).map(&mut queue).collect()
}

impl<'a> WorkSource<'a> for Tasks<'a> {
    fn next_action(
        &mut self,
        thread: u32,
        reason: WakeReason,
        context: &mut SourceContext<'_, 'a>,
    ) -> NextAction {
        debug_assert!(
            reason != WakeReason::Woken || self.threads[thread as usize].operation == Operation::Parked,
            "only parked threads are woken"
        );
        self.conclude(thread, context);
        let action = self.next(thread, context);
        self.threads[thread as usize].since = context.now;
        action
    }

    fn stolen(&self, thread: u32) -> u64 {
        self.tally.taken[thread as usize]
    }

    fn owner(&self, thread: u32) -> Option<u32> {
        let task = self.threads[thread as usize].top()?.task?;
        Some(self.live[task].creator)
    }
}
