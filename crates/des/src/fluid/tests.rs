//! Hand-calculated cases.

use super::*;
use std::sync::Arc;

/// Demand of a flow that never waits for lines.
fn pull(ceiling: f64, weight: f64) -> Pull {
    Pull::plain(ceiling, weight)
}

/// 1000 B/s shared by two flows of 100 and 300 bytes with no ceiling that binds: 500 B/s each until 0.2 s, when the
/// first flow ends; the second flow has 200 bytes left and continues alone until 0.4 s.
#[test]
fn a_departure_speeds_the_others_up() {
    let mut fluid = Fluid::new();
    let link = fluid.resource(1000.0, Degradation::default());
    let class = fluid.class(&[(link, 1.0)], pull(1e6, 1.0));
    fluid.start(Time(0), class, 100, 1);
    fluid.start(Time(0), class, 300, 2);
    let mut ended = Vec::new();
    assert_eq!(fluid.next_finish(), Some(Time(200_000_000_000)));
    fluid.finish(Time(200_000_000_000), &mut ended);
    assert_eq!(ended, [1]);
    assert_eq!(fluid.next_finish(), Some(Time(400_000_000_000)));
    fluid.finish(Time(400_000_000_000), &mut ended);
    assert_eq!(ended, [1, 2]);
    assert_eq!(fluid.next_finish(), None);
    assert_eq!(fluid.bytes(), [400]);
    let Usage { busy, peak, delays } = fluid.usage(link);
    assert_eq!((busy, peak), (Span(400_000_000_000), 1.0));
    // Two flows are late by all but 500 of their ceiling of 1e6 for 0.2 s, then one by all but 1000.
    let late = 1e12 * (2.0 * 0.2 * (1.0 - 500.0 / 1e6) + 0.2 * (1.0 - 1000.0 / 1e6));
    assert!((delays.late_ps - late).abs() < 1.0, "{}", delays.late_ps);
    assert_eq!((delays.from, delays.to), (Time::ZERO, Time(400_000_000_000)));
}

/// A resource of 1000 B/s for one flow and 600 B/s for two or more. Two flows of 300 bytes get 300 B/s each: 1 s.
#[test]
fn crowding_costs_capacity() {
    let mut fluid = Fluid::new();
    let crowding = Some(Arc::new(Curve(vec![(1.0, 1.0), (2.0, 0.6)])));
    let link = fluid.resource(1000.0, Degradation { crowding, load: None });
    let class = fluid.class(&[(link, 1.0)], pull(1e6, 1.0));
    fluid.start(Time(0), class, 300, 1);
    assert_eq!(fluid.rate(class), Some(1000.0));
    fluid.start(Time(0), class, 300, 2);
    assert_eq!(fluid.rate(class), Some(300.0));
    assert_eq!(fluid.next_finish(), Some(Time(1_000_000_000_000)));
}

/// The start and end of a flow on a route that no other flow shares leave the clocks of all other flows unchanged.
#[test]
fn slack_resources_do_not_couple_flows() {
    let mut fluid = Fluid::new();
    let link = fluid.resource(1000.0, Degradation::default());
    let slow = fluid.class(&[(link, 1.0)], pull(100.0, 1.0));
    for token in 0..10 {
        fluid.start(Time(0), slow, 100, token);
    }
    assert_eq!(fluid.rate(slow), Some(100.0));
    assert_eq!(fluid.usage(link).peak, 1.0);
    fluid.start(Time(0), slow, 100, 10);
    assert_eq!(fluid.rate(slow), Some(1000.0 / 11.0));
}

/// Number of bundles with members.
fn bundles(fluid: &Fluid) -> usize {
    fluid.bundles.iter().filter(|bundle| bundle.count > 0).count()
}

