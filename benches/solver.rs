//! The fluid solver in steady state: whenever a flow ends, its thread starts the next flow.
//!
//! | mix | what |
//! |---|---|
//! | `local` | every thread reads its own node and computes: no resource could be full |
//! | `one-controller` | every thread reads node 0, as under a dynamic schedule of unequal iterations |
//! | `stealing` | every thread streams from a random node of another board: links are full at both ends |
//!
//! On the small machine the textbook solver runs beside the fast solver; it starts from scratch at every event.

mod common;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use numalab_base::Time;
use numalab_des::fluid::plain::{PlainFlow, rates};
use numalab_des::fluid::{ClassId, Degradation, Fluid, Pull, ResourceNo};
use numalab_des::{Domain, Stream, Streams};
use numalab_machine::{Closeness, CoreId, Fabric, NodeId, ReaderId, Route, synthetic};
use std::collections::BTreeMap;
use std::hint::black_box;

/// Machines with 128 and 32 768 cores, one thread each.
const MACHINES: [&str; 2] = ["board:4 socket:2 core:16", "board:512 socket:4 core:16"];

/// Seconds that a thread of `loadbal` computes for each byte, and number of lines that it keeps in flight.
const COMPUTING: (f64, f64) = (1.495e-9, 6.0);
/// Seconds per byte and lines in flight of a thread that only streams.
const STREAMING: (f64, f64) = (0.0, 10.0);

/// Bytes of a cache line.
const LINE: f64 = 64.0;

/// Largest number of bytes that an iteration streams.
const LARGEST: u64 = 20_000_000;

/// Chooses the node whose memory a thread on the given node reads.
type Home = fn(&Fabric, NodeId, &mut Stream) -> NodeId;

const MIXES: [(&str, Home, (f64, f64)); 3] = [
    ("local", |_, own, _| own, COMPUTING),
    ("one-controller", |_, _, _| NodeId(0), COMPUTING),
    ("stealing", elsewhere, STREAMING),
];

/// Random node of any board except the given node's board.
fn elsewhere(fabric: &Fabric, own: NodeId, stream: &mut Stream) -> NodeId {
    loop {
        let home = NodeId(stream.below(fabric.nodes().into()) as u32);
        if fabric.closest(own, home) == Closeness::Machine {
            return home;
        }
    }
}

/// Flows of a mix: each thread starts its flow again when the flow ends.
struct Mix {
    capacities: Vec<f64>,
    /// The distinct flows, each with route and demand.
    kinds: Vec<PlainFlow>,
    /// Index into `kinds` of each thread's flow.
    kind_of: Vec<usize>,
    stream: Stream,
}

impl Mix {
    fn new(machine: &str, home: Home, (computing, lines): (f64, f64)) -> Mix {
        let fabric = Fabric::new(&synthetic(machine).expect("a good form")).expect("a sound machine");
        let mut stream = Streams::new(0).stream(Domain::Steal, 0);
        let (mut number, mut known) = (BTreeMap::new(), BTreeMap::new());
        let (mut capacities, mut kinds) = (Vec::new(), Vec::new());
        let mut crossed = Route::default();
        let mut kind = |home: NodeId, reader: ReaderId| {
            fabric.route(home, reader, &mut crossed);
            let ports = fabric.memory(home);
            let memory = [Some(ports.total), ports.read].into_iter().flatten().map(|port| (port, 1.0));
            let links = crossed.toward_reader.iter().map(|hop| (hop.resource, hop.share));
            let route = memory.chain(links).map(|(resource, share)| {
                let number = number.entry(resource).or_insert_with(|| {
                    capacities.push(fabric.capacity(resource).0);
                    capacities.len() - 1
                });
                (*number, share)
            });
            let memory = lines * LINE / fabric.latency(home, reader).as_secs();
            let ceiling = 1.0 / (computing + 1.0 / memory);
            let pull = Pull::plain(ceiling, lines);
            kinds.push(PlainFlow { route: route.collect(), pull });
            kinds.len() - 1
        };
        let threads = (0..fabric.cores()).map(|core| {
            let reader = fabric.reader_of(CoreId(core));
            let home = home(&fabric, fabric.node_of_reader(reader), &mut stream);
            *known.entry((home, reader)).or_insert_with(|| kind(home, reader))
        });
        let kind_of = threads.collect();
        Mix { capacities, kinds, kind_of, stream }
    }

