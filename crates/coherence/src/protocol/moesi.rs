//! MOESI: the owner of a dirty line shares it, and memory need not be written before the owner evicts it.
//!
//! The directory does not know whether the owner wrote the line, so it takes every owner's copy for dirty.

use super::Action::*;
use super::Request::{self, *};
use super::Row::{self, Go, Never};
use super::State::{self, *};

#[rustfmt::skip]
pub fn row(state: State, request: Request) -> Row {
    match (state, request) {
        (Uncached, Read)                 => Go(Owned,       &[ReadMemory, GrantExclusive]),
        (Uncached, ReadShared)           => Go(Shared,      &[ReadMemory, GrantShared]),
        (Uncached, Own)                  => Go(Owned,       &[ReadMemory, GrantModified]),

        (Shared, Read | ReadShared)      => Go(Shared,      &[ReadMemory, GrantShared]),
        (Shared, Own)                    => Go(Owned,       &[ReadMemory, InvalidateSharers, GrantModified]),
        (Shared, Upgrade)                => Go(Owned,       &[InvalidateSharers, GrantModified]),
        (Shared, DropShared)             => Go(Shared,      &[]),
        (Shared, DropLast)               => Go(Uncached,    &[]),
        (Shared, SnoopRead)              => Go(Shared,      &[FetchFromSharer]),
        (Shared, SnoopOwn)               => Go(Uncached,    &[FetchFromSharer, InvalidateSharers]),
        (Shared, SnoopInvalidate)        => Go(Uncached,    &[InvalidateSharers]),

        (Owned, Read)                    => Go(OwnedShared, &[FetchFromOwner, KeepOwner, GrantShared]),
        (Owned, Own)                     => Go(Owned,       &[FetchFromOwner, InvalidateOwner, GrantModified]),
        (Owned, WriteBack)               => Go(Uncached,    &[WriteMemory]),
        (Owned, DropLast)                => Go(Uncached,    &[]),
        (Owned, SnoopRead)               => Go(OwnedShared, &[FetchFromOwner, KeepOwner]),
        (Owned, SnoopOwn)                => Go(Uncached,    &[FetchFromOwner, InvalidateOwner]),

        (OwnedShared, Read | ReadShared) => Go(OwnedShared, &[FetchFromOwner, GrantShared]),
        (OwnedShared, Own)               => Go(Owned,       &[FetchFromOwner, InvalidateOwner, InvalidateSharers, GrantModified]),
        (OwnedShared, Upgrade)           => Go(Owned,       &[InvalidateOwner, InvalidateSharers, GrantModified]),
        (OwnedShared, UpgradeOwner)      => Go(Owned,       &[InvalidateSharers, GrantModified]),
        (OwnedShared, WriteBack)         => Go(Uncached,    &[WriteMemory]),
        (OwnedShared, WriteBackShared)   => Go(Shared,      &[WriteMemory]),
        (OwnedShared, DropShared)        => Go(OwnedShared, &[]),
        (OwnedShared, SnoopRead)         => Go(OwnedShared, &[FetchFromOwner]),
        (OwnedShared, SnoopOwn)          => Go(Uncached,    &[FetchFromOwner, InvalidateOwner, InvalidateSharers]),
        (OwnedShared, SnoopInvalidate)   => Go(Uncached,    &[InvalidateOwner, InvalidateSharers]),

        (Uncached, Upgrade | UpgradeOwner)                                    => Never("the line is uncached"),
        (Uncached, WriteBack | WriteBackShared | DropShared | DropLast)       => Never("the line is uncached"),
        (Uncached, SnoopRead | SnoopOwn | SnoopInvalidate)                    => Never("the line is uncached"),
        (Shared, UpgradeOwner | WriteBack | WriteBackShared)                  => Never("no copy is an owner's"),
        (Owned, ReadShared)              => Never("the owner's copy is the only one, outside as well"),
        (Owned, Upgrade | UpgradeOwner | WriteBackShared | DropShared)        => Never("only the owner has a copy"),
        (Owned, SnoopInvalidate)         => Never("who asks from outside has no data: the owner's copy is the only one"),
        (OwnedShared, DropLast)          => Never("memory may not have what the last copy holds"),
        (_, DropForward)                 => Never("MOESI has no forwarder"),
        (Forwarded, _)                   => Never("MOESI has no such state"),
    }
}
