//! The operating system: page policies and charges, scans, reclaim, load balancing.

pub(crate) mod balancer;
pub(crate) mod balancing;
pub(crate) mod moves;
pub(crate) mod policies;
pub(crate) mod processors;
pub(crate) mod relocate;
pub(crate) mod service;
pub(crate) mod system;
pub(crate) mod tiers;
