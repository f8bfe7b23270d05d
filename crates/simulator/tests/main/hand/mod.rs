//! Small cases, each with its calculation above it. The machine is that of `builders`.

mod asking;
mod computing;
mod links;
mod memory;
mod pages;
mod stealing;
