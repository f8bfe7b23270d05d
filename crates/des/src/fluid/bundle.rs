//! Classes of interchangeable flows, and bundles of classes that have the same rate.

use super::classes::{ClassId, Pull, Waits};
use super::demand::SourceNo;
use super::unfilled::{Part, PartNo};
use super::usage::DelaysNo;
use super::{Crossing, Delays, Fluid, Limit, ResourceNo};
use numalab_base::{Span, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

numalab_base::index_type! {
    /// Number of a flow; reused after the flow's end.
    pub(super) FlowId
}

numalab_base::index_type! {
    /// Number of a bundle; reused once the bundle is dropped.
    pub(super) BundleNo
}

/// Resource on the route of a class.
#[derive(Clone, Debug)]
pub(super) struct Hop {
    pub resource: ResourceNo,
    pub share: f64,
    /// Highest rate in bytes per second that one flow of the class can ask for at the resource.
    pub demand: u64,
    /// Account that counts the demand of flows from the same source; `None` if the resource is the source.
    pub source: Option<SourceNo>,
    /// Slot of the class in the resource's table of kinds of flows (see `capacity`); `None` without a load curve.
    pub alike: Option<u32>,
    pub crowd: u64,
    /// Position of the class in the resource's list of classes, while the class has flows.
    pub at: u32,
    /// Part of the resource's load that the class's flows count in; `None` if the resource is not unfilled, or the
    /// class has no flows.
    pub part: Option<PartNo>,
}

// Glossary: class: A route with a ceiling and a weight; the flows of a class are interchangeable.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub hops: Box<[Hop]>,
    pub pull: Pull,
    pub count: u32,
    pub bundle: BundleNo,
    /// Epoch of the solver in which `bundle` was looked up.
    epoch: u64,
    /// First flow of the class, in a linked list; `None` without flows.
    head: Option<FlowId>,
    /// Bytes of all flows of the class that have been started.
    pub bytes: u128,
    /// Part of the time for which a flow of the class waits for lines when its rate is the ceiling.
    pub waiting: f64,
    /// Picoseconds of ended flows that count as charged to resources; their product with `waiting` is the charged
    /// waiting time. A flow under way counts from the reading of its bundle's clock at the flow's start.
    pub rest: f64,
}

impl Class {
    pub fn new(hops: Box<[Hop]>, pull: Pull) -> Class {
        Class {
            hops,
            pull,
            count: 0,
            bundle: BundleNo::new(0),
            epoch: u64::MAX,
            head: None,
            bytes: 0,
            waiting: 0.0,
            rest: 0.0,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub token: u32,
    pub class: ClassId,
    /// Reading of the bundle's virtual clock at which the flow ends, in bytes.
    key: f64,
    /// Version of the flow's valid heap entry. Entries with another version, left in the heaps of earlier bundles,
    /// are void.
    entry: u32,
    previous: Option<FlowId>,
    next: Option<FlowId>,
}

impl Flow {
    /// Flow that is in no list and no bundle yet.
    pub fn new(class: ClassId, token: u32) -> Flow {
        Flow { token, class, key: 0.0, entry: 0, previous: None, next: None }
    }
}

/// Tight resource on a bundle's route.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tight {
    pub resource: ResourceNo,
    pub share: f64,
    /// Position of the bundle in the resource's list of bundles, while the bundle is listed.
    pub at: u32,
}

/// Heap entry of a flow: bits of the clock reading at the flow's end, the flow, version of the entry. Readings are
/// not negative, so their bits sort like the readings.
type Entry = Reverse<(u64, FlowId, u32)>;

/// Largest capacity of a resource's empty list of classes that is kept; a larger list is freed.
const KEPT: usize = 8;

// Glossary: bundle: Classes with the same tight resources, ceiling and weight, which therefore share one
//   rate.
#[derive(Clone, Debug)]
pub(super) struct Bundle {
    pub tight: Box<[Tight]>,
    /// Unfilled resources on the routes of the members' classes: see `unfilled`.
    pub parts: Vec<Part>,
    pub ceiling: f64,
    pub weight: f64,
    pub waits: Option<Waits>,
    pub written: f64,
    /// Level (rate over weight) at which a member reaches its ceiling.
    pub top: f64,
    pub count: u32,
    /// Number of members at the last solve.
    pub solved: u32,
    pub touched: bool,
    /// True if the bundle is in `Fluid::idle_bundles`, the list of bundles without members.
    pub idle: bool,
    /// Bytes per second of each member, by the last solve.
    pub rate: f64,
    /// Bottleneck of the members; `None` if their rate is the ceiling.
    pub limit: Option<ResourceNo>,
    /// Virtual clock: bytes served to each member by the time `updated`.
    served: f64,
    updated: Time,
    /// Picoseconds of a member's waiting time charged to the bottleneck by the time `updated` (`rest`); sum over
    /// members of the fraction of their time for which they wait (`waiting`).
    rest: f64,
    waiting: f64,
    heap: BinaryHeap<Entry>,
    /// `rate` × `count` at the last solve.
    pub total: f64,
    /// Result of the running solve before it is applied: rate of a member (`next_rate`) and limiting resource
    /// (`next_limit`). `stamp` and `fixed`: number of the last round of filling that collected the bundle, and that
    /// fixed its rate.
    pub next_rate: f64,
    pub next_limit: Option<ResourceNo>,
    pub stamp: u32,
    pub fixed: u32,
}

impl Bundle {
    /// Bytes per second of all members at the rate `next_rate` of the running solve.
    pub fn next_total(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.next_rate * f64::from(self.count) }
    }

