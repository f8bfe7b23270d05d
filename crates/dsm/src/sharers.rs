//! Pages that several nodes write in one context (a loop, by its place in the program), which reveal false sharing.

use crate::directory::{NOBODY, PageId};
use rustc_hash::FxHashMap;

/// First write faults on pages, and numbers of pages with several writers, by context.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sharers {
    contexts: Vec<Context>,
    current: Option<u32>,
}

#[derive(Clone, Debug, Default)]
struct Context {
    /// Node of the first write fault on each page; `NOBODY` once a second node had a write fault on the page.
    writers: FxHashMap<PageId, u32>,
    /// Number of pages on which several nodes had write faults.
    several: u64,
}

impl Sharers {
    /// Begins a context, given by its number.
    pub fn enter(&mut self, context: u32) {
        let least = context as usize + 1;
        self.contexts.resize_with(self.contexts.len().max(least), Context::default);
        self.current = Some(context);
    }

    /// Leaves the context; write faults until the next context are not counted.
    pub fn leave(&mut self) {
        self.current = None;
    }

    /// Counts a write fault of a node on a page.
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

    /// Number of pages on which several nodes had write faults so far, in the present context; 0 outside contexts.
    pub fn several(&self) -> u64 {
        self.current.map_or(0, |at| self.contexts[at as usize].several)
    }
}

#[cfg(test)]
mod tests {
    use super::Sharers;

    /// Page 7 has write faults of two nodes in context 0 and counts once, however often the nodes write. Page 8 has
    /// only one writer in context 0, and page 7 only one in context 1.
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
