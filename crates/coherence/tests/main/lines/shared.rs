//! Threads that go through the same lines together and store to each: what loops with small chunks do.

use numalab_base::{Span, Time};
use numalab_coherence::{Access, AgentId, Lines};
use numalab_machine::{CoreId, Fabric, NodeId, synthetic};

/// Nanoseconds for each line in the second of two passes of `threads` cores through 400 lines. Each requests `ahead` lines
/// at a time, stores when it has the next one in order, which takes 4 ns, and goes on.
fn for_each_line(threads: u32, ahead: usize) -> f64 {
    const LINES: usize = 400;
    let machine = synthetic("core:8").expect("a machine");
    let fabric = Fabric::new(&machine).expect("sound");
    let mut engine = Lines::new(&machine, &fabric);
    let mains: Vec<AgentId> = (0..threads).map(|core| engine.add_agent(CoreId(core))).collect();
    let mut helpers: Vec<Vec<AgentId>> =
        mains.iter().map(|main| (1..ahead).map(|_| engine.add_helper(*main)).collect()).collect();
    let helped: Vec<Vec<AgentId>> = helpers.clone();
    let lines: Vec<_> = (0..LINES).map(|_| engine.add_line(NodeId(0))).collect();
    let (mut at, mut requested) = (vec![0; mains.len()], vec![0; mains.len()]);
    let mut waits = vec![false; mains.len()];
    let (mut first, mut last) = (0, 0);
    mains.iter().for_each(|main| engine.timer(Time(0), *main));
    while engine.next().is_some() {
        let Some((now, agent)) = engine.pop() else { continue };
        let thread = match helped.iter().position(|helped| helped.contains(&agent)) {
            Some(thread) => {
                helpers[thread].push(agent);
                thread
            }
            None => agent.index(),
        };
        if agent.index() == thread && at[thread] < 2 * LINES {
            let line = lines[at[thread] % LINES];
            let got = match std::mem::take(&mut waits[thread]) {
                true => Some(now),
                false => engine.request(now, agent, line, Access::Own),
            };
            waits[thread] = got.is_none();
            if let Some(got) = got {
                at[thread] += 1;
                if at[thread] == LINES {
                    first = got.0;
                }
                last = got.0;
                let stored = got + Span(4_000);
                engine.hold(line, stored);
                engine.timer(stored, agent);
            }
        }
        requested[thread] = requested[thread].max(at[thread] + 1);
        while requested[thread] < (at[thread] + ahead).min(2 * LINES)
            && let Some(helper) = helpers[thread].pop()
        {
            if engine.request(now, helper, lines[requested[thread] % LINES], Access::Own).is_some() {
                helpers[thread].push(helper);
            }
            requested[thread] += 1;
        }
    }
    assert!(at.iter().all(|at| *at == 2 * LINES), "all lines are stored to");
    (last - first) as f64 / LINES as f64 / 1000.0
}

/// A line takes 40 ns from one core to another, and each core stores for 4 ns: 44 ns for each line that it shares, however
/// many share it. Lines that are requested ahead are taken away before their turn comes, so that does not help, and costs
/// half as much again at most.
#[test]
fn lines_shared_by_chunks_take_one_hand_over_each() {
    for threads in [2, 3, 4, 8] {
        for ahead in [1, 2, 4, 8] {
            let each = for_each_line(threads, ahead);
            assert!((0.75..1.6).contains(&(each / 44.0)), "{threads} threads, {ahead} ahead: {each} ns");
        }
    }
}
