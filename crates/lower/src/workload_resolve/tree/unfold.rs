//! Tasks that depend on others: each is created once, so that it is known for whom it waits.

use super::grammar::{Call, Grammar};
use super::graph::Graph;
use super::grow::{Fault, Grown};
use super::work::TaskValues;
use crate::workload_resolve::dependences::{ITEM_LABEL, Item, edges, graph, item_number};
use numalab_syntax::tree::show;
use numalab_workload::Dependences;

/// Most tasks that are created each by itself.
pub(super) const MOST_TASKS: f64 = 4e6;

/// Items that different tasks may name: about a second's work, whatever the expressions are.
pub(super) const MOST_NAMED: usize = 2_000_000;

/// Tasks that may wait for another, once for each that they wait for: they are put in order.
const MOST_EDGES: usize = 8_000_000;

/// Tasks of a graph, each as often as it is created: level by level, and siblings one after the other.
pub(super) struct Unfolded {
    /// The task of the graph that each one is.
    pub of: Vec<u32>,
    /// Start of each task's children.
    pub first: Vec<u32>,
    /// The first tasks are those from 0 to this.
    pub roots: u32,
    pub dependences: Dependences,
}

/// All tasks that are created, so many.
pub(super) fn unfold(path: &str, grammar: &Grammar, grown: &Grown, tasks: f64) -> Result<Unfolded, Fault> {
    if tasks > MOST_TASKS {
        let message =
            format!("{} tasks would be created, each by itself since some depend on others", show(tasks));
        return Err(Fault::new(path, message, "expected at most 4e6; `cutoff` makes fewer of the same work"));
    }
    let mut siblings = Siblings { grammar, graph: &grown.graph, values: TaskValues::default(), named: 0 };
    let mut all = siblings.edges(&grown.roots)?;
    // Of each task of the graph, by place among its siblings, who waits for whom: the same wherever it is created.
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
    /// Items that have been named so far.
    named: usize,
}

impl Siblings<'_> {
    /// Finds who waits for whom among tasks that one task creates in this order.
    fn edges(&mut self, tasks: &[u32]) -> Result<Vec<(u32, u32)>, Fault> {
        let mut items = Vec::new();
        // Before they are named: naming takes the time.
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

/// Whether some of the first tasks may depend on others.
pub(super) fn first_depend(grammar: &Grammar) -> bool {
    grammar.roots.iter().any(|Call { kind, .. }| !grammar.kinds[*kind].depends.is_empty())
}
