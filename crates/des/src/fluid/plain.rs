//! Textbook algorithm of weighted max-min sharing: raise every rate in proportion to its weight, and freeze the flows
//! of the resource that fills up first. Oracle of the fast solver: without state or bundles, each flow by itself.

use super::{Load, Pull};

#[derive(Clone, Debug)]
pub struct PlainFlow {
    /// Resources on the flow's route, each with the part of the flow's bytes that crosses it.
    pub route: Vec<(usize, f64)>,
    pub pull: Pull,
}

/// Capacity of a resource under load, found by bisection: the load at which all flows on the resource together move
/// just that load. `crowded`: capacity without load.
pub fn load(crowded: f64, resource: usize, latency: &Load, flows: &[PlainFlow]) -> f64 {
    let here = || {
        let hops = flows.iter().flat_map(|flow| flow.route.iter().map(move |hop| (flow.pull, hop)));
        hops.filter(|(_, hop)| hop.0 == resource).map(|(pull, hop)| (pull, hop.1))
    };
    let asked: f64 = here().map(|(pull, share)| share * pull.ceiling).sum();
    let written: f64 = here().map(|(pull, share)| share * pull.ceiling * pull.written).sum();
    // Position between the latency without writes and the latency with the measured mix of writes.
    let mixed = latency.mixed.as_ref().map(|(curve, part)| (curve, (written / asked / part).min(1.0)));
    let factor = |(pull, share): (Pull, f64), load: f64| {
        let others = load * (1.0 - share * pull.ceiling / asked);
        let reads = latency.reads.at(others);
        mixed.map_or(reads, |(curve, way)| reads * (1.0 - way) + curve.at(others) * way)
    };
    let moved = |load: f64| -> f64 {
        here().map(|flow| flow.1 * flow.0.rate((factor(flow, load) - 1.0) * latency.seconds)).sum()
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if moved(middle) > middle * crowded { low = middle } else { high = middle }
    }
    // The load delays no flow: each flow meets at most the part up to which no line waits longer.
    if here().all(|flow| factor(flow, high) == 1.0) { crowded } else { high * crowded }
}

/// Rate of every flow, in bytes per second.
pub fn rates(capacities: &[f64], flows: &[PlainFlow]) -> Vec<f64> {
    let mut rate = vec![None; flows.len()];
    loop {
        // Level at which a resource fills, given the rates of frozen flows.
        let level_of = |resource: usize, rate: &[Option<f64>]| {
            let (mut used, mut weight) = (0.0, 0.0);
            for (flow, frozen) in flows.iter().zip(rate) {
                for &(crossed, share) in flow.route.iter().filter(|hop| hop.0 == resource) {
                    debug_assert_eq!(crossed, resource);
                    match frozen {
                        Some(rate) => used += share * rate,
                        None => weight += share * flow.pull.weight,
                    }
                }
            }
            if weight > 0.0 { (capacities[resource] - used).max(0.0) / weight } else { f64::INFINITY }
        };
        let levels: Vec<f64> = (0..capacities.len()).map(|resource| level_of(resource, &rate)).collect();
        let own = |flow: &PlainFlow| flow.pull.ceiling / flow.pull.weight;
        let lowest = flows
            .iter()
            .zip(&rate)
            .filter(|(_, frozen)| frozen.is_none())
            .map(|(flow, _)| flow.route.iter().map(|hop| levels[hop.0]).fold(own(flow), f64::min))
            .fold(f64::INFINITY, f64::min);
        if lowest == f64::INFINITY {
            return rate.into_iter().map(|rate| rate.unwrap_or(0.0)).collect();
        }
        let mut next = rate.clone();
        for (flow, slot) in flows.iter().zip(&mut next).filter(|(_, slot)| slot.is_none()) {
            if own(flow) <= lowest {
                *slot = Some(flow.pull.ceiling);
            } else if flow.route.iter().any(|hop| levels[hop.0] <= lowest) {
                *slot = Some(lowest * flow.pull.weight);
            }
        }
        rate = next;
    }
}

/// Lines that wait at each resource. A flow has as many lines as its weight. The fraction 1 - rate / ceiling of them
/// waits at the first full resource on the flow's route on which no flow has a higher level.
pub fn waiting(capacities: &[f64], flows: &[PlainFlow], rates: &[f64]) -> Vec<f64> {
    let near = |value: f64, limit: f64| value >= limit * (1.0 - 1e-9);
    let here = |resource: usize| {
        let hops = flows.iter().zip(rates).flat_map(|(flow, rate)| {
            flow.route.iter().map(move |&(crossed, share)| (crossed, share * rate, rate / flow.pull.weight))
        });
        hops.filter(move |hop| hop.0 == resource)
    };
    let full: Vec<bool> =
        (0..capacities.len()).map(|at| near(here(at).map(|hop| hop.1).sum(), capacities[at])).collect();
    let highest: Vec<f64> =
        (0..capacities.len()).map(|at| here(at).map(|hop| hop.2).fold(0.0, f64::max)).collect();
    let mut lines = vec![0.0; capacities.len()];
    for (flow, rate) in flows.iter().zip(rates).filter(|(flow, rate)| !near(**rate, flow.pull.ceiling)) {
        let limits = |hop: &&(usize, f64)| full[hop.0] && near(rate / flow.pull.weight, highest[hop.0]);
        if let Some(&(resource, _)) = flow.route.iter().find(limits) {
            lines[resource] += flow.pull.weight * (1.0 - rate / flow.pull.ceiling);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(route: &[usize], ceiling: f64, weight: f64) -> PlainFlow {
        let route = route.iter().map(|&resource| (resource, 1.0)).collect();
        PlainFlow { route, pull: Pull::plain(ceiling, weight) }
    }

    /// Two links of 10 and 4 B/s. Flow A crosses both, B the first, C the second.
    /// Link 2 fills first: 4 / 2 = 2 each for A and C. Link 1 leaves B 10 - 2 = 8.
    #[test]
    fn the_classic_parking_lot() {
        let flows = [flow(&[0, 1], 1e9, 1.0), flow(&[0], 1e9, 1.0), flow(&[1], 1e9, 1.0)];
        assert_eq!(rates(&[10.0, 4.0], &flows), [2.0, 8.0, 2.0]);
    }

    /// Two links of 10 and 4 B/s, and C three times as heavy: link 2 splits 4 as 1 : 3, and B gets 10 - 1 = 9.
    #[test]
    fn weights_divide_the_bottleneck() {
        let flows = [flow(&[0, 1], 1e9, 1.0), flow(&[0], 1e9, 1.0), flow(&[1], 1e9, 3.0)];
        assert_eq!(rates(&[10.0, 4.0], &flows), [1.0, 9.0, 3.0]);
    }

    /// One link of 12 B/s, ceilings 2, 5 and none: the first two flows keep their ceilings, the third has 12 - 7 = 5.
    #[test]
    fn ceilings_free_capacity_for_others() {
        let flows = [flow(&[0], 2.0, 1.0), flow(&[0], 5.0, 1.0), flow(&[0], 1e9, 1.0)];
        assert_eq!(rates(&[12.0], &flows), [2.0, 5.0, 5.0]);
    }

    /// A flow that sends only half of its bytes over a link of 3 B/s reaches 6 B/s.
    #[test]
    fn shares_scale_the_use() {
        let half = PlainFlow { route: vec![(0, 0.5)], pull: Pull::plain(1e9, 1.0) };
        assert_eq!(rates(&[3.0], &[half]), [6.0]);
    }
}
