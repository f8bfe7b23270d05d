//! Recorded tasks as task trees and dependences of a workload.

use crate::work::Class;
use numalab_workload::{Dependences, Producers, Task, Tasking, Tree};
use std::sync::Arc;

/// Task graph of a class of work. `per_ns`: instructions per nanosecond.
pub fn graph(class: &Class, per_ns: f64) -> Result<Tasking, String> {
    let tasks = &class.tasks;
    if tasks.len() != class.chunks.len() || tasks.is_empty() {
        return Err("a class of tasks has none".to_owned());
    }
    let tasking = Tasking { producers: Producers::Single, ..Tasking::default() };
    let depends = tasks.iter().any(|task| !task.predecessors.is_empty());
    let creates = tasks.iter().any(|task| task.parent.is_some());
    let parent = |task: u32| tasks.get(task as usize).map(|task| task.parent);
    for (number, task) in (0u32..).zip(tasks) {
        let sound = |other: &u32| *other < number && parent(*other) == Some(task.parent);
        if task.parent.is_some_and(|parent| parent >= number) || !task.predecessors.iter().all(sound) {
            return Err(format!("the task {number} of a class follows on tasks that it cannot follow on"));
        }
    }
    // Tasks without children need no tree: they are a loop with one task for each iteration.
    let is_tree = creates || (!depends && tasks.iter().any(|task| task.waits));
    Ok(Tasking {
        tree: is_tree.then(|| tree(class, per_ns)),
        dependences: depends.then(|| Arc::new(dependences(class))),
        ..tasking
    })
}

fn tree(class: &Class, per_ns: f64) -> Tree {
    let mut counts = vec![0u32; class.tasks.len()];
    for parent in class.tasks.iter().filter_map(|task| task.parent) {
        counts[parent as usize] += 1;
    }
    let mut first = 0;
    let tasks: Vec<Task> = class
        .tasks
        .iter()
        .zip(&counts)
        .map(|(task, &count)| {
            let node = Task { first, count, wait: task.waits, after: task.after_ns as f64 * per_ns };
            first += count;
            node
        })
        .collect();
    let mut next: Vec<u32> = tasks.iter().map(|task| task.first).collect();
    let mut children = vec![0u32; first as usize];
    let mut roots = Vec::new();
    for (number, task) in (0u32..).zip(&class.tasks) {
        match task.parent {
            None => roots.push(number),
            Some(parent) => {
                let place = &mut next[parent as usize];
                children[*place as usize] = number;
                *place += 1;
            }
        }
    }
    Tree { tasks: tasks.into(), children: children.into(), roots: roots.into(), next: [].into() }
}

fn dependences(class: &Class) -> Dependences {
    let mut counts = vec![0u32; class.tasks.len() + 1];
    for before in class.tasks.iter().flat_map(|task| &task.predecessors) {
        counts[*before as usize + 1] += 1;
    }
    let first: Vec<u32> = counts
        .iter()
        .scan(0u32, |sum, count| {
            *sum += count;
            Some(*sum)
        })
        .collect();
    let mut next = first.clone();
    let mut successors = vec![0u32; first.last().copied().unwrap_or(0) as usize];
    for (number, task) in (0u32..).zip(&class.tasks) {
        for before in &task.predecessors {
            let place = &mut next[*before as usize];
            successors[*place as usize] = number;
            *place += 1;
        }
    }
    let predecessors = class.tasks.iter().map(|task| task.predecessors.len() as u32).collect();
    Dependences { first, successors, predecessors }
}
