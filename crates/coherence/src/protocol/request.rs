//! What a directory is asked.

/// A request to a directory. What a row would have to ask first is part of the request's name, so that
/// rows have no conditions: whether the requester is the last that holds a copy, for example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Request {
    /// A copy, for a load.
    Read,
    /// The same while caches outside this directory keep copies: it cannot become the only one.
    ReadShared,
    /// The only copy, for a store or an atomic.
    Own,
    /// The same from a cache that has a copy already and does not answer for the line dirty.
    Upgrade,
    /// The same from the owner, which others share the line with.
    UpgradeOwner,
    /// The owner evicts the last copy, and memory needs it.
    WriteBack,
    /// The owner evicts its copy, memory needs it, and others keep theirs.
    WriteBackShared,
    /// A copy is evicted that nobody waits for; others keep theirs.
    DropShared,
    /// The forwarder evicts its copy; others keep theirs.
    DropForward,
    /// The last copy is evicted, and memory has the same.
    DropLast,
    /// A cache outside this directory needs a copy, and one from here.
    SnoopRead,
    /// A cache outside needs the only copy, and its data from here.
    SnoopOwn,
    /// A cache outside needs the only copy and has the data.
    SnoopInvalidate,
}

impl Request {
    /// Every request, in the order of the tables.
    pub const ALL: [Request; 13] = [
        Request::Read,
        Request::ReadShared,
        Request::Own,
        Request::Upgrade,
        Request::UpgradeOwner,
        Request::WriteBack,
        Request::WriteBackShared,
        Request::DropShared,
        Request::DropForward,
        Request::DropLast,
        Request::SnoopRead,
        Request::SnoopOwn,
        Request::SnoopInvalidate,
    ];

    /// Whether the requester gives its copy up.
    pub fn evicts(self) -> bool {
        use Request::*;
        matches!(self, WriteBack | WriteBackShared | DropShared | DropForward | DropLast)
    }

    /// Whether it comes from outside: no cache of this directory gets a copy.
    pub fn from_outside(self) -> bool {
        matches!(self, Request::SnoopRead | Request::SnoopOwn | Request::SnoopInvalidate)
    }
}
