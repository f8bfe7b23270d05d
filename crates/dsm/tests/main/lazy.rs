//! Lazy release consistency: hand-calculated faults, the writes that a read sees, and the gain of several writers.
//!
//! Times as in `hand`: trap 28, handle 17, handle_page 36, wake 21, latency 64 us; a header takes 0.711112 us on a
//! card, a page with its header 46.222223. A twin takes 4 us, making a diff 10, applying it 5.

use crate::support::{US, nodes};
use numalab_base::{Span, Time};
use numalab_dsm::{Dsm, Meeting, Part, Right, Use};
use numalab_machine::Consistency;
use proptest::prelude::*;

const HEADER: u64 = 711_112;
const PAGE: u64 = 46_222_223;
const BOTH: [Consistency; 2] = [Consistency::Lazy, Consistency::HomeBased];

fn lazy(count: u32, pages: u64, consistency: Consistency) -> Dsm {
    nodes(count, pages, |parameters| parameters.consistency = consistency)
}

/// A worker uses `bytes` bytes of a page. Returns the time in picoseconds for which faults stall the worker, and the
/// number of faults.
fn use_page(dsm: &mut Dsm, worker: u32, page: u64, how: Use, bytes: u32, now: &mut u64) -> (u64, u32) {
    let (mut stopped, mut faults) = (0, 0);
    while let Some(fault) = dsm.touch(worker, page..page + 1, how, bytes) {
        assert!(faults < 8, "{worker} faults for ever on {page}");
        dsm.fault(worker, fault, Time(*now));
        let since = *now;
        let mut woken = Vec::new();
        while !woken.contains(&worker) {
            *now = (dsm.advance(Time::NEVER, &mut 0, &mut woken).expect("every request is answered")).0;
        }
        assert_eq!(dsm.take_stop(worker).total(), Span(*now - since));
        stopped += *now - since;
        faults += 1;
    }
    (stopped, faults)
}

/// Processes all events, and sets `now` to 1 ms after the last event.
fn rest(dsm: &mut Dsm, now: &mut u64) {
    while dsm.next().is_some() {
        *now = (dsm.advance(Time::NEVER, &mut 0, &mut Vec::new()).unwrap_or(Time(*now))).0;
    }
    *now += 1000 * US;
}

fn barrier(dsm: &mut Dsm, workers: u32, now: &mut u64) {
    rest(dsm, now);
    for worker in 0..workers {
        dsm.meet(worker, Meeting::Barrier, Time(*now));
    }
    rest(dsm, now);
}

/// Node 1 reads a page that node 0 writes, and both meet. Node 1's copy is then invalid, and node 1 requests the
/// diff: trap, request, making the diff (10), 100 bytes more than a header, applying the diff (5), wake: 28 + (64 +
/// 17) + 10 + (64 + 17) + 5 + 21 = 226 us, and two headers and 100 bytes on the cards, 1.111111 us more. With a home,
/// the home sends the page instead of the diff, as under sequential consistency: 247 us.
#[test]
fn what_was_written_is_fetched_after_a_barrier() {
    for (consistency, expected) in [
        (Consistency::Lazy, 226 * US + HEADER + 1_822_223),
        (Consistency::HomeBased, 247 * US + HEADER + PAGE),
    ] {
        let (mut dsm, mut now) = (lazy(2, 1, consistency), 1000 * US);
        assert_eq!(use_page(&mut dsm, 0, 0, Use::Write, 4096, &mut now), (0, 0), "its first touch");
        barrier(&mut dsm, 2, &mut now);
        // The first fault fetches the whole page.
        assert_eq!(use_page(&mut dsm, 1, 0, Use::Read, 8, &mut now), (247 * US + HEADER + PAGE, 1));
        // A write to a copy needs a trap and a twin; the home needs no twin. The reader's copy stays valid.
        let twin = if consistency == Consistency::Lazy { 4 * US } else { 0 };
        assert_eq!(use_page(&mut dsm, 0, 0, Use::Write, 100, &mut now), (28 * US + twin, 1));
        assert_eq!(use_page(&mut dsm, 1, 0, Use::Read, 8, &mut now), (0, 0), "{consistency}");
        barrier(&mut dsm, 2, &mut now);
        assert_eq!(dsm.right(0, 1), Right::None);
        assert_eq!(use_page(&mut dsm, 1, 0, Use::Read, 8, &mut now), (expected, 1), "{consistency}");
    }
}

/// Two nodes write halves of a page, with barriers between the rounds. Under sequential consistency the page moves at
/// each write. Under lazy consistency each node faults twice in a round, to fetch the other's diff and to make its
/// twin, for any number of writes.
#[test]
fn several_writers_do_not_take_pages_from_each_other() {
    let faults = |consistency, writes: u32| {
        let (mut dsm, mut now) = (lazy(2, 1, consistency), 1000 * US);
        for _round in 0..4 {
            for write in 0..2 * writes {
                use_page(&mut dsm, write % 2, 0, Use::Update, 2048, &mut now);
            }
            barrier(&mut dsm, 2, &mut now);
        }
        let count =
            dsm.counts().iter().map(|node| node.faults.read + node.faults.write + node.faults.upgrade);
        count.sum::<u64>()
    };
    let [few, many] = [1, 10].map(|writes| faults(Consistency::Sequential, writes));
    assert!(many >= 8 * few, "{few} {many}");
    for consistency in BOTH {
        let [few, many] = [1, 10].map(|writes| faults(consistency, writes));
        assert!(few <= 16, "{consistency}: {few}");
        // More writes in a round add at most one fault: a writer whose diff is requested makes a new twin.
        assert!(many <= few + 4, "{consistency}: {few} {many}");
    }
}

