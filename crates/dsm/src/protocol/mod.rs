//! The protocol as an executed table: one row for the state of a page's entry, the request, and the requester's
//! standing.
//!
//! A master serves one request for a page at a time, so only stable entries have rows. A step inside one node is no
//! message, so rows do not distinguish whether the owner or the requester is the master.

mod table;

pub use table::Table;

/// State of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Copies for reading, one of them at the master.
    Shared,
    /// One node can write, and no other node has a copy.
    Owned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Request {
    /// Fault of a worker that reads.
    Read,
    /// Fault of a worker that writes.
    Write,
    /// A holder has finished with the page, and others are expected to read it.
    Presend,
    /// A holder has finished with the page, and another node is expected to write it.
    Preinvalidate,
}

/// Standing of the requester: with or without a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// The requester has a copy.
    Holder,
    /// The requester has no copy.
    Bare,
}

/// Action that the master requests from other nodes before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ask {
    Nothing,
    /// The owner sends the page and keeps it to read.
    Fetch,
    /// The owner sends the page and loses it.
    FetchInvalidate,
    /// All copies except the requester's are dropped.
    InvalidateOthers,
    /// The requester's copy is dropped.
    DropOwn,
}

/// Answer of the master, which ends the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// The right alone, to the requester.
    Grant,
    /// Right and page, to the requester.
    Page,
    /// The page, to the expected readers without a copy, which become holders.
    PageToReaders,
    /// Write permission to the predicted writer, if only it and the master still have copies.
    UpgradeLast,
    /// The page with write permission, to the predicted writer.
    PageToWriter,
    /// Nothing: the request is void.
    Nothing,
}

/// Change of the directory entry by the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Next {
    /// Entry stays as it is.
    Same,
    /// Shared, with the requester added.
    AddRequester,
    /// Shared by the former owner, the master and the requester.
    Share,
    /// Owned by the requester.
    Own,
    /// Shared by the former owner, the master and the expected readers.
    ShareAhead,
    /// Sharers without the requester; owned by the predicted writer if it got the right.
    DropRequester,
    /// Owned by the predicted writer.
    OwnWriter,
}

impl State {
    pub const ALL: [State; 2] = [State::Shared, State::Owned];
}

impl Request {
    pub const ALL: [Request; 4] = [Request::Read, Request::Write, Request::Presend, Request::Preinvalidate];
}

impl Standing {
    pub const ALL: [Standing; 2] = [Standing::Holder, Standing::Bare];
}

/// Row of the table: its actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Requests to other nodes before the answer.
    pub ask: Ask,
    pub answer: Answer,
    /// Change of the directory entry.
    pub next: Next,
}
