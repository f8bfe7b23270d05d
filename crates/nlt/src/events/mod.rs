//! Events of the threads of a recorded program, and the blocks that hold them.

mod block;
pub mod ompt;

pub use block::{EventBlock, MOST_EVENTS};

/// An event of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Nanoseconds of the recording computer's clock.
    pub time: u64,
    /// Involuntary switches of the thread so far, as last asked.
    pub switches: u32,
    /// Whether they were asked for at this event.
    pub asked: bool,
    /// The event itself.
    pub what: What,
}

macro_rules! events {
    ($($(#[$text:meta])* $number:literal $name:ident { $($(#[$field_text:meta])* $field:ident: $slot:ident as $type:ty),* })*) => {
        /// Events that OpenMP's tool interface tells of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum What {
            $($(#[$text])* $name { $($(#[$field_text])* $field: $type),* },)*
        }

        impl What {
            /// Names of the kinds, by number.
            pub const NAMES: &[(u8, &str)] = &[$(($number, stringify!($name))),*];

            /// The event of a kind's number with these values; `None` for numbers that are none's, or values too large.
            pub fn of(kind: u8, slots: Slots) -> Option<What> {
                Some(match kind {
                    $($number => What::$name { $($field: slots.$slot.try_into().ok()?),* },)*
                    _ => return None,
                })
            }

            /// Names and values of the kind, in order.
            pub fn fields(self) -> Vec<(&'static str, u64)> {
                match self {
                    $(What::$name { $($field),* } => vec![$((stringify!($field), $field.into())),*],)*
                }
            }

            /// The kind's number and the values.
            pub fn slots(self) -> (u8, Slots) {
                match self {
                    $(What::$name { $($field),* } => {
                        #[allow(unused_mut)]
                        let mut slots = Slots::default();
                        $(slots.$slot = $field.into();)*
                        ($number, slots)
                    })*
                }
            }
        }
    };
}

/// Values of an event as the recorder writes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    /// A small number: a type or a status.
    pub detail: u8,
    /// First value.
    pub a: u64,
    /// Second value.
    pub b: u64,
    /// Third value.
    pub c: u64,
}

events! {
    /// A thread opens a parallel region.
    1 ParallelBegin {
        /// Caller of the region's body: the program itself (gcc's entry points) or the runtime, as OMPT numbers them.
        invoker: detail as u8,
        /// Number of the region's instance.
        region: a as u64,
        /// Address of the construct.
        code: b as u64,
        /// Size of the team asked for.
        asked: c as u64
    }
    /// The region is closed.
    2 ParallelEnd {
        /// Number of the region's instance.
        region: a as u64
    }
    /// A thread begins its part of a region.
    3 ImplicitBegin {
        /// Number of the region's instance.
        region: a as u64,
        /// Size of the team, and in the lower half the thread's number in it.
        member: b as u64,
        /// Number of the implicit task.
        task: c as u64
    }
    /// It ends its part.
    4 ImplicitEnd {
        /// Number of the region's instance, 0 where it is no longer known.
        region: a as u64,
        /// Number in the team.
        member: b as u64
    }
    /// A thread begins a worksharing construct.
    5 WorkBegin {
        /// Type of the construct, as OMPT numbers them.
        work: detail as u8,
        /// Number of the region's instance.
        region: a as u64,
        /// Address of the construct.
        code: b as u64,
        /// Iterations of all threads.
        iterations: c as u64
    }
    /// It ends it.
    6 WorkEnd {
        /// Type of the construct.
        work: detail as u8,
        /// Number of the region's instance.
        region: a as u64
    }
    /// It takes a chunk.
    7 Chunk {
        /// Kind of chunk, as OMPT numbers them.
        chunk: detail as u8,
        /// Value of the loop variable at its first iteration.
        first: a as u64,
        /// Iterations.
        count: b as u64
    }
    /// It creates a task.
    8 TaskCreate {
        /// Number of the task.
        task: a as u64,
        /// Address of the construct.
        code: b as u64,
        /// Number of the creating task.
        creator: c as u64
    }
    /// It leaves one task for another.
    9 TaskSwitch {
        /// State of the task that it leaves, as OMPT numbers them.
        status: detail as u8,
        /// Number of the task that it leaves.
        before: a as u64,
        /// Number of the task that it goes on with.
        after: b as u64
    }
    /// A task depends on a place in memory.
    10 Dependence {
        /// Type, as OMPT numbers them.
        dependence: detail as u8,
        /// Number of the task.
        task: a as u64,
        /// Address.
        address: b as u64
    }
    /// It begins to wait for other threads or tasks.
    11 WaitBegin {
        /// Kind of barrier or wait, as OMPT numbers them.
        wait: detail as u8,
        /// Number of the region's instance.
        region: a as u64,
        /// Number of the waiting task.
        task: b as u64
    }
    /// It goes on.
    12 WaitEnd {
        /// Kind of barrier or wait.
        wait: detail as u8,
        /// Number of the region's instance.
        region: a as u64,
        /// Number of the waiting task.
        task: b as u64
    }
    /// It asks for a lock.
    13 MutexAcquire {
        /// Kind of lock, as OMPT numbers them.
        mutex: detail as u8,
        /// Address of the lock.
        lock: a as u64
    }
    /// It has the lock.
    14 MutexAcquired {
        /// Kind of lock.
        mutex: detail as u8,
        /// Address of the lock.
        lock: a as u64
    }
    /// It has given the lock back.
    15 MutexReleased {
        /// Kind of lock.
        mutex: detail as u8,
        /// Address of the lock.
        lock: a as u64
    }
    /// The runtime starts: most often at the first construct.
    16 Started {
        /// Nanoseconds that the process has worked before.
        spent: a as u64
    }
    /// The program ends.
    17 Ended {}
    /// Pages were touched since the thread's event before, as far as they are watched.
    18 Touched {
        /// Whether they were written, 0 or 1.
        written: detail as u8,
        /// Address of the first.
        address: a as u64,
        /// Bytes of all.
        bytes: b as u64
    }
}

impl What {
    /// Name of its kind.
    pub fn name(self) -> &'static str {
        let number = self.slots().0;
        What::NAMES.iter().find(|(known, _)| *known == number).map_or("", |(_, name)| name)
    }
}
