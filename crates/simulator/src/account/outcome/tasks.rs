//! Tasks of the measured phases, counted.

/// All tasks of the measured phases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskCounts {
    /// Times that a phase of tasks ran.
    pub phases: u64,
    /// Their time together.
    pub phases_ps: u64,
    /// Created, those included that were executed at once.
    pub created: u64,
    /// Threads that created one or more.
    pub creators: u32,
    /// Executed by their creator at the moment of creation, because a queue was full.
    pub at_once: u64,
    /// Executed by the thread that created them.
    pub by_creator: Executed,
    /// Executed by another thread of the creator's socket.
    pub same_socket: Executed,
    /// By a thread of another socket on the creator's board.
    pub same_board: Executed,
    /// By a thread farther away.
    pub remote: Executed,
    /// Attempts to steal that found a task.
    pub steals: u64,
    /// Attempts that found none.
    pub failed_steals: u64,
    /// Most tasks that waited at any moment, in all queues together.
    pub longest_queue: u64,
    /// Time that threads spent on creating tasks.
    pub creating_ps: u64,
    /// Part of this that the thread spent which spent the most.
    pub busiest_creator_ps: u64,
    /// Time that threads spent on fetching and finishing tasks: queues, their locks, stealing.
    pub fetching_ps: u64,
    /// Part of this spent on looking for tasks and finding none.
    pub searching_ps: u64,
    /// Time of the tasks themselves, without what they created.
    pub working_ps: u64,
    /// The longest task, of this time.
    pub longest_task_ps: u64,
}

/// A number of tasks, and how long they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Executed {
    /// Tasks.
    pub tasks: u64,
    /// Their time.
    pub time_ps: u64,
}

impl TaskCounts {
    /// The same so often.
    pub(crate) fn times(&self, times: u64) -> TaskCounts {
        let executed =
            |Executed { tasks, time_ps }| Executed { tasks: times * tasks, time_ps: times * time_ps };
        TaskCounts {
            phases: times * self.phases,
            phases_ps: times * self.phases_ps,
            created: times * self.created,
            creators: self.creators,
            at_once: times * self.at_once,
            by_creator: executed(self.by_creator),
            same_socket: executed(self.same_socket),
            same_board: executed(self.same_board),
            remote: executed(self.remote),
            steals: times * self.steals,
            failed_steals: times * self.failed_steals,
            longest_queue: self.longest_queue,
            creating_ps: times * self.creating_ps,
            busiest_creator_ps: times * self.busiest_creator_ps,
            fetching_ps: times * self.fetching_ps,
            searching_ps: times * self.searching_ps,
            working_ps: times * self.working_ps,
            longest_task_ps: self.longest_task_ps,
        }
    }

    /// Adds what became of the tasks of another phase, or of another team.
    pub fn add(&mut self, other: &TaskCounts) {
        self.phases += other.phases;
        self.phases_ps += other.phases_ps;
        self.created += other.created;
        self.creators = self.creators.max(other.creators);
        self.at_once += other.at_once;
        for (mine, theirs) in [
            (&mut self.by_creator, other.by_creator),
            (&mut self.same_socket, other.same_socket),
            (&mut self.same_board, other.same_board),
            (&mut self.remote, other.remote),
        ] {
            mine.tasks += theirs.tasks;
            mine.time_ps += theirs.time_ps;
        }
        self.steals += other.steals;
        self.failed_steals += other.failed_steals;
        self.longest_queue = self.longest_queue.max(other.longest_queue);
        self.creating_ps += other.creating_ps;
        self.busiest_creator_ps += other.busiest_creator_ps;
        self.fetching_ps += other.fetching_ps;
        self.searching_ps += other.searching_ps;
        self.working_ps += other.working_ps;
        self.longest_task_ps = self.longest_task_ps.max(other.longest_task_ps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_add_up_and_the_longest_stay() {
        let first = TaskCounts {
            phases: 1,
            created: 10,
            creators: 1,
            by_creator: Executed { tasks: 4, time_ps: 40 },
            remote: Executed { tasks: 6, time_ps: 90 },
            longest_queue: 7,
            working_ps: 130,
            longest_task_ps: 20,
            ..TaskCounts::default()
        };
        let second = TaskCounts { created: 5, longest_queue: 3, longest_task_ps: 50, ..first.clone() };
        let mut sum = TaskCounts::default();
        sum.add(&first);
        assert_eq!(sum, first);
        sum.add(&second);
        assert_eq!((sum.phases, sum.created, sum.creators, sum.working_ps), (2, 15, 1, 260));
        assert_eq!((sum.longest_queue, sum.longest_task_ps), (7, 50));
        assert_eq!(sum.remote, Executed { tasks: 12, time_ps: 180 });
    }
}
