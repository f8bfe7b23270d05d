//! Tasks of a region, in the order in which a sequential program would execute them.

use super::dependences::predecessors;
use super::instance::{Instance, Key, Sample};
use super::task_map::TaskMap;
use super::{Form, Recorded, Refusal, TaskNode};
use std::collections::BTreeMap;
use std::num::NonZeroU64;

/// Limit of the tasks of one region.
const MOST_TASKS: usize = 1_000_000;

/// Facts about a recorded task.
#[derive(Clone, Debug, Default)]
pub struct TaskRecord {
    /// Number of the explicit task that created this task; `None` if a team member created it.
    pub creator: Option<NonZeroU64>,
    /// Place of the task's creation: region (0 for none), number of constructs before, and creating member.
    pub place: (u64, u32, u32),
    /// True while the task waits for other tasks.
    pub waiting: bool,
    waited: bool,
    /// Cost of the task until its last wait (`before_ns`), and after the wait (`since_ns`).
    before_ns: u64,
    since_ns: u64,
    first_switches: Option<u32>,
    disturbed: bool,
    /// Index of the list of bytes that the task touched; 0 for none.
    pub touched: u32,
}

impl TaskRecord {
    pub(super) fn pass(&mut self, ns: u64, switches: u32) {
        self.since_ns = self.since_ns.saturating_add(ns);
        self.disturbed |= *self.first_switches.get_or_insert(switches) != switches;
    }

    pub(super) fn wait(&mut self) {
        self.before_ns = self.before_ns.saturating_add(std::mem::take(&mut self.since_ns));
        (self.waited, self.waiting) = (true, true);
    }

    /// All of the task's time.
    pub(super) fn sample(&self) -> Sample {
        let ns = self.before_ns.saturating_add(self.since_ns);
        Sample { count: 1, ns, disturbed: self.disturbed, touched: self.touched }
    }

    fn costs(&self) -> (u64, u64) {
        if self.waited { (self.before_ns, self.since_ns) } else { (self.since_ns, 0) }
    }
}

/// Numbers of a region's tasks that team members created, by the number of constructs before the creation.
pub(super) type Roots = BTreeMap<u32, Vec<u64>>;

/// Type and address of each dependence, by run and task.
pub(super) type Clauses = BTreeMap<(u32, u64), Vec<(u8, u64)>>;

/// Sets the predecessors of tasks; dependences hold between tasks with the same creator.
fn depend(nodes: &mut [TaskNode], clauses: &[&[(u8, u64)]]) {
    let mut siblings: BTreeMap<Option<u32>, Vec<usize>> = BTreeMap::new();
    for (number, node) in nodes.iter().enumerate() {
        siblings.entry(node.parent).or_default().push(number);
    }
    for family in siblings.values() {
        let own: Vec<&[(u8, u64)]> = family.iter().map(|number| clauses[*number]).collect();
        for (number, found) in family.iter().zip(predecessors(&own)) {
            nodes[*number].predecessors = found.iter().map(|place| family[*place as usize] as u32).collect();
        }
    }
}

/// Tasks of all regions of a run: those created by team members (`roots`), and the child tasks of each task.
#[derive(Debug, Default)]
pub(super) struct Forest {
    pub roots: BTreeMap<u64, Roots>,
    /// Pairs of creator and created task, sorted.
    children: Vec<(u64, u64)>,
}

impl Forest {
    /// Sorts the tasks of a run. Numbers grow in the order of creation.
    pub fn of(tasks: &TaskMap, round: u32) -> Forest {
        let mut forest = Forest::default();
        for (number, task) in tasks.of_round(round) {
            match (task.creator, task.place) {
                (Some(creator), _) => forest.children.push((creator.get(), number)),
                (None, (0, ..)) => {}
                (None, (region, slot, _)) => {
                    forest.roots.entry(region).or_default().entry(slot).or_default().push(number);
                }
            }
        }
        forest.children.sort_unstable();
        forest
    }

    /// The tasks that descend from some roots, as an instance.
    pub fn instance(
        &self,
        roots: &[u64],
        site: u64,
        team: u32,
        (all, clauses): (&TaskMap, &Clauses),
        round: u32,
    ) -> Result<Instance, Refusal> {
        let place = |number: &u64| all.get(round, *number).map(|task| task.place.2);
        let mut roots = roots.to_vec();
        roots.sort_by_key(|number| (place(number), *number));
        let mut stack: Vec<(u64, Option<u32>)> = roots.iter().rev().map(|root| (*root, None)).collect();
        let (mut nodes, mut samples, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        while let Some((number, parent)) = stack.pop() {
            if nodes.len() == MOST_TASKS {
                return Err(Refusal::TooManyTasks { site, tasks: all.count() });
            }
            let Some(task) = all.get(round, number) else { continue };
            let (before, after_ns) = task.costs();
            let at = nodes.len() as u32;
            nodes.push(TaskNode { parent, waits: task.waited, after_ns, predecessors: Vec::new() });
            samples.push(Sample { count: 1, ns: before, disturbed: task.disturbed, touched: task.touched });
            numbers.push(number);
            let first = self.children.partition_point(|(creator, _)| *creator < number);
            let children = self.children[first..].iter().take_while(|(creator, _)| *creator == number);
            let before = stack.len();
            stack.extend(children.map(|(_, child)| (*child, Some(at))));
            stack[before..].reverse();
        }
        let dependences: Vec<&[(u8, u64)]> = numbers
            .iter()
            .map(|number| clauses.get(&(round, *number)).map_or(&[][..], |list| list))
            .collect();
        if dependences.iter().any(|list| !list.is_empty()) {
            depend(&mut nodes, &dependences);
        }
        let key = Key {
            site,
            form: Form::Tasks,
            iterations: nodes.len() as u64,
            team,
            schedule: Recorded::None,
            after: 0,
        };
        Ok(Instance { tasks: nodes, ..Instance::new(key, samples) })
    }
}
