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
