//! Moves of the balancer, calculated by hand, and laws that hold for any behaviour of threads.

use super::{Balancer, Domains};
use crate::engine::team::{ProcessorTopology, Team};
use numalab_base::{Span, Time};
use numalab_des::Streams;
use numalab_machine::{Fabric, synthetic};
use proptest::prelude::*;
use std::collections::BTreeSet;

const US: u64 = 1_000_000;
const MS: u64 = 1_000 * US;

/// Threads that start on some processors and may use all. A domain's interval is one millisecond for each of its
/// processors; a move costs half a millisecond.
fn balancer(spec: &str, start: &[u32]) -> Balancer {
    let mut balancer = created(spec, start);
    balancer.seats.iter_mut().for_each(|seat| seat.started = true);
    balancer
}

/// A balancer whose threads have not run yet.
fn created(spec: &str, start: &[u32]) -> Balancer {
    let machine = synthetic(spec).expect("a machine");
    let fabric = Fabric::new(&machine).expect("a sound machine");
    let all: Vec<u32> = (0..fabric.processors()).collect();
    let domains = Domains::new(&ProcessorTopology::new(&machine, &fabric), &all);
    let team = Team::on(&fabric, start.iter().copied()).unbound(all);
    Balancer::on(domains, team, (Span(MS), Span(500 * US)), Streams::new(7))
        .expect("they are on these processors")
}

/// Puts a thread to sleep without spinning.
fn sleep(balancer: &mut Balancer, thread: u32, now: Time) {
    balancer.waits_from(thread, now);
    assert_eq!(balancer.fall_asleep(now).map(|(thread, _)| thread), Some(thread));
}

fn places(balancer: &Balancer) -> Vec<usize> {
    (0..balancer.seats.len() as u32).map(|thread| balancer.place(thread)).collect()
}

/// Two boards with two sockets of two cores; each socket is a node with one cache. Core and processor are the same,
/// and so are cache, node and socket. Three levels of domains remain: cache, board, machine.
#[test]
fn levels_that_hold_the_same_are_one() {
    let levels = |spec: &str| {
        let balancer = balancer(spec, &[0, 0]);
        let length = |level: &super::Level| level.domains.around(0).len();
        balancer.domains.levels.iter().map(length).collect::<Vec<_>>()
    };
    assert_eq!(levels("board:2 socket:2 core:2"), [2, 4, 8]);
    assert_eq!(levels("socket:2 core:2 thread:2"), [2, 4, 8]);
    assert_eq!(levels("core:3"), [3]);
}

/// Two sockets of two cores. Threads 0 and 1 start on processor 0, thread 2 on processor 1. Thread 1 finds its
/// processor busy and goes to the idle processor 1. So thread 2 finds its own processor busy and no idle processor at
/// its cache: it stays.
#[test]
fn who_wakes_goes_where_it_was_or_beside_it() {
    let mut all = balancer("socket:2 core:2", &[0, 0, 1]);
    assert_eq!([1, 2].map(|thread| all.wake(thread, Time::ZERO)), [1, 1]);
    assert_eq!(all.moved, 1);
    // A fully idle core is better than the idle processor of a busy core.
    let mut halves = balancer("core:2 thread:2", &[0, 0]);
    let place = halves.wake(1, Time::ZERO);
    assert_eq!(halves.domains.cores.around(place), 2..4);
}

/// A new thread runs where the system placed it, however many threads are there, and this does not count as a move.
#[test]
fn who_is_created_runs_where_it_was_placed() {
    let mut all = created("core:2", &[0, 0]);
    assert_eq!((all.wake(1, Time::ZERO), all.moved), (0, 0));
    sleep(&mut all, 1, Time(US));
    assert_eq!((all.wake(1, Time(2 * US)), all.moved), (1, 1));
}

/// Law: An idle processor takes a waiting thread, nearby first, and no thread waits while a processor is idle.
///
/// Two sockets of two cores, with three threads on the first socket and four on the second. A processor of the second
/// socket that becomes idle searches its own socket first, and takes the thread that came last.
#[test]
fn who_becomes_idle_looks_nearby_first() {
    let mut all = balancer("socket:2 core:2", &[0, 0, 1, 2, 2, 2, 3]);
    (1..7).for_each(|thread| {
        all.wake(thread, Time::ZERO);
    });
    // Thread 1 went to 1, so 2 waits there; 4 to 3, so 6 waits there; 5 on 2.
    assert_eq!(places(&all), [0, 1, 1, 2, 3, 2, 3]);
    for thread in [4, 6] {
        sleep(&mut all, thread, Time(US));
    }
    assert_eq!(all.at_once(3, |_| true), Some(5));
    assert_eq!(all.at_once(3, |thread| thread != 5), Some(3), "or who came before, if that cannot be moved");
    all.pull(5, 3, Time(US));
    // No thread waits on the second socket any more: thread 3 ends, and its processor finds one on the first.
    sleep(&mut all, 3, Time(2 * US));
    assert_eq!(all.at_once(2, |_| true), Some(2));
}

/// The first socket has an idle processor and a processor with two threads: no more threads than processors. So idle
/// processors of the other socket find no thread on it, although a thread waits.
#[test]
fn who_waits_beside_an_idle_processor_is_left_to_that() {
    let mut all = balancer("socket:2 core:2", &[0, 0, 1, 2, 3]);
    (1..5).for_each(|thread| {
        all.wake(thread, Time::ZERO);
    });
    // Threads by processor: 0 | 1, 2 | 3 | 4. Thread 2 waits.
    sleep(&mut all, 0, Time(US));
    sleep(&mut all, 3, Time(US));
    assert_eq!((all.at_once(2, |_| true), all.at_once(0, |_| true)), (None, Some(2)));
}

