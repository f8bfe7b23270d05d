//! The counts of `numalab-counts` as records: the same declarations, expanded with serde.

use numalab_counts::MESSAGES;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Conversion from a count of the simulator to its record in files.
pub(crate) trait Record<Counted> {
    fn record(counted: Counted) -> Self;
}

macro_rules! same {
    ($($type:ty)*) => {$(
        impl Record<$type> for $type {
            fn record(counted: $type) -> $type {
                counted
            }
        }
    )*};
}
same!(u64 u32 String);

impl<Counted, R: Record<Counted>> Record<Vec<Counted>> for Vec<R> {
    fn record(counted: Vec<Counted>) -> Vec<R> {
        counted.into_iter().map(R::record).collect()
    }
}

/// Number of messages by the name of their kind.
type Messages = BTreeMap<String, u64>;

impl Record<numalab_counts::Messages> for Messages {
    fn record(counted: numalab_counts::Messages) -> Messages {
        let kinds = MESSAGES.into_iter().zip(counted);
        let kinds = kinds.filter(|((_, rare), count)| !rare || *count > 0);
        kinds.map(|((name, _), count)| (name.to_owned(), count)).collect()
    }
}

/// Leaves a field out of files.
fn always<C>(_: &C) -> bool {
    true
}

/// True if all counts are zero; most files then leave the field out.
fn is_none<C: Default + PartialEq>(counts: &C) -> bool {
    *counts == C::default()
}

/// Declares the record structs, with serde, and their conversions from the structs of `numalab-counts`.
macro_rules! declare {
    ($(
        $(#[$meta:meta])*
        pub struct $Type:ident {$(
            $(#[$doc:meta])*
            $field:ident: $type:ty => $rule:ident $unit:ident
                $(unless $unless:literal)?
                $(measure $measure:literal)?
                $(per_phase $prefix:literal)?
                $(column $column:literal)?;
        )*}
        $(impl { $($method:tt)* })?
    )*) => {$(
        $(#[$meta])*
        #[derive(Serialize, Deserialize)]
        pub struct $Type {$(
            $(#[$doc])*
            $(#[serde(default, skip_serializing_if = $unless)])?
            pub $field: $type,
        )*}

        impl Record<numalab_counts::$Type> for $Type {
            fn record(counted: numalab_counts::$Type) -> $Type {
                $Type { $($field: Record::record(counted.$field),)* }
            }
        }

        impl From<numalab_counts::$Type> for $Type {
            fn from(counted: numalab_counts::$Type) -> $Type {
                Record::record(counted)
            }
        }

        $(impl $Type { $($method)* })?
    )*};
}

numalab_counts::phase_counts!(declare);
numalab_counts::page_counts!(declare);
numalab_counts::run_counts!(declare);
numalab_counts::task_counts!(declare);

impl PhaseSharing {
    /// True if the machine has no software shared memory.
    pub fn is_none(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Time for which page faults stopped threads, summed over all threads.
    pub fn stop_ps(&self) -> u64 {
        self.nodes.iter().map(|node| node.stop_ps).sum()
    }
}
