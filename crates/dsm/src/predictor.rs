//! Contexts (loops, by their place in the program): their order, and the users of pages in each context. The users
//! are learned in a context's first execution and used at the end of each later execution.

use crate::directory::{NOBODY, PageId};
use crate::node_set::NodeSet;
use crate::protocol::Request;
use crate::touches::Use;
use numalab_base::Snapshot;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Expected successor of a context, and a counter of how often the successor was confirmed recently.
#[derive(Clone, Copy, Debug, Default)]
struct Successor {
    next: Option<u32>,
    counter: u64,
}

/// Nodes that use a page in a context, recorded in the context's first execution.
#[derive(Clone, Debug)]
struct Uses {
    readers: NodeSet,
    writers: NodeSet,
    /// Last node that wrote the page in the context; `NOBODY` before the first write.
    writer: u32,
}

/// Section of a loop: the work of a worker between two virtual synchronisation points, as the worker's number and the
/// number of points that the worker has passed before.
type Section = (u32, u32);

/// Last use of a page by a node.
#[derive(Clone, Copy, Debug)]
struct LastUse {
    section: Section,
    /// Number of points that the node's workers had passed before.
    points: u32,
}

/// Predictions about a context: its successor, and the users of pages in it.
#[derive(Clone, Debug, Default)]
struct Context {
    successor: Successor,
    executions: u64,
    uses: FxHashMap<PageId, Uses>,
    /// In the first execution: last use of each page by each node (`last`). Afterwards: pages of each section
    /// (`sections`).
    last: FxHashMap<(PageId, u32), LastUse>,
    sections: BTreeMap<Section, Vec<PageId>>,
    /// Memoised hints of each node from the last end of the context.
    said: BTreeMap<u32, Said>,
}

/// Memoised hints, valid while the chain of expected contexts and the number of learned executions stay the same.
#[derive(Clone, Debug)]
struct Said {
    chain: Vec<u32>,
    known: u64,
    hints: Arc<[Hint]>,
}

/// Hint to a page's master from a node that has finished with the page.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Hint {
    pub page: PageId,
    pub request: Request,
    /// Expected readers of the page, or its expected writer.
    pub targets: NodeSet,
    /// True if the node has dropped its copy of the page.
    pub dropped: bool,
    /// True if other nodes read the page before its expected writer writes it.
    pub is_read_before: bool,
}

/// Learned uses and order of all contexts, and the present context.
#[derive(Clone, Debug, Default)]
pub(crate) struct Predictor {
    contexts: Vec<Context>,
    current: Option<u32>,
    /// Number of virtual synchronisation points that each worker has passed in this execution of the context.
    points: BTreeMap<u32, u32>,
    /// Sum of these numbers over the workers of each node. Each point marks all pages of the node once.
    points_on: BTreeMap<u32, u32>,
    /// Page of each worker whose last use has faulted. The repeated use does not meet a mark.
    repeats: BTreeMap<u32, PageId>,
    /// True if the technique divides loops into sections.
    chops: bool,
    /// True between contexts, when uses of pages are not recorded.
    outside: bool,
}

impl Predictor {
    /// Predictor before any execution. `chops`: loops are divided into sections.
    pub fn new(chops: bool) -> Predictor {
        Predictor { chops, ..Predictor::default() }
    }

    /// Begins an execution of a context, given by its number.
    pub fn enter(&mut self, context: u32) {
        self.outside = false;
        let least = context as usize + 1;
        self.contexts.resize_with(self.contexts.len().max(least), Context::default);
        if let Some(previous) = self.current.replace(context) {
            self.contexts[previous as usize].successor.follow(context);
        }
        self.points.clear();
        self.points_on.clear();
        let context = &mut self.contexts[context as usize];
        context.executions += 1;
        let mut last: Vec<_> = std::mem::take(&mut context.last).into_iter().collect();
        last.sort_unstable_by_key(|(key, _)| *key);
        for ((page, _), last) in last {
            context.sections.entry(last.section).or_default().push(page);
        }
    }

    /// Ends the present context. Uses of pages belong to no context until the next begins.
    pub fn leave(&mut self) {
        self.outside = true;
    }

    /// A worker of a node proceeds to its next section. Returns the section that the worker leaves.
    pub fn pass(&mut self, worker: u32, node: u32) -> Section {
        *self.points_on.entry(node).or_default() += 1;
        let passed = self.points.entry(worker).or_default();
        *passed += 1;
        (worker, *passed - 1)
    }

    /// Hints of a node about the pages whose last use was in a section; none in the first execution of the context.
    pub fn hints_of(&self, section: Section, node: u32) -> Vec<Hint> {
        let Some(current) = self.current.filter(|_| !self.outside) else { return Vec::new() };
        let Some(pages) = self.contexts[current as usize].sections.get(&section) else { return Vec::new() };
        let chain = self.chain(current);
        pages.iter().flat_map(|page| self.hints_about(*page, node, current, &chain)).collect()
    }

    /// True while uses of pages are recorded.
    pub fn learns(&self) -> bool {
        !self.outside && self.current.is_some_and(|current| self.contexts[current as usize].executions == 1)
    }