    fn first(&mut self, flows: &[super::Flow]) -> Option<(f64, FlowId)> {
        while let Some(&Reverse((key, flow, entry))) = self.heap.peek() {
            if flows[flow.index()].entry == entry {
                return Some((f64::from_bits(key), flow));
            }
            self.heap.pop();
        }
        None
    }

    /// Removes the member that ends first. The member is due, even if rounding keeps the clock below its end.
    pub fn pop_first(&mut self, flows: &[super::Flow]) -> Option<FlowId> {
        let (key, flow) = self.first(flows)?;
        self.heap.pop();
        self.served = self.served.max(key);
        Some(flow)
    }

    /// Removes a member whose end the virtual clock has passed; `None` if there is no such member.
    pub fn pop_due(&mut self, flows: &[super::Flow]) -> Option<FlowId> {
        let (key, flow) = self.first(flows)?;
        (key <= self.served).then(|| {
            self.heap.pop();
            flow
        })
    }

    /// Time at which the first member ends; `None` without members. Only here the end of a flow is rounded (up) to a
    /// picosecond.
    pub fn finish(&mut self, flows: &[super::Flow]) -> Option<Time> {
        let (key, _) = self.first(flows)?;
        let left = (key - self.served).max(0.0) / self.rate * 1e12;
        let whole = left as u64;
        Some(self.updated + Span(whole) + Span(u64::from((whole as f64) < left)))
    }
}

/// Writes the key of a bundle to `key`: all values that the classes of a bundle have in common.
pub(super) fn write_key(key: &mut Vec<u64>, pull: Pull, tight: impl Iterator<Item = (ResourceNo, f64)>) {
    let Pull { ceiling, weight, waits, written } = pull;
    // Flows with different waiting, or different effect on others' waiting, change the capacity of a loaded resource
    // differently.
    let waiting = waits.map_or([0; 2], |waits| [waits.idle.to_bits(), waits.per_second.to_bits()]);
    key.clear();
    key.extend([ceiling.to_bits(), weight.to_bits(), written.to_bits()]);
    key.extend(waiting);
    key.extend(tight.flat_map(|(resource, share)| [u64::from(resource.number()), share.to_bits()]));
}

impl Fluid {
    /// Called for the first flow of a class: enters the class in the lists of its resources and finds its bundle.
    pub(super) fn occupy(&mut self, class: ClassId) {
        for (at, hop) in (0..).zip(&mut self.classes[class.index()].hops) {
            let list = &mut self.resources[hop.resource.index()].classes;
            hop.at = list.len() as u32;
            list.push(Crossing { of: class, hop: at });
        }
        if self.classes[class.index()].epoch != self.epoch {
            let Class { bundle: old, epoch, .. } = self.classes[class.index()];
            let new = self.bundle_for(class);
            self.classes[class.index()].bundle = new;
            if epoch != u64::MAX && old != new && self.clocks.is_some() {
                self.advance(new);
                self.transfer(class, old, new);
            }
        }
        self.enter_loads(class);
    }

