//! The queue of movable entries against the standard heap, where moving an entry means pushing another
//! and skipping the old one when it comes up ("lazy deletion").
//!
//! The events are like the simulator's: every thread has one entry; the first entry's thread begins
//! something new and so moves later; now and then a thread stops waiting and another starts, or a
//! change of rate moves somebody else's entry.

mod common;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use numalab_kernel::{Domain, IndexedQueue, Streams};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

/// Threads of the three machines that whole runs are measured on.
const SIZES: [u32; 3] = [128, 2080, 32_768];

/// One in so many events takes an entry out for another thread's, or moves somebody else's.
const LEAVES: u64 = 10;
const DISTURBS: u64 = 4;

/// Drawn in advance, so that drawing is not measured.
const STEPS: usize = 1 << 16;

/// Picoseconds until a thread's next event: up to 20 ms, as a package takes.
const LONGEST: u64 = 20_000_000_000;

trait Queue {
    fn set(&mut self, item: u32, key: u64);
    fn remove(&mut self, item: u32);
    fn first(&mut self) -> Option<(u64, u32)>;
}

impl Queue for IndexedQueue {
    fn set(&mut self, item: u32, key: u64) {
        IndexedQueue::set(self, item, key);
    }

    fn remove(&mut self, item: u32) {
        IndexedQueue::remove(self, item);
    }

    fn first(&mut self) -> Option<(u64, u32)> {
        self.peek()
    }
}

#[derive(Default)]
struct LazyHeap {
    heap: BinaryHeap<Reverse<(u64, u32, u32)>>,
    /// Of each item's latest change; entries with another number are stale.
    version: Vec<u32>,
}

impl Queue for LazyHeap {
    fn set(&mut self, item: u32, key: u64) {
        self.remove(item);
        self.heap.push(Reverse((key, item, self.version[item as usize])));
    }

    fn remove(&mut self, item: u32) {
        if item as usize >= self.version.len() {
            self.version.resize(item as usize + 1, 0);
        }
        self.version[item as usize] += 1;
    }

    fn first(&mut self) -> Option<(u64, u32)> {
        while let Some(&Reverse((key, item, version))) = self.heap.peek() {
            if self.version[item as usize] == version {
                return Some((key, item));
            }
            self.heap.pop();
        }
        None
    }
}

/// What one event does besides taking the first entry.
struct Step {
    span: u64,
    leaves: bool,
    disturbs: Option<(u32, u64)>,
}

/// A queue in steady state.
struct Events<Q> {
    queue: Q,
    steps: Vec<Step>,
    at: usize,
    /// The one thread that waits for nothing.
    absent: u32,
}

impl<Q: Queue + Default> Events<Q> {
    fn new(threads: u32) -> Events<Q> {
        let mut stream = Streams::new(0).stream(Domain::Steal, 0);
        let mut queue = Q::default();
        for thread in 0..threads {
            queue.set(thread, stream.below(LONGEST));
        }
        let steps = (0..STEPS).map(|_| Step {
            span: 1 + stream.below(LONGEST),
            leaves: stream.below(LEAVES) == 0,
            disturbs: (stream.below(DISTURBS) == 0)
                .then(|| (stream.below(threads.into()) as u32, stream.below(LONGEST))),
        });
        Events { steps: steps.collect(), queue, at: 0, absent: threads }
    }

    /// One event; returns its time.
    fn next(&mut self) -> u64 {
        let step = &self.steps[self.at];
        self.at = (self.at + 1) % STEPS;
        let (now, thread) = self.queue.first().expect("all threads but one have an entry");
        if step.leaves {
            self.queue.remove(thread);
            self.queue.set(self.absent, now + step.span);
            self.absent = thread;
        } else {
            self.queue.set(thread, now + step.span);
        }
        match step.disturbs {
            Some((other, span)) if other != self.absent => self.queue.set(other, now + span),
            _ => {}
        }
        now
    }
}

fn queue(c: &mut Criterion) {
    let mut group = c.benchmark_group("queue");
    for &threads in common::sizes(&SIZES) {
        let mut indexed = Events::<IndexedQueue>::new(threads);
        let mut lazy = Events::<LazyHeap>::new(threads);
        // To steady state, and a ratio means something only between queues that agree.
        for _ in 0..4 * threads {
            assert_eq!(indexed.next(), lazy.next());
        }
        group.bench_function(BenchmarkId::new("indexed", threads), |b| b.iter(|| black_box(indexed.next())));
        group.bench_function(BenchmarkId::new("lazy-heap", threads), |b| b.iter(|| black_box(lazy.next())));
    }
    group.finish();
}

criterion_group!(name = benches; config = common::criterion(); targets = queue);
criterion_main!(benches);
