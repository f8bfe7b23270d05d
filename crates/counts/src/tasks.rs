//! Counts of a run's tasks.

/// Declares the counts of tasks.
#[macro_export]
macro_rules! task_counts {
    ($declare:path) => {
        $declare! {
            /// All tasks of the measured phases.
            #[derive(Clone, Debug, Default, PartialEq, Eq)]
            pub struct TaskCounts {
                /// Number of times that a phase of tasks ran.
                phases: u64 => sum count;
                /// Time that these took together.
                phases_ps: u64 => sum ps;
                /// Created, those included that were executed at once.
                created: u64 => sum count;
                /// Threads that created one or more.
                creators: u32 => max count;
                /// Executed by their creator at the moment of creation, because a queue was full.
                at_once: u64 => sum count;
                /// Executed by the thread that created them.
                by_creator: Executed => sum parts;
                /// Executed by another thread of the creator's socket.
                same_socket: Executed => sum parts;
                /// By a thread of another socket on the creator's board.
                same_board: Executed => sum parts;
                /// By a thread farther away.
                remote: Executed => sum parts;
                /// Attempts to steal that found a task.
                steals: u64 => sum count;
                /// Attempts that found none.
                failed_steals: u64 => sum count;
                /// Most tasks that waited at any moment, in all queues together.
                longest_queue: u64 => max count;
                /// Time that threads spent on creating tasks.
                creating_ps: u64 => sum ps;
                /// Part of this that the thread spent which spent the most.
                busiest_creator_ps: u64 => sum ps;
                /// Time that threads spent on fetching and finishing tasks: queues, their locks, stealing.
                fetching_ps: u64 => sum ps;
                /// Part of this spent on looking for tasks and finding none.
                searching_ps: u64 => sum ps;
                /// Time of the tasks themselves, without what they created.
                working_ps: u64 => sum ps;
                /// The longest task, of this time.
                longest_task_ps: u64 => max ps;
            }

            /// Number of tasks, and the time that they took.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct Executed {
                /// Tasks.
                tasks: u64 => sum count;
                /// Their time.
                time_ps: u64 => sum ps;
            }
        }
    };
}

task_counts!(crate::declare);