/// Node 2 misses writes of node 0 and of node 1. If node 1 had seen the writes of node 0, one diff of node 1 has
/// both. Otherwise node 2 asks both nodes.
#[test]
fn who_saw_the_writes_of_others_sends_them_too() {
    let asked = |meets_between: bool| {
        let (mut dsm, mut now) = (lazy(3, 1, Consistency::Lazy), 1000 * US);
        use_page(&mut dsm, 0, 0, Use::Write, 4096, &mut now);
        barrier(&mut dsm, 3, &mut now);
        use_page(&mut dsm, 1, 0, Use::Read, 8, &mut now);
        use_page(&mut dsm, 2, 0, Use::Read, 8, &mut now);
        use_page(&mut dsm, 0, 0, Use::Write, 100, &mut now);
        if meets_between {
            barrier(&mut dsm, 3, &mut now);
        }
        use_page(&mut dsm, 1, 0, Use::Write, 100, &mut now);
        barrier(&mut dsm, 3, &mut now);
        let before: Vec<u64> = dsm.counts().iter().map(|node| node.messages[8]).collect();
        use_page(&mut dsm, 2, 0, Use::Read, 8, &mut now);
        let after = dsm.counts().iter().map(|node| node.messages[8]);
        after.zip(before).map(|(after, before)| after - before).collect::<Vec<_>>()
    };
    assert_eq!(numalab_dsm::MessageKind::ALL[8].name(), "diff");
    assert_eq!(asked(true), [0, 1, 0]);
    assert_eq!(asked(false), [1, 1, 0]);
}

/// The writes of a forking worker reach the homes of the pages before the fork does. The worker writes 100 bytes of
/// pages 1 and 2, whose homes are the other nodes, and opens a region. It makes two diffs, of 10 us each, and then
/// sends the forks. A diff takes 1.822223 us on the card, and each home's daemon serves it before the fork, for 17
/// us; the fork takes 17 more and the wake 21. Node 1: 10 + 64 + 17 + 17 + 21 = 129 us and the card; node 2: 10 more.
#[test]
fn forks_depart_behind_all_that_was_written() {
    let mut dsm = nodes(3, 3, |parameters| {
        (parameters.consistency, parameters.master) =
            (Consistency::HomeBased, numalab_machine::Master::Cyclic);
    });
    let mut now = 1000 * US;
    for page in 1..3 {
        // The homes make copies first: writes to a single copy would not be sent.
        use_page(&mut dsm, page as u32, page, Use::Read, 8, &mut now);
        use_page(&mut dsm, 0, page, Use::Write, 100, &mut now);
    }
    rest(&mut dsm, &mut now);
    for worker in 1..3 {
        assert!(!dsm.follow(worker), "nobody has opened a region");
    }
    dsm.fork(Time(now));
    let (mut woken, mut at) = (Vec::new(), Vec::new());
    while let Some(when) = dsm.advance(Time::NEVER, &mut 0, &mut woken) {
        at.extend(woken.drain(..).map(|worker| (worker, when.0 - now)));
    }
    assert_eq!(at, [(1, 130_822_223), (2, 140_822_223)]);
}

/// A step of a random program.
#[derive(Clone, Copy, Debug)]
enum Step {
    Use(u32, u64, Use),
    /// A worker toggles a flag for another worker, which waits for it.
    Pass(u32, u32),
    Barrier,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let uses = [Use::Read, Use::Write, Use::Update];
    prop::collection::vec(
        prop_oneof![
            6 => (0..4_u32, 0..4_u64, 0..3_usize).prop_map(move |(node, page, how)| Step::Use(node, page, uses[how])),
            2 => (0..4_u32, 1..4_u32).prop_map(|(from, step)| Step::Pass(from, (from + step) % 4)),
            1 => Just(Step::Barrier),
        ],
        0..80,
    )
}

/// Vector clocks kept beside the engine: the writes that each worker has to see according to its synchronisations.
struct Oracle {
    /// Number of the last step of each other worker that each worker has seen.
    seen: [[u32; 4]; 4],
    /// Number of each node's open interval. As in the engine, an interval without writes is continued.
    interval: [u32; 4],
    dirty: [bool; 4],
    /// Writes by page and worker: number of the interval, and of the step.
    writes: [[Vec<(u32, u32)>; 4]; 4],
    step: u32,
}

impl Oracle {
    fn new() -> Oracle {
        Oracle { seen: [[0; 4]; 4], interval: [1; 4], dirty: [false; 4], writes: Default::default(), step: 0 }
    }