    /// Called after the last flow of a class has ended: removes the class from the lists of its resources.
    pub(super) fn vacate(&mut self, class: ClassId) {
        for at in 0..self.classes[class.index()].hops.len() {
            self.classes[class.index()].hops[at].part = None;
            let Hop { resource, at, .. } = self.classes[class.index()].hops[at];
            let list = &mut self.resources[resource.index()].classes;
            list.swap_remove(at as usize);
            if let Some(&moved) = list.get(at as usize) {
                self.classes[moved.of.index()].hops[moved.hop as usize].at = at;
            } else if list.is_empty() && list.capacity() > KEPT {
                // A link has many classes only while a team streams from its memory; afterwards its list is freed.
                *list = Vec::new();
            }
        }
    }

    /// Present bundle of a class, created if missing.
    fn bundle_for(&mut self, class: ClassId) -> BundleNo {
        let class = &mut self.classes[class.index()];
        class.epoch = self.epoch;
        let Pull { ceiling, weight, waits, written } = class.pull;
        let tight = class.hops.iter().filter(|hop| self.resources[hop.resource.index()].tight());
        write_key(&mut self.key, class.pull, tight.map(|hop| (hop.resource, hop.share)));
        if let Some(&bundle) = self.bundle_of_key.get(self.key.as_slice()) {
            return bundle;
        }
        let tight = self.key[5..]
            .chunks(2)
            .map(|pair| Tight {
                resource: ResourceNo::new(pair[0] as u32),
                share: f64::from_bits(pair[1]),
                at: 0,
            })
            .collect();
        let fresh = Bundle {
            tight,
            parts: Vec::new(),
            ceiling,
            weight,
            waits,
            written,
            top: ceiling / weight,
            count: 0,
            solved: 0,
            touched: false,
            idle: false,
            rate: ceiling,
            limit: None,
            served: 0.0,
            updated: self.now,
            rest: 0.0,
            waiting: 0.0,
            heap: BinaryHeap::new(),
            total: 0.0,
            next_rate: 0.0,
            next_limit: None,
            stamp: 0,
            fixed: 0,
        };
        let bundle = match self.free_bundles.pop() {
            Some(number) => {
                self.bundles[number.index()] = fresh;
                number
            }
            None => {
                self.bundles.push(fresh);
                BundleNo::new(self.bundles.len() as u32 - 1)
            }
        };
        self.bundle_of_key.insert(self.key.as_slice().into(), bundle);
        bundle
    }

    /// Moves a class's flows to another bundle after one of its resources became tight or slack.
    pub(super) fn rebundle(&mut self, class: ClassId) {
        if self.classes[class.index()].epoch == self.epoch {
            return;
        }
        let old = self.classes[class.index()].bundle;
        let new = self.bundle_for(class);
        if old == new {
            return;
        }
        self.leave_loads(class);
        self.classes[class.index()].bundle = new;
        self.enter_loads(class);
        self.advance(old);
        self.advance(new);
        self.transfer(class, old, new);
        let served = self.bundles[old.index()].served;
        self.visits += u64::from(self.classes[class.index()].count);
        let mut next = self.classes[class.index()].head;
        while let Some(flow) = next {
            let left = (self.flows[flow.index()].key - served).max(0.0);
            self.leave(class, old);
            self.join(flow, new, left);
            next = self.flows[flow.index()].next;
        }
        self.touch(old);
    }

    /// Adds a flow with `bytes` remaining to a bundle whose clock is up to date.
    pub(super) fn join(&mut self, flow: FlowId, bundle: BundleNo, bytes: f64) {
        let slot = &mut self.flows[flow.index()];
        let home = &mut self.bundles[bundle.index()];
        slot.key = home.served + bytes;
        slot.entry = slot.entry.wrapping_add(1);
        home.heap.push(Reverse((slot.key.to_bits(), flow, slot.entry)));
        home.count += 1;
        let class = &mut self.classes[slot.class.index()];
        home.waiting += class.waiting;
        class.rest -= home.rest;
        self.touch(bundle);
    }

    /// Removes a flow of a class from a bundle whose clock is up to date.
    pub(super) fn leave(&mut self, class: ClassId, bundle: BundleNo) {
        let (class, bundle) = (&mut self.classes[class.index()], &mut self.bundles[bundle.index()]);
        bundle.count -= 1;
        bundle.waiting -= class.waiting;
        class.rest += bundle.rest;
    }

