//! Parameters of synthetic machines: a plain 2 GHz server of the early 2010s, similar to the Xeon
//! X7550 machines whose measurements are published, so that results can be compared with them.

use crate::Protocol;
use numalab_base::{Bandwidth, Bytes, Frequency, Span};

const GIGA: f64 = 1e9;

/// Clock of the X7550.
pub const CLOCK: Frequency = Frequency(2.0 * GIGA);
/// Two lanes of additions and two of multiplications per cycle (SSE2).
pub const FLOPS_PER_CYCLE: f64 = 4.0;
/// Instructions per cycle that array code sustains; the core could issue four.
pub const INSTRUCTIONS_PER_CYCLE: f64 = 1.5;
/// Line fill buffers of a Nehalem core.
pub const OUTSTANDING: f64 = 10.0;
/// One hardware thread: simultaneous multithreading helps streaming code little.
pub const THREADS: u32 = 1;

/// Latency of local memory: through the on-chip router, the home agent and the memory buffer.
pub const MEMORY_LATENCY: Span = Span(135_000);
/// Bandwidth of the memory controllers of one socket for a mix of reads and writes.
pub const MEMORY_BANDWIDTH: Bandwidth = Bandwidth(21.6 * GIGA);
/// Bandwidth of reads alone: the buffers' read lanes are twice as wide as their write lanes, and not fully used.
pub const READ_BANDWIDTH: Bandwidth = Bandwidth(15.6 * GIGA);
/// Bandwidth of writes alone.
pub const WRITE_BANDWIDTH: Bandwidth = Bandwidth(10.8 * GIGA);
/// Memory size of a node.
pub const CAPACITY: Bytes = Bytes(16 << 30);
/// Base page size of x86.
pub const PAGE: Bytes = Bytes(4096);
/// Cache line size of x86.
pub const LINE: Bytes = Bytes(64);
/// Time of a page fault: kernel entry, page table update and zeroing of 4 KiB.
pub const PAGE_FAULT: Span = Span(1_500_000);

/// Bandwidth of one QPI link at 6.4 GT/s, each direction.
pub const LINK_BANDWIDTH: Bandwidth = Bandwidth(12.8 * GIGA);
/// Latency from socket to socket, and from a socket to the controller of its board.
pub const SOCKET_LATENCY: Span = Span(25_000);
/// Latency from board to board, through the controllers of both boards and the cable.
pub const BOARD_LATENCY: Span = Span(150_000);

/// First-level data cache: size, latency of 4 cycles, one 16-byte load per cycle.
pub const L1: (Bytes, Span, Bandwidth) = (Bytes(32 << 10), Span(2_000), Bandwidth(32.0 * GIGA));
/// Second-level cache: size, latency of 10 cycles, a line every 4 cycles.
pub const L2: (Bytes, Span, Bandwidth) = (Bytes(256 << 10), Span(5_000), Bandwidth(32.0 * GIGA));
/// Last-level cache, shared by the cores of a node or of a cluster: size, latency of about 40 cycles, and a line
/// every 8 cycles to each core.
pub const L3: (Bytes, Span, Bandwidth) = (Bytes(18 << 20), Span(20_000), Bandwidth(16.0 * GIGA));

/// Coherence protocol of all processors with QPI.
pub const PROTOCOL: Protocol = Protocol::Mesif;
