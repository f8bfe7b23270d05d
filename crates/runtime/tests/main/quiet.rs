//! Hits in lines that one core holds exclusively: the fast path against the slow path.

use crate::lab::{Lab, places};
use crate::locks::any_lock;
use crate::random::{LOCKS, Shared, Step, any_step, write};
use numalab_base::{Snapshot, Time};
use numalab_coherence::AgentId;
use numalab_machine::NodeId;
use numalab_runtime::profile::LockProfile as Algorithm;
use numalab_runtime::{CodeBuilder, Exec, Finished, Locks, Test, Word};
use proptest::prelude::*;

/// Access of a thread to a word that few or no other threads use.
#[derive(Clone, Copy, Debug)]
enum Touch {
    Step(Step),
    Load(prop::sample::Index),
    Add(prop::sample::Index),
    Swap(prop::sample::Index, u64),
    /// Waits for a word to have a value, which may never occur. Word, value, time limit in picoseconds.
    Await(prop::sample::Index, u64, u64),
    /// Swaps the value into the word again and again until the old value equals it or the time limit is reached.
    /// Word, value, time limit in picoseconds.
    Exchange(prop::sample::Index, u64, u64),
}

fn any_touch() -> impl Strategy<Value = Touch> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        4 => any_step().prop_map(Touch::Step),
        2 => at().prop_map(Touch::Load),
        3 => at().prop_map(Touch::Add),
        2 => (at(), 0u64..3).prop_map(|(at, value)| Touch::Swap(at, value)),
        1 => (at(), 0u64..3, 0u64..400_000).prop_map(|(at, value, span)| Touch::Await(at, value, span)),
        1 => (at(), 0u64..3, 0u64..400_000).prop_map(|(at, value, span)| Touch::Exchange(at, value, span)),
    ]
}

fn touch(code: &mut CodeBuilder, thread: u32, touch: Touch, shared: &Shared, words: &[Word]) {
    code.scope(|code| {
        let deadline = |code: &mut CodeBuilder, span: u64| {
            let now = code.clock();
            code.compute_to(now, now, numalab_runtime::Arithmetic::Add, span);
            Some(now)
        };
        match touch {
            Touch::Step(step) => write(code, thread, step, shared),
            Touch::Load(at) => code.touch(*at.get(words)),
            Touch::Add(at) => code.add(*at.get(words), 1u32),
            Touch::Swap(at, value) => drop(code.swap(*at.get(words), value)),
            Touch::Await(at, value, span) => {
                let by = deadline(code, span);
                code.wait_by(*at.get(words), Test::equal(value), by);
            }
            Touch::Exchange(at, value, span) => {
                let by = deadline(code, span);
                code.swap_until(*at.get(words), value, Test::equal(value), by);
            }
        }
    });
}

/// Runs programs of all threads, some of them repeatedly, and records the state whenever a program ends. `spread`:
/// number of other threads' words that a thread uses besides its own two.
fn course(
    exec: &mut Exec<'_>,
    lock: &Algorithm,
    programs: &[(Vec<Touch>, u32)],
    spread: usize,
) -> Vec<(Vec<Finished>, Snapshot)> {
    let threads = programs.len() as u32;
    let home = NodeId(0);
    let line = exec.add_line(home);
    let shared = Shared {
        locks: Locks::new(lock, exec, (0..LOCKS).map(|lock| NodeId(lock % 2)), threads),
        sums: (0..LOCKS).map(|_| exec.add_word(home)).collect(),
        counter: exec.add_word(NodeId(1)),
        own: (0..threads).map(|_| exec.add_word_in(line)).collect(),
    };
    // Two words for each thread. A thread also uses the first `spread` words of the threads after it.
    let words: Vec<Word> = (0..2 * threads).map(|word| exec.add_word(NodeId(word % 2))).collect();
    let mut left = Vec::new();
    for (thread, (steps, times)) in (0..).zip(programs) {
        let first = thread as usize * 2;
        let words = &words[first..words.len().min(first + 2 + spread)];
        let mut code = CodeBuilder::new();
        steps.iter().for_each(|step| touch(&mut code, thread, *step, &shared, words));
        let code = exec.add_code(code.build());
        exec.start(Time::ZERO, AgentId::new(thread), code, &[]);
        left.push((code, *times));
    }
    let mut course = Vec::new();
    while exec.next().is_some() {
        let mut finished = Vec::new();
        exec.advance(Time::NEVER, &mut finished);
        for end in &finished {
            let (code, times) = &mut left[end.agent.index()];
            if *times > 0 {
                *times -= 1;
                exec.start(end.at, end.agent, *code, &[]);
            }
        }
        let mut state = Snapshot::new(finished.last().map_or(Time::ZERO, |end| end.at));
        exec.snapshot(&mut state);
        course.push((finished, state));
    }
    course
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// Law: A hit on an exclusive line costs what a transaction would find.
    ///
    /// The fast path and a transaction agree in times, values, counts and the state that they leave behind.
    #[test]
    fn a_quiet_hit_is_what_asking_would_have_been(
        (spec, stride) in places(),
        lock in any_lock(),
        programs in prop::collection::vec((prop::collection::vec(any_touch(), 0..8), 0u32..4), 1..10),
        spread in 0usize..4,
    ) {
        let lab = Lab::new(spec);
        let threads = programs.len() as u32;
        let (mut quick, _) = lab.exec(threads, stride);
        let (mut slow, _) = lab.exec(threads, stride);
        slow.ask_always();
        let quickly = course(&mut quick, &lock, &programs, spread);
        let slowly = course(&mut slow, &lock, &programs, spread);
        prop_assert_eq!(quickly.len(), slowly.len());
        for ((ends, state), (same, alike)) in quickly.iter().zip(&slowly) {
            prop_assert_eq!(ends, same);
            prop_assert!(state.is_like(alike) && state.counts_on(alike, alike));
        }
        prop_assert_eq!(quick.counts(), slow.counts());
        prop_assert_eq!(quick.operations(), slow.operations());
    }
}
