//! Effects of a finished operation on queues, counters and tallies.

use super::Tasks;
use super::live::{QueueId, TaskId};
use super::tally::Spent;
use super::thread::{Fate, Frame, Operation, Stage};
use crate::work_source::SourceContext;
use numalab_base::{Span, ThreadId};
use numalab_openmp::queues::QueueEnd;

impl<'a> Tasks<'a> {
    /// Applies the effects of the operation that a thread has finished, and books its time.
    pub(super) fn conclude(&mut self, thread: u32, context: &mut SourceContext<'_, 'a>) {
        let this = &mut self.threads[thread as usize];
        let took = context.now.since(this.since);
        match std::mem::replace(&mut this.operation, Operation::Nothing) {
            Operation::Nothing => {}
            Operation::Parked => self.unpark(thread, context),
            Operation::Work => {
                if let Some(top) = this.stack.last_mut() {
                    top.worked += took.0;
                }
                self.tally.spend(thread, Spent::Working, took);
            }
            Operation::Create(task, fate) => {
                self.tally.spend(thread, Spent::Creating, took);
                self.created(thread, task, fate, context);
            }
            Operation::CreateAndFetch(task) => {
                let fetching = took.min(self.costs.dispatch);
                self.tally.spend(thread, Spent::Creating, took - fetching);
                self.tally.spend(thread, Spent::Fetching, fetching);
                if let Some(top) = self.threads[thread as usize].stack.last_mut() {
                    top.stage = Stage::Wait;
                }
                self.created(thread, task, Fate::Queue, context);
                // With a full queue the task has begun already.
                if self.live[task].executor.is_none() {
                    self.take_own(thread);
                }
            }
            Operation::NotifySuccessor(number) => {
                self.tally.spend(thread, Spent::Fetching, took);
                self.predecessor_finished(thread, number);
            }
            Operation::Enqueue(task) => {
                self.tally.spend(thread, Spent::Fetching, took);
                self.enqueue(thread, task, context);
            }
            Operation::Finish => {
                self.tally.spend(thread, Spent::Fetching, took);
                self.end(thread, context);
            }
            Operation::FinishAndFetch => {
                self.tally.spend(thread, Spent::Fetching, took);
                self.end(thread, context);
                self.take_own(thread);
            }
            Operation::Listen => self.tally.spend(thread, Spent::Fetching, took),
            Operation::Look(victim) => {
                let found = !self.lists.is_empty(victim);
                self.tally.spend(thread, if found { Spent::Fetching } else { Spent::Searching }, took);
                if found {
                    self.threads[thread as usize].aims = Some(QueueId::new(victim));
                } else {
                    self.tally.sum.failed_steals += 1;
                    self.return_home(thread, context);
                }
            }
            Operation::Fetch => {
                let found = self.take_own(thread);
                self.tally.spend(thread, if found { Spent::Fetching } else { Spent::Searching }, took);
            }
            Operation::Steal(victim) => {
                let found = self.steal(thread, victim, context);
                self.tally.spend(thread, if found { Spent::Fetching } else { Spent::Searching }, took);
            }
            Operation::Stash => self.tally.spend(thread, Spent::Fetching, took),
            Operation::Read(task) => {
                self.tally.spend(thread, Spent::Fetching, took);
                self.begin(thread, task);
            }
        }
    }

    /// Makes a task the running task of a thread.
    pub(super) fn begin(&mut self, thread: u32, task: TaskId) {
        let it = &mut self.live[task];
        debug_assert!(it.executor.is_none(), "every task begins once");
        it.executor = Some(ThreadId::new(thread));
        let (creates, step) = (self.plan.creates(it.number), it.number as u32);
        let frame = Frame { task: Some(task), stage: Stage::Own, step, creates, worked: 0, owes: false };
        let this = &mut self.threads[thread as usize];
        self.running += u32::from(this.is_between_tasks());
        this.stack.push(frame);
    }

    /// Ends the creation of a task, which now waits for predecessors, is enqueued or begins.
    fn created(&mut self, thread: u32, task: TaskId, fate: Fate, context: &mut SourceContext<'_, 'a>) {
        if !self.waits.is_empty() {
            let left = &mut self.waits[self.live[task].number as usize];
            *left -= 1;
            if fate == Fate::Hold {
                if *left == 0 {
                    self.threads[thread as usize].freed = Some(task);
                }
                return;
            }
        }
        let queue = self.target(thread, task);
        // Other threads may have filled the queue meanwhile.
        if fate == Fate::Queue && self.bound.admits(self.lists.length(queue)) {
            self.enqueue(thread, task, context);
        } else {
            self.live[task].at_once = true;
            self.tally.sum.at_once += 1;
            self.begin(thread, task);
        }
    }

    /// Queue that a task goes to when a thread enqueues it.
    pub(super) fn target(&self, thread: u32, task: TaskId) -> u32 {
        let domain = self.live.domain(task).map(QueueId::number);
        self.words.shape.target(ThreadId::new(thread), domain, None)
    }

