//! Loops. A dispatcher chooses the iterations of each request. A thread pays for the dispatcher's shared words by
//! moving lines: a shared counter, or each thread's range if iterations can be stolen.

use super::shared_words::LoopSharing;
use super::{NextAction, SourceContext, WakeReason, WorkSource};
use crate::engine::team::Neighbourhood;
use crate::work_source::costs::Scan;
use numalab_base::{Snapshot, Span, ThreadId, Time};
use numalab_coherence::AgentId;
use numalab_des::Streams;
use numalab_openmp::{Dispatcher, Exhausted, IterationSource, Measured};
use numalab_runtime::CodeId;
use numalab_runtime::profile::Worksharing;
use numalab_workload::Schedule;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Progress of a thread's request for iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    /// The thread has not asked for iterations of this execution yet.
    Comes,
    Nothing,
    /// The thread executes iterations from the share of this other thread.
    Took(ThreadId),
    /// The thread has chosen a source of iterations and not accessed the source yet.
    Chose(IterationSource),
    /// The thread reads the range of a victim, to see if it has enough.
    Looks(IterationSource),
    /// The thread waits for the source's word.
    Touches(IterationSource),
    /// The thread writes what it took from this victim into its own range, and then executes these iterations.
    Keeps(ThreadId, u64, u64),
    /// The thread reads the counter to calculate the next value.
    Reads,
    /// The thread swaps this value of the counter for the next one.
    Swaps(u64),
    /// The thread makes its last scan or access, which shows that no iteration is left.
    Leaves,
}

/// A loop that a team executes, any number of times.
pub(crate) struct Shared<'b> {
    pub policy: Schedule,
    /// Prefix sums of the iterations' costs, by which contiguous schedules split the loop. `None`: contiguous
    /// schedules split the loop by number of iterations.
    pub costs: Option<Arc<[u64]>>,
    /// First iteration of each thread and the end of the last range, if the schedule `align` has learned them.
    pub limits: Option<Arc<[u64]>>,
    pub iterations: u64,
    pub threads: u32,
    pub streams: Streams,
    pub neighbourhood: &'b Neighbourhood<'b>,
    /// Costs of a thread's runtime calls for loops.
    pub calls: Worksharing,
}

/// A chunk that is measured.
#[derive(Clone, Copy, Debug, Default)]
struct Begun {
    /// Instants of the request and of the first iteration.
    asked: Time,
    at: Time,
    /// Units of the chunk; 0 if the thread executes none.
    units: u64,
}

/// One execution of the loop by the team.
struct Encounter<'b> {
    dispatcher: Dispatcher<'b>,
    /// Number of threads that have not left the execution.
    threads: u32,
}

pub(crate) struct Loops<'a, 'b> {
    shared: Shared<'b>,
    /// Executions that at least one thread has reached and not all have left. Without a barrier at the end of the
    /// loop threads can be in different executions.
    encounters: VecDeque<Encounter<'b>>,
    /// Number of executions that all threads have left.
    over: u64,
    /// Number of executions that each thread has left.
    left: Vec<u64>,
    words: LoopSharing,
    scan: Scan<'a>,
    asks: Vec<Ask>,
    stolen: Vec<u64>,
    /// Times of the chunks so far, if the policy measures them.
    measured: Option<Measured>,
    /// True if a thread reads what all threads have measured before it takes a chunk.
    reads_all: bool,
    /// Chunk that each thread executes; empty if nothing is measured.
    begun: Vec<Begun>,
}

impl<'a, 'b> Loops<'a, 'b> {
    pub fn new(
        shared: Shared<'b>,
        words: LoopSharing,
        scan: Scan<'a>,
        measured: Option<Measured>,
    ) -> Loops<'a, 'b> {
        let threads = shared.threads as usize;
        let reads_all = shared.policy.file().is_some_and(|file| file.policy.reads_all_threads());
        Loops {
            reads_all,
            shared,
            encounters: VecDeque::new(),
            over: 0,
            left: vec![0; threads],
            words,
            scan,
            asks: vec![Ask::Comes; threads],
            stolen: vec![0; threads],
            begun: vec![Begun::default(); if measured.is_some() { threads } else { 0 }],
            measured,
        }
    }

