/// Declares the counts of tasks.
#[macro_export]
macro_rules! task_counts {
    ($declare:path) => {
        $declare! {
            /// All tasks of the measured phases.
            #[derive(Clone, Debug, Default, PartialEq, Eq)]
            pub struct TaskCounts {
                /// Number of executions of phases with tasks.
                phases: u64 => sum count;
                /// Total time of the phases with tasks.
                phases_ps: u64 => sum ps;
                /// Tasks created, including those executed at once.
                created: u64 => sum count;
                /// Threads that created at least one task in a phase; the largest number over phases.
                creators: u32 => max count;
                /// Tasks executed by their creator at once, because a queue was full.
                at_once: u64 => sum count;
                /// Tasks executed by the thread that created them.
                by_creator: Executed => sum parts;
                /// Tasks executed by another thread of the creator's socket.
                same_socket: Executed => sum parts;
                /// Tasks executed by a thread of another socket on the creator's board.
                same_board: Executed => sum parts;
                /// Tasks executed by a thread of another board, or of another socket on a machine without boards.
                remote: Executed => sum parts;
                /// Attempts to steal that found a task.
                steals: u64 => sum count;
                /// Attempts to steal that found no task.
                failed_steals: u64 => sum count;
                /// Largest number of waiting tasks at any moment, in all queues together.
                longest_queue: u64 => max count;
                /// Time that threads spent creating tasks.
                creating_ps: u64 => sum ps;
                /// Creating time of the busiest creator of each phase, summed over phases.
                busiest_creator_ps: u64 => sum ps;
                /// Time that threads spent fetching and finishing tasks: queues, their locks, stealing.
                fetching_ps: u64 => sum ps;
                /// Part of `fetching_ps` spent in searches that found no task.
                searching_ps: u64 => sum ps;
                /// Time spent executing tasks, without the time for creating others.
                working_ps: u64 => sum ps;
                /// Longest time of one task.
                longest_task_ps: u64 => max ps;
            }

            /// Number and time of executed tasks.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct Executed {
                /// Number of tasks that were executed.
                tasks: u64 => sum count;
                /// Time of the tasks, summed.
                time_ps: u64 => sum ps;
            }
        }
    };
}

task_counts!(crate::declare);
