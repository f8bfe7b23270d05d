//! Hand-counted transactions on one socket, whose caches are one group.

use crate::lab::{Lab, drain, run};
use crate::locks::algorithm;
use numalab_base::{ThreadId, Time};
use numalab_coherence::AgentId;
use numalab_machine::NodeId;
use numalab_runtime::barriers::BarrierLines;
use numalab_runtime::profile::{Barrier, BarrierKind, BarrierProfile, Profile};
use numalab_runtime::{AT_ONCE, CodeBuilder, Locks, TeamSync, Test};
use numalab_workload::LockKind;

const US: u64 = 1_000_000;

/// Transactions when thread 0 holds a lock for 200 µs while `waiters` other threads arrive. Each waiter then holds
/// the lock for 10 µs.
fn handed_over(kind: LockKind, waiters: u32) -> u64 {
    let lab = Lab::new("socket:1 core:32");
    let threads = waiters + 1;
    let (mut exec, _) = lab.exec(threads, 1);
    let locks = Locks::new(&algorithm(kind, None), &mut exec, [NodeId(0)], threads);
    run(&mut exec, threads, |code, thread| {
        code.delay(u64::from(thread) * 5 * US);
        locks.acquire(code, 0u32, thread);
        code.delay(if thread == 0 { 200 * US } else { 10 * US });
        locks.release(code, 0u32, thread);
    });
    exec.counts().transactions()
}

/// Additional transactions if there is one waiter more than `waiters`.
fn one_more(kind: LockKind, waiters: u32) -> u64 {
    handed_over(kind, waiters + 1) - handed_over(kind, waiters)
}

#[test]
fn handing_over_a_queue_lock_does_not_depend_on_who_waits() {
    // A waiter in MCS fetches at most its node, the tail, and its predecessor's node. The predecessor, which spins on
    // that node, fetches it again, and once more when its turn is written to it. The writers of this turn and of the
    // next thread's number fetch the node, too: 7 in all, for any number of waiters.
    let few = one_more(LockKind::Mcs, 4);
    assert_eq!(few, one_more(LockKind::Mcs, 20));
    assert!(few <= 7, "{few}");
}

#[test]
fn handing_over_a_number_makes_all_read_it() {
    // Ticket: after each of n releases all remaining waiters read the number again, n + (n - 1) + … reads. One more
    // waiter adds n + 1 reads.
    let [few, many] = [4, 20].map(|waiters| one_more(LockKind::Ticket, waiters));
    assert_eq!(many - few, 16, "{few} {many}");
}

#[test]
fn handing_over_a_word_makes_all_exchange_it() {
    // Test-and-set: after each release the line visits every waiter at least once before it reaches the next
    // releaser.
    let [few, many] = [4, 20].map(|waiters| one_more(LockKind::TestAndSet, waiters));
    assert!(many >= few + 8, "{few} {many}");
    let more = one_more(LockKind::TestAndTestAndSet, 20) - one_more(LockKind::TestAndTestAndSet, 4);
    assert!(more >= 8, "{more}");
}

/// Transactions of one barrier at which threads arrive 5 µs apart, thread 0 first.
fn met(barrier: Barrier, threads: u32) -> u64 {
    let lab = Lab::new("socket:1 core:32");
    let (mut exec, members) = lab.exec(threads, 1);
    let meeting = BarrierLines::new(barrier, &mut exec, NodeId(0), &members);
    run(&mut exec, threads, |code, thread| {
        let number = code.register();
        code.set(number, 1u32);
        code.delay(u64::from(thread) * 5 * US);
        meeting.whole(code, thread, number);
    });
    exec.counts().transactions()
}

