//! The operating system: page policies and charges, scans, reclaim, load balancing.
//!
//! A fault is paid page by page with the data that follows it. A part of the fault holds the lock of the node's free
//! pages; the queue at the lock is calculated by exact mean value analysis of a closed queueing network, and given to
//! the solver as a crowding curve. Moving a page costs its own time, a copy along the route, and a TLB shootdown on
//! every other processor of the team. Mapping a large block holds the lock of the address space; waiters sleep in the
//! order of arrival and are woken.
//!
//! The scanner of automatic balancing walks over pages beside the threads, at its own times. Hint faults and moves
//! are steps of the thread that accesses the page, as in Linux. Scans that no event separates are made as one walk,
//! so no setting of the scanner makes a run endless.
//!
//! The load balancer exists only where threads that are not bound share processors. `moves` tells it about sleeps and
//! wake-ups and carries out its moves: the work of a moved thread is cut at that instant and continues from another
//! processor. Promotions between memory tiers are steps of the faulting thread; demotions are flows of the node's
//! `kswapd`.
//!
//! Bound threads with processors of their own sleep after the runtime's spinning time (`sleep`); a thread that shares
//! their core then computes faster.
//!
//! Noise varies the times of perturbed replicas.

pub(crate) mod balancer;
pub(crate) mod balancing;
pub(crate) mod moves;
pub(crate) mod nodes;
pub(crate) mod noise;
pub(crate) mod policies;
pub(crate) mod processors;
pub(crate) mod reclaim;
pub(crate) mod relocate;
pub(crate) mod replicas;
pub(crate) mod scan;
pub(crate) mod service;
pub(crate) mod sleep;
pub(crate) mod system;
pub(crate) mod tiers;
