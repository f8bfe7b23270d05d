//! Copies of a page under lazy consistency: the writes that each copy contains and the writes that it misses.

/// Latest interval by node, as pairs (node, number); nodes without an interval are absent.
pub(crate) type Latest = Vec<(u32, u32)>;

/// True if `latest` contains the interval `interval` of node `of`, or a later interval of that node.
pub(crate) fn has(latest: &Latest, of: u32, interval: u32) -> bool {
    latest.iter().any(|(node, number)| *node == of && *number >= interval)
}

/// Adds an interval of a node, unless a later one is known.
pub(crate) fn put(latest: &mut Latest, of: u32, interval: u32) {
    match latest.iter_mut().find(|(node, _)| *node == of) {
        Some((_, number)) => *number = (*number).max(interval),
        None => latest.push((of, interval)),
    }
}

/// Writes that a copy misses and that the node `writer` can send.
#[derive(Clone, Debug)]
pub(crate) struct Missing {
    pub writer: u32,
    /// Bytes written, at most a page: a larger sum is sent as the whole page.
    pub bytes: u32,
    /// Last interval of the writer, and last intervals of other nodes whose writes the writer can send as well.
    pub intervals: Latest,
}

/// Copy of a page on a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copy {
    /// Latest interval of each node whose writes the copy contains.
    pub contains: Latest,
    pub missing: Vec<Missing>,
    /// True if a write to the copy does not fault.
    pub writable: bool,
    /// True while missing writes are being fetched.
    pub fetching: bool,
}

impl Copy {
    pub fn is_valid(&self) -> bool {
        self.missing.is_empty() && !self.fetching
    }

    /// Records that `writer` wrote `bytes` bytes of the page in its interval number `interval`, which closed with the
    /// clock `clock`. `page`: size of the page in bytes.
    pub fn notice(&mut self, writer: u32, interval: u32, bytes: u32, clock: &[u32], page: u32) {
        let mut new = Missing { writer, bytes, intervals: vec![(writer, interval)] };
        // A writer that had seen earlier writes can send these, too.
        let seen = |missing: &Missing| {
            missing.writer == writer
                || missing.intervals.iter().all(|(of, number)| clock[*of as usize] >= *number)
        };
        self.missing.retain(|missing| {
            if seen(missing) {
                new.bytes = new.bytes.saturating_add(missing.bytes);
                missing.intervals.iter().for_each(|(of, number)| put(&mut new.intervals, *of, *number));
            }
            !seen(missing)
        });
        new.bytes = new.bytes.min(page);
        self.missing.push(new);
    }

    /// Removes from `missing` the writes that the copy contains by now.
    pub fn settle(&mut self) {
        let contains = &self.contains;
        self.missing
            .retain(|missing| !missing.intervals.iter().all(|(of, number)| has(contains, *of, *number)));
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub home: u32,
    /// Copies in the order of nodes.
    copies: Vec<(u32, Copy)>,
    /// Last closed interval of each node that wrote the page, as pairs (node, number).
    pub log: Latest,
    pub last_writer: u32,
    /// Number of diffs in flight to the home or being applied there (`under_way`); intervals whose writes have not
    /// arrived at the home (`deposits`); nodes that wait for the page (`waiting`).
    pub under_way: u32,
    pub deposits: Vec<(u32, u32)>,
    pub waiting: Vec<u32>,
}

impl Page {
    /// Page without writes, with one copy at its home.
    pub fn new(home: u32) -> Page {
        let copy = Copy { writable: true, ..Copy::default() };
        Page {
            home,
            copies: vec![(home, copy)],
            log: Latest::new(),
            last_writer: home,
            under_way: 0,
            deposits: Vec::new(),
            waiting: Vec::new(),
        }
    }

    pub fn copy(&self, node: u32) -> Option<&Copy> {
        self.at(node).ok().map(|at| &self.copies[at].1)
    }

    pub fn copy_mut(&mut self, node: u32) -> Option<&mut Copy> {
        self.at(node).ok().map(|at| &mut self.copies[at].1)
    }

    /// Copy of a node, added if missing. An added copy contains no writes.
    pub fn copy_or_new(&mut self, node: u32) -> &mut Copy {
        let at = self.at(node).unwrap_or_else(|at| {
            self.copies.insert(at, (node, Copy::default()));
            at
        });
        &mut self.copies[at].1
    }

    fn at(&self, node: u32) -> Result<usize, usize> {
        self.copies.binary_search_by_key(&node, |copy| copy.0)
    }

    pub fn copies(&self) -> &[(u32, Copy)] {
        &self.copies
    }

    /// True if only one node has a copy.
    pub fn is_single(&self) -> bool {
        self.copies.len() == 1
    }
}
