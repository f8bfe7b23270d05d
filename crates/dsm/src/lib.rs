//! Memory that nodes share by pages in software: rights to pages, messages and their costs.
//!
//! Nodes touch pages ([`Dsm::touch`]). A node that lacks a right faults ([`Dsm::fault`]): its worker is blocked, the
//! master of the page executes a row of the protocol's table, and the worker is woken. Under lazy release consistency
//! (`lazy/`) several nodes can write a page and hear of each other's writes when they synchronise. Daemons and
//! network cards serve messages one after another. This crate has no clock: callers pass the time, and a queue holds
//! what is due.
//!
//! | file | contents |
//! |---|---|
//! | `protocol/` | table of rows |
//! | `directory` | entries and rights of all pages |
//! | `network` | daemons, network cards and messages |
//! | `bounded` | cards with bounded queues |
//! | `crowded` | congestion by pages in flight |
//! | `connections` | messages between two nodes with bounded cards: losses, windows, order |
//! | `engine` | the shared memory and its events |
//! | `touches` | touches and faults |
//! | `deliver` | effects of messages |
//! | `serve` | a request at the master of its page, by its row |
//! | `lazy/` | copies that can differ until nodes synchronise |
//! | `meetings` | forks, barriers and joins as messages |
//! | `locks` | lock of critical sections as messages |
//! | `migration` | masters that move to frequent requesters |
//! | `echo` | messages that return, to measure the network |
//! | `release` | pages that a node has finished with |
//! | `predictor` | order of loops, and users of pages in each |
//! | `sharers` | pages that several nodes write in one loop |
//! | `rows` | faults by rows of pages |
//! | `counts` | faults, messages, bytes, components of a stall |
//! | `node_set` | sets of nodes |
//!
//! A page is transferred in one transaction, so a run takes time in proportion to its faults. Critical sections are
//! queues of messages, as are the updates of a reduction's page. Network cards keep all waiting messages unless
//! `queue` bounds them; then messages have connections that resend what is lost. A node releases pages at the end of
//! a loop or at a virtual synchronisation point, as far as the technique says. Under lazy release consistency there
//! are no owners: intervals with vector clocks travel with synchronisation messages, and a copy knows the intervals
//! that it contains. A directory entry migrates to a node that asked often, at an instant at which nothing about the
//! page is in flight.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod bounded;
mod connections;
mod counts;
mod crowded;
mod deliver;
mod directory;
mod echo;
mod engine;
mod lazy;
mod locks;
mod meetings;
mod migration;
mod network;
mod node_set;
mod predictor;
pub mod protocol;
mod release;
mod rows;
mod serve;
mod sharers;
mod touches;

pub use counts::{Part, Stop};
pub use crowded::Cards;
pub use directory::{PageId, Right};
pub use engine::{AT_ONCE, Dsm};
pub use meetings::Meeting;
pub use network::MessageKind;
pub use rows::{PageRow, page_rows};
pub use touches::{Fault, Use};