/// Two memories of 400 B/s and two ports of 600 B/s. Four flows with ceilings of 500 B/s, two behind each port, take
/// half of their bytes from each memory: 200 B/s each, so a port carries 400 of 600 B/s, although its flows could ask
/// for more than 600. When the flows of the second port have moved their 100 bytes, at 0.5 s, the memories have 400
/// B/s for each of the others, and the first port limits them to 300.
///
/// Law: Flows that differ only in resources that are not full are one bundle, until the instant at which one is full.
#[test]
fn an_unfilled_port_divides_nothing_until_it_is_full() {
    let mut fluid = Fluid::new();
    let memories = [0; 2].map(|_| fluid.resource(400.0, Degradation::default()));
    let ports = [0; 2].map(|_| fluid.resource(600.0, Degradation::default()));
    let mut behind =
        |port| fluid.class(&[(memories[0], 0.5), (memories[1], 0.5), (port, 1.0)], pull(500.0, 1.0));
    let [one, other] = ports.map(&mut behind);
    for (class, bytes, token) in [(one, 1000, 0), (other, 100, 1), (one, 1000, 2), (other, 100, 3)] {
        fluid.start(Time(0), class, bytes, token);
        fluid.rate(class);
    }
    assert_eq!((fluid.rate(one), fluid.rate(other), bundles(&fluid)), (Some(200.0), Some(200.0), 1));
    // With three flows the first port carried two thirds of what the memories deliver.
    assert_eq!([0, 1].map(|port| fluid.usage(ports[port]).peak), [1600.0 / 3.0 / 600.0, 500.0 / 600.0]);
    assert_eq!(
        changed_backlogs(&mut fluid).iter().map(|entry| entry.1).sum::<f64>(),
        4.0 * (1.0 - 200.0 / 500.0)
    );
    let then = Time(500_000_000_000);
    assert_eq!(fluid.next_finish(), Some(then));
    fluid.finish(then, &mut Vec::new());
    assert_eq!(fluid.rate(one), Some(300.0));
    assert_eq!([0, 1].map(|port| fluid.usage(ports[port]).peak), [1.0, 500.0 / 600.0]);
    assert!(changed_backlogs(&mut fluid).contains(&(ports[0], 2.0 * (1.0 - 300.0 / 500.0))));
    // More flows behind the second port leave the first with less and less: after some solves it no longer divides.
    for token in 2..6 {
        fluid.start(then, other, 100, token);
        assert_eq!((fluid.rate(one), bundles(&fluid)), (Some(800.0 / f64::from(token + 1)), 2));
    }
    fluid.start(then, other, 100, 6);
    assert_eq!(
        (fluid.rate(one), fluid.rate(other), bundles(&fluid)),
        (Some(800.0 / 7.0), Some(800.0 / 7.0), 1)
    );
}

/// Lines in the backlogs that changed since the last call, in the order of resources, each resource once.
fn changed_backlogs(fluid: &mut Fluid) -> Vec<(ResourceNo, f64)> {
    let mut changed_backlogs = Vec::new();
    fluid.backlogs(|resource, backlog| changed_backlogs.push((resource, backlog.lines)));
    changed_backlogs.sort_by_key(|entry| entry.0);
    changed_backlogs.dedup();
    changed_backlogs
}

/// A link of 4 GB/s and two flows of 10 lines, 5 GB/s each by themselves. Each flow gets 2 GB/s, so that 2 / 5 of its
/// lines are under way and 6 lines wait: 12 in all. Alone, the second flow gets 4 GB/s: 10 × (1 - 4 / 5) = 2 lines
/// wait. Afterwards no lines wait.
#[test]
fn what_is_not_under_way_waits_at_the_full_link() {
    let mut fluid = Fluid::new();
    let link = fluid.resource(4e9, Degradation::default());
    let class = fluid.class(&[(link, 1.0)], pull(5e9, 10.0));
    assert!(!fluid.backlogs_changed());
    fluid.start(Time(0), class, 2000, 1);
    fluid.start(Time(0), class, 4000, 2);
    assert_eq!(fluid.next_finish(), Some(Time(1_000_000)));
    let mut backlogs = Vec::new();
    fluid.backlogs(|resource, backlog| backlogs.push((resource, backlog)));
    assert_eq!(backlogs, [(link, Backlog { lines: 12.0, bytes_per_s: 4e9 })]);
    assert!(!fluid.backlogs_changed());
    fluid.finish(Time(1_000_000), &mut Vec::new());
    assert!(
        matches!(changed_backlogs(&mut fluid)[..], [(at, lines)] if at == link && (lines - 2.0).abs() < 1e-12)
    );
    assert_eq!(fluid.next_finish(), Some(Time(1_500_000)));
    assert_eq!(changed_backlogs(&mut fluid), []);
    fluid.finish(Time(1_500_000), &mut Vec::new());
    assert_eq!(changed_backlogs(&mut fluid), [(link, 0.0)]);
}

