use super::plain::{PlainFlow, rates};
use super::*;
use proptest::prelude::*;

/// 1000 B/s shared by two flows of 100 and 300 bytes with no ceiling that binds: 500 B/s each until
/// 0.2 s, when the first ends; the second has 200 bytes left and goes on alone until 0.4 s.
#[test]
fn a_departure_speeds_the_others_up() {
    let mut fluid = Fluid::new();
    let link = fluid.resource(1000.0, None);
    let class = fluid.class(&[(link, 1.0)], 1e6, 1.0);
    fluid.start(0, class, 100, 1);
    fluid.start(0, class, 300, 2);
    let mut ended = Vec::new();
    assert_eq!(fluid.next_finish(), Some(200_000_000_000));
    fluid.finish(200_000_000_000, &mut ended);
    assert_eq!(ended, [1]);
    assert_eq!(fluid.next_finish(), Some(400_000_000_000));
    fluid.finish(400_000_000_000, &mut ended);
    assert_eq!(ended, [1, 2]);
    assert_eq!(fluid.next_finish(), None);
    assert_eq!(fluid.bytes(), [400]);
    assert_eq!(fluid.usage(link), Usage { busy_ps: 400_000_000_000, peak: 1.0 });
}

/// 1000 B/s for one, 600 B/s for two or more. Two flows of 300 bytes get 300 B/s each: 1 s.
#[test]
fn crowding_costs_capacity() {
    let mut fluid = Fluid::new();
    let link = fluid.resource(1000.0, Some(Arc::new(Curve(vec![(1.0, 1.0), (2.0, 0.6)]))));
    let class = fluid.class(&[(link, 1.0)], 1e6, 1.0);
    fluid.start(0, class, 300, 1);
    assert_eq!(fluid.rate(class), Some(1000.0));
    fluid.start(0, class, 300, 2);
    assert_eq!(fluid.rate(class), Some(300.0));
    assert_eq!(fluid.next_finish(), Some(1_000_000_000_000));
}

/// A start and an end on a route that nothing else shares leave everybody's clock alone.
#[test]
fn slack_resources_do_not_couple_flows() {
    let mut fluid = Fluid::new();
    let link = fluid.resource(1000.0, None);
    let slow = fluid.class(&[(link, 1.0)], 100.0, 1.0);
    for token in 0..10 {
        fluid.start(0, slow, 100, token);
    }
    assert_eq!(fluid.rate(slow), Some(100.0));
    assert_eq!(fluid.usage(link).peak, 1.0);
    fluid.start(0, slow, 100, 10);
    assert_eq!(fluid.rate(slow), Some(1000.0 / 11.0));
}

#[derive(Clone, Debug)]
struct Case {
    /// Nominal capacity, and what is left of it at a crowd of 40.
    resources: Vec<(f64, f64)>,
    classes: Vec<(Vec<(usize, f64)>, f64, f64)>,
    /// (class, bytes, gap): start a flow of the class, then let so many picoseconds pass.
    starts: Vec<(usize, u64, u64)>,
}

fn cases() -> impl Strategy<Value = Case> {
    (1usize..12).prop_flat_map(|count| {
        let hop = (0..count, prop::sample::select(vec![0.25, 0.5, 1.0]));
        let class =
            (prop::collection::vec(hop, 0..5), 1.0..200.0f64, prop::sample::select(vec![1.0, 2.0, 6.0]));
        let classes = prop::collection::vec(class, 1..20);
        let left = prop::sample::select(vec![1.0, 1.0, 0.3]);
        let resources = prop::collection::vec((1.0..300.0f64, left), count);
        (resources, classes).prop_flat_map(|(resources, mut classes)| {
            for (route, ..) in &mut classes {
                route.sort_by_key(|hop| hop.0);
                route.dedup_by_key(|hop| hop.0);
            }
            let starts = prop::collection::vec((0..classes.len(), 1u64..500, 0u64..2_000_000_000_000), 1..80);
            (Just(resources), Just(classes), starts).prop_map(|(resources, classes, starts)| Case {
                resources,
                classes,
                starts,
            })
        })
    })
}

