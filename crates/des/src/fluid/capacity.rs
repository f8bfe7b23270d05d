//! Rate that a resource delivers under crowding and load of its flows.
//!
//! Three effects reduce the nominal capacity.
//!
//! - **Crowding**: a curve over outstanding lines gives the part that is left (retries, conflicts).
//! - **Both directions at once**: a controller loses capacity if it serves requests of others while its own side
//!   sends requests. Its directions are two resources, and both are crowded by the lesser of their numbers of lines.
//!   So one direction alone loses nothing.
//! - **Load**: lines wait longer on a busy resource, long before it is full. At a memory they wait longer if a larger
//!   part of the traffic is writes, since controllers hold reads back behind batches of writes. A flow with a fixed
//!   number of lines outstanding moves fewer bytes while its lines wait longer. The resulting load is the one under
//!   which all flows together move just that load; the solver shares it out. A flow waits for the load of other flows
//!   only: the wait of its own lines for each other is part of its rate without contention. A flow's own part of the
//!   load is its part of all demand (an arrival in a closed queueing network sees the queue without itself).
//!
//! All three depend on the number of flows, not on their rates, so a solve needs no fixed point. The price: a flow
//! that another resource limits counts here with its full demand.

// Glossary: crowding: Loss of a resource's capacity when many cache lines are outstanding on it, given as a
//   curve.

use super::{Curve, Fluid, Load, Pull, Resource, ResourceNo, Waits, solve};
use std::sync::Arc;

/// Loss of a resource's capacity as it fills.
#[derive(Clone, Debug, Default)]
pub struct Degradation {
    /// Fraction of the nominal capacity that is left, by number of outstanding lines; `None` if crowding costs
    /// nothing.
    pub crowding: Option<Arc<Curve>>,
    /// Latency of a line by the part of the capacity in use; `None` if only a full resource makes lines wait.
    pub load: Option<Load>,
}

/// Kind of flows on a resource: flows with equal demand and an equal share of bytes that cross the resource.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alike {
    pull: Pull,
    share: f64,
    flows: u32,
}

impl Alike {
    /// Bytes per second that all flows of this kind ask for at the resource.
    fn asked(&self) -> f64 {
        f64::from(self.flows) * self.share * self.pull.ceiling
    }

    /// Fraction of the load that a flow of this kind does not cause itself. `asked`: demand of all flows, in bytes
    /// per second.
    fn others(&self, asked: f64) -> f64 {
        1.0 - self.share * self.pull.ceiling / asked
    }

    /// Sort key of a kind: any total order will do.
    fn key(pull: &Pull, share: f64) -> [u64; 6] {
        let Waits { idle, per_second } = pull.waits.unwrap_or(Waits { idle: -1.0, per_second: 0.0 });
        [share, pull.ceiling, pull.weight, idle, per_second, pull.written].map(f64::to_bits)
    }
}

/// Fingerprint of the flows that wait at a resource. Equal fingerprints mean the same flows in the same slots, except
/// with a probability of 2^-64. The same flows can have another fingerprint if their kinds were added in another
/// order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Marks {
    /// Fingerprint of the kinds and their slots, in the order of addition, or of slots after some were dropped.
    kinds: u64,
    /// Fingerprint of the number of flows of each kind: a sum over flows.
    flows: u64,
}

