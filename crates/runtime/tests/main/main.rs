//! Programs on whole machines: laws that hold under any schedule, and counts by hand.

mod ahead;
mod barriers;
mod constructs;
mod counts;
mod foresight;
mod lab;
mod locks;
mod memory_order;
mod quiet;
mod random;
mod sleeping;
mod team;
