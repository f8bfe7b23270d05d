//! Order of service of a contended line.
//!
//! Two sockets of 25 cores. Last-level cache 20 ns, 40 ns for a line that another core of the socket has, half of which
//! passes until the request is at the cache; 25 ns between sockets.

use numalab_base::{Span, Time};
use numalab_coherence::{Access, Lines};
use numalab_machine::{CoreId, Fabric, NodeId, synthetic};

const NS: u64 = 1000;

/// Times in nanoseconds and cores of all stores, if cores store `stores` times each, keep the line for 4 ns, and rest
/// for `rest` nanoseconds after each. Core `n` begins at `starts[n]`.
fn stores(text: &str, starts: &[u64], stores: usize, rest: u64) -> Vec<(u64, u32)> {
    let machine = synthetic(text).expect("a machine");
    let fabric = Fabric::new(&machine).expect("sound");
    let mut lines = Lines::new(&machine, &fabric);
    let line = lines.add_line(NodeId(0));
    let mut left = vec![stores; starts.len()];
    let mut asked = vec![false; starts.len()];
    for (core, start) in (0..).zip(starts) {
        let agent = lines.add_agent(CoreId(core));
        lines.timer(Time(start * NS), agent);
    }
    let mut served = Vec::new();
    while lines.next().is_some() {
        let Some((now, agent)) = lines.pop() else { continue };
        let at = agent.index();
        let got = if std::mem::take(&mut asked[at]) {
            Some(now)
        } else if left[at] == 0 {
            None
        } else {
            let got = lines.request(now, agent, line, Access::Own);
            asked[at] = got.is_none();
            got
        };
        if let Some(got) = got {
            left[at] -= 1;
            served.push((got.0 / NS, agent.number()));
            let kept = got + Span(4 * NS);
            lines.hold(line, kept);
            lines.timer(kept + Span(rest * NS), agent);
        }
    }
    assert!(left.iter().all(|left| *left == 0), "every store is served");
    served
}

/// Core 0 has the line from 135 ns on: 20 until the miss is known, 115 of memory. At 1000 ns cores 1 to 4 of its socket
/// and core 5 of the other ask. The requests of the first are at the cache at 1020 ns and are served in turn, 20 ns and
/// 4 ns of its owner apart. That of core 5 is at the home at 1045 ns and at the owner at 1065 ns. Core 3 has asked its
/// cache before that, and has the line at 1088; the owner then is core 3, which keeps it until 1092, and the line is at
/// core 5 40 - 20 + 25 ns later. Core 4 is served from the other socket: the home asks at once when core 5 has the line
/// (1137), the owner hears of it 25 + 20 ns later, at 1182, and 20 + 25 ns later core 4 has it.
#[test]
fn a_group_serves_its_own_until_the_home_asks() {
    let starts = [0, 1000, 1000, 1000, 1001, 1000];
    let served = stores("socket:2 core:5", &starts, 1, 0);
    assert_eq!(served, [(135, 0), (1040, 1), (1064, 2), (1088, 3), (1137, 5), (1227, 4)]);
}

/// All cores want the line always. The home's next request is 20 ns after a hand-over at its own socket's cache, and
/// 25 + 20 ns after it at that of the other socket. Requests of the socket that has the line are heard of 24 ns apart,
/// the first of them at once: two of the first socket are served in turn and three of the other.
#[test]
fn batches_fit_in_the_way_of_the_next_request() {
    for rest in [50, 200, 400] {
        let served = stores("socket:2 core:25", &[0; 50], 40, rest);
        let sockets: Vec<bool> = served[500..1500].iter().map(|(_, core)| *core >= 25).collect();
        let batches: Vec<(bool, usize)> =
            sockets.chunk_by(|one, next| one == next).map(|batch| (batch[0], batch.len())).collect();
        for (far, batch) in &batches[1..batches.len() - 1] {
            assert_eq!(*batch, if *far { 3 } else { 2 }, "{rest} ns: {batches:?}");
        }
    }
}

/// Law: More work between two stores of each core does not make all of them faster.
#[test]
fn stores_take_no_less_time_with_more_work_between() {
    for text in ["socket:2 core:25", "board:2 socket:2 core:8", "socket:4 core:1"] {
        let cores = Fabric::new(&synthetic(text).expect("a machine")).expect("sound").cores() as usize;
        let time = |rest: u64| stores(text, &vec![0; cores], 30, rest).last().map_or(0, |(at, _)| *at);
        let times: Vec<u64> = (1..40).map(|part| time(100 * part)).collect();
        let mut most = 0;
        for time in &times {
            assert!(*time as f64 >= 0.85 * most as f64, "{text}: {times:?}");
            most = most.max(*time);
        }
    }
}
