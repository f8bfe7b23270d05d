//! The event loop of a phase, the threads in it, and the world that outlives it.

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
pub(crate) mod source;
pub(crate) mod station;
pub(crate) mod team;
pub(crate) mod team_state;
pub(crate) mod thread_events;
pub(crate) mod worker;
pub(crate) mod world;
