//! Pages that several nodes write in one context (a loop, by its place in the program), which reveal false sharing.

use crate::directory::{NOBODY, PageId};
use rustc_hash::FxHashMap;

/// Write faults by context, page and node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sharers {
    /// Contexts by number.
    contexts: Vec<Context>,
    current: Option<u32>,
}

#[derive(Clone, Debug, Default)]
struct Context {
    /// Node of the first write fault on each page; `NOBODY` after a fault of another node.
    writers: FxHashMap<PageId, u32>,
    /// Number of pages with write faults of several nodes.
    several: u64,
}

impl Sharers {
    /// Begins a context.
    pub fn enter(&mut self, context: u32) {
        let least = context as usize + 1;
        self.contexts.resize_with(self.contexts.len().max(least), Context::default);
        self.current = Some(context);
    }

    /// Leaves the context; later faults belong to none.
    pub fn leave(&mut self) {
        self.current = None;
    }

    /// A node has a write fault on a page.
    pub fn wrote(&mut self, page: PageId, node: u32) {
        let Some(Context { writers, several }) = self.current.map(|at| &mut self.contexts[at as usize])
        else {
            return;
        };
        let first = writers.entry(page).or_insert(node);
        if *first != NOBODY && *first != node {
            *first = NOBODY;
            *several += 1;
        }
    }

    /// Pages of the present context with write faults of several nodes so far.
    pub fn several(&self) -> u64 {
        self.current.map_or(0, |at| self.contexts[at as usize].several)
    }
}

#[cfg(test)]
mod tests {
    use super::Sharers;

    /// Page 7 has write faults of two nodes in context 0 and counts once, however often they write. Page 8 has one
    /// writer there, and page 7 has one in context 1.
    #[test]
    fn pages_of_two_writers_count_once() {
        let mut sharers = Sharers::default();
        sharers.wrote(7, 0);
        assert_eq!(sharers.several(), 0, "outside of contexts nothing is kept");
        sharers.enter(0);
        for (page, node) in [(7, 0), (7, 0), (8, 1), (7, 1), (7, 2), (7, 0)] {
            sharers.wrote(page, node);
        }
        assert_eq!(sharers.several(), 1);
        sharers.enter(1);
        sharers.wrote(7, 1);
        assert_eq!(sharers.several(), 0);
        sharers.enter(0);
        assert_eq!(sharers.several(), 1);
        sharers.leave();
        assert_eq!(sharers.several(), 0);
    }
}
