//! Order of a task graph, with parents before children.

use crate::{Task, Tree};
use std::sync::Arc;

/// Tasks of a graph in an order in which each precedes its children. The error is the number of a task on a cycle.
pub fn parents_first<'c>(tasks: usize, children: impl Fn(u32) -> &'c [u32]) -> Result<Vec<u32>, u32> {
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut state = vec![0_u8; tasks];
    let mut last_first = Vec::with_capacity(tasks);
    // Tasks whose children are being visited, each with the number of children visited so far.
    let mut path: Vec<(u32, u32)> = Vec::new();
    for start in 0..tasks as u32 {
        if state[start as usize] == DONE {
            continue;
        }
        state[start as usize] = OPEN;
        path.push((start, 0));
        while let Some((task, visited)) = path.last_mut() {
            let Some(child) = children(*task).get(*visited as usize).copied() else {
                state[*task as usize] = DONE;
                last_first.push(*task);
                path.pop();
                continue;
            };
            *visited += 1;
            match state[child as usize] {
                OPEN => return Err(child),
                DONE => {}
                _ => {
                    state[child as usize] = OPEN;
                    path.push((child, 0));
                }
            }
        }
    }
    last_first.reverse();
    Ok(last_first)
}

impl Tree {
    /// Numbers of the tasks that a task creates.
    pub fn children_of(&self, task: u32) -> &[u32] {
        let Some(task) = self.tasks.get(task as usize) else { return &[] };
        let first = task.first as usize;
        self.children.get(first..first + task.count as usize).unwrap_or(&[])
    }

    /// Number of executions of each task, which is the number of paths from a root to the task. `None` if the graph
    /// has a cycle. Exact below 2^53.
    pub fn executions(&self) -> Option<Vec<f64>> {
        if !self.next.is_empty() {
            return self.with_steps().executions();
        }
        let order = parents_first(self.tasks.len(), |task| self.children_of(task)).ok()?;
        let mut times = vec![0.0; self.tasks.len()];
        for root in &self.roots[..] {
            times[*root as usize] += 1.0;
        }
        for task in order {
            let ways = times[task as usize];
            for child in self.children_of(task) {
                times[*child as usize] += ways;
            }
        }
        Some(times)
    }
}

impl Tree {
    /// The tree in which a task's next step is its last child.
    fn with_steps(&self) -> Tree {
        let mut children = Vec::with_capacity(self.children.len() + self.tasks.len());
        let list = |(at, task): (u32, &Task)| {
            let first = children.len() as u32;
            children.extend_from_slice(self.children_of(at));
            children.extend(self.next_step(at));
            Task { first, count: children.len() as u32 - first, ..*task }
        };
        let tasks = (0..).zip(&self.tasks[..]).map(list).collect();
        Tree { tasks, children: children.into(), roots: Arc::clone(&self.roots), next: [].into() }
    }
}

#[cfg(test)]
mod tests {
    use crate::{LAST_STEP, Task, Tree};

    fn tree(lists: &[&[u32]], roots: &[u32]) -> Tree {
        let mut first = 0;
        let tasks = lists.iter().map(|list| {
            let task = Task { first, count: list.len() as u32, wait: true, after: 0.0 };
            first += task.count;
            task
        });
        Tree { tasks: tasks.collect(), children: lists.concat().into(), roots: roots.into(), next: [].into() }
    }

    /// Task n creates n - 1 and n - 2: the Fibonacci numbers. 5, 4, 3 twice, 2 three times, 1 five
    /// times, 0 three times.
    #[test]
    fn task_runs_once_per_path_from_a_root() {
        let fib = tree(&[&[], &[], &[1, 0], &[2, 1], &[3, 2], &[4, 3]], &[5]);
        assert_eq!(fib.executions().unwrap(), [3.0, 5.0, 3.0, 2.0, 1.0, 1.0]);
        let twice = tree(&[&[1, 1], &[]], &[0, 0]);
        assert_eq!(twice.executions().unwrap(), [2.0, 4.0]);
    }

    /// Task 0 creates 2 twice, and once more in its second step, which is 1.
    #[test]
    fn a_step_runs_as_often_as_its_task() {
        let next = [1, LAST_STEP, LAST_STEP].into();
        let steps = Tree { next, ..tree(&[&[2, 2], &[2], &[]], &[0, 0]) };
        assert_eq!(steps.executions().unwrap(), [2.0, 2.0, 6.0]);
        assert_eq!([0, 1, 7].map(|step| steps.next_step(step)), [Some(1), None, None]);
    }

    #[test]
    fn a_cycle_has_no_order() {
        assert_eq!(tree(&[&[1], &[2], &[1]], &[0]).executions(), None);
        assert_eq!(tree(&[&[0]], &[0]).executions(), None);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let lists: Vec<Vec<u32>> = (1..=300_000_u32).map(|next| vec![next]).chain([vec![]]).collect();
        let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
        let chain = tree(&lists, &[0]);
        assert!(chain.executions().unwrap().iter().all(|times| *times == 1.0));
    }
}