/// A flow of 16 lines and 8 GB/s crosses links of 4 and 3 GB/s; a flow of 4 lines and 8 GB/s crosses only the first
/// link. The second link limits the first flow to 3 GB/s, so that 16 × (1 - 3 / 8) = 10 lines wait there. The second
/// flow gets the remaining 1 GB/s of the first link, where 4 × (1 - 1 / 8) = 3.5 lines wait.
#[test]
fn lines_wait_where_their_flow_is_limited() {
    let mut fluid = Fluid::new();
    let (wide, narrow) =
        (fluid.resource(4e9, Degradation::default()), fluid.resource(3e9, Degradation::default()));
    let through = fluid.class(&[(wide, 1.0), (narrow, 1.0)], pull(8e9, 16.0));
    let narrow_flow = fluid.class(&[(wide, 1.0)], pull(8e9, 4.0));
    fluid.start(Time(0), through, 3000, 1);
    fluid.start(Time(0), narrow_flow, 3000, 2);
    // Shares of the first link in the ratio 16 : 4 would be 3.2 and 0.8 GB/s, more than the second link has.
    assert_eq!((fluid.rate(through), fluid.rate(narrow_flow)), (Some(3e9), Some(1e9)));
    assert_eq!(changed_backlogs(&mut fluid), [(wide, 3.5), (narrow, 10.0)]);
}

/// Lines wait at the first of two equal links, if both limit their flow. Two flows of 10 lines and 4 GB/s share the
/// first link's 4 GB/s: 5 lines of each flow wait there. A third flow of 1 GB/s crosses only the second link. The
/// second link is then full, with 1.5 GB/s for each of the first two flows, and their lines wait there.
#[test]
fn of_two_links_alike_the_first_has_the_queue() {
    let mut fluid = Fluid::new();
    let (first, second) =
        (fluid.resource(4e9, Degradation::default()), fluid.resource(4e9, Degradation::default()));
    let both = fluid.class(&[(first, 1.0), (second, 1.0)], pull(4e9, 10.0));
    let slow = fluid.class(&[(second, 1.0)], pull(1e9, 10.0));
    fluid.start(Time(0), both, 8000, 1);
    fluid.start(Time(0), both, 8000, 2);
    assert_eq!(fluid.rate(both), Some(2e9));
    // The second link cannot limit the flows, since it gets no more than the first one delivers.
    assert_eq!(changed_backlogs(&mut fluid), [(first, 10.0)]);
    fluid.start(Time(0), slow, 100, 3);
    assert_eq!(fluid.rate(both), Some(1.5e9));
    assert_eq!(changed_backlogs(&mut fluid), [(first, 0.0), (second, 12.5)]);
    let ends = fluid.next_finish().unwrap();
    fluid.finish(ends, &mut Vec::new());
    assert_eq!(changed_backlogs(&mut fluid), [(first, 10.0), (second, 0.0)]);
}

/// Resource of 1000 B/s. At a load u above one half a line takes 2 u - 1 seconds longer: one second at the full
/// resource.
fn waiting() -> (Fluid, ResourceNo) {
    let mut fluid = Fluid::new();
    let load = Some(Load { seconds: 1.0, reads: Arc::new(Curve(vec![(0.5, 1.0), (1.0, 2.0)])), mixed: None });
    let memory = fluid.resource(1000.0, Degradation { crowding: None, load });
    (fluid, memory)
}

/// Demand of a flow with this number of bytes in flight, where a line takes one second without load.
fn keeps(bytes: f64) -> Pull {
    let waits = Waits { idle: 1.0 / bytes, per_second: 1.0 / bytes };
    Pull { waits: Some(waits), ..Pull::plain(bytes, bytes / 100.0) }
}

fn near(rate: Option<f64>, expected: f64) {
    assert!(rate.is_some_and(|rate| (rate / expected - 1.0).abs() < 1e-9), "{rate:?}, not {expected}");
}

