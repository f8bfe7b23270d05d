//! Choice of a thread's next action.

use super::Tasks;
use super::codes::Arguments;
use super::live::{QueueId, Task, TaskId};
use super::thread::{Fate, Operation, Stage};
use crate::work_source::{NextAction, SourceContext};
use numalab_base::{Span, ThreadId};

impl<'a> Tasks<'a> {
    /// Decides a thread's next action from the task on top of its stack.
    pub(super) fn next(&mut self, thread: u32, context: &mut SourceContext<'_, 'a>) -> NextAction {
        if self.threads[thread as usize].stack.is_empty() {
            self.again(thread);
        }
        loop {
            if let Some(action) = self.aftermath(thread, context) {
                return action;
            }
            let this = &mut self.threads[thread as usize];
            let Some(top) = this.stack.last_mut() else { return NextAction::Done };
            match (top.stage, top.task) {
                (Stage::Own, Some(_)) => {
                    top.stage = Stage::Create;
                    this.operation = Operation::Work;
                    return NextAction::Work(self.plan.iterations(top.step.into()));
                }
                (Stage::Create, None) => match this.produces.next() {
                    Some(at) => return self.create(thread, None, self.plan.first(at), context),
                    None => {
                        (top.stage, this.has_produced) = (Stage::Wait, true);
                        self.producing -= 1;
                        self.check_all(context);
                    }
                },
                (Stage::Create, task @ Some(_)) => match top.creates.next() {
                    Some(at) => return self.create(thread, task, self.plan.child(at), context),
                    None => top.stage = Stage::Wait,
                },
                (Stage::Wait, None) => {
                    if self.finished <= self.pass[thread as usize] {
                        return self.search(thread, None, context);
                    }
                    this.stack.pop();
                    return NextAction::Done;
                }
                (Stage::Wait, Some(task)) => {
                    let waits = self.plan.task(top.step.into()).is_some_and(|task| task.wait);
                    if waits && self.live[task].children > 0 {
                        return self.search(thread, Some(task), context);
                    }
                    top.stage = Stage::After;
                }
                (Stage::After, Some(_)) => {
                    let number = u64::from(top.step);
                    match self.plan.next_step(top.step) {
                        None => top.stage = Stage::Finish,
                        Some(next) => {
                            (top.stage, top.step) = (Stage::Own, next);
                            top.creates = self.plan.creates(next.into());
                        }
                    }
                    let after = self.plan.task(number).map_or(0.0, |task| task.after);
                    if after > 0.0 {
                        this.operation = Operation::Work;
                        return NextAction::Compute(number, after);
                    }
                }
                (Stage::Finish, Some(task)) => {
                    if let Some(action) = self.finish(thread, task, context) {
                        return action;
                    }
                }
                (Stage::Own | Stage::After | Stage::Finish, None) => {
                    debug_assert!(false, "an implicit task creates tasks and waits");
                    return NextAction::Done;
                }
            }
        }
    }

    /// Next program of an operation that takes several programs; `None` if the operation is over.
    fn aftermath(&mut self, thread: u32, context: &mut SourceContext<'_, 'a>) -> Option<NextAction> {
        let this = &mut self.threads[thread as usize];
        let codes = self.words.codes;
        let plain = Arguments::default();
        if let Some(task) = this.freed.take() {
            let queue = self.target(thread, task);
            let with = Arguments { queue, words: self.live[task].words, ..plain };
            return Some(self.run(thread, Operation::Enqueue(task), codes.enqueue, with, context));
        }
        while let Some(at) = self.threads[thread as usize].successors.next() {
            let number = self.plan.successor(at);
            match self.created[number as usize] {
                // The successor is not created yet; its creation finds the lower count.
                None => self.waits[number as usize] -= 1,
                Some(task) => {
                    let with = Arguments { words: self.live[task].words, ..plain };
                    return Some(self.run(
                        thread,
                        Operation::NotifySuccessor(number),
                        codes.notify_successor,
                        with,
                        context,
                    ));
                }
            }
        }
        let this = &mut self.threads[thread as usize];
        if let Some(victim) = this.aims.take().map(QueueId::number) {
            let with = Arguments { queue: victim, ..plain };
            return Some(self.run(thread, Operation::Steal(victim), codes.steal, with, context));
        }
        if std::mem::take(&mut this.stashes) {
            let with = Arguments { queue: self.words.shape.own(ThreadId::new(thread)), ..plain };
            return Some(self.run(thread, Operation::Stash, codes.stash, with, context));
        }
        if let Some(task) = this.reads.take() {
            let with = Arguments { delay: this.starts, words: self.live[task].words, ..plain };
            return Some(self.run(thread, Operation::Read(task), codes.read, with, context));
        }
        None
    }

