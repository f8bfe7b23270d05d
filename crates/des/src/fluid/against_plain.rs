//! Fast solver against the textbook solver, while flows start and end on random graphs.

use super::plain::{PlainFlow, load, rates, waiting};
use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Clone, Debug)]
struct Case {
    resources: Vec<Part>,
    classes: Vec<PlainFlow>,
    /// Starts of flows: index of the class, bytes, and delay after the previous start in picoseconds.
    starts: Vec<(usize, u64, u64)>,
    /// Delay in picoseconds, and total number, of follow-up flows. A flow that ends is followed by an equal flow, as
    /// a thread requests its next chunk.
    follow: (u64, usize),
    /// Empty classes are dropped before every n-th event.
    tidy: usize,
    /// At every n-th event the oldest flow is stopped, and its remaining bytes are started anew.
    stop: usize,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    nominal: f64,
    /// Fraction of the capacity that is left with 40 lines outstanding.
    left: f64,
    /// Additional latency of a line at the full resource, in seconds; 0 without a load curve.
    longer: f64,
    /// True if lines take even longer while flows write.
    behind_writes: bool,
    /// True if this resource and the next one are the directions of one controller.
    opposes_next: bool,
}

/// Resources, some of them equal, so that several limit a flow equally.
fn resources() -> impl Strategy<Value = Vec<Part>> {
    let left = prop::sample::select(vec![1.0, 1.0, 0.3]);
    let nominal = prop_oneof![1.0..300.0f64, prop::sample::select(vec![40.0, 60.0])];
    let longer = prop::sample::select(vec![0.0, 0.0, 0.1, 1.0]);
    let part = (nominal, left, longer, prop::bool::ANY, prop::bool::weighted(0.2)).prop_map(
        |(nominal, left, longer, behind_writes, opposes_next)| Part {
            nominal,
            left,
            longer,
            behind_writes,
            opposes_next,
        },
    );
    prop::collection::vec(part, 1..12)
}

fn class(resources: usize) -> impl Strategy<Value = PlainFlow> {
    let hop = (0..resources, prop::sample::select(vec![0.25, 0.5, 1.0]));
    let weight = prop::sample::select(vec![1.0, 2.0, 6.0]);
    let ceiling = prop_oneof![1.0..200.0f64, prop::sample::select(vec![20.0, 40.0])];
    // Three kinds of flow: a flow that never waits for lines, one that waits all of its time at its ceiling, and one
    // that waits half of it.
    let waits = prop::sample::select(vec![None, Some((1.0, 1.0)), Some((0.5, 0.5))]);
    let written = prop::sample::select(vec![0.0, 0.0, 0.3, 1.0]);
    (prop::collection::vec(hop, 0..5), ceiling, weight, waits, written).prop_map(
        |(mut route, ceiling, weight, waits, written)| {
            let mut seen = BTreeSet::new();
            route.retain(|hop| seen.insert(hop.0));
            let waits = waits.map(|(idle, per)| Waits { idle: idle / ceiling, per_second: per / weight });
            PlainFlow { route, pull: Pull { ceiling, weight, waits, written } }
        },
    )
}

fn cases() -> impl Strategy<Value = Case> {
    let sized = resources().prop_flat_map(|resources| {
        let classes = prop::collection::vec(class(resources.len()), 1..20);
        (Just(resources), classes)
    });
    sized.prop_flat_map(|(resources, classes)| {
        let gap = prop_oneof![Just(0), Just(1), 0u64..2_000_000_000_000];
        let starts = prop::collection::vec((0..classes.len(), 1u64..500, gap), 1..60);
        let follow = (prop::sample::select(vec![0, 1, 1_000_000]), 0usize..60);
        let tidy = prop::sample::select(vec![1, 3, usize::MAX]);
        let stop = prop::sample::select(vec![5, 8, usize::MAX]);
        (Just(resources), Just(classes), starts, follow, (tidy, stop)).prop_map(
            |(resources, classes, starts, follow, (tidy, stop))| Case {
                resources,
                classes,
                starts,
                follow,
                tidy,
                stop,
            },
        )
    })
}

/// Flow under way, with the bytes that it has received.
struct Alive {
    class: usize,
    bytes: u64,
    received: f64,
}

/// The fast and the textbook solver side by side, with the same flows.
struct Pair<'a> {
    case: &'a Case,
    fluid: Fluid,
    ids: Vec<Option<ClassId>>,
    alive: Vec<Option<Alive>>,
    /// Bytes of the flows started so far, by class.
    started: Vec<u64>,
    now: Time,
    /// Backlog of each resource, as the fast solver last reported it.
    backlogs: Vec<Backlog>,
}

fn curve(left: f64) -> Curve {
    Curve(vec![(4.0, 1.0), (40.0, left)])
}

