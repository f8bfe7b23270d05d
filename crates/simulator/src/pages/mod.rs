//! Memory that nodes share by pages, in software.

pub(crate) mod aligned;
pub(crate) mod events;
pub(crate) mod page_locks;
pub(crate) mod shared_memory;
pub(crate) mod sharing;
