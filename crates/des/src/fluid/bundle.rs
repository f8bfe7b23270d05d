//! Classes of interchangeable flows, and bundles of classes that have the same rate.

use super::classes::{ClassId, Pull, Waits};
use super::demand::SourceNo;
use super::usage::DelaysNo;
use super::{Crossing, Delays, Fluid, Limit, ResourceNo};
use numalab_base::{Span, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

numalab_base::index_type! {
    /// A flow, by its slot.
    pub(super) FlowId
}

numalab_base::index_type! {
    /// A bundle of classes.
    pub(super) BundleNo
}

/// One resource on a class's route.
#[derive(Clone, Debug)]
pub(super) struct Hop {
    pub resource: ResourceNo,
    pub share: f64,
    /// Largest rate that one flow could ask for.
    pub demand: u64,
    /// Source that it counts towards there; `None` at the source itself.
    pub source: Option<SourceNo>,
    /// Those alike that it counts among, where a load makes wait.
    pub alike: Option<u32>,
    pub crowd: u64,
    /// Position of the class in the resource's list, while it has flows.
    pub at: u32,
}

// Glossary: class: A route with a ceiling and a weight; the flows of a class are interchangeable.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub hops: Box<[Hop]>,
    pub pull: Pull,
    pub count: u32,
    pub bundle: BundleNo,
    /// The epoch in which `bundle` was looked up.
    epoch: u64,
    /// First of the class's flows.
    head: Option<FlowId>,
    /// Bytes of all flows so far.
    pub bytes: u128,
    /// Part of its time at its ceiling that a flow waits.
    pub waiting: f64,
    /// Picoseconds of that time which go to resources, over all flows that have ended; those under way count from where
    /// the clock of their bundle stood.
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
    /// The bundle's virtual clock at which the flow ends.
    key: f64,
    /// Told apart from an entry that the flow left behind in another bundle's heap.
    entry: u32,
    previous: Option<FlowId>,
    next: Option<FlowId>,
}

impl Flow {
    /// A flow in no list and no bundle.
    pub fn new(class: ClassId, token: u32) -> Flow {
        Flow { token, class, key: 0.0, entry: 0, previous: None, next: None }
    }
}

/// One tight resource on a bundle's route.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tight {
    pub resource: ResourceNo,
    pub share: f64,
    /// Position of the bundle in the resource's list, while it is listed.
    pub at: u32,
}

/// Orders like the (never negative) clock reading it is made of.
type Entry = Reverse<(u64, FlowId, u32)>;

/// Classes that a resource which none crosses any more keeps room for.
const KEPT: usize = 8;

// Glossary: bundle: Classes with the same tight resources, ceiling and weight, which therefore share one
//   rate.
#[derive(Clone, Debug)]
pub(super) struct Bundle {
    pub tight: Box<[Tight]>,
    pub ceiling: f64,
    pub weight: f64,
    pub waits: Option<Waits>,
    pub written: f64,
    /// The level at which a member meets its ceiling.
    pub top: f64,
    pub count: u32,
    /// `count` when the rates were last solved.
    pub solved: u32,
    pub touched: bool,
    /// It is in the list of those that had no members when rates were solved.
    pub idle: bool,
    /// Bytes per second of each member.
    pub rate: f64,
    /// The resource that keeps it from being its ceiling; `None` where it is.
    pub limit: Option<ResourceNo>,
    /// Bytes served to each member, up to `updated`.
    served: f64,
    updated: Time,
    /// The part of its members' time at their ceiling that went to what limits it, in picoseconds up to `updated`, and
    /// the sum over members of the part that they wait.
    rest: f64,
    waiting: f64,
    heap: BinaryHeap<Entry>,
    /// `rate` × `count` when the rates were last solved.
    pub total: f64,
    /// Rate that the solver is about to give it, the resource that would limit it, and its marks.
    pub next_rate: f64,
    pub next_limit: Option<ResourceNo>,
    pub stamp: u32,
    pub fixed: u32,
}

impl Bundle {
    /// Bytes per second of all members at the solver's next rate.
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

    /// Takes the member that ends first; its end is due, whatever rounding says.
    pub fn pop_first(&mut self, flows: &[super::Flow]) -> Option<FlowId> {
        let (key, flow) = self.first(flows)?;
        self.heap.pop();
        self.served = self.served.max(key);
        Some(flow)
    }

