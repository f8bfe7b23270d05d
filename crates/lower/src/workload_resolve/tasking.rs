//! Division of loops into tasks.

use super::Resolver;
use super::dependences::{
    ITEM_LABEL, Item, MOST_ITEMS, NO_ITEM, NO_ITEM_LABEL, SEVERAL_PRODUCERS, SEVERAL_PRODUCERS_LABEL,
    dependences, item_number,
};
use numalab_files::quantity::Text;
use numalab_files::workload_file::{AffinityFile, LoopFile, LoopTasksFile};
use numalab_syntax::expression::{Cursor, Program};
use numalab_syntax::tree::show;
use numalab_workload::{Dependences, Producers, Region, RegionId, Schedule, TaskAffinity, Tasking};
use std::sync::Arc;

/// Producers, the threads that create tasks, with their words.
const PRODUCERS: [(Producers, &str); 2] = [(Producers::Single, "single"), (Producers::Parallel, "parallel")];

impl Resolver<'_, '_> {
    /// Tasks into which the file divides a loop.
    pub(super) fn tasking(
        &mut self,
        path: &str,
        body: &LoopFile,
        regions: &[Region],
        iterations: Option<u64>,
    ) -> Tasking {
        let mut tasking = Tasking { grain: 1, ..Tasking::default() };
        let Some(file) = &body.tasks else { return tasking };
        let path = format!("{path}.tasks");
        if let Some(policy) = body.schedule.0.filter(|policy| !matches!(policy, Schedule::Tasks(_))) {
            let label = "expected `schedule: compared`, `tasks`, `tasks:central`, …";
            self.complain(&path, format!("the schedule {policy} makes no tasks"), label);
        }
        tasking.grain = self.grain(&path, file, iterations);
        tasking.producers = self.producers(&path, file);
        if let (Some(affinity), Some(iterations)) = (&file.affinity, iterations) {
            tasking.affinity = self.affinity(&format!("{path}.affinity"), affinity, regions, iterations);
        }
        if let Some(iterations) = iterations.filter(|_| !file.depends.is_empty()) {
            tasking.dependences = self.depends(&path, file, iterations, tasking.grain).map(Arc::new);
        }
        tasking
    }

    /// Consecutive iterations of a task.
    pub(super) fn grain(&mut self, path: &str, file: &LoopTasksFile, iterations: Option<u64>) -> u64 {
        let most = iterations.unwrap_or(1) as f64;
        let grain =
            file.grain.as_ref().and_then(|text| self.between(&format!("{path}.grain"), text, 1.0, 1e18));
        grain.unwrap_or(1.0).min(most).max(1.0) as u64
    }

    /// Threads that create a loop's tasks. Dependences exist only between tasks of one producer.
    fn producers(&mut self, path: &str, file: &LoopTasksFile) -> Producers {
        let path = format!("{path}.producers");
        let depends = !file.depends.is_empty();
        let said = file.producers.as_ref().and_then(|word| self.producer(&path, word));
        if depends && said == Some(Producers::Parallel) {
            self.complain(&path, SEVERAL_PRODUCERS, SEVERAL_PRODUCERS_LABEL);
        }
        said.unwrap_or(if depends { Producers::Single } else { Producers::Parallel })
    }

    /// Threads that create tasks, by the word in the file; `None` after reporting an error.
    pub(super) fn producer(&mut self, path: &str, word: &Text) -> Option<Producers> {
        self.named(path, "way to create tasks", word, &PRODUCERS)
    }

    /// Bytes near which the tasks of a loop run; `None` if the region is empty, or after reporting an error.
    fn affinity(
        &mut self,
        path: &str,
        file: &AffinityFile,
        regions: &[Region],
        iterations: u64,
    ) -> Option<TaskAffinity> {
        let region = self.region(&format!("{path}.region"), &file.region, regions);
        let path = format!("{path}.at");
        let program = self.program(&path, &file.at, true)?;
        let size = regions[region?].size.0;
        if size == 0 {
            return None;
        }
        let mut offsets = Vec::with_capacity(iterations as usize);
        program.each(0, iterations, |_, values| offsets.extend_from_slice(values));
        if let Some(i) = offsets.iter().position(|at| !(0.0..size as f64).contains(at)) {
            let message =
                format!("the affinity of iteration {i} is byte {} of a region of {size}", show(offsets[i]));
            self.complain(&path, message, "expected a byte inside the region");
            return None;
        }
        let offsets = offsets.into_iter().map(|at| at as u64).collect();
        Some(TaskAffinity { region: RegionId(region?), offsets })
    }

    fn depends(
        &mut self,
        path: &str,
        file: &LoopTasksFile,
        iterations: u64,
        grain: u64,
    ) -> Option<Dependences> {
        let mut clauses: Vec<(String, Program, bool)> = Vec::new();
        for (index, clause) in file.depends.iter().enumerate() {
            let path = format!("{path}.depends[{index}]");
            let texts = clause.expressions();
            if texts.iter().all(|(_, text, _)| text.is_none()) {
                self.report.at(&path, NO_ITEM, NO_ITEM_LABEL);
            }
            for (key, text, writes) in texts {
                let Some(text) = text else { continue };
                let path = format!("{path}.{key}");
                let program = self.program(&path, text, true)?;
                clauses.push((path, program, writes));
            }
        }
        let mut cursors: Vec<Cursor<'_>> = clauses.iter().map(|clause| Cursor::new(&clause.1)).collect();
        let mut items: Vec<Item> = Vec::new();
        for i in 0..iterations {
            for ((path, _, writes), cursor) in clauses.iter().zip(&mut cursors) {
                match item_number(cursor.at(i)) {
                    Ok(Some(number)) => {
                        items.push(Item { task: (i / grain) as u32, number, writes: *writes })
                    }
                    Ok(None) => {}
                    Err(wrong) => {
                        self.complain(path, format!("iteration {i} names the item {wrong}"), ITEM_LABEL);
                        return None;
                    }
                }
            }
            if items.len() > MOST_ITEMS {
                let message = format!("the tasks depend on more than {MOST_ITEMS} items");
                self.complain(&format!("{path}.depends"), message, "expected fewer tasks or clauses");
                return None;
            }
        }
        Some(dependences(iterations.div_ceil(grain) as usize, &items))
    }

    /// Checks the names in the tasks of a loop that the `when` of its phase leaves out.
    pub(super) fn tasking_names(&mut self, path: &str, body: &LoopFile, regions: &[Region]) {
        let Some(file) = &body.tasks else { return };
        let path = format!("{path}.tasks");
        if let Some(grain) = &file.grain {
            self.program(&format!("{path}.grain"), grain, false);
        }
        self.producers(&path, file);
        if let Some(affinity) = &file.affinity {
            self.region(&format!("{path}.affinity.region"), &affinity.region, regions);
            self.program(&format!("{path}.affinity.at"), &affinity.at, true);
        }
        for (index, clause) in file.depends.iter().enumerate() {
            for (key, text, _) in clause.expressions() {
                text.and_then(|text| self.program(&format!("{path}.depends[{index}].{key}"), text, true));
            }
        }
    }
}
