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
                /// Total time of these phases.
                phases_ps: u64 => sum ps;
                /// Tasks created, including those executed at once.
                created: u64 => sum count;
                /// Threads that created at least one task.
                creators: u32 => max count;
                /// Tasks executed by their creator at once, because a queue was full.
                at_once: u64 => sum count;
                /// Tasks executed by the thread that created them.
                by_creator: Executed => sum parts;
                /// Tasks executed by another thread of the creator's socket.
                same_socket: Executed => sum parts;
                /// Tasks executed by a thread of another socket on the creator's board.
                same_board: Executed => sum parts;
                /// Tasks executed by a thread further away.
                remote: Executed => sum parts;
                /// Attempts to steal that found a task.
                steals: u64 => sum count;
                /// Attempts to steal that found none.
                failed_steals: u64 => sum count;
                /// Largest number of waiting tasks at any moment, in all queues together.
                longest_queue: u64 => max count;
                /// Time that threads spent creating tasks.
                creating_ps: u64 => sum ps;
                /// Creating time of the busiest creator of each phase, summed over phases.
                busiest_creator_ps: u64 => sum ps;
                /// Time that threads spent fetching and finishing tasks: queues, their locks, stealing.
                fetching_ps: u64 => sum ps;
                /// Part of this time spent in searches that found no task.
                searching_ps: u64 => sum ps;
                /// Time of the tasks themselves, without that of creating others.
                working_ps: u64 => sum ps;
                /// Time of the longest task.
                longest_task_ps: u64 => max ps;
            }

            /// Number of tasks and their time.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct Executed {
                /// Number of tasks.
                tasks: u64 => sum count;
                /// Time that they took.
                time_ps: u64 => sum ps;
            }
        }
    };
}

task_counts!(crate::declare);