    /// Creates a child of a task, or one of the first tasks.
    fn create(
        &mut self,
        thread: u32,
        parent: Option<TaskId>,
        number: u64,
        context: &mut SourceContext<'_, 'a>,
    ) -> NextAction {
        let (words, owns_words) = self.words.describe(thread, context.exec);
        let named = self.named.get(number as usize).copied().flatten();
        let task = Task { words, owns_words, ..Task::new(number, parent, thread) };
        let mut domain = named;
        if let Some(parent) = parent {
            self.live[parent].children += 1;
            domain = named.or(self.live.domain(parent));
        }
        let task = self.live.add(task, domain);
        self.unfinished += 1;
        self.tally.created(thread);
        let held = match self.waits.get(number as usize) {
            Some(left) => {
                self.created[number as usize] = Some(task);
                *left > 1
            }
            None => false,
        };
        let queue = self.target(thread, task);
        let codes = self.words.codes;
        let counter = self.counter(parent, thread);
        let copying = self.words.copies.writing(self.plan.copied(number));
        let create = self.costs.create.0.saturating_add(copying);
        let queues = create.saturating_add(self.wakes(thread).0);
        let with = Arguments { queue, counter, words, ..Arguments::default() };
        if parent.is_some_and(|parent| !held && self.fetches_back(thread, parent, queue)) {
            let delay = queues.saturating_add(self.costs.dispatch.0);
            let with = Arguments { delay, ..with };
            return self.run(thread, Operation::CreateAndFetch(task), codes.create_and_fetch, with, context);
        }
        let (fate, code, delay) = if held {
            (Fate::Hold, codes.hold, create)
        } else if self.bound.admits(self.lists.length(queue)) {
            (Fate::Queue, codes.create, queues)
        } else {
            (Fate::AtOnce, codes.create_at_once, self.costs.time_at_once().0.saturating_add(copying))
        };
        self.run(thread, Operation::Create(task, fate), code, Arguments { delay, ..with }, context)
    }

    /// Time of the system call by which a thread that enqueues a task wakes a sleeper. Zero if all other threads are
    /// counted in `running`: then no thread sleeps. Threads that still create their first tasks are not counted.
    fn wakes(&self, thread: u32) -> Span {
        let creates = u32::from(!self.threads[thread as usize].has_produced);
        if self.running + creates < self.threads.len() as u32 { self.call } else { Span::ZERO }
    }

    /// True if one program creates a child and takes the newest task of the thread's own queue. The child must be the
    /// last child of a task that waits. It must go to the thread's own queue, which must have room and must not be
    /// central. False if the queue is empty and a parked thread could take the child in between.
    fn fetches_back(&self, thread: u32, parent: TaskId, queue: u32) -> bool {
        let Some(top) = self.threads[thread as usize].top() else { return false };
        debug_assert!(top.task == Some(parent), "a task creates its own children");
        let last = top.creates.is_empty();
        let waits = self.plan.task(top.step.into()).is_some_and(|task| task.wait);
        let length = self.lists.length(queue);
        let unseen = length > 0 || !self.idle.has_any();
        last && waits
            && unseen
            && !self.central
            && queue == self.words.shape.own(ThreadId::new(thread))
            && self.bound.admits(length)
    }

    /// Finishes a task. If the thread then needs a task from its own queue, one program finishes the task and fetches
    /// the next. `None` if the task has ended without a program.
    fn finish(
        &mut self,
        thread: u32,
        task: TaskId,
        context: &mut SourceContext<'_, 'a>,
    ) -> Option<NextAction> {
        let (parent, creator) = (self.live[task].parent, self.live[task].creator);
        if self.central && self.live[task].at_once {
            self.end(thread, context);
            return None;
        }
        let stack = &mut self.threads[thread as usize].stack;
        let owes = stack.last().is_some_and(|top| top.owes);
        let last = parent.is_some_and(|parent| self.live[parent].children == 1);
        let awaited = !self.plan.successors(self.live[task].number).is_empty();
        if let Some(below) = stack.below_mut()
            && (below.task, below.stage) == (parent, Stage::Wait)
            && (last, self.central, owes, below.owes) == (true, false, false, false)
        {
            // No other thread waits for the task, so the parent's counter is changed later, when the parent finishes.
            below.owes = true;
            self.end(thread, context);
            return None;
        }
        let fetches = self.threads[thread as usize].stack.below().is_some_and(|below| {
            let waits = below.task;
            let goes_on = waits.is_none_or(|task| self.live[task].children > u32::from(waits == parent));
            // If another thread waits for this task, it must not wait for the fetch as well.
            let delays = last && parent != waits && !self.central;
            // Successors of this task are notified first.
            below.stage == Stage::Wait && goes_on && !delays && !awaited && self.own_has(thread, waits)
        });
        let queue = self.words.shape.own(ThreadId::new(thread));
        let with = Arguments {
            delay: self.costs.dispatch.0,
            queue,
            counter: self.counter(parent, creator),
            words: self.live[task].words,
            ..Arguments::default()
        };
        let codes = self.words.codes;
        let (operation, codes) = match fetches {
            true => (Operation::FinishAndFetch, codes.finish_and_fetch),
            false => (Operation::Finish, codes.finish),
        };
        Some(self.run(thread, operation, if owes { codes.owing } else { codes.plain }, with, context))
    }
}