#[test]
fn barriers_by_hand() {
    for threads in [2, 5, 16] {
        let n = u64::from(threads);
        // n additions to the counter; n - 1 threads read the word, the last one writes it, n - 1 read it again.
        assert_eq!(met(Barrier::Central, threads), n + (n - 1) + 1 + (n - 1), "central, {threads}");
        // n reads of the generation, n additions to the counter. The last thread writes both, the counter in a line
        // that it has, and takes the system's lock; n - 1 threads read the generation again.
        let futex = Barrier::Futex { call: numalab_base::Span(100_000) };
        assert_eq!(met(futex, threads), n + n + 1 + 1 + (n - 1), "futex, {threads}");
        // Two lines for each child, its arrival and its release. Each is read before it is written (the waiter is
        // first, since a child arrives 5 µs after its predecessor), written, and read again.
        assert_eq!(met(Barrier::Tree { branching: threads }, threads), 6 * (n - 1), "flat tree, {threads}");
    }
}

/// Transactions of the third of three barriers of a binary tree, at which all threads arrive together.
fn third_meeting(threads: u32, resets_flags: bool, team_state: bool) -> u64 {
    let lab = Lab::new("socket:1 core:32");
    let (mut exec, members) = lab.exec(threads, 1);
    let profile = Profile {
        barrier: BarrierProfile {
            branching: Some(2),
            resets_flags,
            team_state,
            ..BarrierProfile::new(BarrierKind::Tree)
        },
        ..Profile::default()
    };
    let mut team = TeamSync::new(&profile, &mut exec, &members);
    let mut before = 0;
    for meeting in 0..3u64 {
        before = exec.counts().transactions();
        let now = Time(meeting * 100 * US);
        (0..threads).for_each(|thread| team.start_barrier(&mut exec, now, ThreadId::new(thread)));
        assert_eq!(drain(&mut exec).len(), threads as usize);
    }
    exec.counts().transactions() - before
}

/// Law: A flag that a released thread sets back is one more write of each child.
///
/// The number of the meeting is read once by each parent but the first thread, which writes it.
///
/// Seven threads in a binary tree: six children; parents are 0, 1 and 2.
#[test]
fn flags_are_set_back_and_meetings_are_counted() {
    let plain = third_meeting(7, false, false);
    assert_eq!(third_meeting(7, true, false), plain + 6);
    assert_eq!(third_meeting(7, false, true), plain + 2 + 1);
}

#[test]
fn neighbours_in_a_line_disturb_who_spins() {
    let lab = Lab::new("socket:1 core:4");
    let readings = |shared: bool| {
        let (mut exec, _) = lab.exec(2, 1);
        let line = exec.add_line(NodeId(0));
        let flag = exec.add_word_in(line);
        let other = if shared { exec.add_word_in(line) } else { exec.add_word(NodeId(0)) };
        run(&mut exec, 2, |code, thread| {
            if thread == 0 {
                code.wait_until(flag, Test::equal(1u32));
            } else {
                for value in 0..10u32 {
                    code.delay(2 * US);
                    code.store(other, value);
                }
                code.store(flag, 1u32);
            }
        });
        exec.counts().transactions()
    };
    // Separate lines: the spinning thread reads twice, the flag is written once, the other line is fetched once.
    assert_eq!(readings(false), 4);
    // One line: 11 stores, and a read before and after each. The last two stores are one fetch, since the writer does
    // both before it hears of the reader.
    assert_eq!(readings(true), 10 + 11);
}

/// A call executes a limited number of events of a program that never ends, so that the caller sees the program.
#[test]
fn a_call_without_an_end_of_a_program_ends() {
    let lab = Lab::new("socket:1 core:1");
    let (mut exec, _) = lab.exec(1, 1);
    let mut code = CodeBuilder::new();
    let again = code.here();
    code.delay(US);
    code.jump(again);
    let code = exec.add_code(code.build());
    exec.start(Time::ZERO, AgentId::new(0), code, &[]);
    let mut finished = Vec::new();
    assert_eq!((exec.advance(Time::NEVER, &mut finished), finished.len()), (AT_ONCE, 0));
    assert!(exec.next().is_some());
}
