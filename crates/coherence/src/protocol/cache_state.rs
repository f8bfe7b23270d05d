//! States of a copy in a cache, and their changes by a protocol row.

use super::documented_enum::documented_enum;
use super::{Action, Request};

documented_enum! {
    /// State of a line in a cache.
    #[derive(Default)]
    CacheState {
        #[default]
        Invalid = "No copy.",
        Shared = "A copy, perhaps one of several.",
        Forward = "As Shared, and the copy that is forwarded to requesters.",
        Exclusive = "The only copy, as memory has it.",
        Modified = "The only copy, written.",
        Owned = "A copy, perhaps one of several, for which this cache answers: memory may be stale.",
    }
}

impl CacheState {
    /// Letter of the state in names of protocols, such as MESI.
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

    /// Request that a cache with a copy in this state makes before a load; `None` if the copy suffices.
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

    /// Request that a cache with a copy in this state makes before a store; `None` if the copy suffices.
    pub fn store(self) -> Option<Request> {
        match self {
            CacheState::Invalid => Some(Request::Own),
            CacheState::Shared | CacheState::Forward => Some(Request::Upgrade),
            CacheState::Owned => Some(Request::UpgradeOwner),
            CacheState::Exclusive | CacheState::Modified => None,
        }
    }

    /// Request of a cache that evicts this copy; `None` if none is needed. `last`: no other member of the directory
    /// has a copy.
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

/// New states of copies after a row; `None` if a copy stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NextState {
    /// New state of the requester's copy.
    pub requester: Option<CacheState>,
    /// New state of the owner's copy, unless the owner is the requester.
    pub owner: Option<CacheState>,
    /// New state of the forwarder's copy, unless the forwarder is the requester.
    pub forwarder: Option<CacheState>,
    /// New state of the copies of all other caches.
    pub sharers: Option<CacheState>,
}

impl NextState {
    /// New states of copies after a row with this request and these actions.
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

    /// New state of a copy in state `held` of a holder other than the requester.
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