/// Load curve of a resource: a line takes twice as long at the full resource, and 2.5 times as long with writes.
fn loaded(part: &Part) -> Load {
    let curve = |middle: f64, full: f64| Arc::new(Curve(vec![(0.4, 1.0), (0.8, middle), (1.0, full)]));
    let mixed = part.behind_writes.then(|| (curve(2.2, 2.5), 0.5));
    Load { seconds: part.longer, reads: curve(1.5, 2.0), mixed }
}

/// Pairs of opposite directions; a resource belongs to one pair.
fn opposites(parts: &[Part]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (at, part) in parts[..parts.len() - 1].iter().enumerate() {
        if part.opposes_next && pairs.last().is_none_or(|last| last.1 < at) {
            pairs.push((at, at + 1));
        }
    }
    pairs
}

/// Resources of a case, without classes.
fn resources_of(case: &Case) -> Fluid {
    let mut fluid = Fluid::new();
    for part in &case.resources {
        let load = (part.longer > 0.0).then(|| loaded(part));
        fluid.resource(part.nominal, Degradation { crowding: Some(Arc::new(curve(part.left))), load });
    }
    for (one, other) in opposites(&case.resources) {
        fluid.oppose(ResourceNo::new(one as u32), ResourceNo::new(other as u32));
    }
    fluid
}

fn add_class(class: &PlainFlow, fluid: &mut Fluid) -> ClassId {
    let route = class.route.iter().map(|hop| (ResourceNo::new(hop.0 as u32), hop.1));
    let route: Vec<(ResourceNo, f64)> = route.collect();
    fluid.class(&route, class.pull)
}

fn add_classes(case: &Case, fluid: &mut Fluid) -> Vec<ClassId> {
    case.classes.iter().map(|class| add_class(class, fluid)).collect()
}

/// End of every flow, as time since the begin and tokens; usage and bytes of every resource.
type Course = (Vec<(Span, Vec<u32>)>, Vec<(Usage, u64)>);

/// Starts the flows of a case one after the other from `begin`. Returns the ends of the flows, and the usage and
/// bytes of the resources.
fn course(case: &Case, fluid: &mut Fluid, begin: Time) -> Course {
    let ids = add_classes(case, fluid);
    let (mut ends, mut at) = (Vec::new(), begin);
    let mut until = |then: Time, fluid: &mut Fluid| {
        while let Some(end) = fluid.next_finish().filter(|end| *end <= then) {
            let mut tokens = Vec::new();
            fluid.finish(end, &mut tokens);
            tokens.sort_unstable();
            ends.push((end - begin, tokens));
        }
    };
    for (token, &(class, bytes, gap)) in (0..).zip(&case.starts) {
        at += Span(gap);
        until(at, fluid);
        fluid.start(at, ids[class], bytes, token);
    }
    until(Time::NEVER, fluid);
    let did = ResourceNo::first(case.resources.len() as u32).map(|resource| {
        let mut usage = fluid.usage(resource);
        if usage.delays != Delays::default() {
            usage.delays.from = Time((usage.delays.from - begin).0);
            usage.delays.to = Time((usage.delays.to - begin).0);
        }
        usage
    });
    let did = did.zip(fluid.bytes()).collect();
    (ends, did)
}

