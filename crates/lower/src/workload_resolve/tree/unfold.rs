//! Unfolds a graph of tasks with dependences: each task is created once, with known predecessors.

use super::grammar::{Call, Grammar};
use super::grow::{Fault, Grown};
use super::nodes::Nodes;
use crate::workload_resolve::dependences::{Item, edges, graph};
use numalab_syntax::tree::show;
use numalab_workload::{Dependences, LAST_STEP};

/// Largest number of tasks after unfolding a graph.
pub(super) const MOST_TASKS: f64 = 4e6;

/// Largest number of `depend` clauses evaluated while unfolding a graph: about a second of work.
pub(super) const MOST_NAMED: usize = 2_000_000;

/// Largest number of dependences between unfolded tasks, all of which are kept in memory.
const MOST_EDGES: usize = 8_000_000;

/// Tasks after unfolding, numbered from 0 level by level; siblings are consecutive, and followed by their creator's next step.
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
    let nodes = &grown.nodes;
    let mut siblings = Siblings { grammar, nodes, named: 0 };
    let mut all = siblings.edges(&grown.roots)?;
    // Dependences among the children of each graph node, as indices among the siblings. They are the same wherever
    // the node is created.
    let among: Vec<Vec<(u32, u32)>> = (0..nodes.len() as u32)
        .map(|node| siblings.edges(nodes.children_of(node)))
        .collect::<Result<_, _>>()?;
    let roots = grown.roots.len() as u32;
    let mut of = grown.roots.clone();
    let mut first = Vec::with_capacity(tasks as usize);
    let mut at = 0;
    while let Some(node) = of.get(at).copied() {
        let next = of.len() as u32;
        first.push(next);
        of.extend_from_slice(nodes.children_of(node));
        of.extend(Some(nodes.next_of(node)).filter(|next| *next != LAST_STEP));
        all.extend(among[node as usize].iter().map(|(before, after)| (next + before, next + after)));
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
    nodes: &'g Nodes,
    /// Number of `depend` clauses evaluated so far, at most `MOST_NAMED`.
    named: usize,
}

impl Siblings<'_> {
    /// Dependences among sibling tasks, which one task creates in the given order, as pairs of indices in `tasks`:
    /// the second waits for the first.
    fn edges(&mut self, tasks: &[u32]) -> Result<Vec<(u32, u32)>, Fault> {
        let clauses = |task: &u32| self.grammar.kinds[self.nodes.kind(*task)].depends.len();
        self.named += tasks.iter().map(clauses).sum::<usize>();
        if self.named > MOST_NAMED {
            let message = format!("the tasks depend on more than {MOST_NAMED} items");
            return Err(Fault::new(&self.grammar.roots[0].path, message, "expected fewer tasks or clauses"));
        }
        let items = (0..).zip(tasks).flat_map(|(place, task)| {
            let item =
                move |(number, writes): &(u64, bool)| Item { task: place, number: *number, writes: *writes };
            self.nodes.items_of(*task).iter().map(item)
        });
        Ok(edges(&items.collect::<Vec<Item>>()))
    }
}

/// True if a kind of first tasks, which the phase itself creates, has dependences.
pub(super) fn first_depend(grammar: &Grammar) -> bool {
    grammar.roots.iter().any(|Call { kind, .. }| !grammar.kinds[*kind].depends.is_empty())
}