    fn write(&mut self, node: usize, page: usize) {
        self.step += 1;
        self.dirty[node] = true;
        self.writes[page][node].push((self.interval[node], self.step));
        self.seen[node][node] = self.step;
    }

    /// Ends the interval of a node, if the node wrote in the interval.
    fn end(&mut self, node: usize) {
        self.interval[node] += u32::from(std::mem::take(&mut self.dirty[node]));
    }

    fn acquire(&mut self, node: usize, seen: [u32; 4]) {
        self.end(node);
        self.seen[node].iter_mut().zip(seen).for_each(|(own, other)| *own = (*own).max(other));
    }

    /// For each other worker: the last interval with a write to the page that the node has to see.
    fn must(&self, node: usize, page: usize) -> Vec<(u32, u32)> {
        let last = |writer: usize| {
            let seen = self.seen[node][writer];
            self.writes[page][writer]
                .iter()
                .rev()
                .find(|(_, step)| *step <= seen)
                .map(|(interval, _)| *interval)
        };
        // The node's own writes are always in its copy.
        (0..4)
            .filter(|writer| *writer != node)
            .filter_map(|writer| Some((writer as u32, last(writer)?)))
            .collect()
    }
}

proptest! {
    /// A read sees the last write that precedes the read in the order of synchronisation, every request is answered,
    /// and as many bytes are received as sent.
    #[test]
    fn reads_see_what_happened_before(home_based in any::<bool>(), steps in steps()) {
        let consistency = BOTH[usize::from(home_based)];
        let (mut dsm, mut oracle, mut now) = (lazy(4, 4, consistency), Oracle::new(), 1000 * US);
        let (mut flag, mut order) = (0, 0_u64);
        for step in steps {
            match step {
                Step::Use(node, page, how) => {
                    let (_, faults) = use_page(&mut dsm, node, page, how, 512, &mut now);
                    prop_assert!(faults <= 2 || how == Use::Update && faults <= 3);
                    let contains = dsm.contains(page, node).expect("a copy that is used is valid");
                    for (writer, interval) in oracle.must(node as usize, page as usize) {
                        let has = contains.iter().any(|(of, number)| *of == writer && *number >= interval);
                        prop_assert!(has, "{node} reads {page} without {interval} of {writer}: {contains:?}");
                    }
                    if how != Use::Read {
                        oracle.write(node as usize, page as usize);
                    }
                    // Some uses begin while messages about earlier uses are in flight.
                    order += 1;
                    if order % 3 == 0 { rest(&mut dsm, &mut now); }
                }
                Step::Pass(from, to) => {
                    flag += 1;
                    prop_assert!(!dsm.turn(to, flag, true, from, Time(now)), "nobody has raised it");
                    prop_assert!(dsm.turn(from, flag, false, to, Time(now)));
                    let mut woken = Vec::new();
                    while !woken.contains(&to) {
                        now = (dsm.advance(Time::NEVER, &mut 0, &mut woken).expect("a signal comes")).0;
                    }
                    oracle.end(from as usize);
                    let seen = oracle.seen[from as usize];
                    oracle.acquire(to as usize, seen);
                }
                Step::Barrier => {
                    barrier(&mut dsm, 4, &mut now);
                    (0..4).for_each(|node| oracle.end(node));
                    let all = (0..4).map(|of| (0..4).map(|node| oracle.seen[node][of]).max().unwrap());
                    let all: Vec<u32> = all.collect();
                    (0..4).for_each(|node| oracle.acquire(node, [all[0], all[1], all[2], all[3]]));
                }
            }
        }
        rest(&mut dsm, &mut now);
        prop_assert!(dsm.is_quiet());
        let counts = dsm.counts();
        let sum = |part: fn(&numalab_counts::NodeCounts) -> u64| counts.iter().map(part).sum::<u64>();
        prop_assert_eq!(sum(|node| node.messages.iter().sum()), sum(|node| node.received));
        prop_assert_eq!(sum(|node| node.bytes), sum(|node| node.bytes_received));
    }
}

/// The components of a stall include the work on diffs: 10 us to make a diff, 5 us to apply it.
#[test]
fn stops_name_diffs() {
    let (mut dsm, mut now) = (lazy(2, 1, Consistency::Lazy), 1000 * US);
    use_page(&mut dsm, 0, 0, Use::Write, 4096, &mut now);
    barrier(&mut dsm, 2, &mut now);
    use_page(&mut dsm, 1, 0, Use::Read, 8, &mut now);
    use_page(&mut dsm, 0, 0, Use::Write, 8, &mut now);
    barrier(&mut dsm, 2, &mut now);
    let fault = dsm.touch(1, 0..1, Use::Read, 8).unwrap();
    dsm.fault(1, fault, Time(now));
    dsm.advance(Time::NEVER, &mut 0, &mut Vec::new());
    assert_eq!(dsm.take_stop(1).0[Part::Diffs as usize], Span(15 * US));
    let [writer, reader] = dsm.counts() else { panic!("two nodes") };
    assert_eq!((writer.twins, writer.diffs, reader.notices), (1, 1, 2));
}
