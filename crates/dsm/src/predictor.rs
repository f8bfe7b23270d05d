//! Contexts (loops, by their place in the program): their order, and the users of pages in each context. The users
//! are learned in a context's first execution and used at the end of each later execution.

use crate::directory::{NOBODY, PageId};
use crate::node_set::NodeSet;
use crate::protocol::Request;
use crate::touches::Use;
use numalab_base::Snapshot;
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

/// Predictions about a context: its successor, and the users of pages in it.
#[derive(Clone, Debug, Default)]
struct Context {
    successor: Successor,
    executions: u64,
    uses: BTreeMap<PageId, Uses>,
    /// In the first execution: last section in which each node used a page (`last`). Afterwards: pages of each
    /// section (`sections`).
    last: BTreeMap<(PageId, u32), Section>,
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
}

/// Learned uses and order of all contexts, and the present context.
#[derive(Clone, Debug, Default)]
pub(crate) struct Predictor {
    contexts: Vec<Context>,
    current: Option<u32>,
    /// Number of virtual synchronisation points that each worker has passed in this execution of the context.
    points: BTreeMap<u32, u32>,
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
        let context = &mut self.contexts[context as usize];
        context.executions += 1;
        for ((page, _), section) in std::mem::take(&mut context.last) {
            context.sections.entry(section).or_default().push(page);
        }
    }

    /// Ends the present context. Uses of pages belong to no context until the next begins.
    pub fn leave(&mut self) {
        self.outside = true;
    }

    /// A worker proceeds to its next section. Returns the section that the worker leaves.
    pub fn pass(&mut self, worker: u32) -> Section {
        let passed = self.points.entry(worker).or_default();
        *passed += 1;
        (worker, *passed - 1)
    }

    /// Hints of a node about the pages whose last use was in a section; none in the first execution of the context.
    pub fn hints_of(&self, section: Section, node: u32) -> Vec<Hint> {
        let Some(current) = self.current.filter(|_| !self.outside) else { return Vec::new() };
        let Some(pages) = self.contexts[current as usize].sections.get(&section) else { return Vec::new() };
        let chain = self.chain(current);
        pages.iter().filter_map(|page| self.hint(*page, node, &chain)).collect()
    }

    /// True while uses of pages are recorded.
    pub fn learns(&self) -> bool {
        !self.outside && self.current.is_some_and(|current| self.contexts[current as usize].executions == 1)
    }

    /// Records a use of a page. Returns true if the use was not recorded before, or only in an earlier section.
    pub fn note(&mut self, page: PageId, (worker, node): (u32, u32), how: Use) -> bool {
        let Some(current) = self.current else { return false };
        let section = (worker, self.points.get(&worker).copied().unwrap_or(0));
        let context = &mut self.contexts[current as usize];
        let again = self.chops
            && context.last.insert((page, node), section).is_some_and(|known| known.1 != section.1);
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
        let hints: Arc<[Hint]> = used.filter_map(|(page, _)| self.hint(*page, node, &chain)).collect();
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

    /// Hint of a node about a page, if the contexts of `chain` follow: the readers before the next write, or the next
    /// writer if no context reads the page before. `None` if only the node itself would be named.
    fn hint(&self, page: PageId, node: u32, chain: &[u32]) -> Option<Hint> {
        let mut targets = NodeSet::EMPTY;
        for context in chain {
            let Some(uses) = self.contexts[*context as usize].uses.get(&page) else { continue };
            if uses.writer == NOBODY {
                uses.readers.iter().for_each(|reader| targets.insert(reader));
                continue;
            }
            if targets.len() == 0 {
                let targets = NodeSet::of(uses.writer);
                return (uses.writer != node).then_some(Hint {
                    page,
                    request: Request::Preinvalidate,
                    targets,
                    dropped: false,
                });
            }
            break;
        }
        targets.remove(node);
        (targets.len() > 0).then_some(Hint { page, request: Request::Presend, targets, dropped: false })
    }

    /// Adds the state to a snapshot. Numbers of executions grow for ever, so they count only up to 2.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Predictor { contexts, current, points, chops: _, outside } = self;
        into.add(&(contexts.len(), current, points, outside));
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
}
