//! Line transactions, on the 128 cores of four boards of four sockets.
//!
//! | mix | what |
//! |---|---|
//! | `lock` | 127 threads at one test-and-test-and-set lock: each write makes all of them read again, and all that see it free try to take it |
//! | `barrier` | 128 threads at a dissemination barrier: seven rounds in which each writes a flag of another and waits for its own |

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use numalab_coherence::{Access, LineId, Lines};
use numalab_machine::{CoreId, Fabric, NodeId, synthetic};

/// Transactions of one measured step.
const TRANSACTIONS: u64 = 10_000;

/// Picoseconds for which the lock is held.
const HELD: u64 = 50_000;

/// A program of threads on lines.
trait Mix {
    fn lines(&mut self) -> &mut Lines<'static>;
    /// An agent's request or timer is due.
    fn due(&mut self, now: u64, agent: u32);

    /// Asks, and goes on at once after a hit.
    fn ask(&mut self, now: u64, agent: u32, line: LineId, access: Access) {
        if let Some(hit) = self.lines().request(now, agent, line, access) {
            self.lines().timer(hit, agent);
        }
    }

    fn run(&mut self, transactions: u64) -> u64 {
        let goal = self.lines().counts().transactions() + transactions;
        let mut last = 0;
        while self.lines().counts().transactions() < goal {
            if let Some((now, agent)) = self.lines().pop() {
                last = now;
                self.due(now, agent);
            }
        }
        last
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    Reading,
    Trying,
    Holding,
    Releasing,
}

/// A test-and-test-and-set lock.
struct Lock {
    lines: Lines<'static>,
    line: LineId,
    taken: bool,
    doing: Vec<Doing>,
    watching: Vec<u32>,
}

impl Lock {
    fn new(mut lines: Lines<'static>, threads: u32) -> Lock {
        for core in 0..threads {
            lines.add_agent(CoreId(core));
        }
        let line = lines.add_line(NodeId(0));
        let doing = vec![Doing::Reading; threads as usize];
        let mut lock = Lock { lines, line, taken: false, doing, watching: Vec::new() };
        for agent in 0..threads {
            lock.ask(0, agent, line, Access::Read);
        }
        lock
    }

    fn set(&mut self, agent: u32, doing: Doing) {
        self.doing[agent as usize] = doing;
    }

    /// The line was taken from all that watch it.
    fn written(&mut self, now: u64) {
        for agent in std::mem::take(&mut self.watching) {
            self.ask(now, agent, self.line, Access::Read);
        }
    }
}

impl Mix for Lock {
    fn lines(&mut self) -> &mut Lines<'static> {
        &mut self.lines
    }

    fn due(&mut self, now: u64, agent: u32) {
        match self.doing[agent as usize] {
            Doing::Reading if self.taken => self.watching.push(agent),
            Doing::Reading => {
                self.set(agent, Doing::Trying);
                self.ask(now, agent, self.line, Access::Own);
            }
            Doing::Trying => {
                self.written(now);
                if self.taken {
                    self.set(agent, Doing::Reading);
                    self.watching.push(agent);
                } else {
                    self.taken = true;
                    self.set(agent, Doing::Holding);
                    self.lines.timer(now + HELD, agent);
                }
            }
            Doing::Holding => {
                self.set(agent, Doing::Releasing);
                self.ask(now, agent, self.line, Access::Own);
            }
            Doing::Releasing => {
                self.taken = false;
                self.written(now);
                self.set(agent, Doing::Reading);
                self.ask(now, agent, self.line, Access::Read);
            }
        }
    }
}

/// Where a thread is in the barrier.
#[derive(Clone, Copy)]
struct At {
    epoch: u32,
    round: u32,
    signals: bool,
}

/// A dissemination barrier, again and again.
struct Barrier {
    lines: Lines<'static>,
    threads: u32,
    rounds: u32,
    /// By round and thread.
    flags: Vec<u32>,
    watched: Vec<bool>,
    at: Vec<At>,
}

impl Barrier {
    fn new(mut lines: Lines<'static>, fabric: &Fabric, threads: u32) -> Barrier {
        for core in 0..threads {
            lines.add_agent(CoreId(core));
        }
        let rounds = threads.ilog2();
        for _ in 0..rounds {
            for core in 0..threads {
                lines.add_line(fabric.node_of(CoreId(core)));
            }
        }
        let flags = vec![0; (rounds * threads) as usize];
        let watched = vec![false; flags.len()];
        let at = vec![At { epoch: 1, round: 0, signals: true }; threads as usize];
        let mut barrier = Barrier { lines, threads, rounds, flags, watched, at };
        for agent in 0..threads {
            barrier.signal(0, agent);
        }
        barrier
    }

    /// The flag of a round that a thread waits for.
    fn flag(&self, round: u32, thread: u32) -> usize {
        (round * self.threads + thread % self.threads) as usize
    }

    fn partner(&self, agent: u32) -> u32 {
        (agent + (1 << self.at[agent as usize].round)) % self.threads
    }

    fn signal(&mut self, now: u64, agent: u32) {
        let line = LineId(self.flag(self.at[agent as usize].round, self.partner(agent)) as u32);
        self.at[agent as usize].signals = true;
        self.ask(now, agent, line, Access::Own);
    }

    fn look(&mut self, now: u64, agent: u32) {
        let line = LineId(self.flag(self.at[agent as usize].round, agent) as u32);
        self.at[agent as usize].signals = false;
        self.ask(now, agent, line, Access::Read);
    }
}

impl Mix for Barrier {
    fn lines(&mut self) -> &mut Lines<'static> {
        &mut self.lines
    }

    fn due(&mut self, now: u64, agent: u32) {
        let At { epoch, round, signals } = self.at[agent as usize];
        if signals {
            let partner = self.partner(agent);
            let flag = self.flag(round, partner);
            self.flags[flag] = epoch;
            if std::mem::take(&mut self.watched[flag]) {
                self.look(now, partner);
            }
            return self.look(now, agent);
        }
        let flag = self.flag(round, agent);
        if self.flags[flag] < epoch {
            self.watched[flag] = true;
            return;
        }
        let over = round + 1 == self.rounds;
        self.at[agent as usize] =
            At { epoch: epoch + u32::from(over), round: if over { 0 } else { round + 1 }, signals: true };
        self.signal(now, agent);
    }
}

fn lines(c: &mut Criterion) {
    let machine = synthetic("board:4 socket:4 core:8").expect("a machine");
    let fabric: &'static Fabric = Box::leak(Box::new(Fabric::new(&machine).expect("sound")));
    let mut group = c.benchmark_group("lines");
    group.throughput(Throughput::Elements(TRANSACTIONS));
    let mut lock = Lock::new(Lines::new(&machine, fabric), 127);
    group.bench_function("lock", |b| b.iter(|| lock.run(TRANSACTIONS)));
    let mut barrier = Barrier::new(Lines::new(&machine, fabric), fabric, 128);
    group.bench_function("barrier", |b| b.iter(|| barrier.run(TRANSACTIONS)));
    group.finish();
}

criterion_group!(name = benches; config = common::criterion(); targets = lines);
criterion_main!(benches);
