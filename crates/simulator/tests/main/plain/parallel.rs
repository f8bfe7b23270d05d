//! One parallel loop up to its barrier.

use super::Outcome;
use super::asking::{Answer, Asked, Asking};
use super::flows::{Flow, Moment, moment};
use super::pages::{Full, Pages};
use super::words::{Party, Words};
use super::work::{Step, next_piece};
use numalab_base::{Span, Time};
use numalab_openmp::{Dispatcher, IterationSource};
use numalab_workload::{Phase, Schedule};
use std::collections::VecDeque;
use std::ops::Range;

/// Remaining seconds of a flow below which it has ended, a thousandth of a picosecond: the rest is rounding noise.
const NOISE: f64 = 1e-15;

enum Doing {
    /// The thread waits until this time.
    Wait(Time),
    Stream(Flow),
    /// The thread is in a program of line transactions since this time.
    Program(Time),
    /// The thread is at the barrier since this time.
    Done(Time),
}

#[derive(Default)]
struct Work {
    granted: Range<u64>,
    steps: VecDeque<Step>,
    /// Instant since which the thread computes; `None` if the thread does not compute.
    computes_since: Option<Time>,
    /// Instant since which the thread receives data; `None` if the thread does not.
    receives_since: Option<Time>,
    /// First iteration of the piece in progress, and the time in which the thread has received data.
    piece: (u64, Span),
}

struct Loop<'a> {
    party: &'a Party<'a>,
    phase: &'a Phase,
    asking: Asking<'a>,
    pages: &'a mut Pages,
    work: Vec<Work>,
    outcome: &'a mut Outcome,
}

/// Runs a loop, and adds the loop's times and counts to `outcome`.
pub fn run(
    party: &Party,
    phase: &Phase,
    policy: Schedule,
    pages: &mut Pages,
    words: &mut Words<'_>,
    outcome: &mut Outcome,
) -> Result<(), Full> {
    let threads = party.case.team.members.len();
    let streams = party.streams();
    let dispatcher = Dispatcher::new(policy, phase.iterations, threads as u32, &streams, party);
    let asking = Asking { policy, party, dispatcher, asked: vec![Asked::Nothing; threads] };
    let Span(late) = party.case.machine.os.noise.start;
    let start = |thread: usize| {
        let late = party.noise(phase, [thread as u64]).map_or(0.0, |part| part * late as f64);
        Work { steps: [Step::Start(Span(late.round() as u64))].into(), ..Work::default() }
    };
    let work = (0..threads).map(start).collect();
    let moved = words.exec.counts().transactions();
    let mut state = Loop { party, phase, asking, pages, work, outcome };
    let mut doing: Vec<Doing> = (0..threads).map(|_| Doing::Wait(Time::ZERO)).collect();
    let mut now = Time::ZERO;
    let mut ready: Vec<(usize, u64)> = (0..threads).map(|thread| (thread, 0)).collect();
    loop {
        for (thread, value) in ready {
            if let Doing::Program(since) = doing[thread] {
                state.outcome.team[thread].overhead += now - since;
            }
            // A line requested now meets the flows that still run, and those that lower threads have just begun.
            let flows = doing.iter().filter_map(Doing::flow).filter(|flow| flow.left > 0.0);
            words.load(moment(party, &flows.collect::<Vec<_>>()).waits);
            doing[thread] = state.next(thread, value, words, now)?;
        }
        // Programs that end before other activities, or together with them, come first.
        let Moment { rates, waits } =
            moment(party, &doing.iter().filter_map(Doing::flow).collect::<Vec<_>>());
        words.load(waits);
        let then = next_end(&doing, &rates, now);
        let programs = words.ended(then);
        let Some(next) = programs.as_ref().map(|ended| ended.0).or(then) else { break };
        flow_on(&mut doing, &rates, next - now);
        now = next;
        ready = match programs {
            Some((_, ended)) => ended,
            None => (0..threads).filter(|at| doing[*at].ended(now)).map(|thread| (thread, 0)).collect(),
        };
    }
    let arrivals = doing.iter().map(|doing| match doing {
        Doing::Done(at) => *at,
        _ => unreachable!("the loop ends when nobody has anything to do"),
    });
    let took = arrivals.clone().max().unwrap_or_default() - Time::ZERO;
    outcome.makespan += took;
    outcome.transactions += words.exec.counts().transactions() - moved;
    words.began += took;
    for (account, arrival) in outcome.team.iter_mut().zip(arrivals) {
        account.busy += arrival - Time::ZERO;
    }
    Ok(())
}

