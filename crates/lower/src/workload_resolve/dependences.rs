//! Turns `depend` clauses into a graph by OpenMP's rule: a writer of an item waits for the last writer and all
//! readers since; a reader waits for the last writer.

use numalab_syntax::tree::show;
use numalab_workload::Dependences;

/// Largest number of items that the tasks of a phase name together.
pub(super) const MOST_ITEMS: usize = 50_000_000;

/// Message about a clause without an item.
pub(super) const NO_ITEM: &str = "this dependence names no item";
pub(super) const NO_ITEM_LABEL: &str = "expected `in`, `out` or `inout`";
/// Label of a value that is no item's number.
pub(super) const ITEM_LABEL: &str = "expected a whole number below 2^53, or less than 0 for none";
/// Message about dependences between tasks of several creating threads.
pub(super) const SEVERAL_PRODUCERS: &str = "tasks of several producers do not depend on each other";
pub(super) const SEVERAL_PRODUCERS_LABEL: &str =
    "expected `single`: dependences hold between the tasks of one producer";

/// Number of an item, from the value of an expression; `None` if the value names no item. The error is the value as
/// text.
pub(super) fn item_number(value: f64) -> Result<Option<u64>, String> {
    if value.is_nan() || value < 0.0 {
        return Ok(None);
    }
    if value.fract() != 0.0 || value > 2_f64.powi(53) {
        return Err(show(value));
    }
    Ok(Some(value as u64))
}

/// Item that a task names in a `depend` clause. Lists of items are in the order in which tasks are created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub task: u32,
    pub number: u64,
    pub writes: bool,
}

/// Last writer of an item, and the readers since that writer.
#[derive(Clone, Default)]
struct History {
    writer: Option<u32>,
    readers: Vec<u32>,
}

/// Graph of the dependences between `tasks` tasks, which name `items`.
pub(super) fn dependences(tasks: usize, items: &[Item]) -> Dependences {
    graph(tasks, edges(items))
}

/// Edges from each task to the tasks that wait for it, each edge once.
pub(super) fn edges(items: &[Item]) -> Vec<(u32, u32)> {
    let mut numbers: Vec<u64> = items.iter().map(|item| item.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut histories = vec![History::default(); numbers.len()];
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut awaited = Vec::new();
    for named in items.chunk_by(|one, next| one.task == next.task) {
        let task = named[0].task;
        // A task does not wait for itself: the histories of all items that it names are read before they are updated.
        for item in named {
            let history = &histories[place(&numbers, item.number)];
            awaited.extend(history.writer);
            if item.writes {
                awaited.extend(&history.readers);
            }
        }
        for item in named {
            let history = &mut histories[place(&numbers, item.number)];
            if item.writes {
                *history = History { writer: Some(task), readers: Vec::new() };
            } else if history.writer != Some(task) && history.readers.last() != Some(&task) {
                history.readers.push(task);
            }
        }
        awaited.sort_unstable();
        awaited.dedup();
        edges.extend(awaited.drain(..).map(|before| (before, task)));
    }
    edges
}

fn place(numbers: &[u64], number: u64) -> usize {
    numbers.partition_point(|known| *known < number)
}

/// Graph from edges, which are converted to lists of successors. Duplicates are removed.
pub(super) fn graph(tasks: usize, mut edges: Vec<(u32, u32)>) -> Dependences {
    edges.sort_unstable();
    let mut first = vec![0; tasks + 1];
    let mut predecessors = vec![0; tasks];
    for (before, after) in &edges {
        first[*before as usize + 1] += 1;
        predecessors[*after as usize] += 1;
    }
    for task in 0..tasks {
        first[task + 1] += first[task];
    }
    Dependences { first, successors: edges.into_iter().map(|edge| edge.1).collect(), predecessors }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn item(task: u32, number: u64, writes: bool) -> Item {
        Item { task, number, writes }
    }

    /// 0 writes. 1 and 2 read. 3 writes, so it waits for 0, 1 and 2. 4 reads, so it waits for 3. 5 names another
    /// item.
    #[test]
    fn readers_wait_for_the_writer_and_the_next_writer_for_all() {
        let items = [
            item(0, 7, true),
            item(1, 7, false),
            item(2, 7, false),
            item(3, 7, true),
            item(4, 7, false),
            item(5, 8, true),
        ];
        let graph = dependences(6, &items);
        assert_eq!(graph.first, [0, 3, 4, 5, 6, 6, 6]);
        assert_eq!(graph.successors, [1, 2, 3, 3, 3, 4]);
        assert_eq!(graph.predecessors, [0, 1, 1, 3, 1, 0]);
    }

    #[test]
    fn a_task_that_names_an_item_twice_does_not_wait_for_itself() {
        let items = [item(0, 1, false), item(0, 1, true), item(1, 1, true), item(1, 1, false)];
        let graph = dependences(2, &items);
        assert_eq!((graph.successors, graph.predecessors), (vec![1], vec![0, 1]));
    }

    proptest! {
        /// Two tasks that name an item, at least one of them writing, run one after the other, directly or through
        /// others. Readers are independent.
        #[test]
        fn conflicts_are_in_order(
            named in prop::collection::vec(prop::collection::vec((0..4_u64, any::<bool>()), 0..4), 1..12)
        ) {
            let items: Vec<Item> = named.iter().enumerate().flat_map(|(task, names)| {
                names.iter().map(move |(number, writes)| item(task as u32, *number, *writes))
            }).collect();
            let graph = dependences(named.len(), &items);
            // reach[a][b]: b waits for a.
            let mut reach = vec![vec![false; named.len()]; named.len()];
            for a in (0..named.len()).rev() {
                for edge in graph.first[a]..graph.first[a + 1] {
                    let b = graph.successors[edge as usize] as usize;
                    prop_assert!(b > a);
                    reach[a][b] = true;
                    let after = reach[b].clone();
                    reach[a].iter_mut().zip(after).for_each(|(reached, then)| *reached |= then);
                }
            }
            let mut direct = vec![vec![false; named.len()]; named.len()];
            for (x, y) in items.iter().flat_map(|x| items.iter().map(move |y| (x, y))) {
                if x.task < y.task && x.number == y.number && (x.writes || y.writes) {
                    direct[x.task as usize][y.task as usize] = true;
                }
            }
            // Required waits exist, and no others.
            for a in 0..named.len() {
                for b in 0..named.len() {
                    prop_assert!(!direct[a][b] || reach[a][b]);
                }
                for edge in graph.first[a]..graph.first[a + 1] {
                    prop_assert!(direct[a][graph.successors[edge as usize] as usize]);
                }
            }
        }
    }
}