/// Scatters the bits of a number (last step of SplitMix64).
fn scatter(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Marks {
    /// Updates the fingerprint for a kind that is added at a slot.
    fn add_kind(&mut self, place: u32, kind: [u64; 6]) {
        for word in kind.into_iter().chain([u64::from(place)]) {
            self.kinds = scatter(self.kinds ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        }
    }

    /// Index of the memoised load for flows with this fingerprint.
    fn slot(self) -> usize {
        (self.kinds ^ self.flows) as usize % KNOWN
    }

    /// Updates the fingerprint for a flow of the kind at a slot, which starts (`comes`) or ends.
    fn count(&mut self, place: u32, comes: bool) {
        let mark = scatter(u64::from(place) + 1);
        self.flows = if comes { self.flows.wrapping_add(mark) } else { self.flows.wrapping_sub(mark) };
    }
}

/// Waiting flows at a resource with a load curve. Boxed, since large machines have hundreds of thousands of links
/// without a load curve.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// Latency of a line at the resource under load.
    load: Load,
    /// Kinds of flows. A kind keeps its slot while a class refers to it.
    pub kinds: Vec<Alike>,
    /// Used slots of `kinds`, sorted by `Alike::key`.
    pub order: Vec<u32>,
    /// Unused slots of `kinds`.
    pub free: Vec<u32>,
    /// Fingerprint of the waiting flows.
    marks: Marks,
    /// Largest factor, over all kinds, by which waiting at the full resource reduces a flow's rate.
    worst: f64,
    /// Memoised loads, indexed by fingerprint: flows that end and start restore earlier states.
    known: Vec<Known>,
}

/// Memoised load, and the state of the resource for which the load was computed.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    marks: Marks,
    demand: u64,
    crowded: f64,
    capacity: f64,
}

/// Number of memoised loads; a power of two.
const KNOWN: usize = 8;

impl Waiting {
    fn new(load: Load) -> Waiting {
        let (kinds, order, free) = (Vec::new(), Vec::new(), Vec::new());
        Waiting { load, kinds, order, free, marks: Marks::default(), worst: 1.0, known: Vec::new() }
    }

    /// Drops all kinds of flows; memoised loads stay.
    pub fn clear(&mut self) {
        self.kinds.clear();
        self.order.clear();
        self.free.clear();
        self.marks = Marks::default();
        self.worst = 1.0;
    }

    #[cfg(test)]
    pub fn load(&self) -> Load {
        self.load.clone()
    }

    fn flowing(&self) -> impl Iterator<Item = &Alike> {
        self.kinds.iter().filter(|kind| kind.flows > 0)
    }
}

/// Number of recently rated resources that are compared with the next resource, to share the result of an equal load.
const TWINS: usize = 4;

impl Fluid {
    /// Drops the kinds without flows, so that their slots can be reused. No class may refer to these kinds.
    pub(super) fn forget_alike(&mut self) {
        for resource in &mut self.resources {
            let Some(waiting) = &mut resource.waiting else { continue };
            let longest = waiting.load.longest();
            let Waiting { kinds, order, free, worst, marks, .. } = &mut **waiting;
            order.retain(|place| kinds[*place as usize].flows > 0);
            kinds.truncate(order.iter().max().map_or(0, |last| *last as usize + 1));
            free.clear();
            free.extend((0..kinds.len() as u32).filter(|place| kinds[*place as usize].flows == 0));
            let used = order.iter().map(|place| kinds[*place as usize].pull);
            marks.kinds = 0;
            for (place, kind) in (0..).zip(&*kinds).filter(|(_, kind)| kind.flows > 0) {
                marks.add_kind(place, Alike::key(&kind.pull, kind.share));
            }
            *worst = used.map(|pull| pull.ceiling / pull.rate(longest)).fold(1.0, f64::max);
        }
    }
}

impl Resource {
    /// Slot of a kind, added if new; `None` without a load curve.
    pub(super) fn alike(&mut self, pull: Pull, share: f64) -> Option<u32> {
        let waiting = self.waiting.as_mut()?;
        let longest = waiting.load.longest();
        let Waiting { kinds, order, free, worst, marks, .. } = &mut **waiting;
        let key = Alike::key(&pull, share);
        let found = order.binary_search_by_key(&key, |place| {
            let known = &kinds[*place as usize];
            Alike::key(&known.pull, known.share)
        });
        let at = match found {
            Ok(at) => return Some(order[at]),
            Err(at) => at,
        };
        *worst = worst.max(pull.ceiling / pull.rate(longest));
        let fresh = Alike { pull, share, flows: 0 };
        let place = free.pop().unwrap_or(kinds.len() as u32);
        marks.add_kind(place, key);
        match kinds.get_mut(place as usize) {
            Some(free) => *free = fresh,
            None => kinds.push(fresh),
        }
        order.insert(at, place);
        Some(place)
    }