/// A move costs 500 us, and a processor starts with a mean idle time of twice as much. After idle times of 2 us the
/// mean is 2 + 998 x (7/8)^n us: 513 after five, 449 after six.
#[test]
fn who_was_not_idle_for_long_does_not_look_at_once() {
    let mut all = balancer("core:2", &[0, 0, 1]);
    (1..3).for_each(|thread| {
        all.wake(thread, Time::ZERO);
    });
    assert_eq!(places(&all), [0, 1, 1]);
    let mut now = Time(0);
    for times in 0..7 {
        now += Span(10 * US);
        sleep(&mut all, 0, now);
        assert_eq!(all.at_once(0, |_| true).is_some(), times < 6, "{times}");
        now += Span(2 * US);
        all.wake(0, now);
    }
}

/// A thread waits on processor 1 while another processor is idle and no search is due. The next search finds the
/// thread. Searches are two milliseconds apart inside a socket, and four across sockets.
#[test]
fn idle_processors_look_at_intervals() {
    for (spec, start, interval) in [("core:2", [0, 0, 1], 2 * MS), ("socket:2 core:2", [0, 0, 1], 4 * MS)] {
        let mut all = balancer(spec, &start);
        (1..3).for_each(|thread| {
            all.wake(thread, Time::ZERO);
        });
        if spec == "core:2" {
            assert_eq!(all.due(), None, "nobody is idle");
            sleep(&mut all, 0, Time(US));
        }
        let first = all.due().expect("somebody waits and somebody is idle");
        assert!(first.0 <= US + interval);
        assert_eq!(first.0 % interval, all.offsets.last().unwrap() % interval);
        assert_eq!(all.look(first, |_| false), None);
        assert_eq!(all.due(), Some(first + Span(interval)), "nobody could be moved");
        let (thread, place) = all.look(first + Span(interval), |_| true).expect("it is time");
        assert_eq!(all.seats[thread as usize].place, 1);
        all.pull(thread, place, first + Span(interval));
        assert_eq!((all.due(), all.waits), (None, 1));
    }
}

/// The instants at which idle processors search for threads are drawn with the run's seed.
#[test]
fn looks_begin_at_random() {
    let offsets: BTreeSet<Vec<u64>> = (0..20)
        .map(|seed| {
            let all = balancer("socket:2 core:2", &[0, 0]);
            let Balancer { domains, team, .. } = all;
            Balancer::on(domains, team, (Span(MS), Span(US)), Streams::new(seed)).unwrap().offsets
        })
        .collect();
    assert_eq!(offsets.len(), 20);
    assert!(
        offsets.iter().flatten().zip([2 * MS, 4 * MS].iter().cycle()).all(|(offset, most)| offset < most)
    );
}

proptest! {
    /// Law: An idle processor takes a waiting thread, nearby first, and no thread waits while a processor is idle.
    ///
    /// For any behaviour of threads: an awake thread is on one queue, a sleeping thread on none. When searches by
    /// idle processors find no thread any more, no processor is idle while a thread waits in another group that has
    /// more threads than processors, or in a domain whose groups are single processors.
    #[test]
    fn nobody_waits_while_a_processor_is_idle(
        spec in prop::sample::select(vec!["core:3", "socket:2 core:2", "board:2 socket:2 core:2", "socket:2 core:2 thread:2"]),
        start in prop::collection::vec(0u32..8, 2..16),
        steps in prop::collection::vec((0usize..16, 0u64..4), 1..60),
    ) {
        let processors = if spec == "core:3" { 3 } else if spec == "socket:2 core:2" { 4 } else { 8 };
        let start: Vec<u32> = start.into_iter().map(|number| number % processors).collect();
        let mut all = balancer(spec, &start);
        let mut now = Time::ZERO;
        for (thread, gap) in steps {
            now += Span(gap * 300 * US);
            let thread = (thread % start.len()) as u32;
            if all.is_asleep(thread) {
                all.wake(thread, now);
            } else {
                sleep(&mut all, thread, now);
            }
            let awake: Vec<u32> = all.queues.iter().flat_map(|queue| queue.awake.iter().copied()).collect();
            let distinct: BTreeSet<u32> = awake.iter().copied().collect();
            prop_assert_eq!(awake.len(), distinct.len());
            for thread in 0..start.len() as u32 {
                let here = all.queues[all.place(thread)].awake.contains(&thread);
                prop_assert_eq!(here, !all.is_asleep(thread));
            }
            prop_assert_eq!(all.idle, all.queues.iter().filter(|queue| queue.awake.is_empty()).count());
            prop_assert_eq!(all.crowded, all.queues.iter().filter(|queue| queue.awake.len() > 1).count());
        }
        // Until no periodic search finds a thread.
        let mut looks = 0;
        while let Some(at) = all.look {
            prop_assert!(at > now);
            now = at;
            while let Some((thread, place)) = all.look(now, |_| true) {
                prop_assert!(all.queues[place].awake.is_empty());
                all.pull(thread, place, now);
            }
            looks += 1;
            prop_assert!(looks < 100);
        }
        for level in &all.domains.levels {
            for domain in level.domains.all() {
                prop_assert!(!all.finds(level, domain.clone()));
                let singles = level.groups.inside(domain.clone()).all(|group| group.len() == 1);
                let idle = all.queues[domain.clone()].iter().any(|queue| queue.awake.is_empty());
                let waits = all.queues[domain].iter().any(|queue| queue.awake.len() > 1);
                prop_assert!(!(singles && idle && waits));
            }
        }
    }
}
