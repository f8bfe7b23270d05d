//! group.
