//! Policies of files: chunk sequences worked out by hand, the built-in schedules said as files, random files, and the
//! chunks that real runtimes hand out.

mod adaptive;
mod by_hand;
mod oracle;
mod random_files;
mod shipped;

use numalab_base::ThreadId;
use numalab_des::Streams;
use numalab_openmp::{Dispatcher, Exhausted, IterationSource, Proximity};
use numalab_workload::Schedule;
use std::ops::Range;

/// Threads in domains of `per_domain` threads each. The distance of two domains is the difference of their numbers.
pub struct Row {
    pub threads: u32,
    pub per_domain: u32,
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

/// Answer to a thread's request: iterations with their source, or the end of its part in the loop.
pub type Answer = (u32, Result<(Range<u64>, IterationSource), Exhausted>);

/// Policy of a name; the message of the error otherwise.
pub fn policy(name: &str) -> Result<Schedule, String> {
    numalab_files::schedule(name).map_err(|error| error.brief().0)
}

/// Largest number of questions between two chunks of a thread, above all that a test's policy may ask.
const MOST_QUESTIONS: u32 = 1_000_000;

/// Answer to one request, where no other thread acts in between.
pub fn next(
    dispatcher: &mut Dispatcher<'_>,
    thread: ThreadId,
) -> Result<(Range<u64>, IterationSource), Exhausted> {
    for _ in 0..MOST_QUESTIONS {
        let source = dispatcher.aim(thread)?;
        if let Some(iterations) = dispatcher.take(thread, source) {
            return Ok((iterations, source));
        }
        if source == IterationSource::SharedCounter {
            return Err(Exhausted::SharedCounter);
        }
    }
    panic!("thread {} asks for ever", thread.number());
}

/// Answers of a loop whose threads ask in the given (cyclic) order until each of them has left.
pub fn answers(schedule: Schedule, iterations: u64, row: &Row, seed: u64, order: &[u32]) -> Vec<Answer> {
    let streams = Streams::new(seed);
    let mut dispatcher = Dispatcher::new(schedule, iterations, row.threads, &streams, row);
    let mut left = vec![true; row.threads as usize];
    let mut answers = Vec::new();
    for turn in 0.. {
        let wanted = order[turn % order.len()] % row.threads;
        // A thread that has left passes its turn on.
        let mut in_turn = (0..row.threads).map(|by| (wanted + by) % row.threads);
        let Some(thread) = in_turn.find(|thread| left[*thread as usize]) else { break };
        let answer = next(&mut dispatcher, ThreadId::new(thread));
        left[thread as usize] = answer.is_ok();
        answers.push((thread, answer));
    }
    answers
}

/// Chunks in the order in which they were taken, by threads that ask in turn.
pub fn chunks(name: &str, iterations: u64, threads: u32) -> Vec<(u32, Range<u64>)> {
    let order: Vec<u32> = (0..threads).collect();
    let row = Row { threads, per_domain: 2 };
    let all = answers(policy(name).unwrap(), iterations, &row, 0, &order);
    all.into_iter().filter_map(|(thread, answer)| Some((thread, answer.ok()?.0))).collect()
}