    /// Advances a bundle's virtual clock to the present, and charges the delays of the members to their bottleneck.
    pub(super) fn advance(&mut self, number: BundleNo) {
        let bundle = &mut self.bundles[number.index()];
        if bundle.count == 0 {
            // Resetting an idle clock keeps its readings small, and so exact.
            (bundle.served, bundle.rest, bundle.waiting) = (0.0, 0.0, 0.0);
            bundle.heap.clear();
            if bundle.solved == 0 {
                // As in a new bundle: the bottleneck of earlier members does not apply to later members.
                (bundle.rate, bundle.limit) = (bundle.ceiling, None);
            }
        } else if self.now > bundle.updated {
            let passed = (self.now - bundle.updated).0 as f64;
            bundle.served += bundle.rate * (passed * 1e-12);
            if let Some(limit) = bundle.limited(&self.resources) {
                let Limit { resource, late, rest } = limit;
                if let Some(clocks) = &mut self.clocks {
                    clocks.pass(number, limit, passed);
                }
                let late = passed * (late * f64::from(bundle.count) + rest * bundle.waiting);
                bundle.rest += rest * passed;
                let delays = &mut self.delays;
                let at = *self.resources[resource.index()].delays.get_or_insert_with(|| {
                    delays.push(Delays::default());
                    DelaysNo::new(delays.len() as u32 - 1)
                });
                delays[at.index()].add(late, bundle.updated, self.now);
            }
        }
        bundle.updated = self.now;
    }

    /// Carries the delays of a class over from its former bundle to its new one.
    fn transfer(&mut self, class: ClassId, from: BundleNo, to: BundleNo) {
        if let Some(clocks) = &mut self.clocks {
            clocks.transfer(class, from, to);
        }
    }

    /// Bytes that all flows of a class have moved by the time `at`, at the rates of the last solve.
    pub(super) fn moved(&self, class: ClassId, at: Time) -> f64 {
        let class = &self.classes[class.index()];
        let mut moved = class.bytes as f64;
        if class.count > 0 {
            let bundle = &self.bundles[class.bundle.index()];
            let served = bundle.served + bundle.rate * (at.since(bundle.updated).0 as f64 * 1e-12);
            let mut next = class.head;
            while let Some(flow) = next {
                let flow = &self.flows[flow.index()];
                moved -= (flow.key - served).max(0.0);
                next = flow.next;
            }
        }
        moved
    }

    /// Ends a flow of a class early. Returns the flow's remaining bytes; `None` if no flow of the class has that
    /// token.
    pub fn stop(&mut self, now: Time, class: ClassId, token: u32) -> Option<u64> {
        debug_assert!(now >= self.now);
        let class = class.index();
        let mut next = self.classes[class].head;
        while let Some(flow) = next.filter(|flow| self.flows[flow.index()].token != token) {
            next = self.flows[flow.index()].next;
        }
        let flow = next?;
        self.now = now;
        let bundle = self.classes[class].bundle;
        self.advance(bundle);
        let left =
            (self.flows[flow.index()].key - self.bundles[bundle.index()].served).max(0.0).round() as u64;
        self.classes[class].bytes -= u128::from(left);
        self.end(flow, bundle);
        Some(left)
    }

    pub(super) fn touch(&mut self, bundle: BundleNo) {
        if !std::mem::replace(&mut self.bundles[bundle.index()].touched, true) {
            self.touched_bundles.push(bundle);
        }
    }

    /// Adds a flow to its class's list.
    pub(super) fn link(&mut self, flow: FlowId) {
        let class = &mut self.classes[self.flows[flow.index()].class.index()];
        let second = class.head.replace(flow);
        class.count += 1;
        self.flows[flow.index()].previous = None;
        self.flows[flow.index()].next = second;
        if let Some(second) = second {
            self.flows[second.index()].previous = Some(flow);
        }
    }

    /// Removes a flow from its class's list.
    pub(super) fn unlink(&mut self, flow: FlowId) {
        let Flow { class, previous, next, .. } = self.flows[flow.index()];
        let class = &mut self.classes[class.index()];
        class.count -= 1;
        match previous {
            None => class.head = next,
            Some(previous) => self.flows[previous.index()].next = next,
        }
        if let Some(next) = next {
            self.flows[next.index()].previous = previous;
        }
        // Entries that the flow left in heaps must not match the slot's next flow.
        self.flows[flow.index()].entry = self.flows[flow.index()].entry.wrapping_add(1);
    }
}