    /// Enqueues a task. Bounds apply to new tasks only: a task that waited for predecessors is always enqueued.
    fn enqueue(&mut self, thread: u32, task: TaskId, context: &mut SourceContext<'_, 'a>) {
        let queue = self.target(thread, task);
        self.lists.push(queue, task, &mut self.live);
        if self.central {
            self.live.link(task);
        }
        self.notice(queue, context);
        self.tell_parent(task, context);
    }

    /// In a central queue with dependences, wakes the thread that waits for the children of the task's parent: the
    /// thread can execute this child. Without dependences no thread has to be woken, since the parent enqueues all
    /// children before it waits.
    fn tell_parent(&mut self, task: TaskId, context: &mut SourceContext<'_, 'a>) {
        if !self.central || self.created.is_empty() {
            return;
        }
        let Some(parent) = self.live[task].parent else { return };
        let Some(executor) = self.live[parent].executor else { return };
        if self.threads[executor.index()].top().is_some_and(|top| top.task == Some(parent)) {
            self.wake(executor.number(), context);
        }
    }

    /// Counts a finished predecessor of a task. After the last predecessor the thread enqueues the task next.
    fn predecessor_finished(&mut self, thread: u32, number: u64) {
        let left = &mut self.waits[number as usize];
        *left -= 1;
        if *left == 0 {
            self.threads[thread as usize].freed = self.created[number as usize];
        }
    }

    /// Takes a task from the thread's own queue; false if no task was taken. In a central queue, a thread whose task
    /// waits for children takes only these children, newest first.
    fn take_own(&mut self, thread: u32) -> bool {
        let queue = self.words.shape.own(ThreadId::new(thread));
        let waits = self.threads[thread as usize].top().and_then(|top| top.task);
        let found = match waits.filter(|_| self.central) {
            Some(waits) => {
                let child = self.live.youngest(waits);
                child.inspect(|child| self.lists.take(queue, *child, &mut self.live))
            }
            None => self.lists.pop(queue, self.order.own, &mut self.live),
        };
        let Some(task) = found else { return false };
        if self.central {
            self.live.unlink(task);
        }
        self.got(thread, task, 0);
        true
    }

    /// Begins a task that the thread has taken from a queue. If another thread created the task, the thread first
    /// reads the description and spends `starts` picoseconds; descriptions of its own tasks are in its cache.
    fn got(&mut self, thread: u32, task: TaskId, starts: u64) {
        if self.live[task].creator == thread {
            self.begin(thread, task);
        } else {
            let starts = starts.saturating_add(self.reading(thread, task));
            let this = &mut self.threads[thread as usize];
            (this.reads, this.starts) = (Some(task), starts);
        }
    }

    /// Picoseconds in which a thread fetches the copies that another thread made for a task.
    fn reading(&self, thread: u32, task: TaskId) -> u64 {
        let it = &self.live[task];
        let (from, to) = (self.nodes[it.creator as usize], self.nodes[thread as usize]);
        self.words.copies.reading(self.plan.copied(it.number), self.fabric.line_latency(from, to))
    }

    /// Steals one or more tasks from another thread's queue, whose lock the thread has held. False if the queue is
    /// empty.
    fn steal(&mut self, thread: u32, victim: u32, context: &mut SourceContext<'_, 'a>) -> bool {
        let own = self.words.shape.own(ThreadId::new(thread));
        let share = self.order.share(self.lists.length(victim));
        let found = self.lists.pop(victim, QueueEnd::Front, &mut self.live);
        match found {
            None => self.tally.sum.failed_steals += 1,
            Some(task) => {
                self.tally.sum.steals += 1;
                self.got(thread, task, self.costs.dispatch.0);
                for _ in 1..share {
                    if let Some(more) = self.lists.pop(victim, QueueEnd::Front, &mut self.live) {
                        self.lists.push(own, more, &mut self.live);
                        self.threads[thread as usize].stashes = true;
                    }
                }
            }
        }
        self.return_home(thread, context);
        found.is_some()
    }

    /// Ends the thread's role as the thief of its group, if groups have thieves. If the group's queue holds a task, a
    /// searching thread finds it; if only other queues hold tasks, a member of the group is woken to search them.
    fn return_home(&mut self, thread: u32, context: &mut SourceContext<'_, 'a>) {
        let own = self.words.shape.own(ThreadId::new(thread));
        if !self.order.half {
            return;
        }
        self.busy[own as usize] = false;
        if !self.lists.is_empty(own) {
            self.notice(own, context);
        } else if !self.lists.filled().is_empty()
            && let Some(thread) = self.idle.one_of(own)
        {
            context.woken.push((context.now + Span(self.words.look.0), context.first + thread));
        }
    }

    /// Ends a parked thread's search and records the queue that the thread was sent to.
    fn unpark(&mut self, thread: u32, context: &mut SourceContext<'_, 'a>) {
        let queue = self.idle.leave(thread);
        let this = &mut self.threads[thread as usize];
        (this.sent_to, this.is_woken) = (queue.map(QueueId::new), false);
        // The queue expects no thread any more, but other threads poll it as well: one of them can find the task.
        if let Some(queue) = queue.filter(|queue| !self.lists.is_empty(*queue)) {
            self.notice(queue, context);
        }
    }
}
