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
    /// Hint of a holder that has finished with the page: other nodes are expected to read the page.
    Presend,
    /// Hint of a holder that has finished with the page: another node is expected to write the page.
    Preinvalidate,
}

/// Standing of the requester: with or without a copy of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// The requester has a copy of the page.
    Holder,
    /// The requester has no copy of the page.
    Bare,
}

/// Step before the master answers: a request of the master to other nodes, or a step that the requester has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ask {
    Nothing,
    /// The owner sends the page to the master and keeps a copy for reading.
    Fetch,
    /// The owner sends the page to the master and loses its copy.
    FetchInvalidate,
    /// All copies of the page except the requester's are dropped.
    InvalidateOthers,
    /// The requester's own copy is dropped: the requester did so before it sent the hint, unless it is the master.
    DropOwn,
}

/// Answer of the master, which ends the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// Sends the right without the page to the requester.
    Grant,
    /// Sends the right and the page to the requester.
    Page,
    /// Sends the page to the expected readers without a copy, which become holders.
    PageToReaders,
    /// Sends write permission to the predicted writer, if only the writer and the master still have copies.
    UpgradeLast,
    /// Sends the page with write permission to the predicted writer.
    PageToWriter,
    /// Sends nothing: the request is void.
    Nothing,
}

/// Change of the directory entry by the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Next {
    /// The entry stays as it is.
    Same,
    /// The page is shared, and the requester is added to the sharers.
    AddRequester,
    /// The page is shared by the former owner, the master and the requester.
    Share,
    /// The page is owned by the requester.
    Own,
    /// The page is shared by the former owner, the master and the expected readers.
    ShareAhead,
    /// The requester is removed from the sharers; the predicted writer becomes the owner if it got the right.
    DropRequester,
    /// The page is owned by the predicted writer.
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

/// Row of the protocol's table: the actions for a state, a request and a standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    pub ask: Ask,
    pub answer: Answer,
    pub next: Next,
}
