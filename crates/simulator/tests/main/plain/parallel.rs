//! One parallel loop up to its barrier.

use super::Outcome;
use super::asking::Asking;
use super::flows::{Flow, rates_of};
use super::pages::{Full, Pages};
use super::work::{Step, next_piece};
use numalab_kernel::Streams;
use numalab_openmp::{Dispatcher, Source};
use numalab_program::{Phase, Policy};
use numalab_units::{Span, Time};
use std::collections::VecDeque;
use std::ops::Range;

/// Less than a thousandth of a picosecond to go is nothing but the noise of real numbers.
const NOISE: f64 = 1e-15;

enum Doing {
    /// Until this time.
    Wait(Time),
    Stream(Flow),
    /// At the barrier since then.
    Done(Time),
}

#[derive(Default)]
struct Work {
    granted: Range<u64>,
    steps: VecDeque<Step>,
}

struct Loop<'a> {
    world: &'a Asking<'a>,
    phase: &'a Phase,
    dispatcher: Dispatcher<'a>,
    pages: &'a mut Pages,
    work: Vec<Work>,
    outcome: &'a mut Outcome,
}

/// Runs a loop and adds what it did to the outcome.
pub fn run(
    world: &Asking,
    phase: &Phase,
    policy: Policy,
    pages: &mut Pages,
    outcome: &mut Outcome,
) -> Result<(), Full> {
    let threads = world.case.team.members.len();
    let streams = Streams::new(world.case.seed);
    let dispatcher = Dispatcher::new(policy, phase.iterations, threads as u32, &streams, world);
    let work = (0..threads).map(|_| Work::default()).collect();
    let mut state = Loop { world, phase, dispatcher, pages, work, outcome };
    let mut doing: Vec<Doing> = (0..threads).map(|_| Doing::Wait(Time::ZERO)).collect();
    let mut now = Time::ZERO;
    loop {
        for (thread, doing) in doing.iter_mut().enumerate() {
            if doing.ended(now) {
                *doing = state.next(thread, now)?;
            }
        }
        match until_next_end(world, &mut doing, now) {
            Some(then) => now = then,
            None => break,
        }
    }
    let arrivals = doing.iter().map(|doing| match doing {
        Doing::Done(at) => *at,
        _ => unreachable!("the loop ends when nobody has anything to do"),
    });
    outcome.makespan += arrivals.clone().max().unwrap_or_default() - Time::ZERO;
    for (account, arrival) in outcome.team.iter_mut().zip(arrivals) {
        account.busy += arrival - Time::ZERO;
    }
    Ok(())
}

/// Lets all flows run until something ends, and says when that is: a flow's end is rounded up to a
/// picosecond.
fn until_next_end(world: &Asking, doing: &mut [Doing], now: Time) -> Option<Time> {
    let flows: Vec<&Flow> = doing.iter().filter_map(Doing::flow).collect();
    let rates = rates_of(world.fabric, &flows);
    let ends = flows.iter().zip(&rates).map(|(flow, rate)| now + Span::from_secs_ceil(flow.left / rate));
    let then = ends.chain(doing.iter().filter_map(Doing::timer)).min()?;
    let seconds = (then - now).as_secs();
    let mut rates = rates.into_iter();
    for doing in doing {
        if let Doing::Stream(flow) = doing {
            let rate = rates.next().expect("a rate for each flow");
            let left = flow.left - rate * seconds;
            flow.left = if left <= rate * NOISE { 0.0 } else { left };
        }
    }
    Some(then)
}

impl Doing {
    fn ended(&self, now: Time) -> bool {
        match self {
            Doing::Wait(until) => *until <= now,
            Doing::Stream(flow) => flow.left <= 0.0,
            Doing::Done(_) => false,
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
    /// What a thread begins now that it has ended something.
    fn next(&mut self, thread: usize, now: Time) -> Result<Doing, Full> {
        let Loop { world, phase, dispatcher, pages, work, outcome } = self;
        let member = &world.case.team.members[thread];
        let (work, account) = (&mut work[thread], &mut outcome.team[thread]);
        loop {
            match work.steps.pop_front() {
                Some(Step::Fault(Span::ZERO) | Step::Compute(Span::ZERO)) => continue,
                Some(Step::Fault(span)) => {
                    account.overhead += span;
                    return Ok(Doing::Wait(now + span));
                }
                Some(Step::Compute(span)) => return Ok(Doing::Wait(now + span)),
                Some(Step::Stream(flow)) => {
                    account.overhead += Span::from_secs_ceil(flow.faulting * flow.bytes as f64);
                    let (mut before, mut given) = (0.0, 0);
                    for (at, &(home, part)) in flow.parts.iter().enumerate() {
                        before += part;
                        let last = at + 1 == flow.parts.len();
                        let until = if last { flow.bytes } else { (flow.bytes as f64 * before) as u64 };
                        account.bytes_by_node[home.0 as usize] += until - given;
                        given = until;
                    }
                    return Ok(Doing::Stream(flow));
                }
                None if !work.granted.is_empty() => {
                    work.steps = next_piece(world, phase, member, &mut work.granted, pages)?;
                    continue;
                }
                None => {}
            }
            let cost = match dispatcher.next(thread as u32) {
                Ok(grant) => {
                    let packages = grant.iterations.end - grant.iterations.start;
                    account.packages += packages;
                    if matches!(grant.source, Source::Victim { .. }) {
                        account.stolen += packages;
                    }
                    work.granted = grant.iterations;
                    world.grant(thread, grant.source)
                }
                Err(seen) => {
                    let cost = world.exhausted(thread, seen);
                    account.overhead += cost;
                    return Ok(Doing::Done(now + cost));
                }
            };
            account.overhead += cost;
            if cost > Span::ZERO {
                return Ok(Doing::Wait(now + cost));
            }
        }
    }
}
