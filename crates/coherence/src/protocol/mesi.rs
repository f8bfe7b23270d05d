//! MESI: memory serves shared lines, so a dirty line is written to memory before others read it.

use super::Action::*;
use super::Request::{self, *};
use super::Row::{self, Go, Never};
use super::State::{self, *};

#[rustfmt::skip]
pub fn row(state: State, request: Request) -> Row {
    match (state, request) {
        (Uncached, Read)               => Go(Owned,    &[ReadMemory, GrantExclusive]),
        (Uncached, ReadShared)         => Go(Shared,   &[ReadMemory, GrantShared]),
        (Uncached, Own)                => Go(Owned,    &[ReadMemory, GrantModified]),

        (Shared, Read | ReadShared)    => Go(Shared,   &[ReadMemory, GrantShared]),
        (Shared, Own)                  => Go(Owned,    &[ReadMemory, InvalidateSharers, GrantModified]),
        (Shared, Upgrade)              => Go(Owned,    &[InvalidateSharers, GrantModified]),
        (Shared, DropShared)           => Go(Shared,   &[]),
        (Shared, DropLast)             => Go(Uncached, &[]),
        (Shared, SnoopRead)            => Go(Shared,   &[FetchFromSharer]),
        (Shared, SnoopOwn)             => Go(Uncached, &[FetchFromSharer, InvalidateSharers]),
        (Shared, SnoopInvalidate)      => Go(Uncached, &[InvalidateSharers]),

        (Owned, Read)                  => Go(Shared,   &[FetchFromOwner, DowngradeOwner, WriteMemory, GrantShared]),
        (Owned, Own)                   => Go(Owned,    &[FetchFromOwner, InvalidateOwner, GrantModified]),
        (Owned, WriteBack)             => Go(Uncached, &[WriteMemory]),
        (Owned, DropLast)              => Go(Uncached, &[]),
        (Owned, SnoopRead)             => Go(Shared,   &[FetchFromOwner, DowngradeOwner]),
        (Owned, SnoopOwn)              => Go(Uncached, &[FetchFromOwner, InvalidateOwner]),

        (Uncached, Upgrade | WriteBack | DropShared | DropLast) => Never("the line is uncached"),
        (Uncached, SnoopRead | SnoopOwn | SnoopInvalidate)      => Never("the line is uncached"),
        (Shared, WriteBack)                                     => Never("shared lines are clean"),
        (Owned, ReadShared)            => Never("the owner's copy is the only one, outside as well"),
        (Owned, Upgrade | DropShared)  => Never("only the owner has a copy"),
        (Owned, SnoopInvalidate)       => Never("who asks from outside has no data: the owner's copy is the only one"),
        (_, UpgradeOwner | WriteBackShared) => Never("MESI's owners do not share"),
        (_, DropForward)               => Never("MESI has no forwarder"),
        (Forwarded | OwnedShared, _)   => Never("MESI has no such state"),
    }
}
