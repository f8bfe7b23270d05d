//! Tasks that create tasks: a grammar becomes a graph of tasks, with the work of each task.

mod compile;
mod grammar;
mod grow;
mod memo;
mod nodes;
mod own;
mod rows;
#[cfg(test)]
mod tests;
mod unfold;

use super::Resolver;
use super::dependences::{SEVERAL_PRODUCERS, SEVERAL_PRODUCERS_LABEL};
use grammar::Grammar;
pub(super) use grow::Limits;
use grow::{Fault, Grown, grow, too_many};
use nodes::{Nodes, OwnColumns};
use numalab_files::quantity::Expression;
use numalab_files::workload_file::TreeFile;
use numalab_workload::{
    LAST_STEP, Phase, Producers, Region, RegionId, Schedule, Section, Slice, Task, TaskAffinity, Tasking,
    Tree,
};
use std::sync::Arc;
use unfold::{Unfolded, first_depend, unfold};

impl Resolver<'_, '_> {
    /// Phase of tasks that create tasks. `runs`: number of executions of the phase, which limits its tasks.
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
        let errors = self.report.items.len();
        let Some(grammar) = self.grammar(path, file, regions) else { return bare };
        if producers == Some(Producers::Parallel) && first_depend(&grammar) {
            self.complain(&format!("{path}.producers"), SEVERAL_PRODUCERS, SEVERAL_PRODUCERS_LABEL);
        }
        // Stand-ins of refused parameters could make tasks without end, and so could names with two meanings.
        if self.report.is_repaired("parameters") || self.report.items.len() > errors {
            return bare;
        }
        let grown = resolved(path, &grammar, near, regions, runs, self.limits);
        let tasks = match grown {
            Ok(tasks) => tasks,
            Err(fault) => {
                // Errors that result from a wrong region are not reported.
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
            section: tasks.section,
            ..bare
        }
    }

    /// Index of the region near whose data tasks run, the same for all kinds; `None` if no kind names a region.
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

    /// Checks the names in a grammar whose phase is left out by its `when`.
    pub(super) fn tree_names(&mut self, path: &str, file: &TreeFile, regions: &[Region]) {
        self.near(path, file, regions);
        self.grammar(path, file, regions);
    }
}

/// Phase whose iterations are the tasks of a grammar. `near`: region near whose data the tasks run. `runs`: number of
/// executions of the phase, which limits its tasks.
fn resolved(
    path: &str,
    grammar: &Grammar,
    near: Option<usize>,
    regions: &[Region],
    runs: u64,
    limits: Limits,
) -> Result<Phase, Fault> {
    let near = near.filter(|region| regions[*region].size.0 > 0);
    let Grown { nodes, roots } = grow(grammar, near.map(|region| regions[region].size.0), limits)?;
    let mut tree = tree(grammar, &nodes, &roots);
    let once = executed(path, roots.iter().map(|root| nodes.executed(*root)).sum(), runs, limits)?;
    let mut dependences = None;
    let own = if grammar.depends() {
        let grown = Grown { nodes, roots };
        let unfolded = unfold(path, grammar, &grown, once)?;
        tree = tree_of(&tree, &unfolded);
        let own = grown.nodes.own.gathered(&unfolded.of);
        dependences = Some(Arc::new(unfolded.dependences));
        own
    } else {
        nodes.own
    };
    let OwnColumns { instructions, sections, offsets, copied, columns, .. } = own;
    // A task can touch no byte of an empty region.
    let accesses = columns.into_iter().filter(|column| regions[column.region].size.0 > 0);
    let accesses = accesses.map(|column| column.into_access(path)).collect::<Result<_, _>>()?;
    let iterations = tree.tasks.len() as u64;
    // A task that is cut off has the sections of its descendants, with their mean of instructions.
    let section = grammar.section().filter(|_| sections.iter().any(|(times, _)| *times > 0.0));
    let section = section.map(|construct| Section {
        construct,
        times: sections.iter().map(|(times, _)| times.min(u32::MAX.into()) as u32).collect(),
        instructions: sections.iter().map(|(times, inside)| inside / times.max(1.0)).collect(),
    });
    let affinity = near.map(|region| TaskAffinity { region: RegionId(region), offsets: offsets.into() });
    Ok(Phase {
        accesses,
        section,
        instructions: instructions.into(),
        tasking: Tasking {
            grain: 1,
            tree: Some(tree),
            affinity,
            dependences,
            copied: if copied.iter().any(|bytes| *bytes > 0) { copied.into() } else { [].into() },
            ..Tasking::default()
        },
        ..Phase::new("", iterations)
    })
}

fn tree(grammar: &Grammar, nodes: &Nodes, roots: &[u32]) -> Tree {
    let task = |at: usize| Task {
        first: nodes.first[at],
        count: nodes.first[at + 1] - nodes.first[at],
        wait: grammar.kinds[nodes.kinds[at] as usize].wait,
        after: nodes.own.after[at],
    };
    let tasks = (0..nodes.len()).map(task).collect();
    Tree { tasks, children: nodes.children[..].into(), roots: roots.into(), next: nodes.next[..].into() }
}

/// Tree of unfolded tasks, each of which is created once.
fn tree_of(shared: &Tree, unfolded: &Unfolded) -> Tree {
    let task =
        |(of, first): (&u32, &u32)| Task { first: first - unfolded.roots, ..shared.tasks[*of as usize] };
    let next = |(of, first): (&u32, &u32)| match shared.next_step(*of) {
        Some(_) => first + shared.tasks[*of as usize].count,
        None => LAST_STEP,
    };
    let numbered = || unfolded.of.iter().zip(&unfolded.first);
    Tree {
        tasks: numbered().map(task).collect(),
        children: (unfolded.roots..unfolded.of.len() as u32).collect(),
        roots: (0..unfolded.roots).collect(),
        next: if shared.next.is_empty() { [].into() } else { numbered().map(next).collect() },
    }
}

/// Number of tasks that one execution of the phase executes, `once`. An error if its `runs` executions have too many,
/// since a few tasks can be created astronomically often.
fn executed(path: &str, once: f64, runs: u64, limits: Limits) -> Result<f64, Fault> {
    let all = once * runs as f64;
    if all <= limits.executed {
        return Ok(once);
    }
    let count = if all < 1e15 { format!("{all:.0}") } else { format!("{all:.3e}") };
    Err(too_many(path, count, limits))
}

/// Bytes that all tasks touch in a slice. `times`: executions of each task.
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
