//! Tasks of a phase that differ, as nodes of a graph: a task that several tasks create is one node.

use super::grammar::Grammar;
use super::memo::mix;
use super::own::{ByteSpan, Column, Own};
use hashbrown::HashTable;
use numalab_workload::LAST_STEP;

/// Nodes by number, with the work of each.
pub(super) struct Nodes {
    pub kinds: Vec<u32>,
    pub own: OwnColumns,
    /// Index of each node's first child, and the number of all children as last entry.
    pub first: Vec<u32>,
    /// Numbers of the children of all nodes, grouped by parent.
    pub children: Vec<u32>,
    /// Node of each node's next step, or [`LAST_STEP`]; empty if no task has several steps.
    pub next: Vec<u32>,
    steps: bool,
    /// Index of each node's first item, and the number of all items as last entry.
    items_first: Vec<u32>,
    items: Vec<(u64, bool)>,
    /// Number of tasks that one creation of each node executes.
    executed: Vec<f64>,
    /// Number of nodes that are told apart by their arguments. Of further nodes, those of equal work with equal
    /// children are one.
    apart: usize,
    alike: HashTable<u32>,
}

/// Work of each node.
pub(super) struct OwnColumns {
    pub instructions: Vec<f64>,
    pub after: Vec<f64>,
    /// Number of sections of each node, and instructions in all of them.
    pub sections: Vec<(f64, f64)>,
    /// Offset near which each node runs.
    pub offsets: Vec<u64>,
    /// Bytes that the creator of each node copies for it.
    pub copied: Vec<u32>,
    pub columns: Vec<Column>,
    has: Has,
}

/// Parts of work that tasks of a grammar can have. The lists of all others stay empty.
#[derive(Clone, Copy)]
struct Has {
    sections: bool,
    offsets: bool,
    copies: bool,
}

/// Task that may be a new node.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'c> {
    pub kind: usize,
    pub own: Own,
    pub spans: &'c [ByteSpan],
    pub children: &'c [u32],
    /// Node of the task's next step, or [`LAST_STEP`].
    pub next: u32,
    pub items: &'c [(u64, bool)],
}

impl Candidate<'_> {
    fn hash(&self) -> u64 {
        let Own { instructions, after, sections, offset, copied } = self.own;
        let numbers = [instructions, after, sections.0, sections.1].map(f64::to_bits);
        let state = numbers.into_iter().fold(mix(self.kind as u64, offset), mix);
        let state = mix(mix(state, copied.into()), self.next.into());
        let state = self.spans.iter().flat_map(ByteSpan::numbers).fold(state, mix);
        let state = self.items.iter().fold(state, |state, (item, _)| mix(state, *item));
        self.children.iter().fold(state, |state, child| mix(state, u64::from(*child)))
    }
}