impl<'a> Pair<'a> {
    fn new(case: &'a Case) -> Pair<'a> {
        let mut fluid = resources_of(case);
        let ids = add_classes(case, &mut fluid).into_iter().map(Some).collect();
        let backlogs = vec![Backlog::default(); case.resources.len()];
        let started = vec![0; case.classes.len()];
        Pair { case, fluid, ids, alive: Vec::new(), started, now: Time::ZERO, backlogs }
    }

    /// Capacities of the resources under the crowding and load of `flows`, in bytes per second.
    fn capacities(&self, flows: &[PlainFlow]) -> Vec<f64> {
        let crowd = |resource: usize| -> f64 {
            let hops = flows.iter().flat_map(|flow| flow.route.iter().map(|hop| (*hop, flow.pull.weight)));
            hops.filter(|(hop, _)| hop.0 == resource).map(|(hop, weight)| hop.1 * weight).sum()
        };
        let parts = &self.case.resources;
        let mut crowds: Vec<f64> = (0..parts.len()).map(crowd).collect();
        for (one, other) in opposites(parts) {
            let both = crowds[one].min(crowds[other]);
            (crowds[one], crowds[other]) = (both, both);
        }
        let crowded = |(part, crowd): (&Part, f64)| part.nominal * curve(part.left).at(crowd);
        let capacities: Vec<f64> = parts.iter().zip(crowds).map(crowded).collect();
        let loads = |(at, part): (usize, &Part)| match part.longer {
            0.0 => capacities[at],
            _ => load(capacities[at], at, &loaded(part), flows),
        };
        parts.iter().enumerate().map(loads).collect()
    }

    /// Compares the rates and backlogs of both solvers, and the load of each resource with its capacity. Returns the
    /// rates by token.
    fn compare(&mut self) -> Result<Vec<f64>, TestCaseError> {
        let alive: Vec<(usize, usize)> = self
            .alive
            .iter()
            .enumerate()
            .filter_map(|(token, flow)| Some((token, flow.as_ref()?.class)))
            .collect();
        let flows: Vec<PlainFlow> =
            alive.iter().map(|(_, class)| self.case.classes[*class].clone()).collect();
        let capacities = self.capacities(&flows);
        let mut load = vec![0.0; capacities.len()];
        let mut by_token = vec![0.0; self.alive.len()];
        let plain = rates(&capacities, &flows);
        let waiting = waiting(&capacities, &flows, &plain);
        for (((token, class), flow), expected) in alive.iter().zip(&flows).zip(plain) {
            let rate = self.fluid.rate(self.ids[*class].unwrap()).unwrap();
            prop_assert!((rate - expected).abs() <= 1e-9 * expected, "{} instead of {}", rate, expected);
            flow.route.iter().for_each(|hop| load[hop.0] += hop.1 * rate);
            by_token[*token] = rate;
        }
        for (load, capacity) in load.iter().zip(&capacities) {
            prop_assert!(*load <= capacity * (1.0 + 1e-9));
        }
        let Pair { fluid, backlogs, .. } = self;
        fluid.backlogs(|resource, backlog| backlogs[resource.index()] = backlog);
        for ((backlog, lines), capacity) in backlogs.iter().zip(waiting).zip(&capacities) {
            prop_assert!((backlog.lines - lines).abs() <= 1e-6, "{} lines, not {}", backlog.lines, lines);
            prop_assert!(lines == 0.0 || (backlog.bytes_per_s - capacity).abs() <= 1e-9 * capacity);
        }
        Ok(by_token)
    }

    /// Drops the fast solver's empty classes; `id` makes them anew when needed.
    fn forget_idle(&mut self) {
        let idle = self.ids.iter_mut().filter(|id| id.is_some_and(|id| !self.fluid.flows(id)));
        idle.for_each(|id| *id = None);
        self.fluid.forget_idle();
    }

    /// Bytes over each resource, computed from the started flows without the solver.
    fn carried(&self) -> Vec<u64> {
        let mut carried = vec![0.0; self.case.resources.len()];
        for (class, bytes) in self.case.classes.iter().zip(&self.started) {
            class.route.iter().for_each(|hop| carried[hop.0] += *bytes as f64 * hop.1);
        }
        carried.into_iter().map(|bytes: f64| bytes.round() as u64).collect()
    }

    /// The fast solver's number of a class of the case; adds the class if needed.
    fn id(&mut self, class: usize) -> ClassId {
        let Pair { case, fluid, ids, .. } = self;
        *ids[class].get_or_insert_with(|| add_class(&case.classes[class], fluid))
    }

    /// Stops the oldest flow. Returns its class and remaining bytes.
    fn stop(&mut self) -> Result<Option<(usize, u64)>, TestCaseError> {
        let Some(token) = self.alive.iter().position(Option::is_some) else { return Ok(None) };
        let Some(Alive { class, bytes, received }) = self.alive[token].take() else { return Ok(None) };
        let left = self.fluid.stop(self.now, self.ids[class].unwrap(), token as u32);
        let left = left.expect("it flows");
        // The remaining bytes are rounded, by at most half a byte.
        let off = (bytes as f64 - received - left as f64).abs();
        prop_assert!(off < 0.5 + 1e-6, "asked for {}, received {}, {} left", bytes, received, left);
        self.started[class] -= left;
        Ok(Some((class, left)))
    }

    fn start(&mut self, class: usize, bytes: u64) {
        let id = self.id(class);
        self.started[class] += bytes;
        self.fluid.start(self.now, id, bytes, self.alive.len() as u32);
        self.alive.push(Some(Alive { class, bytes, received: 0.0 }));
    }

    /// Lets time pass at the given rates, and returns the flows that end.
    fn advance(&mut self, then: Time, rates: &[f64]) -> Result<Vec<Alive>, TestCaseError> {
        for (flow, rate) in self.alive.iter_mut().zip(rates) {
            if let Some(flow) = flow {
                flow.received += rate * (then - self.now).0 as f64 * 1e-12;
            }
        }
        self.now = then;
        let mut tokens = Vec::new();
        self.fluid.finish(then, &mut tokens);
        let mut ended = Vec::new();
        for token in tokens {
            let flow = self.alive[token as usize].take().expect("a flow ends once");
            // Tolerance: at rates up to 200 B/s, each event is rounded by a picosecond.
            let off = (flow.bytes as f64 - flow.received).abs();
            prop_assert!(off < 1e-6, "asked for {}, received {}", flow.bytes, flow.received);
            ended.push(flow);
        }
        Ok(ended)
    }
}

proptest! {
    /// Law: The fast solver equals the textbook solver.
    ///
    /// Every rate equals the textbook's, no resource is above its capacity, every flow ends once, and
    /// what a flow received is what it asked for.
    #[test]
    fn equals_the_oracle(case in cases()) {
        let mut pair = Pair::new(&case);
        let mut at = Time::ZERO;
        let mut coming: Vec<(Time, usize, u64)> = Vec::new();
        for &(class, bytes, gap) in &case.starts {
            at += Span(gap);
            coming.push((at, class, bytes));
        }
        let (delay, mut followers) = case.follow;
        let (mut started, mut events) = (0, 0);
        loop {
            events += 1;
            if events % case.tidy == 0 {
                pair.forget_idle();
            }
            let rates = pair.compare()?;
            let finish = pair.fluid.next_finish();
            let start = coming.iter().map(|start| start.0).min();
            let Some(then) = finish.into_iter().chain(start).min() else { break };
            for flow in pair.advance(then, &rates)? {
                if followers > 0 {
                    followers -= 1;
                    coming.push((then + Span(delay), flow.class, flow.bytes));
                }
            }
            if events % case.stop == 0
                && let Some((class, left)) = pair.stop()?.filter(|(_, left)| *left > 0)
            {
                coming.push((then, class, left));
                continue;
            }
            // One start at a time, so that rates between simultaneous starts are compared, too.
            if let Some(at) = coming.iter().position(|start| start.0 == then) {
                let (_, class, bytes) = coming.remove(at);
                pair.start(class, bytes);
                started += bytes;
            }
        }
        prop_assert!(pair.alive.iter().all(Option::is_none));
        prop_assert!(pair.fluid.bytes().iter().all(|bytes| *bytes <= started));
        prop_assert_eq!(pair.fluid.bytes(), pair.carried());
    }

    /// Law: A phase finds the network as if it were new.
    ///
    /// After all flows have ended, a restarted network gives the same times as a new network, to the picosecond, for
    /// any earlier flows.
    #[test]
    fn a_restarted_network_is_as_good_as_new(first in cases(), starts in prop::collection::vec((0usize..20, 1u64..500, 0u64..9), 1..30)) {
        let starts = starts.into_iter().map(|(class, bytes, gap)| (class % first.classes.len(), bytes, gap));
        let second = Case { starts: starts.collect(), ..first.clone() };
        let mut fluid = resources_of(&first);
        course(&first, &mut fluid, Time::ZERO);
        let now = fluid.now;
        prop_assert!(fluid.restart(now));
        prop_assert_eq!(course(&second, &mut fluid, now), course(&second, &mut resources_of(&second), Time::ZERO));
    }

    /// Law: Bytes that cross resources between two instants add up to the bytes of the flows.
    ///
    /// The loads between any two instants add up to the bytes of the flows, and are never more than the resource
    /// delivers.
    #[test]
    fn loads_add_up_to_the_bytes(case in cases(), often in 1u64..6, part in 0.0f64..1.0) {
        let mut fluid = resources_of(&case);
        let ids = add_classes(&case, &mut fluid);
        let mut loads = Loads::default();
        for &(class, bytes, _) in &case.starts {
            loads.begin(&fluid, ids[class]);
            fluid.start(Time::ZERO, ids[class], bytes, 0);
        }
        let mut carried = vec![0.0; case.resources.len()];
        let (mut now, mut told) = (Time::ZERO, Time::ZERO);
        for step in 1.. {
            let Some(end) = fluid.next_finish() else { break };
            for at in [now + Span(((end - now).0 as f64 * part) as u64), end] {
                if step % often == 0 {
                    let seconds = (at - std::mem::replace(&mut told, at)).0 as f64 * 1e-12;
                    loads.tell(&fluid, at, |resource, bytes| {
                        carried[resource.index()] += bytes;
                        let most = case.resources[resource.index()].nominal * seconds;
                        assert!(bytes <= most * (1.0 + 1e-6) + 1.0, "{bytes} of {most}");
                    });
                }
            }
            now = end;
            fluid.finish(end, &mut Vec::new());
        }
        loads.tell(&fluid, now, |resource, bytes| carried[resource.index()] += bytes);
        for (carried, bytes) in carried.iter().zip(fluid.bytes()) {
            prop_assert!((carried - bytes as f64).abs() < 1.0, "{} instead of {}", carried, bytes);
        }
        loads.tell(&fluid, now, |_, bytes| panic!("{bytes} more"));
    }
}
