//! Counts of the tasks of a phase.

use numalab_base::Span;
use numalab_counts::TaskCounts;
use numalab_machine::Closeness;

#[derive(Clone, Debug)]
pub(super) struct Tally {
    pub sum: TaskCounts,
    /// Time that each thread spent on creating tasks.
    creating: Vec<Span>,
    created: Vec<bool>,
    /// Iterations that each thread executed in tasks of other threads.
    pub taken: Vec<u64>,
}

/// Purpose of a thread's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spent {
    Creating,
    Fetching,
    /// Fetching that found no task.
    Searching,
    Working,
}

impl Tally {
    pub fn new(threads: u32) -> Tally {
        let threads = threads as usize;
        Tally {
            sum: TaskCounts { phases: 1, ..TaskCounts::default() },
            creating: vec![Span::ZERO; threads],
            created: vec![false; threads],
            taken: vec![0; threads],
        }
    }

    pub fn spend(&mut self, thread: u32, on: Spent, time: Span) {
        match on {
            Spent::Creating => {
                self.sum.creating_ps += time.0;
                self.creating[thread as usize] += time;
            }
            Spent::Fetching => self.sum.fetching_ps += time.0,
            Spent::Searching => {
                self.sum.fetching_ps += time.0;
                self.sum.searching_ps += time.0;
            }
            Spent::Working => self.sum.working_ps += time.0,
        }
    }

    pub fn created(&mut self, thread: u32) {
        self.sum.created += 1;
        self.created[thread as usize] = true;
    }

    /// Counts an executed task. `apart`: distance of the executing thread from the task's creator; `None` if the
    /// creator executed the task. `time`: time of the task's own work.
    pub fn executed(&mut self, apart: Option<Closeness>, time: Span) {
        let executed = match apart {
            None => &mut self.sum.by_creator,
            Some(Closeness::Node | Closeness::Socket) => &mut self.sum.same_socket,
            Some(Closeness::Board) => &mut self.sum.same_board,
            Some(Closeness::Machine) => &mut self.sum.remote,
        };
        executed.tasks += 1;
        executed.time_ps += time.0;
        self.sum.longest_task_ps = self.sum.longest_task_ps.max(time.0);
    }

    /// Counts of the phase so far; the caller sets the time of the phase.
    pub fn sum(&self, longest_queue: u64) -> TaskCounts {
        TaskCounts {
            creators: self.created.iter().filter(|created| **created).count() as u32,
            busiest_creator_ps: self.creating.iter().map(|span| span.0).max().unwrap_or(0),
            longest_queue,
            ..self.sum.clone()
        }
    }
}
