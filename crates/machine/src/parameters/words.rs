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
        /// Cores that share a last-level cache, where a node holds more than one such group.
        Cluster = "cluster",
        /// A core; always the last level.
        Core = "core",
    }
}

impl LevelKind {
    /// Whether units of this kind hold NUMA nodes or are NUMA nodes; the others lie inside a node.
    pub fn holds_memory(self) -> bool {
        self <= LevelKind::Node
    }
}

numalab_base::words! {
    /// Whether directions share.
    #[derive(Default)]
    pub enum Duplex as "DuplexWord" {
        /// Each direction has the bandwidth.
        Full = "full" (default),
        /// Both share it.
        Half = "half",
    }
}

numalab_base::words! {
    /// How giving pages back holds the lock of the address space.
    #[derive(Default)]
    pub enum ReleaseLock as "ReleaseLockWord" {
        /// Beside others: only the interruptions of processors wait for each other, and whoever waits spins.
        Shared = "shared" (default),
        /// Alone, as mapping does: whoever waits sleeps.
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
    /// Protocol by which caches agree on who may write a line, named after the states of a line in a cache.
    #[derive(Default)]
    pub enum Protocol as "ProtocolWord" {
        /// Memory serves what several caches share.
        Mesi = "mesi" (default),
        /// One of the sharers forwards the line in the place of memory.
        Mesif = "mesif",
        /// An owner shares what it wrote before memory has it.
        Moesi = "moesi",
    }
}

numalab_base::words! {
    /// Choice of the line that gives way to one that comes into a full cache.
    #[derive(Default)]
    pub enum Replacement as "ReplacementWord" {
        /// The one that was not used for longest.
        Lru = "lru" (default),
        /// Any, all alike.
        Random = "random",
    }
}

numalab_base::words! {
    /// How the units of a level share memory.
    #[derive(Default)]
    pub enum Sharing as "SharingWord" {
        /// Caches agree line by line.
        Hardware = "hardware" (default),
        /// Nodes copy pages to each other in software.
        Dsm = "dsm",
    }
}

numalab_base::words! {
    /// Choice of the node that keeps the directory's entry of a page.
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
        /// One of its own.
        Own = "own" (default),
        /// That of the node's first worker, which loses the time while it computes.
        Shared = "shared",
    }
}

numalab_base::words! {
    /// Agreement of nodes that share memory by pages, and when.
    #[derive(Default)]
    pub enum Consistency as "ConsistencyWord" {
        /// At any time many nodes may read a page, or one may write it: sequential consistency.
        Sequential = "sequential" (default),
        /// Several nodes may write a page. Who synchronises hears which pages were written, and fetches what was written in
        /// them from their writers when it uses them: lazy release consistency.
        Lazy = "lrc",
        /// The same, but what was written goes to the page's home at a release, and who uses the page fetches it there:
        /// home-based lazy release consistency.
        HomeBased = "hlrc",
    }
}

numalab_base::words! {
    /// Way in which the values of a loop's reduction come together where nodes share memory by pages.
    #[derive(Default)]
    pub enum Reductions as "ReductionsWord" {
        /// On the messages of the join.
        Message = "message" (default),
        /// In variables in a page: each thread adds to them at the end of its share, in a critical section.
        Page = "page",
    }
}

numalab_base::words! {
    /// What a distributed shared memory does beside answering faults.
    #[derive(Default)]
    pub enum Technique as "TechniqueWord" {
        /// Nothing.
        None = "none" (default),
        /// At the end of a loop pages are sent to who used them after it before, and dropped for who wrote them.
        Presend = "presend",
        /// The second half of that alone: copies are dropped for who wrote the pages.
        Preinvalidate = "preinvalidate",
        /// The same as presend, but of pages that are done with in the middle of a loop, at its virtual synchronisation
        /// points, and of the last ones at its end.
        Chopper = "chopper",
        /// Presend and chopper together, without a limit of what a point forwards; and what the first thread writes outside of
        /// loops is sent to all who read it.
        Final = "final",
    }
}

numalab_base::words! {
    /// Treatment of a page that its owner is done with and another node is expected to write. The text about presend
    /// covers what is read, and copies that are dropped for a writer, but not this.
    #[derive(Default)]
    pub enum DirtyPages as "DirtyPagesWord" {
        /// It is sent with the right to write.
        Move = "move" (default),
        /// It is sent as a copy to read; the writer asks for the right.
        Copy = "copy",
        /// Nothing: the writer faults as if nothing were sent ahead.
        Stay = "none",
    }
}

impl Technique {
    /// Whether pages are released in the middle of a loop as well, at its virtual synchronisation points.
    pub fn chops(self) -> bool {
        match self {
            Technique::None | Technique::Presend | Technique::Preinvalidate => false,
            Technique::Chopper | Technique::Final => true,
        }
    }
}
