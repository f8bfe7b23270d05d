//! MESIF: the sharer that requested the line last supplies it to the next requester, instead of memory.

use super::Action::*;
use super::Request::{self, *};
use super::Row::{self, Go, Never};
use super::State::{self, *};

#[rustfmt::skip]
pub fn row(state: State, request: Request) -> Row {
    match (state, request) {
        (Uncached, Read)               => Go(Owned,     &[ReadMemory, GrantExclusive]),
        (Uncached, ReadShared)         => Go(Forwarded, &[ReadMemory, GrantForward]),
        (Uncached, Own)                => Go(Owned,     &[ReadMemory, GrantModified]),

        (Shared, Read | ReadShared)    => Go(Forwarded, &[ReadMemory, GrantForward]),
        (Shared, Own)                  => Go(Owned,     &[ReadMemory, InvalidateSharers, GrantModified]),
        (Shared, Upgrade)              => Go(Owned,     &[InvalidateSharers, GrantModified]),
        (Shared, DropShared)           => Go(Shared,    &[]),
        (Shared, DropLast)             => Go(Uncached,  &[]),
        (Shared, SnoopRead)            => Go(Shared,    &[FetchFromSharer]),
        (Shared, SnoopOwn)             => Go(Uncached,  &[FetchFromSharer, InvalidateSharers]),
        (Shared, SnoopInvalidate)      => Go(Uncached,  &[InvalidateSharers]),

        (Forwarded, Read | ReadShared) => Go(Forwarded, &[FetchFromForwarder, DemoteForwarder, GrantForward]),
        (Forwarded, Own)               => Go(Owned,     &[FetchFromForwarder, InvalidateSharers, GrantModified]),
        (Forwarded, Upgrade)           => Go(Owned,     &[InvalidateSharers, GrantModified]),
        (Forwarded, DropShared)        => Go(Forwarded, &[]),
        (Forwarded, DropForward)       => Go(Shared,    &[]),
        (Forwarded, DropLast)          => Go(Uncached,  &[]),
        (Forwarded, SnoopRead)         => Go(Forwarded, &[FetchFromForwarder]),
        (Forwarded, SnoopOwn)          => Go(Uncached,  &[FetchFromForwarder, InvalidateSharers]),
        (Forwarded, SnoopInvalidate)   => Go(Uncached,  &[InvalidateSharers]),

        (Owned, Read)                  => Go(Forwarded, &[FetchFromOwner, DowngradeOwner, WriteMemory, GrantForward]),
        (Owned, Own)                   => Go(Owned,     &[FetchFromOwner, InvalidateOwner, GrantModified]),
        (Owned, WriteBack)             => Go(Uncached,  &[WriteMemory]),
        (Owned, DropLast)              => Go(Uncached,  &[]),
        (Owned, SnoopRead)             => Go(Shared,    &[FetchFromOwner, DowngradeOwner]),
        (Owned, SnoopOwn)              => Go(Uncached,  &[FetchFromOwner, InvalidateOwner]),

        (Uncached, Upgrade | WriteBack | DropShared | DropForward | DropLast) => Never("the line is uncached"),
        (Uncached, SnoopRead | SnoopOwn | SnoopInvalidate)                    => Never("the line is uncached"),
        (Shared, DropForward)          => Never("no copy is the forwarder's"),
        (Shared | Forwarded, WriteBack) => Never("shared lines are clean"),
        (Owned, ReadShared)            => Never("the owner's copy is the only one, outside as well"),
        (Owned, Upgrade | DropShared | DropForward) => Never("only the owner has a copy"),
        (Owned, SnoopInvalidate)       => Never("who asks from outside has no data: the owner's copy is the only one"),
        (_, UpgradeOwner | WriteBackShared) => Never("MESIF's owners do not share"),
        (OwnedShared, _)               => Never("MESIF has no such state"),
    }
}
