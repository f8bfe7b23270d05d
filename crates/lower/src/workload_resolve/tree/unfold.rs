//! Unfolds a graph of tasks with dependences: each task is created once, with known predecessors.

use super::grammar::{Call, Grammar};
use super::grow::{Fault, Grown};
use super::nodes::Nodes;
use crate::workload_resolve::dependences::{Item, edges, graph};
use numalab_syntax::tree::show;
use numalab_workload::Dependences;

/// Largest number of tasks after unfolding a graph, and of their steps, each of which is kept in memory.
const MOST_STEPS: usize = 4_000_000;

/// Largest number of `depend` clauses evaluated while unfolding a graph: about a second of work.
pub(super) const MOST_NAMED: usize = 2_000_000;

/// Largest number of dependences between unfolded tasks, all of which are kept in memory.
const MOST_EDGES: usize = 8_000_000;

/// Tasks after unfolding, numbered from 0 level by level. The children of a step are consecutive and followed by the
/// creator's next step.
pub(super) struct Unfolded {
    /// Index in the graph of each unfolded task's node.
    pub of: Vec<u32>,
    /// Number of each unfolded task's first child.
    pub first: Vec<u32>,
    /// Number of first tasks, which are the tasks 0 to `roots - 1`.
    pub roots: u32,
    pub dependences: Dependences,
}

/// Creates each task of a graph by itself, level by level. `tasks` is their number; an error above
/// `MOST_STEPS`, or if their steps are more.
pub(super) fn unfold(path: &str, grammar: &Grammar, grown: &Grown, tasks: f64) -> Result<Unfolded, Fault> {
    let too_many = |count: String| {
        let message = format!("{count} would be created, each by itself since some tasks depend on others");
        Fault::new(path, message, "expected at most 4e6; `cutoff` makes fewer of the same work")
    };
    if tasks > MOST_STEPS as f64 {
        return Err(too_many(format!("{} tasks", show(tasks))));
    }
    let nodes = &grown.nodes;
    let mut siblings = Siblings { grammar, nodes, named: 0 };
    let mut all = siblings.edges(&grown.roots)?;
    let is_later = later_steps(grammar);
    // Dependences among the children of each graph node, as indices among the siblings. They are the same wherever
    // the node is created. The children of all steps of a task are siblings.
    let among: Vec<Vec<(u32, u32)>> = (0..nodes.len() as u32)
        .map(|node| match is_later[nodes.kind(node)] {
            true => Ok(Vec::new()),
            false => {
                let steps = std::iter::successors(Some(node), |step| nodes.next_step(*step));
                siblings.edges(&steps.flat_map(|step| nodes.children_of(step)).copied().collect::<Vec<u32>>())
            }
        })
        .collect::<Result<_, _>>()?;
    let roots = grown.roots.len() as u32;
    let mut of = grown.roots.clone();
    let mut first = Vec::with_capacity(tasks as usize);
    while let Some(node) = of.get(first.len()).copied() {
        first.push(of.len() as u32);
        of.extend_from_slice(nodes.children_of(node));
        of.extend(nodes.next_step(node));
        // A task of many steps is one of `tasks`.
        if of.len() > MOST_STEPS {
            return Err(too_many(format!("more than {MOST_STEPS} steps of tasks")));
        }
    }
    let mut children: Vec<u32> = Vec::new();
    for (task, node) in of.iter().enumerate() {
        let among = &among[*node as usize];
        if among.is_empty() {
            continue;
        }
        if all.len() + among.len() > MOST_EDGES {
            let message = format!("the tasks have more than {MOST_EDGES} dependences");
            return Err(Fault::new(path, message, "expected fewer tasks or clauses"));
        }
        children.clear();
        let mut step = Some(task);
        while let Some(at) = step {
            let end = first[at] + nodes.children_of(of[at]).len() as u32;
            children.extend(first[at]..end);
            step = nodes.next_step(of[at]).map(|_| end as usize);
        }
        all.extend(among.iter().map(|(one, other)| (children[*one as usize], children[*other as usize])));
    }
    let dependences = graph(of.len(), all);
    Ok(Unfolded { of, first, roots, dependences })
}

/// For each kind, true if it is a later step of a task.
fn later_steps(grammar: &Grammar) -> Vec<bool> {
    let mut later = vec![false; grammar.kinds.len()];
    grammar.kinds.iter().filter_map(|kind| kind.next).for_each(|step| later[step] = true);
    later
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
