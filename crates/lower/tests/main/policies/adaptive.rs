//! Policies that read measured times.

use super::{Row, policy};
use numalab_base::{Span, ThreadId};
use numalab_des::Streams;
use numalab_openmp::{Dispatcher, IterationSource, Measured};

const MS: Span = Span(1_000_000_000);

/// Size of a thread's first chunk of 1000 iterations for two threads, after what was measured.
fn first(name: &str, thread: u32, measured: &Measured) -> u64 {
    let row = Row { threads: 2, per_domain: 2 };
    let thread = ThreadId::new(thread);
    let mut dispatcher = Dispatcher::new(policy(name).unwrap(), 1000, 2, &Streams::new(0), &row);
    dispatcher.know(thread, measured);
    let chunk = dispatcher.take(thread, IterationSource::SharedCounter).unwrap();
    chunk.end - chunk.start
}

fn measured(name: &str) -> Measured {
    let measures = policy(name).unwrap().file().unwrap().policy.measures.unwrap();
    let mut measured = Measured::new(measures, 2);
    // Ten iterations each: 1 ms an iteration on thread 0, 3 ms on thread 1.
    measured.chunk(ThreadId::new(0), 10, Span(10 * MS.0), Span(0));
    measured.chunk(ThreadId::new(1), 10, Span(30 * MS.0), Span(0));
    measured
}

/// Speeds of 1000 and 333.3 iterations a second: weights 2 * 1000 / 1333.3 = 1.5 and 0.5, of 250 iterations.
#[test]
fn weights_follow_speeds_of_earlier_steps() {
    let mut seen = measured("awf");
    assert_eq!(
        [0, 1].map(|thread| first("awf", thread, &seen)),
        [250, 250],
        "nothing is known before the step ends"
    );
    seen.step();
    assert_eq!([0, 1].map(|thread| first("awf", thread, &seen)), [375, 125]);
    // By chunks nothing has to end.
    assert_eq!([0, 1].map(|thread| first("awf-b", thread, &measured("awf-b"))), [375, 125]);
    assert_eq!([0, 1].map(|thread| first("awf-c", thread, &measured("awf-c"))), [375, 125]);
}

/// The second step counts twice: (1 * 10 + 2 * 40) / (1 * 10 + 2 * 10) = 3 ms on thread 0, as on thread 1.
#[test]
fn later_steps_weigh_more() {
    let mut seen = measured("awf");
    seen.step();
    seen.chunk(ThreadId::new(0), 10, Span(40 * MS.0), Span(0));
    seen.chunk(ThreadId::new(1), 10, Span(30 * MS.0), Span(0));
    seen.step();
    assert_eq!([0, 1].map(|thread| first("awf", thread, &seen)), [250, 250]);
}

/// Mean 2 ms, deviation sqrt(2) ms: b = 2 sqrt(2) / (2 * 2 sqrt(1000)) = 0.02236, x = 1 + b^2 + b sqrt(b^2 + 2) = 1.03213;
/// 1000 / (2 * 1.03213) = 484.4.
#[test]
fn factoring_follows_the_deviation() {
    let mut seen = measured("fac");
    assert_eq!(first("fac", 0, &seen), 250);
    seen.step();
    assert_eq!(first("fac", 0, &seen), 485);
}