proptest! {
    /// While flows come and go on a random graph, every rate equals the textbook's, no resource is
    /// above its capacity, every flow ends once, and what a flow received is what it asked for.
    #[test]
    fn equals_the_oracle(case in cases()) {
        let mut fluid = Fluid::new();
        let curve = |left: f64| Curve(vec![(4.0, 1.0), (40.0, left)]);
        for &(capacity, left) in &case.resources {
            fluid.resource(capacity, Some(Arc::new(curve(left))));
        }
        let ids: Vec<ClassId> = case.classes.iter().map(|(route, ceiling, weight)| {
            let route: Vec<(u32, f64)> = route.iter().map(|&(r, share)| (r as u32, share)).collect();
            fluid.class(&route, *ceiling, *weight)
        }).collect();
        // Alive: (class, bytes, received), by token.
        let mut alive: Vec<Option<(usize, f64, f64)>> = Vec::new();
        let mut now = 0u64;
        let check = |fluid: &mut Fluid, alive: &[Option<(usize, f64, f64)>]| -> Result<Vec<f64>, TestCaseError> {
            let flows: Vec<(usize, PlainFlow)> = alive.iter().enumerate().filter_map(|(token, flow)| {
                let (route, ceiling, weight) = &case.classes[flow.as_ref()?.0];
                Some((token, PlainFlow { route: route.clone(), ceiling: *ceiling, weight: *weight }))
            }).collect();
            let capacities: Vec<f64> = case.resources.iter().enumerate().map(|(resource, &(nominal, left))| {
                let hops = flows.iter().flat_map(|(_, flow)| flow.route.iter().map(|hop| (*hop, flow.weight)));
                let crowd: f64 = hops.filter(|(hop, _)| hop.0 == resource).map(|(hop, weight)| hop.1 * weight).sum();
                nominal * curve(left).at(crowd)
            }).collect();
            let plain = rates(&capacities, &flows.iter().map(|f| f.1.clone()).collect::<Vec<_>>());
            let mut load = vec![0.0; capacities.len()];
            let mut by_token = vec![0.0; alive.len()];
            for ((token, flow), expected) in flows.iter().zip(plain) {
                let class = alive[*token].as_ref().unwrap().0;
                let rate = fluid.rate(ids[class]).unwrap();
                prop_assert!((rate - expected).abs() <= 1e-9 * expected, "{} instead of {}", rate, expected);
                for hop in &flow.route {
                    load[hop.0] += hop.1 * rate;
                }
                by_token[*token] = rate;
            }
            for (load, capacity) in load.iter().zip(&capacities) {
                prop_assert!(*load <= capacity * (1.0 + 1e-9));
            }
            Ok(by_token)
        };
        let mut starts = case.starts.iter();
        let mut next_start = 0u64;
        let mut ended = Vec::new();
        let mut pending = starts.next();
        loop {
            let by_token = check(&mut fluid, &alive)?;
            let finish = fluid.next_finish();
            let start = pending.map(|_| next_start);
            let Some(then) = finish.into_iter().chain(start).min() else { break };
            for (flow, rate) in alive.iter_mut().zip(&by_token) {
                if let Some(flow) = flow {
                    flow.2 += rate * (then - now) as f64 * 1e-12;
                }
            }
            now = then;
            ended.clear();
            fluid.finish(now, &mut ended);
            for &token in &ended {
                let (_, bytes, received) = alive[token as usize].take().expect("ends once");
                // Rates up to 200 B/s and one picosecond of rounding per event.
                prop_assert!((bytes - received).abs() < 1e-6, "asked {} received {}", bytes, received);
            }
            if let Some(&(class, bytes, gap)) = pending.filter(|_| start == Some(now)) {
                fluid.start(now, ids[class], bytes, alive.len() as u32);
                alive.push(Some((class, bytes as f64, 0.0)));
                next_start = now + gap;
                pending = starts.next();
            }
        }
        prop_assert!(alive.iter().all(Option::is_none));
        let started: u64 = case.starts.iter().map(|start| start.1).sum();
        prop_assert!(fluid.bytes().iter().all(|bytes| *bytes <= started));
    }
}
