//! Unfolds a graph of tasks with dependences: each task is created once, with known predecessors.

use super::grammar::{Call, Grammar};
use super::graph::Graph;
use super::grow::{Fault, Grown};
use super::work::TaskValues;
use crate::workload_resolve::dependences::{ITEM_LABEL, Item, edges, graph, item_number};
use numalab_syntax::tree::show;
use numalab_workload::Dependences;

/// Largest number of tasks after unfolding a graph.
pub(super) const MOST_TASKS: f64 = 4e6;

/// Largest number of `depend` clauses evaluated while unfolding a graph: about a second of work.
pub(super) const MOST_NAMED: usize = 2_000_000;

/// Largest number of dependences between unfolded tasks, all of which are kept in memory.
const MOST_EDGES: usize = 8_000_000;

/// Tasks after unfolding, numbered from 0 level by level; siblings are consecutive.
pub(super) struct Unfolded {
    /// Index in the graph of each unfolded task's node.
    pub of: Vec<u32>,
    /// Number of each unfolded task's first child.
    pub first: Vec<u32>,
    /// Number of first tasks, which are the tasks 0 to `roots - 1`.
    pub roots: u32,
    pub dependences: Dependences,
}

/// Creates each task of a graph by itself, level by level. `tasks` is their number; an error above `MOST_TASKS`.
pub(super) fn unfold(path: &str, grammar: &Grammar, grown: &Grown, tasks: f64) -> Result<Unfolded, Fault> {
    if tasks > MOST_TASKS {
        let message =
            format!("{} tasks would be created, each by itself since some depend on others", show(tasks));
        return Err(Fault::new(path, message, "expected at most 4e6; `cutoff` makes fewer of the same work"));
    }
    let mut siblings = Siblings { grammar, graph: &grown.graph, values: TaskValues::default(), named: 0 };
    let mut all = siblings.edges(&grown.roots)?;
    // Dependences among the children of each graph node, as indices among the siblings. They are the same wherever
    // the node is created.
    let among: Vec<Vec<(u32, u32)>> = (0..grown.graph.len())
        .map(|task| siblings.edges(grown.graph.children(task as u32)))
        .collect::<Result<_, _>>()?;
    let roots = grown.roots.len() as u32;
    let mut of = grown.roots.clone();
    let mut first = Vec::with_capacity(tasks as usize);
    let mut at = 0;
    while let Some(task) = of.get(at).copied() {
        let next = of.len() as u32;
        first.push(next);
        of.extend_from_slice(grown.graph.children(task));
        all.extend(among[task as usize].iter().map(|(before, after)| (next + before, next + after)));
        if all.len() > MOST_EDGES {
            let message = format!("the tasks have more than {MOST_EDGES} dependences");
            return Err(Fault::new(path, message, "expected fewer tasks or clauses"));
        }
        at += 1;
    }
    let dependences = graph(of.len(), all);
    Ok(Unfolded { of, first, roots, dependences })
}

struct Siblings<'g> {
    grammar: &'g Grammar,
    graph: &'g Graph,
    values: TaskValues,
    /// Number of `depend` clauses evaluated so far, at most `MOST_NAMED`.
    named: usize,
}

impl Siblings<'_> {
    /// Dependences among sibling tasks, which one task creates in the given order, as pairs of indices in `tasks`:
    /// the second waits for the first.
    fn edges(&mut self, tasks: &[u32]) -> Result<Vec<(u32, u32)>, Fault> {
        let mut items = Vec::new();
        // The limit is checked before the items are evaluated, which takes most of the time.
        let clauses = |task: &u32| self.grammar.kinds[self.graph.kind(*task as usize)].depends.len();
        self.named += tasks.iter().map(clauses).sum::<usize>();
        if self.named > MOST_NAMED {
            let message = format!("the tasks depend on more than {MOST_NAMED} items");
            return Err(Fault::new(&self.grammar.roots[0].path, message, "expected fewer tasks or clauses"));
        }
        for (place, task) in (0..).zip(tasks) {
            let kind = &self.grammar.kinds[self.graph.kind(*task as usize)];
            if kind.depends.is_empty() {
                continue;
            }
            self.values.enter(self.graph, *task as usize, kind);
            for depend in &kind.depends {
                match item_number(self.values.of(&depend.item)) {
                    Ok(Some(number)) => items.push(Item { task: place, number, writes: depend.writes }),
                    Ok(None) => {}
                    Err(wrong) => {
                        let shown = self.graph.describe(self.grammar, *task as usize);
                        let message = format!("{shown} names the item {wrong}");
                        return Err(Fault::new(&depend.path, message, ITEM_LABEL));
                    }
                }
            }
        }
        Ok(edges(&items))
    }
}

/// True if a kind of first tasks, which the phase itself creates, has dependences.
pub(super) fn first_depend(grammar: &Grammar) -> bool {
    grammar.roots.iter().any(|Call { kind, .. }| !grammar.kinds[*kind].depends.is_empty())
}
