//! Programs on whole machines: laws for any schedule, and hand-counted transactions.

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