    /// Times of the chunks of all executions so far, if the policy measures them.
    pub fn into_measured(self) -> Option<Measured> {
        self.measured
    }

    /// Adds the executions under way to a snapshot. States with shared words are not captured.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Loops {
            shared: _,
            encounters,
            over,
            left,
            words,
            scan: _,
            asks,
            stolen,
            measured,
            begun: _,
            reads_all: _,
        } = self;
        if !matches!(words, LoopSharing::None) || measured.is_some() {
            into.refuse();
        }
        for Encounter { dispatcher, threads } in encounters {
            into.add(threads);
            dispatcher.snapshot(into);
        }
        left.iter().for_each(|left| into.add(&(left - over)));
        for ask in asks {
            match ask {
                Ask::Comes => into.add(&0),
                Ask::Nothing => into.add(&1),
                Ask::Chose(IterationSource::Own) => into.add(&2),
                Ask::Took(_)
                | Ask::Chose(_)
                | Ask::Looks(_)
                | Ask::Touches(_)
                | Ask::Keeps(..)
                | Ask::Reads
                | Ask::Swaps(_)
                | Ask::Leaves => into.refuse(),
            }
        }
        into.add(stolen);
    }

    /// Dispatcher of the execution that a thread is in.
    fn dispatcher(&mut self, thread: u32) -> &mut Dispatcher<'b> {
        let Shared { policy, ref costs, ref limits, iterations, threads, ref streams, neighbourhood, .. } =
            self.shared;
        let at = (self.left[thread as usize] - self.over) as usize;
        if at == self.encounters.len() {
            let by_cost = costs.as_ref().filter(|_| policy.is_contiguous());
            let dispatcher = match (limits, by_cost) {
                (Some(limits), _) => Dispatcher::by_limits(limits.clone()),
                (None, Some(costs)) => Dispatcher::by_cost(costs.clone(), threads),
                (None, None) => Dispatcher::new(policy, iterations, threads, streams, neighbourhood),
            };
            self.encounters.push_back(Encounter { dispatcher, threads });
        }
        &mut self.encounters[at].dispatcher
    }

    /// Takes a thread out of its present execution.
    fn leave(&mut self, thread: u32) {
        self.asks[thread as usize] = Ask::Comes;
        let left = &mut self.left[thread as usize];
        self.encounters[(*left - self.over) as usize].threads -= 1;
        *left += 1;
        while self.encounters.front().is_some_and(|first| first.threads == 0) {
            self.encounters.pop_front();
            self.over += 1;
            if let Some(measured) = &mut self.measured {
                measured.step();
            }
        }
    }

    /// Time of the runtime call that a thread makes before it accesses a shared word. Without shared words one call
    /// serves the whole loop.
    fn call(&self, thread: u32) -> Span {
        match self.words {
            LoopSharing::None if self.asks[thread as usize] == Ask::Comes => self.shared.calls.static_loop,
            LoopSharing::None => Span::ZERO,
            LoopSharing::Counter(_) | LoopSharing::Swapped(_) | LoopSharing::Ranges(..) => {
                self.shared.calls.chunk
            }
        }
    }

    /// Chooses the source of a thread's next iterations.
    fn look(&mut self, thread: u32, context: &mut SourceContext<'_, 'a>) -> NextAction {
        let call = self.call(thread);
        match (self.dispatcher(thread).aim(ThreadId::new(thread)), self.words) {
            (Ok(IterationSource::Wait(span)), _) => {
                self.asks[thread as usize] = Ask::Nothing;
                NextAction::Pause(span)
            }
            (Ok(IterationSource::Scan), _) => {
                self.asks[thread as usize] = Ask::Nothing;
                NextAction::Pause(self.scan.of(thread))
            }
            (Ok(source @ IterationSource::Victim { after_scan: true, .. }), _) => {
                self.asks[thread as usize] = Ask::Chose(source);
                NextAction::Pause(call + self.scan.of(thread))
            }
            (Ok(source), _) if self.reads_all => {
                self.asks[thread as usize] = Ask::Chose(source);
                NextAction::Pause(call + self.scan.of(thread))
            }
            (Ok(source), _) if call > Span::ZERO => {
                self.asks[thread as usize] = Ask::Chose(source);
                NextAction::Pause(call)
            }
            (Ok(source), _) => self.touch(thread, source, context),
            (Err(Exhausted::Scan), _) => {
                self.asks[thread as usize] = Ask::Leaves;
                NextAction::Pause(self.scan.of(thread))
            }
            (Err(Exhausted::SharedCounter), LoopSharing::Ranges(_, left)) => {
                self.start(thread, Ask::Leaves, left.load(), &[], context)
            }
            (Err(_), _) => NextAction::Done,
        }
    }

    /// Starts a program on the shared word of the chosen source. Without shared words, takes iterations at once.
    fn touch(
        &mut self,
        thread: u32,
        source: IterationSource,
        context: &mut SourceContext<'_, 'a>,
    ) -> NextAction {
        let touches = Ask::Touches(source);
        let from = if let IterationSource::Victim { thread: victim, .. } = source {
            victim.number()
        } else {
            thread
        };
        match self.words {
            // A part of its own that no other thread takes from.
            LoopSharing::Counter(_) | LoopSharing::Swapped(_) if source == IterationSource::Own => {
                self.take(thread, source, context)
            }
            LoopSharing::None => self.take(thread, source, context),
            LoopSharing::Counter(counter) => self.start(thread, touches, counter.next(), &[1], context),
            LoopSharing::Swapped(counter) => self.start(thread, Ask::Reads, counter.load(), &[], context),
            LoopSharing::Ranges(ranges, _) => match source {
                IterationSource::Victim { looks_first: true, .. } => {
                    self.start(thread, Ask::Looks(source), ranges.look(), &[u64::from(from)], context)
                }
                IterationSource::Victim { looks_first: false, .. }
                | IterationSource::Own
                | IterationSource::SharedCounter
                | IterationSource::Wait(_)
                | IterationSource::Scan => {
                    self.start(thread, touches, ranges.take(), &[u64::from(from)], context)
                }
            },
        }
    }

    fn start(
        &mut self,
        thread: u32,
        ask: Ask,
        code: CodeId,
        arguments: &[u64],
        context: &mut SourceContext<'_, 'a>,
    ) -> NextAction {
        self.asks[thread as usize] = ask;
        context.exec.start(context.now, AgentId::new(context.first + thread), code, arguments);
        NextAction::Program
    }

    /// Takes iterations once the thread has the source's shared word.
    fn take(
        &mut self,
        thread: u32,
        source: IterationSource,
        context: &mut SourceContext<'_, 'a>,
    ) -> NextAction {
        self.asks[thread as usize] = Ask::Nothing;
        self.tell(thread);
        match self.dispatcher(thread).take(ThreadId::new(thread), source) {
            Some(iterations) => {
                if let IterationSource::Victim { thread: victim, .. } = source {
                    let dispatcher = self.dispatcher(thread);
                    let (keeps, kept) = (dispatcher.keeps(), dispatcher.kept(ThreadId::new(thread)));
                    self.stolen[thread as usize] += iterations.end - iterations.start + kept;
                    self.asks[thread as usize] = Ask::Took(victim);
                    if let (true, LoopSharing::Ranges(ranges, _)) = (keeps, self.words) {
                        let ask = Ask::Keeps(victim, iterations.start, iterations.end);
                        return self.start(thread, ask, ranges.take(), &[u64::from(thread)], context);
                    }
                }
                self.work(thread, iterations, context)
            }
            None if source == IterationSource::SharedCounter => NextAction::Done,
            // Another thread has taken the source's last iterations.
            None => self.look(thread, context),
        }
    }

    /// Takes from a victim whose range the thread has read, or asks the next one if it has too little.
    fn looked(
        &mut self,
        thread: u32,
        source: IterationSource,
        context: &mut SourceContext<'_, 'a>,
    ) -> NextAction {
        let IterationSource::Victim { thread: victim, .. } = source else {
            return self.take(thread, source, context);
        };
        match (self.dispatcher(thread).can_take_from(victim), self.words) {
            (true, LoopSharing::Ranges(ranges, _)) => {
                let victim = [u64::from(victim.number())];
                self.start(thread, Ask::Touches(source), ranges.take(), &victim, context)
            }
            _ => self.look(thread, context),
        }
    }

    /// Executes iterations, and notes when they began.
    fn work(
        &mut self,
        thread: u32,
        iterations: Range<u64>,
        context: &mut SourceContext<'_, 'a>,
    ) -> NextAction {
        if self.measured.is_some() {
            let units = self.dispatcher(thread).units_of(&iterations);
            let begun = &mut self.begun[thread as usize];
            *begun = Begun { asked: begun.asked, at: context.now, units };
        }
        NextAction::Work(iterations)
    }

    /// Tells the dispatcher what is known of the loop's chunks.
    fn tell(&mut self, thread: u32) {
        if let Some(measured) = self.measured.take() {
            self.dispatcher(thread).know(ThreadId::new(thread), &measured);
            self.measured = Some(measured);
        }
    }

    /// Adds the chunk that a thread has executed.
    fn measure(&mut self, thread: u32, now: Time) {
        let Some(measured) = &mut self.measured else { return };
        let id = ThreadId::new(thread);
        let begun = &mut self.begun[thread as usize];
        if begun.units > 0 {
            measured.chunk(id, begun.units, now - begun.at, begun.at - begun.asked);
        }
        *begun = Begun { asked: now, at: now, units: 0 };
    }

    /// Continues a thread's request after the pause or program that it waited for.
    fn go_on(&mut self, thread: u32, reason: WakeReason, context: &mut SourceContext<'_, 'a>) -> NextAction {
        match (self.asks[thread as usize], reason, self.words) {
            (Ask::Comes | Ask::Nothing | Ask::Took(_), _, _) => self.look(thread, context),
            (Ask::Chose(source), _, _) => self.touch(thread, source, context),
            (Ask::Looks(source), _, _) => self.looked(thread, source, context),
            (Ask::Touches(source), _, _) => self.take(thread, source, context),
            (Ask::Keeps(victim, from, to), _, _) => {
                self.asks[thread as usize] = Ask::Took(victim);
                self.work(thread, from..to, context)
            }
            // No iteration is left, so the thread does not swap the counter.
            (Ask::Reads | Ask::Swaps(_), _, _) if self.dispatcher(thread).is_over() => NextAction::Done,
            // A compare-and-swap that returns the expected value succeeded. After a failed one the thread calculates
            // from the value that it found (next arm).
            (Ask::Swaps(expected), WakeReason::ProgramEnded(seen), _) if seen == expected => {
                context.exec.decided(0);
                self.take(thread, IterationSource::SharedCounter, context)
            }
            (Ask::Reads | Ask::Swaps(_), WakeReason::ProgramEnded(seen), LoopSharing::Swapped(counter)) => {
                context.exec.decided(1);
                self.start(thread, Ask::Swaps(seen), counter.advance(), &[seen, seen + 1], context)
            }
            (Ask::Reads | Ask::Swaps(_) | Ask::Leaves, _, _) => NextAction::Done,
        }
    }
}

impl<'a> WorkSource<'a> for Loops<'a, '_> {
    fn next_action(
        &mut self,
        thread: u32,
        reason: WakeReason,
        context: &mut SourceContext<'_, 'a>,
    ) -> NextAction {
        if matches!(self.asks[thread as usize], Ask::Comes | Ask::Nothing | Ask::Took(_)) {
            self.measure(thread, context.now);
        }
        let turn = self.go_on(thread, reason, context);
        if turn == NextAction::Done {
            self.leave(thread);
        }
        turn
    }

    fn stolen(&self, thread: u32) -> u64 {
        self.stolen[thread as usize]
    }

    fn owner(&self, thread: u32) -> Option<u32> {
        match self.asks[thread as usize] {
            Ask::Took(victim) => Some(victim.number()),
            Ask::Comes
            | Ask::Nothing
            | Ask::Chose(_)
            | Ask::Looks(_)
            | Ask::Touches(_)
            | Ask::Keeps(..)
            | Ask::Reads
            | Ask::Swaps(_)
            | Ask::Leaves => None,
        }
    }
}
