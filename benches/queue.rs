//! The event queue with movable entries against the standard heap, where moving an entry means pushing another entry
//! and skipping the old entry when it is popped ("lazy deletion").
//!
//! Each mix has the queue operations that were counted in runs of `loadbal`:
//!
//! | mix | one event |
//! |---|---|
//! | `timers` | the first entry is removed and inserted with a later time; no other entry moves |
//! | `finishes` | in addition, changed rates move five other entries, later as often as earlier, and sometimes an
//! entry is removed |

mod common;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use numalab_base::{Span, Time, index_type};
use numalab_des::{Domain, EventQueue, Stream, Streams};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

/// Numbers of entries: the usual one, then one entry per thread of machines that run `loadbal`.
const SIZES: [u32; 4] = [8, 128, 2080, 32_768];

/// Name of each mix, and number of other entries that an event moves.
const MIXES: [(&str, usize); 2] = [("timers", 0), ("finishes", 5)];

/// In mixes that move other entries, one event in this many removes an entry.
const LEAVES: u64 = 20;

/// Number of steps drawn in advance, so that drawing random numbers is not measured.
const STEPS: usize = 1 << 12;

/// Longest time until a thread's next event, in picoseconds: 20 ms, the time of an iteration.
const LONGEST: u64 = 20_000_000_000;

index_type! {
    ItemNo
}

trait Queue {
    fn set(&mut self, item: ItemNo, at: Time);
    fn remove(&mut self, item: ItemNo);
    fn first(&mut self) -> Option<(Time, ItemNo)>;
}

impl Queue for EventQueue<ItemNo> {
    fn set(&mut self, item: ItemNo, at: Time) {
        EventQueue::set(self, item, at);
    }

    fn remove(&mut self, item: ItemNo) {
        EventQueue::remove(self, item);
    }

    fn first(&mut self) -> Option<(Time, ItemNo)> {
        self.peek()
    }
}

#[derive(Default)]
struct LazyHeap {
    heap: BinaryHeap<Reverse<(Time, ItemNo, u32)>>,
    /// Number of each item's latest change; heap entries with another number are stale.
    version: Vec<u32>,
}

impl Queue for LazyHeap {
    fn set(&mut self, item: ItemNo, at: Time) {
        self.remove(item);
        self.heap.push(Reverse((at, item, self.version[item.index()])));
    }

    fn remove(&mut self, item: ItemNo) {
        if item.index() >= self.version.len() {
            self.version.resize(item.index() + 1, 0);
        }
        self.version[item.index()] += 1;
    }

    fn first(&mut self) -> Option<(Time, ItemNo)> {
        while let Some(&Reverse((at, item, version))) = self.heap.peek() {
            if self.version[item.index()] == version {
                return Some((at, item));
            }
            self.heap.pop();
        }
        None
    }
}

/// Changes in one event: the next time of the first entry, moves of other entries, and possibly a removal.
struct Step {
    span: Span,
    moves: Vec<(ItemNo, Span)>,
    leaves: Option<ItemNo>,
}

/// A queue with an entry for every item but one, and the steps to execute.
struct Events<Q> {
    queue: Q,
    steps: Vec<Step>,
    at: usize,
    /// The item that has no entry at present.
    absent: ItemNo,
}

impl<Q: Queue + Default> Events<Q> {
    fn new(entries: u32, moves: usize) -> Events<Q> {
        let mut stream = Streams::new(0).stream(Domain::Steal, 0);
        let mut queue = Q::default();
        for item in ItemNo::first(entries) {
            queue.set(item, Time(stream.below(LONGEST)));
        }
        let any = |stream: &mut Stream| ItemNo::new(stream.below(entries.into()) as u32);
        let mut step = || Step {
            span: Span(1 + stream.below(LONGEST)),
            moves: (0..moves).map(|_| (any(&mut stream), Span(stream.below(LONGEST)))).collect(),
            leaves: (moves > 0 && stream.below(LEAVES) == 0).then(|| any(&mut stream)),
        };
        Events { steps: (0..STEPS).map(|_| step()).collect(), queue, at: 0, absent: ItemNo::new(entries) }
    }

    /// Executes one event: replaces the first entry and changes others. Returns the first entry's time.
    fn next(&mut self) -> Time {
        let step = &self.steps[self.at];
        self.at = (self.at + 1) % STEPS;
        let (now, first) = self.queue.first().expect("all items but one have an entry");
        self.queue.remove(first);
        self.queue.set(first, now + step.span);
        for &(other, span) in step.moves.iter().filter(|(other, _)| *other != self.absent) {
            self.queue.set(other, now + span);
        }
        if let Some(other) = step.leaves.filter(|other| *other != self.absent) {
            self.queue.remove(other);
            self.queue.set(self.absent, now + step.span);
            self.absent = other;
        }
        now
    }
}

fn queue(c: &mut Criterion) {
    for (name, moves) in MIXES {
        let mut group = c.benchmark_group(format!("queue/{name}"));
        for &entries in common::sizes(&SIZES) {
            let mut indexed = Events::<EventQueue<ItemNo>>::new(entries, moves);
            let mut lazy = Events::<LazyHeap>::new(entries, moves);
            // Brings both queues to a steady state and checks that they agree, as otherwise their ratio means
            // nothing.
            for _ in 0..4 * entries {
                assert_eq!(indexed.next(), lazy.next());
            }
            group.bench_function(BenchmarkId::new("indexed", entries), |b| {
                b.iter(|| black_box(indexed.next()));
            });
            group.bench_function(BenchmarkId::new("lazy-heap", entries), |b| {
                b.iter(|| black_box(lazy.next()));
            });
        }
        group.finish();
    }
}

criterion_group!(name = benches; config = common::criterion(); targets = queue);
criterion_main!(benches);
