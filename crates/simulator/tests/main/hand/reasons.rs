//! Causes of waits that an observer receives. A thread of the machine in `builders` reads its own memory at 6.4 GB/s,
//! and a controller moves 10 GB/s.

use crate::builders::{MB, NS, looped, machine, near, placed, setup, workload};
use numalab_base::{ThreadId, Time};
use numalab_machine::{Closeness, Fabric, Machine, NodeId};
use numalab_runtime::Profile;
use numalab_simulator::{Activity, BookedSpan, Cause, Observer, Portion, Team, observe};
use numalab_workload::{Mode, Phase, RegionId};

/// Observer that keeps the reports of the measured phase.
#[derive(Default)]
struct Told {
    measured: bool,
    spans: Vec<BookedSpan>,
    data: Vec<(ThreadId, Vec<Portion>)>,
    released: Vec<(ThreadId, ThreadId, Time)>,
}

impl Observer for Told {
    fn phase(&mut self, _name: &str, measured: bool, _at: Time) {
        self.measured = measured;
    }

    fn span(&mut self, span: BookedSpan) {
        if self.measured {
            self.spans.push(span);
        }
    }

    fn data(&mut self, thread: ThreadId, portions: &[Portion]) {
        if self.measured {
            self.data.push((thread, portions.to_vec()));
        }
    }

    fn released(&mut self, thread: ThreadId, by: ThreadId, at: Time) {
        if self.measured {
            self.released.push((thread, by, at));
        }
    }
}

impl Told {
    /// Picoseconds that a thread waited for memory, limited by the resource with the name `limit`; `None`: limited by
    /// latency alone.
    fn waited(&self, fabric: &Fabric, thread: u32, limit: Option<&str>) -> u64 {
        let limited = |span: &&BookedSpan| match span.cause {
            Cause::Memory { limit: by, .. } => by.map(|by| fabric.name(by)).as_deref() == limit,
            _ => false,
        };
        let own = self.spans.iter().filter(|span| span.thread.number() == thread);
        own.filter(limited).map(|span| (span.to - span.from).0).sum()
    }
}

fn watch(machine: &Machine, threads: u32, phases: &[Phase]) -> (Told, Fabric) {
    let fabric = Fabric::new(machine).unwrap();
    let team = Team::close(&fabric, threads);
    let (workload, runtime) = (workload(phases), Profile::free());
    let setup = setup((machine, &fabric), (&workload, &runtime), &team);
    let mut told = Told::default();
    observe(&setup, "static".parse().unwrap(), &(), &mut told).unwrap();
    (told, fabric)
}

/// Law: A resource delays a stream for as long as it limits the stream.
///
/// Threads 0 and 1 read 1 and 2 MB from one controller, and get 5 GB/s each until thread 0 has ended: 200 us. They
/// run at 5 / 6.4 = 25/32 of their ceiling. Twice the latency would lengthen the time by 18/32 (to 50/32), half the
/// controller's bandwidth by 1 (to 2), so the controller is charged 32/50 of the time, 128 us. Thread 1 reads the
/// other 1 MB at 6.4 GB/s: 156.25 us, during which thread 0 waits for it. The rest is the latency of the lines: 72
/// and 228.25 us.
#[test]
fn a_stream_is_delayed_for_as_long_as_a_resource_delays_it() {
    let mb = MB;
    let work = looped(Mode::Read, &[0, mb, 3 * mb]);
    let (told, fabric) = watch(&machine("core:2"), 2, &[placed(&[0, mb, 3 * mb]), work]);
    for thread in [0, 1] {
        near(told.waited(&fabric, thread, Some("memory of node 0")), 128_000 * NS);
    }
    near(told.waited(&fabric, 0, None), 72_000 * NS);
    near(told.waited(&fabric, 1, None), 228_250 * NS);
    let portion = |bytes| Portion { region: RegionId(0), home: Some(NodeId(0)), bytes };
    let threads = [0, 1].map(ThreadId::new);
    assert_eq!(told.data, [(threads[0], vec![portion(mb)]), (threads[1], vec![portion(2 * mb)])]);
    let [(waits, by, at)] = told.released[..] else { panic!("{:?}", told.released) };
    assert_eq!((waits, by), (threads[0], threads[1]));
    let idle: Vec<&BookedSpan> = told.spans.iter().filter(|span| span.activity == Activity::Idle).collect();
    let [idle] = idle[..] else { panic!("{idle:?}") };
    assert_eq!((idle.thread, idle.to), (threads[0], at));
    near((idle.to - idle.from).0, 156_250 * NS);
}

/// Law: A stream behind a full resource waits for its lines only if twice the latency would limit it.
///
/// Four threads read 1 MB each from one controller, at 2.5 GB/s each, 25/64 of their ceiling: even if lines took
/// twice as long, the controller would be full. All of their wait, 400 us, is charged to the controller.
#[test]
fn nobody_waits_for_lines_that_might_take_twice_as_long() {
    let mb = MB;
    let ends = [0, mb, 2 * mb, 3 * mb, 4 * mb];
    let (told, fabric) = watch(&machine("core:4"), 4, &[placed(&ends), looped(Mode::Read, &ends)]);
    for thread in 0..4 {
        near(told.waited(&fabric, thread, Some("memory of node 0")), 400_000 * NS);
        assert_eq!(told.waited(&fabric, thread, None), 0);
    }
}

/// Thread 1 reads 1 MB of the other socket's memory. Its ceiling is 640 B / 200 ns = 3.2 GB/s, but the link carries 2
/// GB/s. Half of the link's bandwidth would lengthen the time by 1, twice the latency by 2 x 2 / 3.2 - 1 = 1/4, so
/// the link is charged 1 / (1 + 1/4) = 4/5 of the 500 us.
#[test]
fn a_link_is_named_with_the_level_of_the_home() {
    let mb = MB;
    let work = looped(Mode::Read, &[0, 0, mb]);
    let (told, fabric) = watch(&machine("socket:2 core:1"), 2, &[placed(&[0, mb, mb]), work]);
    let far = |span: &&BookedSpan| {
        matches!(span.cause, Cause::Memory { level: Closeness::Machine, limit: Some(_) })
    };
    let [late] = told.spans.iter().filter(far).collect::<Vec<_>>()[..] else { panic!("{:?}", told.spans) };
    near((late.to - late.from).0, 400_000 * NS);
    let Cause::Memory { limit: Some(link), .. } = late.cause else { panic!("{late:?}") };
    assert!(fabric.name(link).contains("socket 0 -> socket 1"), "{}", fabric.name(link));
}