/// Instant at which the next flow or the next wait ends: a flow's end is rounded up to a picosecond.
fn next_end(doing: &[Doing], rates: &[f64], now: Time) -> Option<Time> {
    let flows = doing.iter().filter_map(Doing::flow).zip(rates);
    let ends = flows.map(|(flow, rate)| now + Span::from_secs_ceil(flow.left / rate));
    ends.chain(doing.iter().filter_map(Doing::timer)).min()
}

/// Advances all flows by `span`.
fn flow_on(doing: &mut [Doing], rates: &[f64], span: Span) {
    let seconds = span.as_secs();
    let mut rates = rates.iter();
    for doing in doing {
        if let Doing::Stream(flow) = doing {
            let rate = rates.next().expect("a rate for each flow");
            let left = flow.left - rate * seconds;
            flow.left = if left <= rate * NOISE { 0.0 } else { left };
        }
    }
}

impl Doing {
    fn ended(&self, now: Time) -> bool {
        match self {
            Doing::Wait(until) => *until <= now,
            Doing::Stream(flow) => flow.left <= 0.0,
            Doing::Program(_) | Doing::Done(_) => false,
        }
    }

    fn flow(&self) -> Option<&Flow> {
        match self {
            Doing::Stream(flow) => Some(flow),
            _ => None,
        }
    }

    fn timer(&self) -> Option<Time> {
        match self {
            Doing::Wait(until) => Some(*until),
            _ => None,
        }
    }
}

impl Loop<'_> {
    /// Next activity of a thread whose last activity has ended. `value`: result of the activity, if the activity was
    /// a program.
    fn next(&mut self, thread: usize, value: u64, words: &mut Words<'_>, now: Time) -> Result<Doing, Full> {
        let Loop { party, phase, asking, pages, work, outcome } = self;
        let member = &party.case.team.members[thread];
        let (work, account) = (&mut work[thread], &mut outcome.team[thread]);
        words.computed(thread, work.computes_since.take().unwrap_or(now));
        work.piece.1 += work.receives_since.take().map_or(Span::ZERO, |since| now - since);
        loop {
            match work.steps.pop_front() {
                Some(Step::Start(Span::ZERO) | Step::Fault(Span::ZERO) | Step::Compute(Span::ZERO)) => {
                    continue;
                }
                Some(Step::Start(span) | Step::Fault(span)) => {
                    account.overhead += span;
                    return Ok(Doing::Wait(now + span));
                }
                Some(Step::Compute(span)) => {
                    work.computes_since = Some(now);
                    return Ok(Doing::Wait(now + span));
                }
                Some(Step::Stream(flow)) => {
                    account.overhead += Span::from_secs_ceil(flow.faulting * flow.bytes as f64);
                    let all: u64 = flow.wholes.iter().sum();
                    let (mut before, mut given) = (0, 0);
                    for (&(home, _), part) in flow.parts.iter().zip(&flow.wholes) {
                        before += part;
                        let until = (u128::from(flow.bytes) * u128::from(before) / u128::from(all)) as u64;
                        account.bytes_by_node[home.0 as usize] += until - given;
                        given = until;
                    }
                    work.receives_since = Some(now);
                    return Ok(Doing::Stream(flow));
                }
                None if work.piece.1 > Span::ZERO => {
                    let (first, received) = std::mem::take(&mut work.piece);
                    let part = party.noise(phase, [thread as u64, 0, first]).unwrap_or(0.0);
                    let late = party.case.machine.os.noise.work * part * received.0 as f64;
                    work.steps.push_back(Step::Fault(Span(late.round() as u64)));
                    continue;
                }
                None if !work.granted.is_empty() => {
                    work.piece = (work.granted.start, Span::ZERO);
                    work.steps = next_piece(party, phase, (thread, member), &mut work.granted, pages)?;
                    continue;
                }
                None => {}
            }
            match asking.go_on(words, thread, value, now) {
                Answer::Waits(Span::ZERO) => {}
                Answer::Waits(span) => {
                    account.overhead += span;
                    return Ok(Doing::Wait(now + span));
                }
                Answer::Program => return Ok(Doing::Program(now)),
                Answer::Work(iterations, source) => {
                    let count = iterations.end - iterations.start;
                    account.iterations += count;
                    if matches!(source, IterationSource::Victim { .. }) {
                        account.stolen += count;
                    }
                    work.granted = iterations;
                }
                Answer::Nothing => return Ok(Doing::Done(now)),
            }
        }
    }
}