    /// Counts a flow of the kind at a slot, which starts (`comes`) or ends.
    pub(super) fn count(&mut self, alike: Option<u32>, comes: bool) {
        if let (Some(place), Some(waiting)) = (alike, &mut self.waiting) {
            let flows = &mut waiting.kinds[place as usize].flows;
            if comes {
                *flows += 1
            } else {
                *flows -= 1
            }
            waiting.marks.count(place, comes);
        }
    }

    /// Sets the capacities under crowding and under load, in bytes per second, and the demands at which the resource
    /// becomes tight and slack.
    pub(super) fn delivers(&mut self, crowded: f64, capacity: f64) {
        (self.crowded, self.capacity) = (crowded, capacity);
        let calm = crowded * self.calm;
        self.fills_above = calm as u64;
        self.slack_at = (calm * solve::SLACK_AGAIN) as u64;
    }
}

impl Fluid {
    /// Sets the loss of capacity of a resource by crowding and load. The resource has no flows.
    pub fn degrade(&mut self, resource: ResourceNo, degradation: Degradation) {
        let resource = &mut self.resources[resource.index()];
        debug_assert!(resource.users == 0);
        let Degradation { crowding, load } = degradation;
        let crowding = crowding.filter(|curve| !curve.0.is_empty());
        let load = load.filter(|load| load.longest() > 0.0);
        let roomy = crowding.as_ref().map(|curve| (curve.roomy() * 1e3) as u64);
        resource.roomy = roomy.unwrap_or(u64::MAX);
        resource.calm = load.as_ref().map_or(1.0, Load::calm);
        resource.crowding = crowding;
        resource.waiting = match (load, resource.waiting.take()) {
            (Some(load), Some(waiting)) => Some(Box::new(Waiting { load, known: Vec::new(), ..*waiting })),
            (Some(load), None) => Some(Box::new(Waiting::new(load))),
            (None, _) => None,
        };
        resource.full_wait = resource.waiting.as_ref().map_or(0.0, |waiting| waiting.load.longest());
        resource.delivers(resource.nominal, resource.nominal);
    }

    /// Declares two resources as the two directions of one controller.
    pub fn oppose(&mut self, one: ResourceNo, other: ResourceNo) {
        self.resources[one.index()].opposite = Some(other);
        self.resources[other.index()].opposite = Some(one);
    }

    /// Updates the capacity of a resource. An equal resource among the recently `rated` shares its result: if data is
    /// spread over all memories, one more flow changes all memories equally.
    pub(super) fn rate_capacity(&mut self, id: ResourceNo, rated: &mut Vec<ResourceNo>) {
        let resource = &self.resources[id.index()];
        let lines = |resource: &Resource| resource.crowd as f64 * 1e-3;
        let mut crowded = resource.nominal;
        if let Some(curve) = &resource.crowding {
            let other = resource.opposite.map(|id| lines(&self.resources[id.index()]));
            crowded *= curve.at(other.map_or(lines(resource), |other| other.min(lines(resource))));
        }
        let demand = resource.demand as f64;
        let capacity = match &resource.waiting {
            // Demand this high fills the resource even if all flows wait longest. Each flow's demand is rounded up.
            Some(waiting) if demand - f64::from(resource.users) > waiting.worst * crowded => crowded,
            Some(waiting) if demand > resource.calm * crowded => {
                let mut others = rated.iter().map(|other| &self.resources[other.index()]);
                match others.find(|other| other.is_loaded_like(resource, crowded)) {
                    Some(twin) => twin.capacity,
                    None => {
                        rated.truncate(TWINS - 1);
                        rated.insert(0, id);
                        self.loaded_capacity(id, crowded)
                    }
                }
            }
            _ => crowded,
        };
        self.resources[id.index()].delivers(crowded, capacity);
    }