    /// Records that a worker's use of a page has faulted, and will be repeated.
    pub fn repeat(&mut self, worker: u32, page: PageId) {
        self.repeats.insert(worker, page);
    }

    /// Records a use of a page. Returns true if the page is marked, so that the use faults: the node has not used the
    /// page so before, or a worker of the node has passed a point since the node's last use. A use that is repeated
    /// after a fault meets no such point.
    pub fn note(&mut self, page: PageId, (worker, node): (u32, u32), how: Use) -> bool {
        let Some(current) = self.current else { return false };
        let repeated = self.repeats.remove(&worker) == Some(page);
        let section = (worker, self.points.get(&worker).copied().unwrap_or(0));
        let points = self.points_on.get(&node).copied().unwrap_or(0);
        let context = &mut self.contexts[current as usize];
        let again = self.chops && {
            let last = context.last.insert((page, node), LastUse { section, points });
            !repeated && last.is_some_and(|last| last.points != points)
        };
        let uses = context.uses.entry(page).or_insert(Uses {
            readers: NodeSet::EMPTY,
            writers: NodeSet::EMPTY,
            writer: NOBODY,
        });
        let reads = matches!(how, Use::Read | Use::Update) && !uses.readers.contains(node);
        let writes = matches!(how, Use::Write | Use::Update) && !uses.writers.contains(node);
        if reads {
            uses.readers.insert(node);
        }
        if writes {
            uses.writers.insert(node);
            uses.writer = node;
        }
        reads || writes || again
    }

    /// Hints of a node about the pages that it used in the present context, at the context's end.
    pub fn hints(&mut self, node: u32) -> Arc<[Hint]> {
        let Some(current) = self.current.filter(|_| !self.outside) else { return Arc::new([]) };
        let chain = self.chain(current);
        // Uses are recorded only in the first execution of a context.
        let known = chain.iter().map(|context| self.contexts[*context as usize].executions.min(2)).sum();
        let context = &self.contexts[current as usize];
        if let Some(said) = context.said.get(&node)
            && (&said.chain, said.known) == (&chain, known)
            && context.executions > 1
        {
            return said.hints.clone();
        }
        let used = context.uses.iter();
        let used = used.filter(|(_, uses)| uses.readers.contains(node) || uses.writers.contains(node));
        let mut used: Vec<PageId> = used.map(|(page, _)| *page).collect();
        used.sort_unstable();
        let hints: Arc<[Hint]> =
            used.iter().flat_map(|page| self.hints_about(*page, node, current, &chain)).collect();
        let said = Said { chain, known, hints: hints.clone() };
        self.contexts[current as usize].said.insert(node, said);
        hints
    }

    /// Contexts that are expected to follow `from` in order, until a context repeats.
    fn chain(&self, from: u32) -> Vec<u32> {
        let mut chain = Vec::new();
        let mut at = from;
        while let Some(next) = self.contexts[at as usize].successor.next
            && !chain.contains(&next)
        {
            chain.push(next);
            at = next;
        }
        chain
    }

    /// Hints of a node about a page that it used in context `current`, if the contexts of `chain` follow. The page is
    /// sent to its readers before the next write, unless they use it in `current` and so have it. The node's copy goes
    /// if another node writes the page next and the node does not use it before.
    fn hints_about(
        &self,
        page: PageId,
        node: u32,
        current: u32,
        chain: &[u32],
    ) -> impl Iterator<Item = Hint> {
        let uses_in = |context: u32| self.contexts[context as usize].uses.get(&page);
        let (mut readers, mut writer) = (NodeSet::EMPTY, NOBODY);
        for uses in chain.iter().filter_map(|context| uses_in(*context)) {
            if uses.writer != NOBODY {
                writer = uses.writer;
                break;
            }
            uses.readers.iter().for_each(|reader| readers.insert(reader));
        }
        let is_read_before = readers.len() > 0;
        let goes = writer != NOBODY && writer != node && !readers.contains(node);
        let hint = |request, targets| Hint { page, request, targets, dropped: false, is_read_before };
        let mut targets = readers;
        targets.remove(node);
        // A write in `current` leaves its writer alone with the page.
        let has = |reader: u32| {
            uses_in(current).is_some_and(|uses| match uses.writer {
                NOBODY => uses.readers.contains(reader),
                writer => writer == reader,
            })
        };
        let is_lacked = targets.iter().any(|reader| !has(reader));
        let sent = is_lacked.then(|| hint(Request::Presend, targets));
        let drops = goes.then(|| hint(Request::Preinvalidate, NodeSet::of(writer)));
        sent.into_iter().chain(drops)
    }

    /// Adds the state to a snapshot. Numbers of executions grow for ever, so they count only up to 2.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Predictor { contexts, current, points, points_on, repeats, chops: _, outside } = self;
        into.add(&(contexts.len(), current, points, points_on, repeats, outside));
        for Context {
            successor: Successor { next, counter },
            executions,
            uses,
            last: _,
            sections: _,
            said: _,
        } in contexts
        {
            into.add(&(next, uses.len(), executions.min(&2)));
            into.counter(*counter);
        }
    }
}