    fn threads(&self) -> u32 {
        self.kind_of.len() as u32
    }

    fn iteration(&mut self) -> u64 {
        1 + self.stream.below(LARGEST)
    }
}

/// The fast solver with the flows of a mix.
struct Fast {
    mix: Mix,
    fluid: Fluid,
    classes: Vec<ClassId>,
    ended: Vec<u32>,
}

impl Fast {
    fn new(mix: Mix) -> Fast {
        let mut fluid = Fluid::new();
        for &capacity in &mix.capacities {
            fluid.resource(capacity, Degradation::default());
        }
        let class = |kind: &PlainFlow| {
            let route: Vec<_> =
                kind.route.iter().map(|&(number, share)| (ResourceNo::new(number as u32), share)).collect();
            fluid.class(&route, kind.pull)
        };
        let classes = mix.kinds.iter().map(class).collect();
        let mut fast = Fast { fluid, classes, ended: (0..mix.threads()).collect(), mix };
        fast.restart(Time::ZERO);
        fast
    }

    fn restart(&mut self, now: Time) {
        for &thread in &self.ended {
            let class = self.classes[self.mix.kind_of[thread as usize]];
            self.fluid.start(now, class, self.mix.iteration(), thread);
        }
    }

    /// Advances to the next end of a flow and starts the thread's next flow; returns the time.
    fn step(&mut self) -> Time {
        let now = self.fluid.next_finish().expect("every thread reads");
        self.ended.clear();
        self.fluid.finish(now, &mut self.ended);
        self.restart(now);
        now
    }
}

/// The textbook solver with the flows of a mix.
struct Textbook {
    mix: Mix,
    flows: Vec<PlainFlow>,
    /// Remaining bytes of each thread's flow.
    left: Vec<f64>,
}

impl Textbook {
    fn new(mut mix: Mix) -> Textbook {
        let flows = mix.kind_of.iter().map(|&kind| mix.kinds[kind].clone()).collect();
        let left = (0..mix.threads()).map(|_| mix.iteration() as f64).collect();
        Textbook { mix, flows, left }
    }

    /// Advances to the next end of a flow and starts the thread's next flow; returns the seconds that passed.
    fn step(&mut self) -> f64 {
        let rates = rates(&self.mix.capacities, &self.flows);
        let ends = self.left.iter().zip(&rates).map(|(left, rate)| left / rate);
        let (thread, seconds) =
            ends.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).expect("every thread reads");
        for (left, rate) in self.left.iter_mut().zip(&rates) {
            *left -= rate * seconds;
        }
        self.left[thread] = self.mix.iteration() as f64;
        seconds
    }
}

/// Checks that both solvers agree, as otherwise the ratio of their times means nothing.
fn agree(fast: &mut Fast, textbook: &Textbook) {
    let expected = rates(&textbook.mix.capacities, &textbook.flows);
    for (&kind, expected) in fast.mix.kind_of.iter().zip(expected) {
        let rate = fast.fluid.rate(fast.classes[kind]).expect("every thread reads");
        assert!((rate - expected).abs() <= 1e-9 * expected, "{rate} instead of {expected}");
    }
}

fn solver(c: &mut Criterion) {
    for (name, home, thread) in MIXES {
        let mut group = c.benchmark_group(format!("solver/{name}"));
        for (at, &machine) in common::sizes(&MACHINES).iter().enumerate() {
            let mut fast = Fast::new(Mix::new(machine, home, thread));
            let threads = fast.mix.threads();
            for _ in 0..threads {
                fast.step();
            }
            group.bench_function(BenchmarkId::new("fluid", threads), |b| b.iter(|| black_box(fast.step())));
            if at == 0 {
                let mut textbook = Textbook::new(Mix::new(machine, home, thread));
                agree(&mut fast, &textbook);
                group.bench_function(BenchmarkId::new("textbook", threads), |b| {
                    b.iter(|| black_box(textbook.step()));
                });
            }
        }
        group.finish();
    }
}

criterion_group!(name = benches; config = common::criterion(); targets = solver);
criterion_main!(benches);
