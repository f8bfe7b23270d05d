//! The protocol as a table that is executed: one row for what a page's entry says, what is asked for, and whether who
//! asks has a copy.
//!
//! A master serves one request for a page at a time, so only stable entries have rows. A step between equal nodes is
//! no message: a row does not say whether the owner is the master, or the master the one who asks.

mod table;

pub use table::Table;

/// An entry of the directory, without the names of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Copies to read, one of them at the master.
    Shared,
    /// One node may write, and nobody else has a copy.
    Owned,
}

/// A request to the master of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Request {
    /// A read fault.
    Read,
    /// A write fault.
    Write,
    /// A node with a copy is done with it, and others are expected to read it.
    Presend,
    /// A node with a copy is done with it, and another is expected to write it.
    Preinvalidate,
}

/// Whether the node that asks has a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// It has one.
    Holder,
    /// It has none.
    Bare,
}

/// Act that the master has others do before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ask {
    /// Nothing.
    Nothing,
    /// The owner sends the page and keeps it to read.
    Fetch,
    /// The owner sends the page and loses it.
    FetchInvalidate,
    /// All copies but that of the node that asks are dropped.
    InvalidateOthers,
    /// The copy of the node that asks is dropped.
    DropOwn,
}

/// Answer that is sent at last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// The right alone, to who asked.
    Grant,
    /// The right and the page, to who asked.
    Page,
    /// The page, to those who are expected to read it and have no copy, which are copies then.
    PageToReaders,
    /// The right to write, to who is expected to, where nobody but it and the master has a copy left.
    UpgradeLast,
    /// The page with the right to write, to who is expected to.
    PageToWriter,
    /// Nothing: the request is void.
    Nothing,
}

/// The entry afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Next {
    /// As before.
    Same,
    /// Shared, with who asked among the copies.
    AddRequester,
    /// Shared by the former owner, the master and who asked.
    Share,
    /// Owned by who asked.
    Own,
    /// Shared by the former owner, the master, and those who are expected to read it.
    ShareAhead,
    /// Without who asked; owned by who is expected to write, where the right went there.
    DropRequester,
    /// Owned by who is expected to write.
    OwnWriter,
}

impl State {
    /// All of them.
    pub const ALL: [State; 2] = [State::Shared, State::Owned];
}

impl Request {
    /// All of them.
    pub const ALL: [Request; 4] = [Request::Read, Request::Write, Request::Presend, Request::Preinvalidate];
}

impl Standing {
    /// Both.
    pub const ALL: [Standing; 2] = [Standing::Holder, Standing::Bare];
}

/// Treatment of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// First.
    pub ask: Ask,
    /// Last.
    pub answer: Answer,
    /// The entry afterwards.
    pub next: Next,
}
