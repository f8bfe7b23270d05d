use crate::lab::{Lab, run};
use crate::locks::algorithm;
use numalab_machine::NodeId;
use numalab_runtime::{Exec, Locks};
use numalab_workload::LockKind;

const US: u64 = 1_000_000;

/// Two threads in one socket: the second one arrives while the first holds the lock, which it keeps for 100 µs.
/// Returns the time at which each ends, in picoseconds.
fn ends(kind: LockKind, spin: Option<u64>) -> [u64; 2] {
    let lab = Lab::new("socket:1 core:2");
    let (mut exec, _): (Exec<'_>, _) = lab.exec(2, 1);
    let locks = Locks::new(&algorithm(kind, spin), &mut exec, [NodeId(0)], 2);
    let finished = run(&mut exec, 2, |code, thread| {
        code.delay(u64::from(thread) * 5 * US);
        locks.acquire(code, 0u32, thread);
        code.delay(if thread == 0 { 100 * US } else { 0 });
        locks.release(code, 0u32, thread);
    });
    [finished[0].at.0, finished[1].at.0]
}

#[test]
fn a_sleeper_costs_a_wake_up() {
    // A wake-up takes 2 µs of the releaser, after which the sleeper continues. Some 15 lines within a socket take
    // less than 2 µs.
    for kind in LockKind::ALL {
        let [first, second] = ends(kind, None);
        assert!(first < 102 * US && second < 103 * US, "{kind} spins: {first} {second}");
        let [slept, woken] = ends(kind, Some(10 * US));
        assert!((102 * US..104 * US).contains(&slept), "{kind} wakes: {slept}");
        assert!((102 * US..105 * US).contains(&woken), "{kind} is woken: {woken}");
        // They spin long enough never to sleep.
        let [first, second] = ends(kind, Some(99 * US));
        assert!(first < 102 * US && second < 103 * US, "{kind} is patient: {first} {second}");
    }
}

#[test]
fn spinning_ends_on_time() {
    let lab = Lab::new("socket:1 core:2");
    let (mut exec, _) = lab.exec(1, 1);
    let word = exec.add_word(NodeId(0));
    // A wait for a value that never occurs ends after 7 µs on the clock, and immediately if that time is past.
    let finished = run(&mut exec, 1, |code, _| {
        let by = code.clock();
        code.compute_to(by, by, numalab_runtime::Arithmetic::Add, 7 * US);
        code.wait_by(word, numalab_runtime::Test::equal(1u32), Some(by));
        code.swap_until(word, 0u32, numalab_runtime::Test::equal(1u32), Some(by));
        let late = code.clock();
        code.finish(late);
    });
    assert!((7 * US..8 * US).contains(&finished[0].result), "{finished:?}");
}
