//! One conformance suite over all schedules, and the properties of each.

use super::*;
use numalab_workload::Schedule;
use proptest::prelude::*;

/// Threads in domains of `per_domain` threads each. The distance of two domains is the difference of their numbers.
struct Row {
    threads: u32,
    per_domain: u32,
}

impl Proximity for Row {
    fn domains(&self) -> u32 {
        self.threads.div_ceil(self.per_domain)
    }
    fn domain(&self, thread: ThreadId) -> u32 {
        thread.number() / self.per_domain
    }
    fn distance(&self, from: u32, to: u32) -> u64 {
        u64::from(from.abs_diff(to))
    }
}

fn policies() -> impl Strategy<Value = Schedule> {
    let names = Schedule::NAMES.map(str::to_owned).into_iter();
    let chunks = ["static", "dynamic", "guided"].into_iter();
    let all: Vec<String> =
        names.chain(chunks.flat_map(|name| [1, 3, 1000].map(|c| format!("{name},{c}")))).collect();
    prop::sample::select(all).prop_map(|name| name.parse().unwrap())
}

/// Iterations that a thread got, and their source.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Grant {
    iterations: Range<u64>,
    source: IterationSource,
}

/// Next iterations of a thread, where no other thread acts between `aim` and `take`.
fn next(dispatcher: &mut Dispatcher<'_>, thread: ThreadId) -> Result<Grant, Exhausted> {
    let source = dispatcher.aim(thread)?;
    let iterations = dispatcher.take(thread, source).ok_or(Exhausted::SharedCounter)?;
    Ok(Grant { iterations, source })
}

/// Runs a loop with requests in the given (cyclic) thread order until all threads are done.
fn run(policy: Schedule, iterations: u64, row: &Row, seed: u64, order: &[u32]) -> Vec<(ThreadId, Grant)> {
    let streams = Streams::new(seed);
    let mut dispatcher = Dispatcher::new(policy, iterations, row.threads, &streams, row);
    let mut grants = Vec::new();
    let mut done = vec![false; row.threads as usize];
    let mut turn = 0usize;
    while done.iter().any(|done| !done) {
        let wanted = order[turn % order.len()] % row.threads;
        turn += 1;
        // A finished thread passes its turn on.
        let thread = (0..row.threads)
            .map(|k| ThreadId::new((wanted + k) % row.threads))
            .find(|t| !done[t.index()])
            .unwrap();
        match next(&mut dispatcher, thread) {
            Ok(grant) => grants.push((thread, grant)),
            Err(_) => done[thread.index()] = true,
        }
    }
    grants
}

proptest! {
    /// Law: A schedule states which shared words it reads and writes.
    ///
    /// The declared words of a schedule are exactly those that its dispatcher reads.
    #[test]
    fn declared_words_equal_dispatcher_reads(
        policy in policies(),
        iterations in 40u64..300,
        threads in 2u32..20,
        order in prop::collection::vec(0u32..20, 1..50),
    ) {
        let row = Row { threads, per_domain: 2 };
        // Thread 0 makes all requests, so that it has ranges to steal from.
        let grants = run(policy, iterations, &row, 0, &[&[0; 300][..], &order].concat());
        let counter = grants.iter().any(|(_, grant)| grant.source == IterationSource::SharedCounter);
        let victims = grants.iter().any(|(_, grant)| matches!(grant.source, IterationSource::Victim { .. }));
        let sizes: Vec<u64> = grants.iter().map(|(_, g)| g.iterations.end - g.iterations.start).collect();
        // The last chunk is the rest.
        let even = sizes[..sizes.len() - 1].windows(2).all(|pair| pair[0] == pair[1]);
        match shared_words(policy) {
            SharedWords::None => prop_assert!(!counter && !victims),
            SharedWords::FetchAdd => prop_assert!(counter && !victims && even),
            SharedWords::CompareSwap => prop_assert!(counter && !victims),
            SharedWords::Ranges => prop_assert!(!counter && victims),
            // Tasks have no dispatcher, and `auto` is replaced by another schedule before a loop begins.
            SharedWords::TaskQueues => prop_assert!(matches!(policy, Schedule::Tasks(_))),
            SharedWords::OfRuntime => prop_assert!(matches!(policy, Schedule::Auto | Schedule::Runtime)),
        }
    }

    #[test]
    fn every_iteration_runs_once_and_reproducibly(
        policy in policies(),
        iterations in 0u64..300,
        threads in 1u32..20,
        per_domain in 1u32..6,
        seed: u64,
        order in prop::collection::vec(0u32..20, 1..50),
    ) {
        let row = Row { threads, per_domain };
        let grants = run(policy, iterations, &row, seed, &order);
        let mut executed = vec![0; iterations as usize];
        for (thread, grant) in &grants {
            prop_assert!(!grant.iterations.is_empty());
            for i in grant.iterations.clone() {
                executed[i as usize] += 1;
            }
            if let IterationSource::Victim { thread: victim, .. } = grant.source {
                prop_assert_ne!(victim, *thread);
            }
        }
        prop_assert!(executed.iter().all(|times| *times == 1));
        prop_assert_eq!(grants, run(policy, iterations, &row, seed, &order));
    }

    /// A thief never passes over work in a closer domain.
    #[test]
    fn nearest_victim_has_no_closer_work(threads in 2u32..20, per_domain in 1u32..5, order in prop::collection::vec(0u32..20, 1..50)) {
        let row = Row { threads, per_domain };
        let grants = run("numa-steal:nearest".parse().unwrap(), 97, &row, 0, &order);
        let mut left: Vec<u64> = ThreadId::first(threads).map(|t| { let r = range::share(97, threads, t); r.end - r.start }).collect();
        for (thread, grant) in grants {
            let from = match grant.source {
                IterationSource::Victim { thread: victim, .. } => {
                    let distance = |to: ThreadId| row.distance(row.domain(thread), row.domain(to));
                    prop_assert!(ThreadId::first(threads).all(|t| left[t.index()] == 0 || distance(t) >= distance(victim)));
                    victim
                }
                IterationSource::Own
                | IterationSource::SharedCounter
                | IterationSource::Wait(_)
                | IterationSource::Scan => thread,
            };
            left[from.index()] -= 1;
        }
    }

    #[test]
    fn most_loaded_victim_is_first_maximum(threads in 2u32..20, order in prop::collection::vec(0u32..20, 1..50)) {
        let row = Row { threads, per_domain: 4 };
        let grants = run("numa-steal:most-loaded".parse().unwrap(), 97, &row, 0, &order);
        let mut left: Vec<u64> = ThreadId::first(threads).map(|t| { let r = range::share(97, threads, t); r.end - r.start }).collect();
        for (thread, grant) in grants {
            let from = match grant.source {
                IterationSource::Victim { thread: victim, .. } => {
                    let most = *left.iter().max().unwrap();
                    prop_assert_eq!(left.iter().position(|l| *l == most), Some(victim.index()));
                    victim
                }
                IterationSource::Own
                | IterationSource::SharedCounter
                | IterationSource::Wait(_)
                | IterationSource::Scan => thread,
            };
            left[from.index()] -= 1;
        }
    }
}

