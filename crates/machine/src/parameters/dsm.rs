//! Parameters of memory that nodes share by pages in software.

use super::{Consistency, Daemon, DirtyPages, Master, Reductions, Technique};
use numalab_base::{Bytes, Span};

const US: u64 = 1_000_000;

numalab_base::parameters! {
    /// Distributed shared memory in software, where a level says `sharing = "dsm"`. Default times are those of a
    /// daemon of the year 2008 on a processor of its own; none of them is published.
    pub struct Dsm as "DsmFile" with defaults {
        /// Bytes that are shared, moved and protected together; a power of two.
        page: Bytes = Bytes(4096) => [above_zero],
        /// The node that keeps the directory entry of a page.
        master: Master = Master::FirstTouch,
        /// Number of consecutive faults of one node on a page after which the page's directory entry moves to the
        /// node, if no other node waits for the page. Absent: never.
        migrate: Option<u32> = None => [silent, at_least(1.0)],
        /// The processor of a node's daemon.
        daemon: Daemon = Daemon::Own => [silent],
        /// Time from a page fault until its request departs: signal, handler and hand-over to the daemon.
        trap: Span = Span(28 * US),
        /// Service time of a daemon for a message.
        handle: Span = Span(17 * US),
        /// Extra handling time of a message that carries a page: the copy, and setting the protection.
        handle_page: Span = Span(36 * US),
        /// Time that a worker blocked by a fault takes to run again after the page has arrived.
        wake: Span = Span(21 * US),
        /// Minimum time that a granted page stays on a node after the node's worker runs again.
        hold: Span = Span::ZERO => [silent],
        /// Bytes of a message besides a page.
        header: Bytes = Bytes(64) => [silent],
        /// Most bytes that wait for a network card, at the sender and in front of the receiver; more are lost and
        /// resent. Absent: unlimited.
        queue: Option<Bytes> = None => [silent, above_zero],
        /// Most unacknowledged bytes between two nodes, where `queue` is set. Default: the window of TCP without
        /// scaling.
        window: Bytes = Bytes(64 << 10) => [silent, above_zero],
        /// Time after which a lost message is resent if no later message is acknowledged. Default: the minimum of
        /// Linux.
        resend: Span = Span(200_000 * US) => [silent, above_zero],
        /// Most pages that a virtual synchronisation point forwards; no limit with technique `final` in loops whose
        /// end forwards pages, too. Absent: unlimited.
        vsp_pages: Option<u32> = None => [silent, at_least(1.0)],
        /// Most copies that a node drops on its own at the end of a loop. Default: page numbers of 8 bytes in a
        /// buffer of 4 KiB; that there is a limit is inferred.
        drop_buffer: u32 = 512 => [silent],
        /// Treatment of a page that its owner has finished with and another node is expected to write, where pages
        /// are sent ahead.
        presend_writes: DirtyPages = DirtyPages::Move => [silent],
        /// Work of the software in addition to answering page faults.
        technique: Technique = Technique::None => [silent],
        /// Place where the values of a loop that names its reduction variables are combined. Under lazy consistency
        /// they travel on messages.
        reductions: Reductions = Reductions::Message => [silent],
        /// Consistency model of the pages. Techniques need the sequential one.
        consistency: Consistency = Consistency::Sequential => [silent],
        /// Time of making a twin: the copy of a page before its first write, under lazy consistency.
        twin: Span = Span(4 * US) => [silent],
        /// Time of comparing a page with its twin, which yields the page's diff.
        diff_create: Span = Span(10 * US) => [silent],
        /// Time of writing a diff into another copy of the page.
        diff_apply: Span = Span(5 * US) => [silent],
    }
}