/// Three memories with a total demand of 1200 B/s each. Three flows of 400 B/s move 316.2 B/s each (see
/// `a_load_makes_wait`) at two of the memories. At the third, two flows of 600 B/s each meet half a load, which
/// delays no line, and move 500 B/s.
#[test]
fn memories_that_are_asked_for_as_much_are_loaded_by_who_asks() {
    let (mut fluid, first) = waiting();
    let memory = &fluid.resources[first.index()];
    let load = memory.waiting.as_ref().map(|waiting| waiting.load());
    let degradation = Degradation { crowding: memory.crowding.clone(), load };
    let memories = [first, fluid.resource(1000.0, degradation.clone()), fluid.resource(1000.0, degradation)];
    let kinds = [
        (3, 400.0, 1000.0 * 0.9f64.sqrt() / 3.0),
        (2, 600.0, 500.0),
        (3, 400.0, 1000.0 * 0.9f64.sqrt() / 3.0),
    ];
    let classes = memories.iter().zip(kinds).map(|(memory, (flows, bytes, rate))| {
        let class = fluid.class(&[(*memory, 1.0)], keeps(bytes));
        (0..flows).for_each(|token| fluid.start(Time(0), class, 1000, token));
        (class, rate)
    });
    let classes: Vec<(ClassId, f64)> = classes.collect();
    classes.into_iter().for_each(|(class, rate)| near(fluid.rate(class), rate));
    assert_eq!(fluid.scratch.as_ref().map_or(0, |scratch| scratch.rated.len()), 2);
}

/// Law: A loaded resource delivers what its flows move while they wait as long as that load makes them.
///
/// Of two flows with 400 bytes in flight, each meets the other's 0.4 of a load of 0.8, and does not wait. Of three
/// flows, each meets two thirds of the load u and moves 400 / (2 u × 2/3): 900 / u = 1000 u, u = √0.9, and 316.2 B/s
/// each. With a fourth flow that demands 100 B/s and never waits, the others' part of the load is 9/13 (of a demand
/// of 1300): 1000 u² = 100 u + 1200 × 13/18, u = 0.98229, and 294.1 B/s each. Six flows of 400 bytes beside the
/// fourth flow fill the resource: they get 900 B/s.
#[test]
fn a_load_makes_wait() {
    let (mut fluid, memory) = waiting();
    let waits = fluid.class(&[(memory, 1.0)], keeps(400.0));
    let computes = fluid.class(&[(memory, 1.0)], pull(100.0, 8.0));
    for token in 0..2 {
        fluid.start(Time(0), waits, 1000, token);
        assert_eq!(fluid.rate(waits), Some(400.0));
    }
    fluid.start(Time(0), waits, 1000, 2);
    near(fluid.rate(waits), 1000.0 / 3.0 * 0.9f64.sqrt());
    assert!((fluid.usage(memory).peak - 0.9f64.sqrt()).abs() < 1e-9);
    fluid.start(Time(0), computes, 1000, 3);
    let load = 0.05 + (0.0025f64 + 1.2 * 13.0 / 18.0).sqrt();
    near(fluid.rate(waits), (1000.0 * load - 100.0) / 3.0);
    near(fluid.rate(computes), 100.0);
    for token in 4..7 {
        fluid.start(Time(0), waits, 1000, token);
    }
    near(fluid.rate(waits), 150.0);
    assert_eq!(fluid.usage(memory).peak, 1.0);
}

/// Law: Lines see the latency under load that flows cause.
///
/// A flow that keeps a single byte in flight runs beside eight flows that keep 100 bytes. Each of the eight meets
/// 701/801 of the load u, the single byte 800/801: 800 × 801 / (2 × 701 u) + 801 / (2 × 800 u) = 1000 u, u = 0.67643.
/// All lines wait equally long, so the single byte takes as long as the others, 801 bytes at 1000 u B/s: 1.184
/// seconds and not 1. Little's law gives the same wait in the backlog: of 8.01 lines of 100 bytes, as many wait as
/// leave in 0.184 seconds.
#[test]
fn a_chase_beside_streams_shows_the_latency_under_load() {
    let (mut fluid, memory) = waiting();
    let streams = fluid.class(&[(memory, 1.0)], keeps(100.0));
    let chase = fluid.class(&[(memory, 1.0)], keeps(1.0));
    for token in 0..8 {
        fluid.start(Time(0), streams, 1000, token);
    }
    fluid.start(Time(0), chase, 1000, 8);
    let load = (0.4 * 801.0 / 701.0 + 0.0005 * 801.0 / 800.0_f64).sqrt();
    near(fluid.rate(chase), 1000.0 * load / 801.0);
    let mut seconds = 0.0;
    fluid.backlogs(|_, backlog| seconds = backlog.lines * 100.0 / backlog.bytes_per_s);
    near(Some(seconds), 801.0 / (1000.0 * load) - 1.0);
}

