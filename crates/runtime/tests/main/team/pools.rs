//! Pools that inner teams share, by hand: records that pass between teams, lists, counters, stores that wait.

use crate::lab::Lab;
use numalab_base::{Span, ThreadId, Time};
use numalab_coherence::AgentId;
use numalab_machine::{CoreId, Fabric, Os};
use numalab_runtime::profile::{BarrierKind, BarrierProfile, Fork, Nested, TeamThreads};
use numalab_runtime::team::{Polled, Pool};
use numalab_runtime::{Exec, Profile, TeamMember, TeamSync};

/// Four cores without caches: a line comes from memory after 100 ns, and threads wait for every store, so times add
/// up.
fn lab_without_caches() -> Lab {
    let mut machine = Lab::new("core:4").machine;
    machine.caches.clear();
    machine.core.store_buffers = 0;
    machine.memory.latency = Span(100_000);
    Lab { fabric: Fabric::new(&machine).unwrap(), machine }
}

/// Teams of two threads that share a pool.
fn inner_teams<'a>(lab: &'a Lab, nested: Nested) -> (Exec<'a>, Vec<TeamSync>) {
    let (kind, branching) = (BarrierKind::Tree, Some(2));
    let mut profile = Profile::default();
    profile.fork = Fork { release: kind, branching, nested, ..Fork::new(Span(1_000_000), kind) };
    profile.barrier = BarrierProfile { kind, branching, ..profile.barrier };
    let (mut exec, members) = lab.exec(4, 1);
    let os = Os::default();
    let (nested, home) = (&profile.fork.nested, members[0].node);
    let threads: Vec<CoreId> = members.iter().map(|member| member.core).collect();
    let polled = Polled::new(nested, &mut exec, home, [members[1].core], &threads);
    let pool = Pool::new(nested, &os, &mut exec, home, (2, 2)).map(|pool| pool.polled(polled));
    let inner = |pair: &[TeamMember]| TeamSync::inner(&profile, &os, &mut exec, pair, pool.as_ref());
    let teams = members.chunks(2).map(inner).collect();
    (exec, teams)
}

/// Two teams of two use the same pool in turns. A team takes the record that was returned last, so the record's three
/// lines are at the other team when team 0 opens its second region, as are the lines of the lock and of the pool's
/// lists: two reads of the lock, two of the lists, one written back, the line of thread 1 that it wrote, three of the
/// record, one to release the lock: 1000 ns, and 1100 ns as for any region.
#[test]
fn records_pass_from_team_to_team() {
    let nested = Nested {
        threads: TeamThreads::Pool,
        member_lines: 2,
        team_lines: 3,
        return_lines: 1,
        ..Nested::default()
    };
    let lab = lab_without_caches();
    let (mut exec, mut teams) = inner_teams(&lab, nested);
    let mut now = 0;
    let opened = [0, 1, 0].map(|team| {
        let sync = &mut teams[team];
        sync.start_fork(&mut exec, Time(now));
        sync.start_dock(&mut exec, Time(now), ThreadId::new(1));
        let entered = crate::lab::drain(&mut exec);
        let first = entered.iter().find(|end| end.agent == AgentId::new(2 * team as u32)).unwrap().at.0 - now;
        let met = entered.iter().map(|end| end.at).max().unwrap();
        sync.start_join(&mut exec, met, ThreadId::new(0));
        sync.start_join(&mut exec, met, ThreadId::new(1));
        now = (crate::lab::drain(&mut exec).iter().map(|end| end.at).max().unwrap()).0;
        first / 1000
    });
    assert_eq!(opened[2], 2100);
}

/// Additional nanoseconds that each fork and each join of a first thread takes with the nested profile `changed`,
/// compared to `plain`. Two teams of two open regions, then close them.
fn longer(plain: &Nested, changed: &Nested) -> Vec<i64> {
    longer_in(&lab_without_caches(), plain, changed)
}

fn longer_in(lab: &Lab, plain: &Nested, changed: &Nested) -> Vec<i64> {
    let times = |nested: &Nested| {
        let (mut exec, mut teams) = inner_teams(lab, nested.clone());
        let mut now = 0;
        [(0, true), (1, true), (0, false), (1, false)].map(|(team, opens)| {
            let begin = now;
            if opens {
                teams[team].start_fork(&mut exec, Time(begin));
                teams[team].start_dock(&mut exec, Time(begin), ThreadId::new(1));
            } else {
                teams[team].start_join(&mut exec, Time(begin), ThreadId::new(0));
                teams[team].start_join(&mut exec, Time(begin), ThreadId::new(1));
            }
            let ended = crate::lab::drain(&mut exec);
            now = (ended.iter().map(|end| end.at).max().unwrap()).0;
            let first = ended.iter().find(|end| end.agent == AgentId::new(2 * team as u32)).unwrap();
            (first.at.0 - begin) as i64 / 1000
        })
    };
    let (plain, changed) = (times(plain), times(changed));
    changed.iter().zip(plain).map(|(changed, plain)| changed - plain).collect()
}

