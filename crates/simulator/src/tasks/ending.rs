//! End of a task: its parent has one child less, successors have to be notified, and the thread that waits for the
//! last child is woken.

use super::Tasks;
use super::live::TaskId;
use crate::work_source::SourceContext;
use numalab_base::Span;

impl<'a> Tasks<'a> {
    /// Ends the task on top of a thread's stack.
    pub(super) fn end(&mut self, thread: u32, context: &mut SourceContext<'_, 'a>) {
        let this = &mut self.threads[thread as usize];
        let Some(frame) = this.stack.pop() else { return };
        self.running -= u32::from(this.is_between_tasks());
        let (Some(task), worked) = (frame.task, Span(frame.worked)) else { return };
        let it = &mut self.live[task];
        it.ended = true;
        let (number, parent, creator, alone) = (it.number, it.parent, it.creator, it.children == 0);
        let apart = (creator != thread).then(|| {
            let iterations = self.plan.iterations(number);
            self.tally.taken[thread as usize] += iterations.end - iterations.start;
            self.fabric.closest(self.nodes[creator as usize], self.nodes[thread as usize])
        });
        self.tally.executed(apart, worked);
        self.threads[thread as usize].successors = self.plan.successors(number);
        if alone {
            self.forget(task);
        }
        if let Some(parent) = parent {
            self.release(parent, context);
        }
        self.unfinished -= 1;
        self.check_all(context);
    }

    /// Subtracts one finished child from a task's number of unfinished children. After the last child the task is
    /// removed if it has ended; else the thread that waits for the children is woken.
    fn release(&mut self, parent: TaskId, context: &mut SourceContext<'_, 'a>) {
        let it = &mut self.live[parent];
        it.children -= 1;
        if it.children > 0 {
            return;
        }
        let executor = it.executor;
        if it.ended {
            self.forget(parent);
        } else if let Some(executor) = executor
            && self.threads[executor.index()].top().is_some_and(|top| top.task == Some(parent))
        {
            self.wake(executor.number(), context);
        }
    }

    fn forget(&mut self, task: TaskId) {
        let it = &self.live[task];
        if it.owns_words {
            self.words.forget(it.creator, it.words);
        }
        self.live.remove(task);
    }

    /// Wakes all threads once all tasks of the phase are created and finished.
    pub(super) fn check_all(&mut self, context: &mut SourceContext<'_, 'a>) {
        if self.unfinished == 0 && self.producing == 0 && self.finished < self.begun {
            self.finished = self.begun;
            for thread in 0..self.threads.len() as u32 {
                self.wake(thread, context);
            }
        }
    }
}
