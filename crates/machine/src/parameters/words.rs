//! Words of machine files.

numalab_base::words! {
    /// Kind of a level; levels nest in this order.
    pub enum LevelKind as "KindWord" {
        /// A board, blade or chassis.
        Board = "board",
        /// A processor package.
        Socket = "socket",
        /// A NUMA node, where a socket holds more than one.
        Node = "node",
        /// A chip with several clusters, where a node has more than one chip.
        Chip = "chip",
        /// Cores that share a last-level cache, where a node has more than one such group.
        Cluster = "cluster",
        /// A core; always the last level.
        Core = "core",
    }
}

impl LevelKind {
    /// True if units of this kind contain NUMA nodes or are NUMA nodes; false if they lie inside a node.
    pub fn holds_memory(self) -> bool {
        self <= LevelKind::Node
    }
}

numalab_base::words! {
    /// Bandwidth of the two directions of a link.
    #[derive(Default)]
    pub enum Duplex as "DuplexWord" {
        /// Each direction has the link's bandwidth.
        Full = "full" (default),
        /// Both directions share the link's bandwidth.
        Half = "half",
    }
}

numalab_base::words! {
    /// Lock of the address space while pages are released.
    #[derive(Default)]
    pub enum ReleaseLock as "ReleaseLockWord" {
        /// Shared: releases overlap, interrupts are sent one after another; waiters spin.
        Shared = "shared" (default),
        /// Exclusive, as for mapping memory; waiters sleep.
        Exclusive = "exclusive",
    }
}

numalab_base::words! {
    /// Order in which the operating system numbers hardware threads.
    #[derive(Default)]
    pub enum Numbering as "NumberingWord" {
        /// First hardware threads of all cores, then second ones.
        CoresFirst = "cores-first" (default),
        /// All hardware threads of a core, then the next core.
        ThreadsFirst = "threads-first",
        /// As `cores-first`, but consecutive numbers go round the sockets.
        RoundRobinSockets = "round-robin-sockets",
    }
}

numalab_base::words! {
    /// Coherence protocol of the caches, named after the states of a line in a cache.
    #[derive(Default)]
    pub enum Protocol as "ProtocolWord" {
        /// Memory serves lines that several caches share.
        Mesi = "mesi" (default),
        /// One of the sharers forwards the line instead of memory.
        Mesif = "mesif",
        /// An owner shares a written line before memory has it.
        Moesi = "moesi",
    }
}

numalab_base::words! {
    /// Choice of the line that a full cache evicts.
    #[derive(Default)]
    pub enum Replacement as "ReplacementWord" {
        /// The least recently used line.
        Lru = "lru" (default),
        /// A random line.
        Random = "random",
    }
}

numalab_base::words! {
    /// Mechanism by which the units of a level share memory.
    #[derive(Default)]
    pub enum Sharing as "SharingWord" {
        /// Caches keep lines coherent.
        Hardware = "hardware" (default),
        /// Nodes copy pages to each other in software.
        Dsm = "dsm",
    }
}

numalab_base::words! {
    /// Choice of the node that keeps a page's directory entry.
    #[derive(Default)]
    pub enum Master as "MasterWord" {
        /// The node that touches the page first.
        FirstTouch = "first-touch" (default),
        /// The node on which the program starts.
        Starter = "starter",
        /// Nodes in turn, page by page.
        Cyclic = "cyclic",
    }
}

numalab_base::words! {
    /// The processor that a node's daemon runs on.
    #[derive(Default)]
    pub enum Daemon as "DaemonWord" {
        /// A processor of its own.
        Own = "own" (default),
        /// The processor of the node's first worker, which computes later by the time that the daemon takes.
        Shared = "shared",
    }
}

numalab_base::words! {
    /// Consistency model of nodes that share memory by pages.
    #[derive(Default)]
    pub enum Consistency as "ConsistencyWord" {
        /// Sequential consistency: at any time many nodes can read a page, or one can write it.
        Sequential = "sequential" (default),
        /// Lazy release consistency: several nodes can write a page. A synchronising node learns which pages were
        /// written, and fetches the writes from their writers when it uses the pages.
        Lazy = "lrc",
        /// Home-based lazy release consistency: writes are sent to the page's home at a release, and fetched there.
        HomeBased = "hlrc",
    }
}

numalab_base::words! {
    /// Place where the values of a loop's reduction are combined, on nodes that share memory by pages.
    #[derive(Default)]
    pub enum Reductions as "ReductionsWord" {
        /// On the messages of the join.
        Message = "message" (default),
        /// In variables in a page: each thread adds to them at the end of its share, in a critical section.
        Page = "page",
    }
}

numalab_base::words! {
    /// Work of a distributed shared memory in addition to answering faults.
    #[derive(Default)]
    pub enum Technique as "TechniqueWord" {
        /// No work besides answering page faults.
        None = "none" (default),
        /// At the end of a loop pages are sent to the nodes that used them next in earlier executions, and dropped
        /// for their next writers.
        Presend = "presend",
        /// Only the second half of presend: copies are dropped for the next writers.
        Preinvalidate = "preinvalidate",
        /// Presend of pages that are finished in the middle of a loop, at its virtual synchronisation points, and of
        /// the last finished pages at the loop's end.
        Chopper = "chopper",
        /// Presend and chopper together, without a limit of pages at a point; and writes of the first thread outside
        /// of loops are sent to all readers.
        Final = "final",
    }
}

numalab_base::words! {
    /// Treatment of a page that its owner has finished with and another node is expected to write. The published text
    /// about presend covers read pages and copies dropped for a writer, but not this case.
    #[derive(Default)]
    pub enum DirtyPages as "DirtyPagesWord" {
        /// The page is sent with write permission.
        Move = "move" (default),
        /// The page is sent as a copy for reading; the writer requests write permission.
        Copy = "copy",
        /// Nothing is sent: the writer faults as without presend.
        Stay = "none",
    }
}

impl Technique {
    /// True if pages are also released in the middle of a loop, at its virtual synchronisation points.
    pub fn chops(self) -> bool {
        match self {
            Technique::None | Technique::Presend | Technique::Preinvalidate => false,
            Technique::Chopper | Technique::Final => true,
        }
    }
}