fn pool_of_threads() -> Nested {
    Nested { threads: TeamThreads::Pool, member_lines: 2, return_lines: 1, ..Nested::default() }
}

/// Law: The opener of an inner team follows the free list; the closer walks along it.
///
/// The pool is a list. Taking a thread reads the thread's list line, 100 ns, which the taker then owns: 100 ns for
/// each of two teams of two. The first team that returns its thread finds no other thread in the pool. The second
/// team reads which record was returned, and walks past that record's thread: two lines that the first team has
/// written, 200 ns.
#[test]
fn who_gives_threads_back_walks_past_those_of_others() {
    let sorted = Nested { sorted: true, ..pool_of_threads() };
    assert_eq!(longer(&pool_of_threads(), &sorted), [100, 100, 0, 200]);
}

/// Law: Counters of a thread pool that waiters poll have to be fetched back for every thread.
///
/// An agent on another core reads the counters after each change. When it takes a thread, the opener reads the
/// counters, 100 ns, writes them, 100 ns, and writes them again when the thread is set up, 100 ns. When it returns a
/// thread, it reads and writes the counters once.
#[test]
fn counters_that_are_looked_at_have_to_be_taken_back() {
    let polled = Nested { polled: true, ..pool_of_threads() };
    assert_eq!(longer(&pool_of_threads(), &polled), [300, 300, 200, 200]);
}

/// Law: A pool thread takes its list line away from the opener of the region, as often as the line comes back.
///
/// The pool is a list, and waiting threads poll their lines of it. The opener reads the line of the thread that it
/// takes, and has to fetch the line from the thread to write it, 100 ns more than if no thread polls. It fetches the
/// line three more times, after the counters, the member's lines and the record's lines, since the thread has polled
/// it meanwhile: 300 ns. When a thread returns, three stores go to its line, to the line of its predecessor, and to
/// its line again: three fetches, 300 ns, where otherwise the taker still owns the line. The walk along the list
/// costs the same.
#[test]
fn lines_that_threads_look_at_have_to_be_got_every_time() {
    let polled = Nested { sorted: true, polled: true, team_lines: 1, ..pool_of_threads() };
    let revisited = Nested { revisits: 3, return_revisits: 2, ..polled.clone() };
    assert_eq!(longer(&polled, &revisited), [400, 400, 300, 300]);
}

/// Two lines of the record were written by the other team. If stores wait in a buffer, the requests for both lines
/// overlap; but if the first line is read before, 100 ns, the second is requested only afterwards. If threads wait
/// for every store, the read makes no difference: the thread then has the line for its store.
#[test]
fn a_pointer_is_read_before_what_it_points_to_is_cleared() {
    let written = Nested { team_lines: 2, ..pool_of_threads() };
    let read = Nested { team_reads: 1, ..written.clone() };
    assert_eq!(longer(&written, &read), [0, 0, 0, 0]);
    let mut lab = lab_without_caches();
    lab.machine.core.store_buffers = 32;
    assert_eq!(longer_in(&lab, &written, &read), [100, 100, 0, 0]);
}

/// Fifteen members with 20 lines each, and a buffer of 32 stores. With one store for a line, all ten requests of a
/// core overlap; with eight stores for a line only four do, which takes longer.
#[test]
fn stores_to_a_members_lines_take_room() {
    let lab = Lab::new("socket:2 core:8");
    let opened = |line_stores: u32| {
        let nested =
            Nested { threads: TeamThreads::Pool, member_lines: 20, line_stores, ..Nested::default() };
        let mut profile = Profile::default();
        profile.fork.nested = nested;
        let (mut exec, members) = lab.exec(16, 1);
        let os = Os::default();
        let pool = Pool::new(&profile.fork.nested, &os, &mut exec, members[0].node, (1, 16));
        let mut team = TeamSync::inner(&profile, &os, &mut exec, &members, pool.as_ref());
        team.start_fork(&mut exec, Time::ZERO);
        (1..16).for_each(|thread| team.start_dock(&mut exec, Time::ZERO, ThreadId::new(thread)));
        crate::lab::drain(&mut exec).iter().map(|end| end.at.0).max().unwrap()
    };
    assert!(opened(8) as f64 > 1.5 * opened(1) as f64, "{} {}", opened(8), opened(1));
    assert!(opened(3) <= opened(1) + opened(1) / 10, "{} {}", opened(3), opened(1));
}
