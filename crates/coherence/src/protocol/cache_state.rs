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
pub struct Outcome {
    /// The requester's.
    pub requester: Option<CacheState>,
    /// The owner's, if it is not the requester.
    pub owner: Option<CacheState>,
    /// The forwarder's, if it is not the requester.
    pub forwarder: Option<CacheState>,
    /// Those of everybody else.
    pub sharers: Option<CacheState>,
}

impl Outcome {
    /// The outcome of a row's request and actions.
    pub fn of(request: Request, actions: &[Action]) -> Outcome {
        let mut outcome =
            Outcome { requester: request.evicts().then_some(CacheState::Invalid), ..Outcome::default() };
        for action in actions {
            match action {
                Action::GrantShared => outcome.requester = Some(CacheState::Shared),
                Action::GrantForward => outcome.requester = Some(CacheState::Forward),
                Action::GrantExclusive => outcome.requester = Some(CacheState::Exclusive),
                Action::GrantModified => outcome.requester = Some(CacheState::Modified),
                Action::DowngradeOwner => outcome.owner = Some(CacheState::Shared),
                Action::KeepOwner => outcome.owner = Some(CacheState::Owned),
                Action::InvalidateOwner => outcome.owner = Some(CacheState::Invalid),
                Action::DemoteForwarder => outcome.forwarder = Some(CacheState::Shared),
                Action::InvalidateSharers => {
                    // A forwarder is one of the sharers.
                    outcome.sharers = Some(CacheState::Invalid);
                    outcome.forwarder = Some(CacheState::Invalid);
                }
                Action::ReadMemory
                | Action::FetchFromOwner
                | Action::FetchFromForwarder
                | Action::FetchFromSharer
                | Action::WriteMemory => {}
            }
        }
        outcome
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
