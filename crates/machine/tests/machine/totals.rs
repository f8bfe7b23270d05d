//! Totals of machines.

use crate::builders::machine;
use numalab_base::{Bandwidth, Bytes};
use numalab_machine::totals;

#[test]
fn of_a_16_socket_machine() {
    let all = totals(&machine("board:4 socket:4 core:8 thread:2"));
    assert_eq!((all.boards, all.sockets), (Some(4), Some(16)));
    assert_eq!((all.nodes, all.cores, all.processors), (16, 128, 256));
    assert_eq!(all.memory, Bytes(256 << 30));
    // 128 cores * 2 GHz * 4
    assert_eq!(all.peak_flops, 1024e9);
    // 16 * 21.6 GB/s
    assert_eq!(all.memory_bandwidth, Bandwidth(345.6e9));
}

#[test]
fn absent_levels_are_not_counted() {
    let all = totals(&machine("node:2 core:3"));
    assert_eq!((all.boards, all.sockets, all.nodes, all.cores), (None, None, 2, 6));
    let all = totals(&machine("core:3"));
    assert_eq!((all.nodes, all.cores), (1, 3));
}
