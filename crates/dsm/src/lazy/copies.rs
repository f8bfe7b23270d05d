//! Copies of a page that may differ: what each has of whom, and what it is known to miss.

/// Intervals by their nodes, the latest of each.
pub(crate) type Latest = Vec<(u32, u32)>;

/// Whether an interval of a node, or a later one, is among them.
pub(crate) fn has(latest: &Latest, of: u32, interval: u32) -> bool {
    latest.iter().any(|(node, number)| *node == of && *number >= interval)
}

/// Adds an interval of a node.
pub(crate) fn put(latest: &mut Latest, of: u32, interval: u32) {
    match latest.iter_mut().find(|(node, _)| *node == of) {
        Some((_, number)) => *number = (*number).max(interval),
        None => latest.push((of, interval)),
    }
}

/// Writes that a copy lacks, and that one node has.
#[derive(Clone, Debug)]
pub(crate) struct Missing {
    pub writer: u32,
    /// Bytes written, a page at most: more is sent as the page.
    pub bytes: u32,
    /// Its own last interval, and those of others that it had seen when it wrote.
    pub intervals: Latest,
}

/// A copy of a page on a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copy {
    /// Intervals whose writes it has.
    pub contains: Latest,
    pub missing: Vec<Missing>,
    /// Whether a write does not fault.
    pub writable: bool,
    /// Whether what it lacks is on its way.
    pub fetching: bool,
}

impl Copy {
    pub fn is_valid(&self) -> bool {
        self.missing.is_empty() && !self.fetching
    }

    /// The node hears that another wrote the page in an interval that had seen what its clock says.
    pub fn notice(&mut self, writer: u32, interval: u32, bytes: u32, clock: &[u32], page: u32) {
        let mut new = Missing { writer, bytes, intervals: vec![(writer, interval)] };
        // Who had seen the writes of others when it wrote can send these too.
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

    /// Drops what it has by now from what it misses.
    pub fn settle(&mut self) {
        let contains = &self.contains;
        self.missing
            .retain(|missing| !missing.intervals.iter().all(|(of, number)| has(contains, *of, *number)));
    }
}

/// A page.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub home: u32,
    /// By node, in order.
    copies: Vec<(u32, Copy)>,
    /// The last closed interval of each node that wrote it.
    pub log: Latest,
    pub last_writer: u32,
    /// Diffs that are not yet in the copy of its home, by their intervals those that have not come there, and nodes that wait
    /// there for them.
    pub under_way: u32,
    pub deposits: Vec<(u32, u32)>,
    pub waiting: Vec<u32>,
}

impl Page {
    /// A page that nobody has written, on its home alone.
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

    /// The copy of a node; a new one lacks everything.
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

    /// Whether no other node has a copy.
    pub fn is_single(&self) -> bool {
        self.copies.len() == 1
    }
}
