//! Protocol tables, the plain interpreter of them, and the engine that executes them.

mod lines;
mod oracle;
mod protocol;
