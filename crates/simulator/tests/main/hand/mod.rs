//! Small cases, each with its calculation above it. The machine is that of `builders`.

mod allocation;
mod asking;
mod balancing;
mod blends;
mod caches;
mod computing;
mod constructs;
mod demands;
mod huge;
mod links;
mod loads;
mod locks;
mod memory;
mod moving;
mod own_teams;
mod pages;
mod peers;
mod placements;
mod reasons;
mod regions;
mod rounds;
mod shared_pages;
mod stealing;
mod tiering;
mod turns;
mod units;
