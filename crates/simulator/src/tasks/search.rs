//! Threads that need a task: fetching, stealing, parking, noticing new tasks.

use super::Tasks;
use super::codes::Arguments;
use super::live::{QueueId, TaskId};
use super::thread::Operation;
use crate::work_source::{NextAction, SourceContext};
use numalab_base::ThreadId;
use numalab_machine::NodeId;
use numalab_openmp::queues::fruitless;

impl<'a> Tasks<'a> {
    /// True if the thread's own queue holds a task that can run while `waits` waits (`None`: the implicit task).
    pub(super) fn own_has(&self, thread: u32, waits: Option<TaskId>) -> bool {
        if let Some(waits) = waits.filter(|_| self.central) {
            return self.live.youngest(waits).is_some();
        }
        !self.lists.is_empty(self.words.shape.own(ThreadId::new(thread)))
    }

    /// Begins the search for a task while the thread's task `waits` waits (`None`: the implicit task).
    pub(super) fn search(
        &mut self,
        thread: u32,
        waits: Option<TaskId>,
        context: &mut SourceContext<'_, 'a>,
    ) -> NextAction {
        let sent_to = self.threads[thread as usize].sent_to.take();
        let own = self.words.shape.own(ThreadId::new(thread));
        let codes = self.words.codes;
        let plain = Arguments::default();
        if self.own_has(thread, waits) {
            if self.central && sent_to.map(QueueId::number) == Some(own) {
                return self.run(thread, Operation::Listen, codes.listen, plain, context);
            }
            let with = Arguments { delay: self.costs.dispatch.0, queue: own, ..plain };
            return self.run(thread, Operation::Fetch, codes.fetch, with, context);
        }
        match self.victim(thread, own, sent_to) {
            Some((victim, looks)) => {
                if self.order.half {
                    self.busy[own as usize] = true;
                }
                self.tally.sum.failed_steals += looks;
                let delay = looks.saturating_mul(self.words.look.0);
                let with = Arguments { delay, queue: victim, ..plain };
                self.run(thread, Operation::Look(victim), codes.look, with, context)
            }
            None => {
                // In a central queue a thread that waits for children is woken by the end of the last child, and by a
                // child that is enqueued late, after its last predecessor.
                if !(self.central && waits.is_some()) {
                    self.idle.park(thread);
                }
                self.threads[thread as usize].operation = Operation::Parked;
                NextAction::Park
            }
        }
    }

    /// Queue that a thread steals from, and the number of empty queues that it polls before. `None` if the thread may
    /// not steal, or if there is nothing to steal.
    fn victim(&mut self, thread: u32, own: u32, sent_to: Option<QueueId>) -> Option<(u32, u64)> {
        let filled = self.lists.filled();
        if !self.order.steals || filled.is_empty() || self.busy[own as usize] {
            return None;
        }
        if let Some(queue) = sent_to.map(QueueId::number).filter(|queue| !self.lists.is_empty(*queue)) {
            return Some((queue, 0));
        }
        if self.order.random {
            let others = u64::from(self.words.shape.queues()) - 1;
            let hits = filled.len() as u64;
            let stream = &mut self.threads[thread as usize].stream;
            let looks = fruitless(stream, hits, others, 1);
            return Some((filled[stream.below(hits) as usize], looks));
        }
        let (shape, fabric) = (&self.words.shape, self.fabric);
        let distance = |from, to| fabric.line_latency(NodeId(from), NodeId(to)).0;
        let round = self.rounds[own as usize].get_or_init(|| shape.round(own, distance));
        let at = round.iter().position(|queue| !self.lists.is_empty(*queue))?;
        Some((round[at], at as u64))
    }

    /// Announces a new task of a queue: one searching thread finds it. In a central queue all waiters see the signal
    /// word change.
    pub(super) fn notice(&mut self, queue: u32, context: &mut SourceContext<'_, 'a>) {
        if self.central {
            for thread in self.idle.take_all() {
                self.idle.notify(thread, queue);
                context.woken.push((context.now, context.first + thread));
            }
        } else if let Some((after, thread)) = self.idle.send(queue, &self.busy, &mut self.stream) {
            context.woken.push((context.now + numalab_base::Span(after), context.first + thread));
        }
    }

    /// Wakes a thread at once, if it is parked and not yet woken.
    pub(super) fn wake(&mut self, thread: u32, context: &mut SourceContext<'_, 'a>) {
        let this = &mut self.threads[thread as usize];
        if this.operation == Operation::Parked && !std::mem::replace(&mut this.is_woken, true) {
            self.idle.withdraw(thread);
            context.woken.push((context.now, context.first + thread));
        }
    }
}
