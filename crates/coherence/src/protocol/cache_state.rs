//! The states of a copy, and their change by a row.

use super::documented_enum::documented_enum;
use super::{Action, Request};

documented_enum! {
    /// The state of a line in a cache.
    #[derive(Default)]
    CacheState {
        #[default]
        Invalid = "No copy.",
        Shared = "A copy, perhaps one of several.",
        Forward = "As Shared, and the one that is forwarded to whoever asks.",
        Exclusive = "The only copy, as memory has it.",
        Modified = "The only copy, written.",
        Owned = "A copy, perhaps one of several, for which this cache answers: memory may be stale.",
    }
}

impl CacheState {
    /// The letter by which protocols are named.
    pub fn letter(self) -> &'static str {
        match self {
            CacheState::Invalid => "I",
            CacheState::Shared => "S",
            CacheState::Forward => "F",
            CacheState::Exclusive => "E",
            CacheState::Modified => "M",
            CacheState::Owned => "O",
        }
    }

    /// The request of a cache with this copy before it loads; `None` where it need not ask.
    pub fn load(self) -> Option<Request> {
        match self {
            CacheState::Invalid => Some(Request::Read),
            CacheState::Shared
            | CacheState::Forward
            | CacheState::Exclusive
            | CacheState::Modified
            | CacheState::Owned => None,
        }
    }

    /// The request of a cache with this copy before it stores; `None` where it need not ask.
    pub fn store(self) -> Option<Request> {
        match self {
            CacheState::Invalid => Some(Request::Own),
            CacheState::Shared | CacheState::Forward => Some(Request::Upgrade),
            CacheState::Owned => Some(Request::UpgradeOwner),
            CacheState::Exclusive | CacheState::Modified => None,
        }
    }

    /// The request of a cache that evicts this copy; `None` where there is none. `last` if nobody else has one.
    pub fn evict(self, last: bool) -> Option<Request> {
        match (self, last) {
            (CacheState::Invalid, _) => None,
            (CacheState::Shared, false) => Some(Request::DropShared),
            (CacheState::Forward, false) => Some(Request::DropForward),
            (CacheState::Owned, false) => Some(Request::WriteBackShared),
            (CacheState::Owned, true) | (CacheState::Modified, _) => Some(Request::WriteBack),
            (CacheState::Shared | CacheState::Forward, true) | (CacheState::Exclusive, _) => {
                Some(Request::DropLast)
            }
        }
    }
}

/// The copies after a row; `None` where a copy stays what it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NextState {
    /// The requester's.
    pub requester: Option<CacheState>,
    /// The owner's, if it is not the requester.
    pub owner: Option<CacheState>,
    /// The forwarder's, if it is not the requester.
    pub forwarder: Option<CacheState>,
    /// Those of everybody else.
    pub sharers: Option<CacheState>,
}

impl NextState {
    /// The copies after a row of this request and these actions.
    pub fn of(request: Request, actions: &[Action]) -> NextState {
        let mut after =
            NextState { requester: request.evicts().then_some(CacheState::Invalid), ..NextState::default() };
        for action in actions {
            match action {
                Action::GrantShared => after.requester = Some(CacheState::Shared),
                Action::GrantForward => after.requester = Some(CacheState::Forward),
                Action::GrantExclusive => after.requester = Some(CacheState::Exclusive),
                Action::GrantModified => after.requester = Some(CacheState::Modified),
                Action::DowngradeOwner => after.owner = Some(CacheState::Shared),
                Action::KeepOwner => after.owner = Some(CacheState::Owned),
                Action::InvalidateOwner => after.owner = Some(CacheState::Invalid),
                Action::DemoteForwarder => after.forwarder = Some(CacheState::Shared),
                Action::InvalidateSharers => {
                    // A forwarder is one of the sharers.
                    after.sharers = Some(CacheState::Invalid);
                    after.forwarder = Some(CacheState::Invalid);
                }
                Action::ReadMemory
                | Action::FetchFromOwner
                | Action::FetchFromForwarder
                | Action::FetchFromSharer
                | Action::WriteMemory => {}
            }
        }
        after
    }

    /// The state that a copy of somebody else than the requester has after the row.
    pub fn bystander(&self, held: CacheState) -> CacheState {
        let becomes = match held {
            CacheState::Invalid => None,
            CacheState::Shared => self.sharers,
            CacheState::Forward => self.forwarder,
            CacheState::Exclusive | CacheState::Modified | CacheState::Owned => self.owner,
        };
        becomes.unwrap_or(held)
    }
}