impl Nodes {
    /// No nodes yet. `columns`: what the tasks of the grammar touch. `apart`: number of nodes that are told apart by
    /// their arguments.
    pub fn new(grammar: &Grammar, columns: Vec<Column>, apart: usize) -> Nodes {
        let own = OwnColumns {
            instructions: Vec::new(),
            after: Vec::new(),
            sections: Vec::new(),
            offsets: Vec::new(),
            copied: Vec::new(),
            columns,
            has: Has {
                sections: grammar.section().is_some(),
                offsets: grammar.kinds.iter().any(|kind| kind.affinity.is_some()),
                copies: grammar.kinds.iter().any(|kind| kind.copied.is_some()),
            },
        };
        Nodes {
            kinds: Vec::new(),
            own,
            first: vec![0],
            children: Vec::new(),
            next: Vec::new(),
            steps: grammar.kinds.iter().any(|kind| kind.next.is_some()),
            items_first: vec![0],
            items: Vec::new(),
            executed: Vec::new(),
            apart,
            alike: HashTable::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    pub fn kind(&self, node: u32) -> usize {
        self.kinds[node as usize] as usize
    }

    pub fn children_of(&self, node: u32) -> &[u32] {
        list(&self.first, &self.children, node)
    }

    /// Node of a node's next step, or [`LAST_STEP`].
    pub fn next_of(&self, node: u32) -> u32 {
        self.next.get(node as usize).copied().unwrap_or(LAST_STEP)
    }

    /// Node of the step after a node; `None` after a task's last step.
    pub fn next_step(&self, node: u32) -> Option<u32> {
        Some(self.next_of(node)).filter(|next| *next != LAST_STEP)
    }

    /// Items that a node names: the number of each, and true if the node writes it.
    pub fn items_of(&self, node: u32) -> &[(u64, bool)] {
        list(&self.items_first, &self.items, node)
    }

    /// Number of tasks that one creation of a node executes; 0 for [`LAST_STEP`].
    pub fn executed(&self, node: u32) -> f64 {
        self.executed.get(node as usize).copied().unwrap_or(0.0)
    }

    /// Number of the node of a task, which is added if new.
    pub fn add(&mut self, task: Candidate<'_>) -> u32 {
        if self.len() < self.apart {
            return self.push(task);
        }
        let hash = task.hash();
        if let Some(node) = self.alike.find(hash, |node| self.is(*node, &task)) {
            return *node;
        }
        let node = self.push(task);
        let Nodes { alike, .. } = self;
        let mut alike = std::mem::take(alike);
        alike.insert_unique(hash, node, |node| self.at(*node, &mut Vec::new()).hash());
        self.alike = alike;
        node
    }

    fn push(&mut self, task: Candidate<'_>) -> u32 {
        let node = self.len() as u32;
        self.kinds.push(task.kind as u32);
        self.own.push(task.own, task.spans);
        let below: f64 = task.children.iter().map(|child| self.executed(*child)).sum();
        // A later step is no further task.
        let later = if task.next == LAST_STEP { 1.0 } else { self.executed(task.next) };
        self.executed.push(later + below);
        if self.steps {
            self.next.push(task.next);
        }
        self.children.extend_from_slice(task.children);
        self.first.push(self.children.len() as u32);
        self.items.extend_from_slice(task.items);
        self.items_first.push(self.items.len() as u32);
        node
    }

    fn is(&self, node: u32, task: &Candidate<'_>) -> bool {
        let at = node as usize;
        self.children_of(node) == task.children
            && self.kind(node) == task.kind
            && self.next_of(node) == task.next
            && self.own.at(at) == task.own
            && self.items_of(node) == task.items
            && self.own.columns.iter().zip(task.spans).all(|(column, span)| column.spans[at] == *span)
    }

    /// The task of a node; `spans` is a buffer.
    fn at<'c>(&'c self, node: u32, spans: &'c mut Vec<ByteSpan>) -> Candidate<'c> {
        let at = node as usize;
        spans.extend(self.own.columns.iter().map(|column| column.spans[at]));
        Candidate {
            kind: self.kind(node),
            own: self.own.at(at),
            spans,
            children: self.children_of(node),
            next: self.next_of(node),
            items: self.items_of(node),
        }
    }

    /// Numbers the nodes level by level from the first tasks, as they are created.
    pub fn in_levels(mut self, roots: &mut [u32]) -> Nodes {
        const NONE: u32 = u32::MAX;
        let mut number = vec![NONE; self.len()];
        let mut order: Vec<u32> = Vec::with_capacity(self.len());
        let mut find = |node: u32, order: &mut Vec<u32>| {
            let new = &mut number[node as usize];
            if *new == NONE {
                *new = order.len() as u32;
                order.push(node);
            }
            *new
        };
        roots.iter_mut().for_each(|root| *root = find(*root, &mut order));
        let mut children = Vec::with_capacity(self.children.len());
        let (mut first, mut items_first, mut items) =
            (vec![0], vec![0], Vec::with_capacity(self.items.len()));
        let mut next = Vec::with_capacity(self.next.len());
        let mut at = 0;
        while let Some(node) = order.get(at).copied() {
            children.extend(self.children_of(node).iter().map(|child| find(*child, &mut order)));
            first.push(children.len() as u32);
            if self.steps {
                let step = self.next_of(node);
                next.push(if step == LAST_STEP { step } else { find(step, &mut order) });
            }
            items.extend_from_slice(self.items_of(node));
            items_first.push(items.len() as u32);
            at += 1;
        }
        self.own = self.own.gathered(&order);
        self.kinds = gathered(&order, &self.kinds);
        self.executed = gathered(&order, &self.executed);
        Nodes { first, children, next, items_first, items, alike: HashTable::new(), ..self }
    }
}

fn list<'l, T>(first: &[u32], all: &'l [T], node: u32) -> &'l [T] {
    let node = node as usize;
    &all[first[node] as usize..first[node + 1] as usize]
}

/// Values in another order: those of the nodes `of`.
fn gathered<T: Copy>(of: &[u32], values: &[T]) -> Vec<T> {
    of.iter().map(|node| values[*node as usize]).collect()
}

impl OwnColumns {
    fn push(&mut self, own: Own, spans: &[ByteSpan]) {
        self.instructions.push(own.instructions);
        self.after.push(own.after);
        if self.has.sections {
            self.sections.push(own.sections);
        }
        if self.has.offsets {
            self.offsets.push(own.offset);
        }
        if self.has.copies {
            self.copied.push(own.copied);
        }
        for (column, span) in self.columns.iter_mut().zip(spans) {
            column.spans.push(*span);
        }
    }

    fn at(&self, node: usize) -> Own {
        Own {
            instructions: self.instructions[node],
            after: self.after[node],
            sections: self.sections.get(node).copied().unwrap_or_default(),
            offset: self.offsets.get(node).copied().unwrap_or_default(),
            copied: self.copied.get(node).copied().unwrap_or_default(),
        }
    }

    /// Work of the nodes `of`; a node may be there several times.
    pub fn gathered(self, of: &[u32]) -> OwnColumns {
        OwnColumns {
            instructions: gathered(of, &self.instructions),
            after: gathered(of, &self.after),
            sections: if self.has.sections { gathered(of, &self.sections) } else { Vec::new() },
            offsets: if self.has.offsets { gathered(of, &self.offsets) } else { Vec::new() },
            copied: if self.has.copies { gathered(of, &self.copied) } else { Vec::new() },
            columns: self
                .columns
                .into_iter()
                .map(|column| Column { spans: gathered(of, &column.spans), ..column })
                .collect(),
            has: self.has,
        }
    }
}
