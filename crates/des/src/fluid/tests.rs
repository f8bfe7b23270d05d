//! Hand-calculated cases.

use super::*;

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

/// Changes that the queues report, once each, in the order of resources.
fn changed_queues(fluid: &mut Fluid) -> Vec<(u32, f64)> {
    let mut changed_queues = Vec::new();
    fluid.queues(|resource, queue| changed_queues.push((resource, queue.lines)));
    changed_queues.sort_by_key(|entry| entry.0);
    changed_queues.dedup();
    changed_queues
}

/// A link of 4 GB/s and two flows of 10 lines, 5 GB/s each by themselves. Each gets 2 GB/s, so that 2 / 5
/// of its lines are under way and 6 wait: 12 in all. Alone, the second gets 4 GB/s: 10 × (1 - 4 / 5) = 2
/// wait. Then nobody does.
#[test]
fn what_is_not_under_way_waits_at_the_full_link() {
    let mut fluid = Fluid::new();
    let link = fluid.resource(4e9, None);
    let class = fluid.class(&[(link, 1.0)], 5e9, 10.0);
    assert!(!fluid.queues_changed());
    fluid.start(0, class, 2000, 1);
    fluid.start(0, class, 4000, 2);
    assert_eq!(fluid.next_finish(), Some(1_000_000));
    let mut queues = Vec::new();
    fluid.queues(|resource, queue| queues.push((resource, queue)));
    assert_eq!(queues, [(link, Queue { lines: 12.0, bytes_per_s: 4e9 })]);
    assert!(!fluid.queues_changed());
    fluid.finish(1_000_000, &mut Vec::new());
    assert!(matches!(changed_queues(&mut fluid)[..], [(0, lines)] if (lines - 2.0).abs() < 1e-12));
    assert_eq!(fluid.next_finish(), Some(1_500_000));
    assert_eq!(changed_queues(&mut fluid), []);
    fluid.finish(1_500_000, &mut Vec::new());
    assert_eq!(changed_queues(&mut fluid), [(link, 0.0)]);
}

/// A flow of 16 lines and 8 GB/s crosses links of 4 and 3 GB/s, one of 4 lines and 8 GB/s only the first.
/// The second link limits the first flow to 3 GB/s, where 16 × (1 - 3 / 8) = 10 wait. The other one gets what
/// is left of the first link, 1 GB/s, where 4 × (1 - 1 / 8) = 3.5 wait.
#[test]
fn lines_wait_where_their_flow_is_limited() {
    let mut fluid = Fluid::new();
    let (wide, narrow) = (fluid.resource(4e9, None), fluid.resource(3e9, None));
    let through = fluid.class(&[(wide, 1.0), (narrow, 1.0)], 8e9, 16.0);
    let narrow_flow = fluid.class(&[(wide, 1.0)], 8e9, 4.0);
    fluid.start(0, through, 3000, 1);
    fluid.start(0, narrow_flow, 3000, 2);
    // 16 : 4 would be 3.2 and 0.8, more than the narrow link has.
    assert_eq!((fluid.rate(through), fluid.rate(narrow_flow)), (Some(3e9), Some(1e9)));
    assert_eq!(changed_queues(&mut fluid), [(wide, 3.5), (narrow, 10.0)]);
}

/// A flow's lines wait at the first of two equal links; lines that another flow adds to the second wait there.
/// Two flows of 10 lines and 4 GB/s share the first link's 4 GB/s: 5 lines of each wait. A third, of
/// 1 GB/s, crosses the second link too, which now is the one that is full, with 1.5 GB/s for each of the
/// others.
#[test]
fn of_two_links_alike_the_first_has_the_queue() {
    let mut fluid = Fluid::new();
    let (first, second) = (fluid.resource(4e9, None), fluid.resource(4e9, None));
    let both = fluid.class(&[(first, 1.0), (second, 1.0)], 4e9, 10.0);
    let slow = fluid.class(&[(second, 1.0)], 1e9, 10.0);
    fluid.start(0, both, 8000, 1);
    fluid.start(0, both, 8000, 2);
    assert_eq!(fluid.rate(both), Some(2e9));
    // The second could not be full, fed as it is by the first.
    assert_eq!(changed_queues(&mut fluid), [(first, 10.0)]);
    fluid.start(0, slow, 100, 3);
    assert_eq!(fluid.rate(both), Some(1.5e9));
    assert_eq!(changed_queues(&mut fluid), [(first, 0.0), (second, 12.5)]);
    let ends = fluid.next_finish().unwrap();
    fluid.finish(ends, &mut Vec::new());
    assert_eq!(changed_queues(&mut fluid), [(first, 10.0), (second, 0.0)]);
}