    /// Capacity that the load leaves of a resource's capacity under crowding (`crowded`), in bytes per second;
    /// memoised.
    fn loaded_capacity(&mut self, id: ResourceNo, crowded: f64) -> f64 {
        let resource = &mut self.resources[id.index()];
        let Some(waiting) = &resource.waiting else { return crowded };
        let Resource { demand, .. } = *resource;
        let marks = waiting.marks;
        let at = marks.slot();
        if let Some(known) = waiting.known.get(at)
            && known.marks == marks
            && known.demand == demand
            && known.crowded == crowded
        {
            debug_assert_eq!(known.capacity, resource.load(crowded, waiting).0);
            return known.capacity;
        }
        let (capacity, looked_at) = resource.load(crowded, waiting);
        self.visits += looked_at;
        if let Some(waiting) = &mut resource.waiting {
            waiting.known.resize(KNOWN, Known::default());
            waiting.known[at] = Known { marks, demand, crowded, capacity };
        }
        capacity
    }
}

impl Resource {
    /// True if the capacity of this resource, computed before, is also that of `other`, which would deliver `crowded`
    /// without load.
    fn is_loaded_like(&self, other: &Resource, crowded: f64) -> bool {
        let (Some(waiting), Some(others)) = (&self.waiting, &other.waiting) else { return false };
        let alike = self.demand == other.demand
            && self.crowded == crowded
            && waiting.marks == others.marks
            && waiting.load == others.load;
        debug_assert!(!alike || waiting.flowing().eq(others.flowing()));
        alike
    }

    /// Capacity under load: the load at which all flows, delayed by the other flows' part of that load, move just
    /// that load; and the number of kinds visited. `crowded` if no flow waits longer.
    ///
    /// The sum of rates falls as the load rises. Newton steps find the intersection, kept inside a bracket.
    fn load(&self, crowded: f64, waiting: &Waiting) -> (f64, u64) {
        let (mut low, mut high) = (self.calm, 1.0);
        let asked: f64 = waiting.flowing().map(Alike::asked).sum();
        let way = waiting.way(asked);
        let mut looked_at = waiting.kinds.len() as u64;
        let mut part = waiting.load.guess(self.demand as f64 / crowded).clamp(low, high);
        for _ in 0..STEPS {
            looked_at += waiting.kinds.len() as u64;
            let (excess, slope) = waiting.excess(part, crowded, (asked, way));
            if excess.abs() <= EXACT * crowded || excess > 0.0 && part == 1.0 {
                break;
            }
            if excess > 0.0 {
                low = part
            } else {
                high = part
            }
            let next = part - excess / slope;
            let before = part;
            part = match next > low && next < high {
                true => next,
                false if next >= 1.0 && high == 1.0 => 1.0,
                false => (low + high) / 2.0,
            };
            // The sum over hundreds of kinds is no more exact than `EXACT`.
            if (part - before).abs() <= EXACT * part {
                break;
            }
        }
        let most = waiting.flowing().map(|kind| kind.others(asked)).fold(0.0, f64::max);
        (if part * most <= self.calm { crowded } else { crowded * part }, looked_at)
    }
}

impl Waiting {
    /// Position between the read curve and the mixed curve, by the written part of the demand `asked`.
    fn way(&self, asked: f64) -> f64 {
        if self.load.mixed.is_none() {
            return 0.0;
        }
        let written: f64 = self.flowing().map(|kind| kind.pull.written * kind.asked()).sum();
        self.load.way(written / asked)
    }

    /// Excess of the flows' rate over `part` of the capacity, in bytes per second, if that part were in use; and the
    /// slope of the excess over `part`.
    fn excess(&self, part: f64, crowded: f64, (asked, way): (f64, f64)) -> (f64, f64) {
        let (mut excess, mut slope) = (-part * crowded, -crowded);
        for kind in self.flowing() {
            let Alike { pull, share, flows } = kind;
            let all = f64::from(*flows) * share;
            let Some(Waits { per_second, .. }) = pull.waits else {
                excess += all * pull.ceiling;
                continue;
            };
            let others = kind.others(asked);
            let (factor, steeper) = self.load.factor(part * others, way);
            let rate = pull.rate((factor - 1.0) * self.load.seconds);
            excess += all * rate;
            if rate < pull.ceiling {
                slope -= all * rate * rate * per_second * steeper * self.load.seconds * others;
            }
        }
        (excess, slope)
    }
}

/// Limit on the Newton steps for a load; a few are usually enough.
const STEPS: u32 = 60;
/// Relative error at which a load is accepted.
const EXACT: f64 = 1e-14;