    /// Takes a member whose end the clock has passed.
    pub fn pop_due(&mut self, flows: &[super::Flow]) -> Option<FlowId> {
        let (key, flow) = self.first(flows)?;
        (key <= self.served).then(|| {
            self.heap.pop();
            flow
        })
    }

    /// Time at which the first member ends: the one place where a flow's end is rounded (up) to a picosecond.
    pub fn finish(&mut self, flows: &[super::Flow]) -> Option<Time> {
        let (key, _) = self.first(flows)?;
        let left = (key - self.served).max(0.0) / self.rate * 1e12;
        let whole = left as u64;
        Some(self.updated + Span(whole) + Span(u64::from((whole as f64) < left)))
    }
}

/// Writes down what classes of one bundle have in common.
pub(super) fn write_key(key: &mut Vec<u64>, pull: Pull, tight: impl Iterator<Item = (ResourceNo, f64)>) {
    let Pull { ceiling, weight, waits, written } = pull;
    // Who waits otherwise, or makes others wait, leaves a loaded resource with another capacity.
    let waiting = waits.map_or([0; 2], |waits| [waits.idle.to_bits(), waits.per_second.to_bits()]);
    key.clear();
    key.extend([ceiling.to_bits(), weight.to_bits(), written.to_bits()]);
    key.extend(waiting);
    key.extend(tight.flat_map(|(resource, share)| [u64::from(resource.number()), share.to_bits()]));
}

impl Fluid {
    /// A class gets its first flow: enters the lists of its resources and looks its bundle up.
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
    }

    /// A class that lost its last flow leaves the lists of its resources.
    pub(super) fn vacate(&mut self, class: ClassId) {
        for at in 0..self.classes[class.index()].hops.len() {
            let Hop { resource, at, .. } = self.classes[class.index()].hops[at];
            let list = &mut self.resources[resource.index()].classes;
            list.swap_remove(at as usize);
            if let Some(&moved) = list.get(at as usize) {
                self.classes[moved.of.index()].hops[moved.hop as usize].at = at;
            } else if list.is_empty() && list.capacity() > KEPT {
                // All of a board come to one memory, and go on to another: its link has few flows from then on.
                *list = Vec::new();
            }
        }
    }

    /// The bundle that a class belongs to now.
    fn bundle_for(&mut self, class: ClassId) -> BundleNo {
        let class = &mut self.classes[class.index()];
        class.epoch = self.epoch;
        let Pull { ceiling, weight, waits, written } = class.pull;
        let tight = class.hops.iter().filter(|hop| self.resources[hop.resource.index()].tight);
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

    /// After one of its resources became tight or slack, moves a class's flows to the right bundle.
    pub(super) fn rebundle(&mut self, class: ClassId) {
        if self.classes[class.index()].epoch == self.epoch {
            return;
        }
        let old = self.classes[class.index()].bundle;
        let new = self.bundle_for(class);
        if old == new {
            return;
        }
        self.classes[class.index()].bundle = new;
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

    /// Puts a flow with so many bytes to go into a bundle whose clock is up to date.
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

    /// Takes a flow of a class out of a bundle whose clock is up to date.
    pub(super) fn leave(&mut self, class: ClassId, bundle: BundleNo) {
        let (class, bundle) = (&mut self.classes[class.index()], &mut self.bundles[bundle.index()]);
        bundle.count -= 1;
        bundle.waiting -= class.waiting;
        class.rest += bundle.rest;
    }

    /// Brings a bundle's virtual clock up to now.
    pub(super) fn advance(&mut self, number: BundleNo) {
        let bundle = &mut self.bundles[number.index()];
        if bundle.count == 0 {
            // Restarting an idle clock keeps its readings small, and so exact.
            (bundle.served, bundle.rest, bundle.waiting) = (0.0, 0.0, 0.0);
            bundle.heap.clear();
            if bundle.solved == 0 {
                // As a new one: what limited those who were here is not what limits who comes.
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

    /// Goes on with the delays of a class, whose flows change their bundle.
    fn transfer(&mut self, class: ClassId, from: BundleNo, to: BundleNo) {
        if let Some(clocks) = &mut self.clocks {
            clocks.transfer(class, from, to);
        }
    }

    /// Bytes that all flows of a class have moved by an instant, at the rates of the last solve.
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

    /// Ends a flow of a class before its time. The bytes that it had left; `None` if there is none of that token.
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

    /// Takes a flow out of its class's list.
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
        // Entries that the flow left in heaps must not match the slot's next tenant.
        self.flows[flow.index()].entry = self.flows[flow.index()].entry.wrapping_add(1);
    }
}
