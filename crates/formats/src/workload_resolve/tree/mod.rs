//! Tasks that create tasks: a grammar becomes a graph of tasks and what each does.

mod compile;
mod grammar;
mod graph;
mod grow;
#[cfg(test)]
mod tests;
mod work;

use super::Resolver;
use crate::quantity::Expression;
use crate::workload_file::TreeFile;
use grammar::Grammar;
use graph::Graph;
use grow::{Fault, Grown, Limits, grow};
use numalab_workload::{
    Phase, Producers, Region, RegionId, Schedule, Slice, Task, TaskAffinity, Tasking, Tree, parents_first,
};
use work::{Work, affinity, endless, work};

/// Tasks that are executed in one phase, repeats and rounds included.
const MOST_EXECUTED: f64 = 1e11;

impl Resolver<'_, '_> {
    /// A phase of tasks that create tasks, which runs so often.
    pub(super) fn tree(
        &mut self,
        path: &str,
        name: &str,
        file: &TreeFile,
        regions: &[Region],
        runs: u64,
    ) -> Phase {
        if let Some(policy) = file.schedule.0.filter(|policy| !matches!(policy, Schedule::Tasks(_))) {
            let label = "expected `compared`, `tasks`, `tasks:central`, …";
            self.report.at(&format!("{path}.schedule"), format!("{policy} executes no tasks"), label);
        }
        let producers = file.producers.as_ref();
        let producers = producers.and_then(|word| self.producer(&format!("{path}.producers"), word));
        let mut optional = |key: &str, text: &Option<Expression>, least, most| {
            text.as_ref().and_then(|text| self.between(&format!("{path}.{key}"), text, least, most))
        };
        let per_byte = optional("instructions_per_byte", &file.instructions_per_byte, 0.0, 1e9);
        let overlap = optional("overlap", &file.overlap, 0.0, 1.0);
        let outstanding = optional("outstanding", &file.outstanding, 1e-3, 1e6);
        let bare = Phase::new(name, 1);
        let near = self.near(path, file, regions);
        let Some(grammar) = self.grammar(path, file, regions) else { return bare };
        let grown = resolved(path, &grammar, near, regions, runs, Limits::DEFAULT);
        let tasks = match grown {
            Ok(tasks) => tasks,
            Err(fault) => {
                // What a wrong region leads to has been said.
                if !self.report.is_repaired("regions") {
                    self.complain(&fault.path, fault.message, fault.label);
                }
                return bare;
            }
        };
        Phase {
            schedule: file.schedule.0,
            instructions_per_byte: per_byte.unwrap_or(0.0),
            overlap: overlap.unwrap_or(0.0),
            outstanding,
            tasking: Tasking { producers: producers.unwrap_or(Producers::Single), ..tasks.tasking },
            iterations: tasks.iterations,
            instructions: tasks.instructions,
            accesses: tasks.accesses,
            ..bare
        }
    }

    /// The region in which tasks want to run near their data: one for all kinds.
    fn near(&mut self, path: &str, file: &TreeFile, regions: &[Region]) -> Option<usize> {
        let mut near: Option<usize> = None;
        for (name, kind) in &file.kinds {
            let Some(affinity) = &kind.affinity else { continue };
            let path = format!("{path}.kinds.{name}.affinity.region");
            let Some(region) = self.region(&path, &affinity.region, regions) else { continue };
            if *near.get_or_insert(region) != region {
                let label = "expected one region for all kinds of a phase";
                self.report.at(&path, "tasks of this phase want to run near two regions", label);
            }
        }
        let without = file.kinds.iter().find(|(_, kind)| kind.affinity.is_none());
        if let (Some(_), Some((name, _))) = (near, without) {
            let label = "expected `affinity` in every kind, or in none";
            self.report.at(&format!("{path}.kinds.{name}"), format!("{name} does not say where"), label);
        }
        near
    }

    /// Looks the names of a grammar up that is not used.
    pub(super) fn tree_names(&mut self, path: &str, file: &TreeFile, regions: &[Region]) {
        self.near(path, file, regions);
        self.grammar(path, file, regions);
    }
}

/// A phase with the tasks of a grammar.
fn resolved(
    path: &str,
    grammar: &Grammar,
    near: Option<usize>,
    regions: &[Region],
    runs: u64,
    limits: Limits,
) -> Result<Phase, Fault> {
    let grown = grow(grammar, limits)?;
    let graph = &grown.graph;
    if grown.roots.is_empty() {
        return Err(Fault::new(format!("{path}.root"), "there is no first task", "expected at least one"));
    }
    parents_first(graph.len(), |task| graph.children(task))
        .map_err(|task| endless(grammar, graph, task as usize))?;
    let Work { instructions, after, accesses } = work(grammar, &grown, limits)?;
    let offsets = near.map(|region| affinity(grammar, graph, regions[region].size.0)).transpose()?;
    let accesses = accesses.into_iter().map(|column| column.into_access(path)).collect::<Result<_, _>>()?;
    let iterations = graph.len() as u64;
    let tree = tree(grammar, grown, &after);
    executed(path, &tree, runs)?;
    let affinity = near.zip(offsets);
    let affinity = affinity.map(|(region, at)| TaskAffinity { region: RegionId(region), offsets: at.into() });
    Ok(Phase {
        accesses,
        instructions: instructions.into(),
        tasking: Tasking { grain: 1, tree: Some(tree), affinity, ..Tasking::default() },
        ..Phase::new("", iterations)
    })
}

fn tree(grammar: &Grammar, grown: Grown, after: &[f64]) -> Tree {
    let Grown { graph, roots, .. } = grown;
    let task = |at: usize| Task {
        first: graph.first(at),
        count: graph.children(at as u32).len() as u32,
        wait: grammar.kinds[graph.kind(at)].wait,
        after: after[at],
    };
    let tasks = (0..graph.len()).map(task).collect();
    Tree { tasks, children: Graph::into_children(graph).into(), roots: roots.into() }
}

/// A few tasks may be created astronomically often.
fn executed(path: &str, tree: &Tree, runs: u64) -> Result<(), Fault> {
    let times = tree.executions().unwrap_or_default();
    let all = times.iter().sum::<f64>() * runs as f64;
    if all <= MOST_EXECUTED {
        return Ok(());
    }
    let message = format!("{:.3e} tasks would be executed", all);
    Err(Fault::new(path, message, "expected at most 1e11; `cutoff` makes fewer of the same work"))
}

/// Bytes that all tasks touch in a slice, each as often as it is executed.
pub(super) fn tree_bytes(times: &[f64], slice: &Slice) -> u128 {
    let bytes = |task: usize| {
        slice.piece(task as u64, task as u64 + 1).map_or(0, |piece| piece.touched + piece.again)
    };
    times
        .iter()
        .enumerate()
        .map(|(task, times)| (*times as u128).saturating_mul(u128::from(bytes(task))))
        .sum()
}
