//! The time until an owner hears of a request is drawn once the owner has written the line meanwhile.

use numalab_base::{Span, Time};
use numalab_coherence::{Access, AgentId, LineId, Lines};
use numalab_des::{Domain, Streams};
use numalab_machine::{CoreId, Fabric, NodeId, synthetic};

const NS: u64 = 1000;
const OWNER: AgentId = AgentId::new(0);
const OTHER: AgentId = AgentId::new(1);

/// A thread that owns a line at home on its socket, and a thread of another socket.
struct Pair<'a> {
    lines: Lines<'a>,
    line: LineId,
    now: u64,
}

impl<'a> Pair<'a> {
    fn new(fabric: &'a Fabric, machine: &numalab_machine::Machine, seed: Option<u64>) -> Pair<'a> {
        let mut lines = Lines::new(machine, fabric);
        lines.add_agent(CoreId(0));
        lines.add_agent(CoreId(4));
        if let Some(seed) = seed {
            lines.vary(Streams::new(seed).stream(Domain::Requests, 0));
        }
        let line = lines.add_line(NodeId(0));
        Pair { lines, line, now: 0 }
    }

    /// The owner gets the line back long after all earlier requests.
    fn give_back(&mut self) {
        self.now += 100_000 * NS;
        if self.lines.request(Time(self.now), OWNER, self.line, Access::Own).is_none() {
            while self.lines.pop().map(|(_, agent)| agent) != Some(OWNER) {}
        }
        self.now += 100_000 * NS;
    }

    /// Nanoseconds for which the owner still writes the line, every two nanoseconds, after the other thread has asked
    /// for it.
    fn kept(&mut self, asks: Access, atomic: bool) -> u64 {
        assert_eq!(self.lines.request(Time(self.now), OTHER, self.line, asks), None);
        let writes = (0..500).take_while(|write| {
            let at = Time(self.now + write * 2 * NS);
            while self.lines.next().is_some_and(|next| next <= at) {
                self.lines.pop();
            }
            if !self.lines.is_hit(at, OWNER, self.line, Access::Own) {
                return false;
            }
            let hit = self.lines.request(at, OWNER, self.line, Access::Own);
            self.lines.race(self.line, atomic);
            hit.is_some()
        });
        2 * writes.count() as u64
    }
}

fn kept(seed: Option<u64>, requests: (Access, bool)) -> Vec<u64> {
    kept_on("socket:2 core:4", seed, requests)
}

fn kept_on(shape: &str, seed: Option<u64>, (asks, atomic): (Access, bool)) -> Vec<u64> {
    let machine = synthetic(shape).expect("a machine");
    let fabric = Fabric::new(&machine).expect("sound");
    let mut pair = Pair::new(&fabric, &machine, seed);
    (0..200)
        .map(|_| {
            pair.give_back();
            pair.kept(asks, atomic)
        })
        .collect()
}

/// The request reaches the home after 20 + 25 ns, and the owner's cache asks its core 20 ns later. Memory is 135 ns
/// away, so the drawn times are at most 135 / 8 ns from that: 48.1 to 81.9 ns, after which the owner has written up to
/// 50 to 82 ns.
#[test]
fn a_request_that_races_with_writes_varies() {
    let stores = (Access::Own, false);
    let exact = kept(None, stores);
    assert_eq!(exact, [exact[0]; 200]);
    let varied = kept(Some(3), stores);
    assert_eq!(varied[0], exact[0], "the first race decides nothing");
    let later = &varied[1..];
    let (least, most) = (later.iter().min().copied(), later.iter().max().copied());
    assert_eq!((exact[0], least, most), (66, Some(50), Some(82)));
    let mean = later.iter().sum::<u64>() as f64 / later.len() as f64;
    assert!((mean - 65.0).abs() < 2.0, "{mean}");
    assert_eq!(varied, kept(Some(3), stores));
    assert_ne!(varied, kept(Some(4), stores));
}

/// Threads that poll a line see what is stored in any order, but an atomic operation may keep a lock from them.
#[test]
fn a_store_does_not_race_with_polls() {
    let exact = kept(None, (Access::Read, false));
    assert_eq!(kept(Some(3), (Access::Read, false)), exact);
    assert_ne!(kept(Some(3), (Access::Read, true)), exact);
}

/// Requests that do not race take the times of the tables, and draw nothing.
#[test]
fn a_request_without_a_race_does_not_vary() {
    let machine = synthetic("socket:2 core:4").expect("a machine");
    let fabric = Fabric::new(&machine).expect("sound");
    let answers = |seed| {
        let mut pair = Pair::new(&fabric, &machine, seed);
        let answer = |pair: &mut Pair, agent| {
            pair.now += 100_000 * NS;
            match pair.lines.request(Time(pair.now), agent, pair.line, Access::Own) {
                Some(at) => at.since(Time(pair.now)),
                None => std::iter::repeat_with(|| pair.lines.pop())
                    .flatten()
                    .next()
                    .map_or(Span::ZERO, |end| end.0.since(Time(pair.now))),
            }
        };
        let all: Vec<Span> = (0..20).map(|turn| answer(&mut pair, [OWNER, OTHER][turn % 2])).collect();
        (all, pair.lines.draws())
    };
    assert_eq!(answers(Some(1)), answers(None));
    assert_eq!(answers(Some(1)).1, 0);
}

/// Two cores of one cache, which asks the owner 20 ns after the request has left. A line between them takes 40 ns, so the
/// drawn times are 15 to 25 ns, although the request needs no time from the cache to the owner.
#[test]
fn a_request_within_a_cache_varies_to_both_sides() {
    let polls = (Access::Read, true);
    let exact = kept_on("core:8", None, polls);
    assert_eq!(exact, [20; 200]);
    let varied = &kept_on("core:8", Some(3), polls)[1..];
    assert_eq!((varied.iter().min(), varied.iter().max()), (Some(&16), Some(&26)));
    let mean = varied.iter().sum::<u64>() as f64 / varied.len() as f64;
    assert!((mean - 21.0).abs() < 0.6, "{mean}");
}
