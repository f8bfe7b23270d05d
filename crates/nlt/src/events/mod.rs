//! Events of the threads of a recorded program, and the blocks that hold them.

mod block;
pub mod ompt;

pub use block::{EventBlock, MOST_EVENTS};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Time in nanoseconds of the recording computer's clock.
    pub time: u64,
    /// Number of involuntary context switches of the thread, as last queried.
    pub switches: u32,
    /// True if the switches were queried at this event.
    pub asked: bool,
    pub what: What,
}

macro_rules! events {
    ($($(#[$text:meta])* $number:literal $name:ident { $($(#[$field_text:meta])* $field:ident: $slot:ident as $type:ty),* })*) => {
        /// Events reported by OpenMP's tool interface (OMPT).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum What {
            $($(#[$text])* $name { $($(#[$field_text])* $field: $type),* },)*
        }

        impl What {
            /// Names of the kinds, by number.
            pub const NAMES: &[(u8, &str)] = &[$(($number, stringify!($name))),*];

            /// The event of a kind with these values; `None` for unknown kinds, or values out of range.
            pub fn of(kind: u8, slots: Slots) -> Option<What> {
                Some(match kind {
                    $($number => What::$name { $($field: slots.$slot.try_into().ok()?),* },)*
                    _ => return None,
                })
            }

            /// Names and values of the fields, in order.
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
    /// First value of the event, whose meaning depends on the event's kind.
    pub a: u64,
    /// Second value of the event; 0 if the kind has no such value.
    pub b: u64,
    /// Third value of the event; 0 if the kind has no such value.
    pub c: u64,
}

events! {
    /// A thread opens a parallel region.
    1 ParallelBegin {
        /// Invoker of the region's body: the program itself (gcc's entry points) or the runtime, as an OMPT
        /// number.
        invoker: detail as u8,
        /// Number of the region's instance.
        region: a as u64,
        /// Address of the construct.
        code: b as u64,
        /// Requested team size.
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
        /// Size of the team in the upper 32 bits, the thread's number in the lower ones.
        member: b as u64,
        /// Number of the implicit task.
        task: c as u64
    }
    /// The thread ends its part of the region.
    4 ImplicitEnd {
        /// Number of the region's instance; 0 if it is no longer known.
        region: a as u64,
        /// Number in the team.
        member: b as u64
    }
    /// A thread begins a worksharing construct.
    5 WorkBegin {
        /// Type of the construct, as an OMPT number.
        work: detail as u8,
        /// Number of the region's instance.
        region: a as u64,
        /// Address of the construct.
        code: b as u64,
        /// Iterations of all threads.
        iterations: c as u64
    }
    /// The thread ends the worksharing construct.
    6 WorkEnd {
        /// Type of the construct.
        work: detail as u8,
        /// Number of the region's instance.
        region: a as u64
    }
    /// The thread takes a chunk.
    7 Chunk {
        /// Kind of chunk, as an OMPT number.
        chunk: detail as u8,
        /// Value of the loop variable at its first iteration.
        first: a as u64,
        /// Number of iterations.
        count: b as u64
    }
    /// The thread creates a task.
    8 TaskCreate {
        /// Number of the task.
        task: a as u64,
        /// Address of the construct.
        code: b as u64,
        /// Number of the creating task.
        creator: c as u64
    }
    /// The thread switches from one task to another.
    9 TaskSwitch {
        /// State of the former task, as an OMPT number.
        status: detail as u8,
        /// Number of the former task.
        before: a as u64,
        /// Number of the next task.
        after: b as u64
    }
    /// A dependence of a task on a memory location.
    10 Dependence {
        /// Type of the dependence, as an OMPT number.
        dependence: detail as u8,
        /// Number of the task.
        task: a as u64,
        /// Address of the location.
        address: b as u64
    }
    /// The thread begins to wait for other threads or tasks.
    11 WaitBegin {
        /// Kind of barrier or wait, as an OMPT number.
        wait: detail as u8,
        /// Number of the region's instance.
        region: a as u64,
        /// Number of the waiting task.
        task: b as u64
    }
    /// The thread ends its wait.
    12 WaitEnd {
        /// Kind of barrier or wait.
        wait: detail as u8,
        /// Number of the region's instance.
        region: a as u64,
        /// Number of the waiting task.
        task: b as u64
    }
    /// The thread requests a lock.
    13 MutexAcquire {
        /// Kind of lock, as an OMPT number.
        mutex: detail as u8,
        /// Address of the lock.
        lock: a as u64
    }
    /// The thread has acquired the lock.
    14 MutexAcquired {
        /// Kind of lock.
        mutex: detail as u8,
        /// Address of the lock.
        lock: a as u64
    }
    /// The thread has released the lock.
    15 MutexReleased {
        /// Kind of lock.
        mutex: detail as u8,
        /// Address of the lock.
        lock: a as u64
    }
    /// The runtime starts, usually at the first construct.
    16 Started {
        /// CPU time of the process until then, in nanoseconds.
        spent: a as u64
    }
    /// The program ends.
    17 Ended {}
    /// Watched pages that were touched since the thread's previous event.
    18 Touched {
        /// 1 if they were written, else 0.
        written: detail as u8,
        /// Address of the first page.
        address: a as u64,
        /// Bytes of all pages.
        bytes: b as u64
    }
}

impl What {
    /// Name of the kind.
    pub fn name(self) -> &'static str {
        let number = self.slots().0;
        What::NAMES.iter().find(|(known, _)| *known == number).map_or("", |(_, name)| name)
    }
}
