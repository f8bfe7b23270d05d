//! Numbers of the used fields and enumerators of Perfetto's schema (`perfetto_trace.proto`).

pub(super) mod trace {
    pub const PACKET: u32 = 1;
}

pub(super) mod packet {
    pub const TIMESTAMP: u32 = 8;
    pub const SEQUENCE_ID: u32 = 10;
    pub const TRACK_EVENT: u32 = 11;
    pub const INTERNED_DATA: u32 = 12;
    pub const SEQUENCE_FLAGS: u32 = 13;
    pub const TRACK_DESCRIPTOR: u32 = 60;
    /// `SEQ_INCREMENTAL_STATE_CLEARED`
    pub const STATE_CLEARED: u64 = 1;
    /// `SEQ_NEEDS_INCREMENTAL_STATE`
    pub const NEEDS_STATE: u64 = 2;
}

pub(super) mod interned {
    pub const EVENT_NAMES: u32 = 2;
    pub const ID: u32 = 1;
    pub const NAME: u32 = 2;
}

pub(super) mod track {
    pub const ID: u32 = 1;
    pub const NAME: u32 = 2;
    pub const PARENT: u32 = 5;
    pub const COUNTER: u32 = 8;
    pub const CHILD_ORDERING: u32 = 11;
    pub const RANK: u32 = 12;
    /// Child tracks are ordered by their `sibling_order_rank`.
    pub const EXPLICIT: u64 = 3;
}

pub(super) mod counter {
    pub const UNIT_NAME: u32 = 6;
}

pub(super) mod event {
    pub const TYPE: u32 = 9;
    pub const NAME_ID: u32 = 10;
    pub const TRACK: u32 = 11;
    pub const NAME: u32 = 23;
    pub const DOUBLE_VALUE: u32 = 44;
    pub const FLOW_IDS: u32 = 47;
    pub const TERMINATING_FLOW_IDS: u32 = 48;
    pub const SLICE_BEGIN: u64 = 1;
    pub const SLICE_END: u64 = 2;
    pub const INSTANT: u64 = 3;
    pub const COUNTER: u64 = 4;
}

pub(super) mod name {
    pub const TAKEN: &str = "work taken";
    pub const TAKES: &str = "takes work";
}
