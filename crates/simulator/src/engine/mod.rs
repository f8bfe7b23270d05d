//! The event loop of a phase, the threads in it, and the world that outlives it.
//!
//! **Sources.** An event belongs to one source of the list at the end of this file. A [`source`] returns the time of
//! its next event and fires it. The loop ([`event_loop`]) asks all sources, fires the one with the earliest event,
//! and asks again until a thread is ready. It knows no source by name.
//!
//! | source | events | kind |
//! |---|---|---|
//! | scanner | walks of automatic balancing over pages | background |
//! | balancer | threads that go to sleep, idle processors that look for threads | background |
//! | programs | lines, timers and ends of the runtime's programs | ahead |
//! | pages | messages and daemons of nodes that share memory by pages | ahead |
//! | flows | ends of streams and copies | timed |
//! | processors | ends of services that processors perform for others than their threads | timed |
//! | threads | ends of threads' activities, wake-ups | timed |
//!
//! **Ties.** Sources with an event at the same instant fire in the order of the list ([`ORDER`]). Threads
//! that a source makes ready go on at once, in the order of their numbers. Timed sources that are due at the same
//! instant fire before any thread goes on, so that a thread cannot tell which of them ended its wait. Inside a source
//! the lower number of the agent, thread or bundle comes first; messages keep the order of sending.
//!
//! **Kinds.** A source in the *background* works beside the threads; a phase in which only such sources have events
//! is stuck. A source *ahead* has an event queue of its own and processes it up to the next event of any other
//! source, or to the picosecond before if the other source is earlier in the list. It stops before if a thread is
//! ready. A *timed* source fires at one instant.
//!
//! **A new source** is a type that implements [`source::Source`] in a file of its own, and a line in the list. It
//! reaches the world, the threads and the books through the segment, and asks for processor time by
//! `Segment::request_service`.

pub(crate) mod acts;
pub(crate) mod calendar;
pub(crate) mod elsewhere;
pub(crate) mod event_loop;
pub(crate) mod event_sources;
pub(crate) mod places;
pub(crate) mod programs;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod script;
pub(crate) mod segment;
pub(crate) mod setup;
pub(crate) mod simulation;
pub(crate) mod source;
pub(crate) mod station;
pub(crate) mod team;
pub(crate) mod team_state;
pub(crate) mod thread_events;
pub(crate) mod watchdog;
pub(crate) mod worker;
pub(crate) mod world;

// Order of the sources at one instant.
event_sources::sources! {
    Scanner: crate::os::scan::Scans,
    Balancer: crate::os::moves::Balancing,
    Programs: crate::engine::programs::Programs,
    Pages: crate::pages::events::Pages,
    Flows: crate::flow::finish::Flows,
    Processors: crate::os::service::Services,
    Threads: crate::engine::thread_events::Threads,
}