/// 300 iterations, 2 threads, chunks of at least 1: 300/2 = 150, then 150/2 = 75. The second size depends on where
/// the first chunk ended, which one fetch-and-add cannot find out.
#[test]
fn a_chunk_of_guided_depends_on_the_counter() {
    let grants = run("guided".parse().unwrap(), 300, &Row { threads: 2, per_domain: 2 }, 0, &[0, 1]);
    let sizes: Vec<u64> = grants.iter().map(|(_, g)| g.iterations.end - g.iterations.start).collect();
    assert_eq!(sizes[..2], [150, 75]);
    assert_eq!(shared_words("guided".parse().unwrap()), SharedWords::CompareSwap);
}

/// 20 iterations, 4 threads, chunks of at least 2: 20/4 = 5, 15/4 = 3, 12/4 = 3, 9/4 = 2, then 2, 2, 2, 1.
#[test]
fn guided_shrinks() {
    let row = Row { threads: 4, per_domain: 4 };
    let grants = run("guided,2".parse().unwrap(), 20, &row, 0, &[0]);
    let sizes: Vec<u64> = grants.iter().map(|(_, g)| g.iterations.end - g.iterations.start).collect();
    assert_eq!(sizes, [5, 3, 3, 2, 2, 2, 2, 1]);
}

/// 8 iterations, 2 threads, chunks of 3: thread 0 has 0..3 and 6..8, thread 1 has 3..6.
#[test]
fn static_chunks_go_round() {
    let row = Row { threads: 2, per_domain: 2 };
    let grants = run("static,3".parse().unwrap(), 8, &row, 0, &[0]);
    let got: Vec<_> = grants.into_iter().map(|(thread, grant)| (thread.number(), grant.iterations)).collect();
    assert_eq!(got, [(0, 0..3), (0, 6..8), (1, 3..6)]);
}

/// Owner from the front, thief from the back: 8 iterations, 2 threads. Thread 1 works its own 4..8,
/// then steals 3, 2, 1, 0.
#[test]
fn thieves_take_the_back() {
    let row = Row { threads: 2, per_domain: 1 };
    let streams = Streams::new(0);
    let mut dispatcher = Dispatcher::new("numa-steal:nearest".parse().unwrap(), 8, 2, &streams, &row);
    let got: Vec<u64> =
        (0..8).map(|_| next(&mut dispatcher, ThreadId::new(1)).unwrap().iterations.start).collect();
    assert_eq!(got, [4, 5, 6, 7, 3, 2, 1, 0]);
    assert!(next(&mut dispatcher, ThreadId::new(1)).is_err());
    assert!(next(&mut dispatcher, ThreadId::new(0)).is_err());
}