impl Successor {
    /// Counts the actual successor for or against the expected successor.
    fn follow(&mut self, context: u32) {
        match self.next {
            Some(next) if next == context => self.counter += 1,
            Some(_) if self.counter > 0 => self.counter -= 1,
            Some(_) | None => self.next = Some(context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contexts 0 1 0 1 ...: 1 is expected after 0. After the pair was seen twice, a single exception does not change
    /// that.
    #[test]
    fn what_followed_is_expected() {
        let mut predictor = Predictor::default();
        [0, 1, 0, 1].into_iter().for_each(|context| predictor.enter(context));
        assert_eq!((predictor.chain(0), predictor.chain(1)), (vec![1, 0], vec![0, 1]));
        [0, 2, 0].into_iter().for_each(|context| predictor.enter(context));
        assert_eq!(predictor.chain(0)[0], 1, "the counter of 1 was 1");
        [2, 0].into_iter().for_each(|context| predictor.enter(context));
        assert_eq!(predictor.chain(0)[0], 2);
    }

    /// Workers 0 and 1 of node 0 use page 7 in turns. Each point of either marks the page once, a use that is repeated
    /// after a fault goes on though a point was passed meanwhile, and the page belongs to the section of its last use.
    #[test]
    fn points_mark_a_page_once_for_all_workers_of_a_node() {
        let mut predictor = Predictor::new(true);
        predictor.enter(0);
        let mut note = |worker, points: &[u32]| {
            for by in points {
                predictor.pass(*by, 0);
            }
            predictor.note(7, (worker, 0), Use::Read)
        };
        assert_eq!([note(0, &[]), note(1, &[]), note(0, &[])], [true, false, false]);
        assert_eq!([note(1, &[0]), note(0, &[]), note(1, &[0, 1])], [true, false, true]);
        predictor.repeat(0, 7);
        predictor.pass(1, 0);
        assert!(!predictor.note(7, (0, 0), Use::Read) && !predictor.note(7, (1, 0), Use::Read));
        predictor.enter(1);
        predictor.note(7, (2, 1), Use::Read);
        predictor.enter(0);
        let pages = |section| predictor.hints_of(section, 0).len();
        assert_eq!([(0, 2), (1, 1), (1, 2)].map(pages), [0, 0, 1]);
    }

    /// Node 0 writes page 7 in context 0, nodes 1 and 2 read it in contexts 1 and 2: readers accumulate. When they
    /// have finished, the page returns to its writer.
    #[test]
    fn readers_accumulate_up_to_the_next_write() {
        let mut predictor = Predictor::default();
        for (context, node, how) in [(0, 0, Use::Write), (1, 1, Use::Read), (2, 2, Use::Read)] {
            predictor.enter(context);
            assert!(predictor.note(7, (node, node), how) && !predictor.note(7, (node, node), how));
        }
        predictor.enter(0);
        let hints = predictor.hints(0);
        assert_eq!(
            (hints[0].request, hints[0].targets.iter().collect::<Vec<_>>()),
            (Request::Presend, vec![1, 2])
        );
        predictor.enter(1);
        // A loop without context releases nothing and is not expected after another.
        predictor.leave();
        assert!(predictor.hints(1).is_empty() && predictor.hints_of((1, 0), 1).is_empty());
        predictor.enter(2);
        assert_eq!(predictor.chain(1), [2, 0, 1]);
        let hints = predictor.hints(2);
        assert_eq!(
            (hints[0].request, hints[0].targets.iter().collect::<Vec<_>>()),
            (Request::Preinvalidate, vec![0])
        );
        assert!(predictor.hints(0).is_empty());
    }

    /// Law: A node that does not use a page before its next write gives its copy back, though others read it before.
    ///
    /// Node 0 writes page 7 in context 2. Nodes 0 and 1 read it in context 0, node 0 alone in context 1. At the end of
    /// context 0 node 1 has finished with the page and drops its copy; node 0 has the page already, so nothing is sent.
    /// At the end of context 2 node 0 sends the page to node 1, which reads it in context 0.
    #[test]
    fn copies_go_although_others_read_before_the_write() {
        let mut predictor = Predictor::default();
        for (context, uses) in
            [(0, &[(0, Use::Read), (1, Use::Read)][..]), (1, &[(0, Use::Read)]), (2, &[(0, Use::Update)])]
        {
            predictor.enter(context);
            uses.iter().for_each(|(node, how)| assert!(predictor.note(7, (*node, *node), *how)));
        }
        predictor.enter(0);
        let of = |predictor: &mut Predictor, node| -> Vec<(Request, Vec<u32>)> {
            let hints = predictor.hints(node);
            hints.iter().map(|hint| (hint.request, hint.targets.iter().collect())).collect()
        };
        assert_eq!(of(&mut predictor, 1), [(Request::Preinvalidate, vec![0])]);
        assert_eq!(of(&mut predictor, 0), []);
        predictor.enter(1);
        assert_eq!(of(&mut predictor, 0), []);
        predictor.enter(2);
        assert_eq!(of(&mut predictor, 0), [(Request::Presend, vec![1])]);
    }
}
