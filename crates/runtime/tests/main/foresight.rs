//! Polls of threads that spin without a deadline may be predicted; polls of threads with a deadline are events of
//! their own. Both give the same results.

use numalab_base::Time;
use numalab_machine::{CoreId, Fabric, Machine, NodeId, Protocol, synthetic};
use numalab_runtime::{CodeBuilder, Exec, Finished, Test};
use proptest::prelude::*;

const MACHINES: [&str; 4] =
    ["board:2 socket:2 core:4", "board:3 socket:1 core:5", "socket:3 core:6", "socket:1 core:9"];

/// Turn of one thread. `pause`: delay before the thread waits for the turn, in picoseconds.
#[derive(Clone, Copy, Debug)]
struct Turn {
    thread: u32,
    pause: u32,
    /// True if the thread adds to another word of the turn's line at the start of its turn. `keeps`: delay before it
    /// passes the turn on, in picoseconds.
    writes: bool,
    keeps: u32,
    /// True if the thread waits for exactly this turn, false if for this turn or a later turn.
    patient: bool,
}

/// Ends of all threads, number of transactions, and final value of the other word in the line. `deadline`: true if
/// waits have a time limit, which is never reached.
fn run(machine: &Machine, turns: &[Turn], threads: u32, deadline: bool) -> (Vec<Finished>, u64, u64) {
    let fabric = Fabric::new(machine).unwrap();
    let mut exec = Exec::new(machine, &fabric);
    let line = exec.add_line(NodeId(fabric.nodes() - 1));
    let (turn, beside) = (exec.add_word_in(line), exec.add_word_in(line));
    let noise = exec.add_word(NodeId(0));
    for thread in 0..threads {
        let mut code = CodeBuilder::new();
        let far = code.register();
        code.set(far, u64::MAX / 2);
        for (number, step) in (0u64..).zip(turns) {
            if step.thread != thread {
                continue;
            }
            code.delay(step.pause);
            code.add(noise, 1u32);
            let test = if step.patient { Test::equal(number) } else { Test::at_least(number) };
            code.scope(|code| code.wait_by(turn, test, deadline.then_some(far)));
            if step.writes {
                code.add(beside, number);
            }
            code.delay(step.keeps);
            code.store(turn, number + 1);
        }
        let after = turns.len() as u64;
        code.scope(|code| code.wait_by(turn, Test::equal(after), deadline.then_some(far)));
        let agent = exec.add_agent(CoreId(thread % fabric.cores()));
        let code = exec.add_code(code.build());
        exec.start(Time::ZERO, agent, code, &[]);
    }
    let mut finished = Vec::new();
    while exec.next().is_some() {
        exec.advance(Time::NEVER, &mut finished);
    }
    assert_eq!(exec.value(turn), turns.len() as u64);
    (finished, exec.counts().transactions(), exec.value(beside))
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let pause = || prop_oneof![Just(0u32), 0u32..3_000, 0u32..400_000];
    let turn = (0u32..20, pause(), any::<bool>(), pause(), any::<bool>());
    prop::collection::vec(
        turn.prop_map(|(thread, pause, writes, keeps, patient)| Turn {
            thread,
            pause,
            writes,
            keeps,
            patient,
        }),
        1..40,
    )
}

proptest! {
    /// Law: Telling a spinning thread early what it will see changes nothing.
    #[test]
    fn nobody_can_tell_who_is_told(
        which in 0..MACHINES.len(),
        protocol in prop::sample::select(Protocol::ALL.to_vec()),
        threads in 2u32..20,
        turns in turns(),
    ) {
        let mut machine = synthetic(MACHINES[which]).unwrap();
        machine.protocol = protocol;
        let turns: Vec<Turn> =
            turns.into_iter().map(|turn| Turn { thread: turn.thread % threads, ..turn }).collect();
        let told = run(&machine, &turns, threads, false);
        prop_assert_eq!(told, run(&machine, &turns, threads, true));
    }
}
