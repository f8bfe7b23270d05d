//! Parameters of memory that nodes share by pages in software.

use super::{Consistency, Daemon, DirtyPages, Master, Reductions, Technique};
use numalab_base::{Bytes, Span};

const US: u64 = 1_000_000;

numalab_base::parameters! {
    /// Distributed shared memory in software, where a level says `sharing = "dsm"`. Times that are absent are those of a
    /// daemon of the year 2008 on a processor of its own; none of them is published.
    pub struct Dsm as "DsmFile" with defaults {
        /// Bytes that are shared, moved and protected together; a power of two.
        page: Bytes = Bytes(4096) => [above_zero],
        /// The node that keeps the entry of a page in the directory.
        master: Master = Master::FirstTouch,
        /// Faults in a row of one node after which it keeps the page's entry, if nobody else waits for the page; never, if
        /// absent.
        migrate: Option<u32> = None => [silent, at_least(1.0)],
        /// The processor of a node's daemon.
        daemon: Daemon = Daemon::Own => [silent],
        /// Signal, handler and hand-over to the daemon, before a request departs.
        trap: Span = Span(28 * US),
        /// Service of a daemon for a message.
        handle: Span = Span(17 * US),
        /// What it takes longer for a message with a page: the copy, and setting the protection.
        handle_page: Span = Span(36 * US),
        /// Until a blocked worker runs again.
        wake: Span = Span(21 * US),
        /// The least time that a granted page stays after its worker runs again.
        hold: Span = Span::ZERO => [silent],
        /// Bytes of a message besides a page.
        header: Bytes = Bytes(64) => [silent],
        /// Bytes that wait for a network card at most, at the sender and in front of the receiver; what comes on top is lost
        /// and sent again. All, if absent.
        queue: Option<Bytes> = None => [silent, above_zero],
        /// Bytes between two nodes of which the sender has not heard that they have come, at most, where cards keep only so
        /// many. By default what TCP counts without scaling.
        window: Bytes = Bytes(64 << 10) => [silent, above_zero],
        /// Time after which a lost message is sent again where nothing is heard of later ones. By default the least of Linux.
        resend: Span = Span(200_000 * US) => [silent, above_zero],
        /// Pages that a virtual synchronisation point forwards at most where loops are only chopped; all, if absent.
        vsp_pages: Option<u32> = None => [silent, at_least(1.0)],
        /// Copies that a node drops unasked at the end of a loop at most, the first ones. By default what a buffer of a page of
        /// 4 KiB holds of page numbers of 8 bytes: that there is a limit is inferred.
        drop_buffer: u32 = 512 => [silent],
        /// Treatment of a page that its owner is done with and another node is expected to write, where pages are sent
        /// ahead.
        presend_writes: DirtyPages = DirtyPages::Move => [silent],
        /// What is done beside answering faults.
        technique: Technique = Technique::None => [silent],
        /// Way in which the values of a loop that names the variables of its reduction come together. Where consistency is
        /// lazy they ride on messages.
        reductions: Reductions = Reductions::Message => [silent],
        /// Agreement of nodes on pages, and when. Only the sequential one knows techniques.
        consistency: Consistency = Consistency::Sequential => [silent],
        /// Copy of a page before its first write, which what was written is found by, where consistency is lazy.
        twin: Span = Span(4 * US) => [silent],
        /// Comparison of a page with that copy.
        diff_create: Span = Span(10 * US) => [silent],
        /// Writing what was found into another copy.
        diff_apply: Span = Span(5 * US) => [silent],
    }
}