/// Law: Lines wait longer, the larger the part of a memory's time that goes to writes.
///
/// As in `a_load_makes_wait`, but if half of the time goes to writes, a line takes two seconds longer at the full
/// resource: 4 u - 2. Three flows of 400 bytes of which a quarter is written are half-way to this curve: a line takes
/// 3 u - 1.5 longer, and each flow moves 400 / (1 + 3 (2 u / 3) - 1.5) = 400 / (2 u - 0.5): 1200 = 1000 u (2 u -
/// 0.5), u = (0.5 + √9.85) / 4 = 0.90961. More than half of writes counts as half: 400 / (1 + 8 u / 3 - 2): 1200 =
/// 1000 u (8 u / 3 - 1), u = (3 + √124.2) / 16 = 0.88403.
#[test]
fn reads_wait_behind_writes() {
    let curve = |full: f64| Arc::new(Curve(vec![(0.5, 1.0), (1.0, full)]));
    for (written, load) in [
        (0.0, 0.9f64.sqrt()),
        (0.25, (0.5 + 9.85f64.sqrt()) / 4.0),
        (0.5, (3.0 + 124.2f64.sqrt()) / 16.0),
        (0.8, (3.0 + 124.2f64.sqrt()) / 16.0),
    ] {
        let mut fluid = Fluid::new();
        let loaded = Load { seconds: 1.0, reads: curve(2.0), mixed: Some((curve(3.0), 0.5)) };
        let memory = fluid.resource(1000.0, Degradation { crowding: None, load: Some(loaded) });
        let mixed = fluid.class(&[(memory, 1.0)], Pull { written, ..keeps(400.0) });
        (0..3).for_each(|token| fluid.start(Time(0), mixed, 1000, token));
        near(fluid.rate(mixed), 1000.0 * load / 3.0);
    }
}

/// Law: A flow that re-enters a bundle is charged to its current bottleneck, with or without observer.
///
/// A flow crosses two resources of 200 B/s. Another flow on the first resource leaves 100 B/s there; a later flow on
/// the second resource leaves 100 B/s there. In each phase the flow, which demands 1000 B/s, is late by 0.9 s,
/// charged to the resource shared in that phase. The earlier bottleneck is not charged again, although the rate is
/// the same and although an observer keeps the history.
#[test]
fn who_comes_again_waits_for_what_limits_it_now() {
    let mut fluid = Fluid::new();
    fluid.keep_delays();
    let [source, first, second] = [1e6, 200.0, 200.0].map(|all| fluid.resource(all, Degradation::default()));
    let both = fluid.class(&[(source, 1.0), (first, 1.0), (second, 1.0)], pull(1000.0, 1.0));
    let others = [first, second].map(|one| fluid.class(&[(source, 1.0), (one, 1.0)], pull(1000.0, 1.0)));
    for (seconds, other) in (0..).zip(others) {
        let now = Time(seconds * 1_000_000_000_000);
        fluid.start(now, both, 100, 0);
        fluid.start(now, other, 100, 1);
        assert_eq!(fluid.next_finish(), Some(now + Span(1_000_000_000_000)));
        fluid.finish(now + Span(1_000_000_000_000), &mut Vec::new());
        assert_eq!(fluid.next_finish(), None);
    }
    for resource in [first, second] {
        let late = fluid.usage(resource).delays.late_ps;
        assert!((late - 1.8e12).abs() < 1.0, "{late} ps");
    }
}

/// Law: Both directions of a controller are crowded by the lesser of the two.
///
/// 1000 B/s in each direction, half of it if both directions have 2 lines outstanding. Two outbound lines alone: 1000
/// B/s. With one inbound line the lesser number is 1, and nothing is lost. With two: 500 B/s in each direction.
#[test]
fn the_lesser_of_two_directions_crowds_both() {
    let mut fluid = Fluid::new();
    let crowding = Some(Arc::new(Curve(vec![(1.0, 1.0), (2.0, 0.5)])));
    let ways = [0, 1].map(|_| fluid.resource(1000.0, Degradation { crowding: crowding.clone(), load: None }));
    fluid.oppose(ways[0], ways[1]);
    let [out, into] = ways.map(|way| fluid.class(&[(way, 1.0)], pull(1e6, 1.0)));
    for token in 0..2 {
        fluid.start(Time(0), out, 1000, token);
    }
    assert_eq!(fluid.rate(out), Some(500.0));
    fluid.start(Time(0), into, 1000, 2);
    assert_eq!((fluid.rate(out), fluid.rate(into)), (Some(500.0), Some(1000.0)));
    fluid.start(Time(0), into, 1000, 3);
    assert_eq!((fluid.rate(out), fluid.rate(into)), (Some(250.0), Some(250.0)));
}

/// Kinds of flows that wait at the only resource of the case.
fn kinds(fluid: &Fluid) -> &capacity::Waiting {
    fluid.resources[0].waiting.as_ref().unwrap()
}

/// Law: A load that the same flows caused lately is looked up, not solved again.
///
/// A flow joins two others and ends, three times. The load of two flows and the load of three flows are computed once
/// each; later changes restore one of these states, and its load is looked up without visiting any kind.
#[test]
fn a_load_that_was_found_is_not_looked_for_again() {
    let curve = Arc::new(Curve(vec![(0.5, 1.0), (1.0, 2.0)]));
    let mut fluid = Fluid::new();
    let load = Some(Load { seconds: 1.0, reads: curve, mixed: None });
    let memory = fluid.resource(1000.0, Degradation { crowding: None, load });
    let class = fluid.class(&[(memory, 1.0)], keeps(400.0));
    let mut now = Time::ZERO;
    let mut visited = Vec::new();
    (0..2).for_each(|token| fluid.start(Time(0), class, 1 << 40, token));
    for _ in 0..3 {
        let before = fluid.visits;
        fluid.start(now, class, 1, 2);
        now = fluid.next_finish().unwrap();
        fluid.finish(now, &mut Vec::new());
        fluid.next_finish();
        visited.push(fluid.visits - before);
    }
    // Loads of two states were computed, each with one visit for the initial guess and one for each Newton step.
    assert!(visited[0] >= visited[1] + 2 * 2, "{visited:?}");
    assert_eq!(visited[1], visited[2]);
}

/// Law: Kinds of waiting flows are forgotten with their classes.
///
/// A thousand kinds of flows, one after another, wait at a resource. Once their classes are dropped, their slots are
/// reused; kinds of flows under way keep their slots.
#[test]
fn kinds_of_waiting_flows_are_forgotten() {
    let curve = Arc::new(Curve(vec![(0.5, 1.0), (1.0, 2.0)]));
    let mut fluid = Fluid::new();
    let load = Some(Load { seconds: 1e-7, reads: curve, mixed: None });
    let memory = fluid.resource(4e9, Degradation { crowding: None, load });
    let waiting = |idle: f64| {
        let waits = Some(Waits { idle, per_second: idle / 1e-7 });
        Pull { waits, ..Pull::plain(1.0 / idle, 1.0) }
    };
    let long = fluid.class(&[(memory, 1.0)], waiting(1e-9));
    fluid.start(Time(0), long, 1 << 40, 0);
    let mut now = Time::ZERO;
    for kind in 1..1000 {
        let class = fluid.class(&[(memory, 1.0)], waiting(1e-9 + f64::from(kind) * 1e-12));
        let places = kinds(&fluid).kinds.len();
        fluid.class(&[(memory, 1.0)], waiting(1e-9 + f64::from(kind) * 1e-12));
        let memory = kinds(&fluid);
        assert_eq!(memory.kinds.len(), places, "this kind has one");
        assert_eq!(memory.order.len() + memory.free.len(), memory.kinds.len());
        fluid.start(now, class, 1000, 1);
        now = fluid.next_finish().unwrap();
        fluid.finish(now, &mut Vec::new());
        if kind % 10 == 0 {
            fluid.forget_idle();
            assert_eq!((kinds(&fluid).order.len(), kinds(&fluid).kinds.len()), (1, 1));
        }
    }
    assert!(fluid.flows(long));
    assert!(kinds(&fluid).kinds.len() <= 11);
}
