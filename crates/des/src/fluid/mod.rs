//! Flows over shared resources, whose rates are weighted max-min fair at every moment.
//!
//! A **class** is a route with a ceiling and a weight; its flows are interchangeable. Only resources that *could* be
//! full matter. While the total demand of the flows on a resource fits its capacity, the resource is *slack* and
//! limits no flow. Flows from one source demand the sum of their ceilings, at most the source's capacity. Classes
//! with the same *tight* resources, ceiling and weight therefore share one rate and form a **bundle**. A resource that
//! could be full is *unfilled* as long as it is not: no bundle depends on it, and the solver only adds up its load.
//!
//! A bundle keeps a virtual clock: the bytes that each member has been served. A member that starts when the clock
//! reads `v` with `b` bytes to go ends when the clock reads `v + b`, for any course of the rate. So a change of rate
//! touches one clock and not every flow. When a flow starts or ends, only the tight resources connected to the flow
//! through bundles are solved again.
//!
//! | file | contents |
//! |---|---|
//! | `demand` | maximum rate that the flows on a resource can ask for |
//! | `classes` | addition and removal of classes |
//! | `bundle` | flows, bundles, virtual clocks |
//! | `idle` | bundles without members |
//! | `solve` | tight resources, and the order of a solve |
//! | `unfilled` | resources that could be full but are not |
//! | `fill` | progressive filling around a change |
//! | `apply` | application and reversal of a solve's rates |
//! | `backlog` | lines that wait at full resources |
//! | `loads` | bytes over each resource, for an observer |
//! | `clocks` | delays of flows by resource, for an observer |
//! | `usage` | present rates and past use of resources and flows |
//! | `curve` | piecewise linear curves |
//! | `capacity` | capacity of a resource under crowding and load |
//! | `latency` | latency of lines at a loaded resource |
//! | `plain` | the textbook solver, oracle of the tests |

// Glossary: tight resource: A resource that may be full, so that the solver divides its capacity among bundles.

// Glossary: slack resource: A resource that all flows on it together cannot fill, so that it limits none of
//   them.

// Glossary: flow: Bytes on their way from a home to a thread, at a rate that the solver sets.

mod apply;
mod backlog;
mod bundle;
mod capacity;
mod classes;
mod clocks;
mod curve;
mod demand;
mod fill;
mod idle;
mod latency;
mod loads;
pub mod plain;
mod solve;
mod unfilled;
mod usage;

pub use backlog::Backlog;
pub use capacity::Degradation;
pub use classes::{ClassId, Pull, Waits};
pub use clocks::{Delay, Delayed, delayed_between};
pub use curve::Curve;
pub use latency::Load;
pub use loads::Loads;
pub use usage::{Delays, Limit, Usage};

use crate::EventQueue;
use bundle::{Bundle, BundleNo, Class, Flow, FlowId};
use numalab_base::{Span, Time};
use rustc_hash::FxHashMap;
use std::sync::Arc;

numalab_base::index_type! {
    /// Number of a resource, from 0 in the order of addition.
    pub ResourceNo
}

/// Entry of a class or a bundle in the list of a resource that it crosses.
#[derive(Clone, Copy, Debug)]
struct Crossing<Of> {
    of: Of,
    /// Index of the resource in the route of the class or bundle. Routes of data that is spread over a machine are
    /// long.
    hop: u32,
}

/// Standing of a resource in the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Standing {
    /// All flows together cannot fill the resource.
    Slack,
    /// The flows could fill the resource, but do not at their present rates.
    Unfilled,
    /// The resource may be full: bundles keep the resource in their keys.
    Tight,
}

#[derive(Clone, Debug)]
struct Resource {
    nominal: f64,
    /// Fraction of the nominal capacity that is left, by number of outstanding lines; `None` if crowding costs
    /// nothing.
    crowding: Option<Arc<Curve>>,
    /// Flows that wait at the resource, by kind; `None` without a load curve.
    waiting: Option<Box<capacity::Waiting>>,
    /// Other direction of the same controller (see `capacity`); `None` if the resource is no such direction.
    opposite: Option<ResourceNo>,
    /// Capacity under crowding in bytes per second, as of the last solve.
    crowded: f64,
    /// Capacity under crowding and load, in bytes per second; at most `crowded`.
    capacity: f64,
    /// Maximum rate that the flows on the resource can ask for, in bytes per second: see `demand`.
    demand: u64,
    /// Outstanding lines on the resource: sum over flows of weight × share of the bytes, in thousandths.
    crowd: u64,
    /// Demand above which flows could fill a slack resource (`fills_above`), and at or below which a resource becomes
    /// slack (`slack_at`).
    fills_above: u64,
    slack_at: u64,
    /// Value of `crowd` up to which crowding leaves the whole capacity.
    roomy: u64,
    /// Part of the capacity up to which no line waits longer; 1 if only a full resource makes lines wait.
    calm: f64,
    /// Additional seconds of a line at the full resource; 0 without a load curve.
    full_wait: f64,
    users: u32,
    standing: Standing,
    /// Load while the resource is unfilled, and number of solves with a low load while it is tight: see `unfilled`.
    unfilled: unfilled::Account,
    touched: bool,
    /// True if the resource's backlog may have changed since the last query: see `backlog`.
    stale: bool,
    /// Position in the list of resources that limit some flow equally with another resource, as of the last query of
    /// the backlog; `None` if the resource is not listed.
    tied: Option<backlog::Place>,
    /// Classes under way whose routes cross this resource.
    classes: Vec<Crossing<ClassId>>,
    /// Bundles with members that cross this resource; empty unless the resource is tight.
    bundles: Vec<Crossing<BundleNo>>,
    busy_since: Time,
    busy: Span,
    /// Highest demand while slack (`peak_demand`), and highest part of the capacity in use otherwise (`peak`).
    peak_demand: u64,
    peak: f64,
    /// Index of the resource's entry in `Fluid::delays`; `None` before the first delay.
    delays: Option<usage::DelaysNo>,
    solving: solve::Cell,
}

impl Resource {
    fn tight(&self) -> bool {
        self.standing == Standing::Tight
    }

    /// Standing that demand and load require.
    fn due(&self) -> Standing {
        let could_be_full = match self.standing {
            Standing::Slack => self.demand > self.fills_above,
            Standing::Unfilled | Standing::Tight => self.demand > self.slack_at,
        };
        if could_be_full { self.standing_by_load() } else { Standing::Slack }
    }

    /// True if the demand requires another standing.
    fn turns(&self) -> bool {
        self.due() != self.standing
    }

    /// True if the last change of flows may have changed the resource's capacity.
    fn capacity_may_change(&self) -> bool {
        let loaded = self.tight() && self.calm < 1.0;
        self.crowd > self.roomy || self.crowded < self.nominal || loaded || self.opposite.is_some()
    }
}

/// Solver: resources, classes of flows, and the flows under way.
#[derive(Clone, Debug, Default)]
pub struct Fluid {
    now: Time,
    resources: Vec<Resource>,
    classes: Vec<Class>,
    /// Numbers of dropped classes, to be reused (`free_classes`); bytes of flows of dropped classes over each
    /// resource (`forgotten`).
    free_classes: Vec<ClassId>,
    forgotten: Vec<f64>,
    flows: Vec<Flow>,
    free: Vec<FlowId>,
    bundles: Vec<Bundle>,
    /// Bundles without members at the last solve.
    idle_bundles: Vec<BundleNo>,
    /// Numbers of dropped bundles, to be reused.
    free_bundles: Vec<BundleNo>,
    sources: Vec<demand::Source>,
    free_sources: Vec<demand::SourceNo>,
    /// Account of flows by resource and source. The arbitrary order of iteration must not affect results.
    source_of: FxHashMap<(ResourceNo, ResourceNo), demand::SourceNo>,
    /// Bundle by its key (`bundle::write_key`). Never iterated: the order is arbitrary.
    bundle_of_key: FxHashMap<Box<[u64]>, BundleNo>,
    /// Times at which the first member of each bundle finishes.
    finishes: EventQueue<BundleNo>,
    touched_resources: Vec<ResourceNo>,
    touched_bundles: Vec<BundleNo>,
    /// Unfilled resources whose load changed since the last solve.
    reloaded: Vec<ResourceNo>,
    /// Number of solves in which a resource became tight or slack. A class looks up its bundle once an epoch.
    epoch: u64,
    key: Vec<u64>,
    /// Boxed, since each solve takes it out and puts it back.
    scratch: Option<Box<solve::Scratch>>,
    backlogs: backlog::Backlogs,
    /// Delays caused by resources, by `Resource::delays`; only resources that caused any.
    delays: Vec<Delays>,
    /// Delays of each flow by resource; `None` until `keep_delays` is called.
    clocks: Option<Box<clocks::Clocks>>,
    visits: u64,
}

impl Fluid {
    /// Solver without resources and flows, at time 0.
    pub fn new() -> Fluid {
        Fluid::default()
    }

    /// Adds a resource with a capacity in bytes per second.
    pub fn resource(&mut self, bytes_per_s: f64, degradation: Degradation) -> ResourceNo {
        self.resources.push(Resource {
            roomy: u64::MAX,
            calm: 1.0,
            full_wait: 0.0,
            fills_above: 0,
            slack_at: 0,
            peak_demand: 0,
            nominal: bytes_per_s,
            crowded: bytes_per_s,
            capacity: bytes_per_s,
            crowding: None,
            waiting: None,
            opposite: None,
            demand: 0,
            crowd: 0,
            users: 0,
            standing: Standing::Slack,
            unfilled: unfilled::Account::default(),
            touched: false,
            stale: false,
            tied: None,
            classes: Vec::new(),
            bundles: Vec::new(),
            busy_since: Time::ZERO,
            busy: Span::ZERO,
            peak: 0.0,
            delays: None,
            solving: solve::Cell::default(),
        });
        let number = ResourceNo::new(self.resources.len() as u32 - 1);
        self.degrade(number, degradation);
        number
    }

    /// Starts a flow at `now`. `finish` returns the flow's `token` when the flow ends.
    pub fn start(&mut self, now: Time, class: ClassId, bytes: u64, token: u32) {
        debug_assert!(now >= self.now);
        self.now = now;
        let c = class.index();
        if self.classes[c].count == 0 {
            self.occupy(class);
        }
        let bundle = self.classes[c].bundle;
        self.advance(bundle);
        let flow = self.free.pop().unwrap_or_else(|| {
            self.flows.push(Flow::new(class, token));
            FlowId::new(self.flows.len() as u32 - 1)
        });
        let slot = &mut self.flows[flow.index()];
        slot.token = token;
        slot.class = class;
        self.classes[c].bytes += u128::from(bytes);
        self.link(flow);
        self.join(flow, bundle, bytes as f64);
        let Fluid { classes, resources, bundles, sources, touched_resources, reloaded, visits, .. } = self;
        *visits += classes[c].hops.len() as u64;
        for hop in &classes[c].hops {
            let resource = &mut resources[hop.resource.index()];
            resource.demand += demand::add(sources, hop);
            resource.crowd += hop.crowd;
            resource.count(hop.alike, true);
            if resource.users == 0 {
                resource.busy_since = now;
            }
            resource.users += 1;
            let opposite = resource.opposite;
            if let Some(part) = hop.part {
                unfilled::count(resource, &bundles[bundle.index()], (part, hop), 1, reloaded);
            }
            if resource.turns() || resource.capacity_may_change() {
                touch(resource, hop.resource, touched_resources);
            } else if resource.standing == Standing::Slack {
                resource.peak_demand = resource.peak_demand.max(resource.demand);
            }
            touch_opposite(resources, opposite, touched_resources);
        }
    }

    /// Time at which the next flow ends; `None` if no flow is under way.
    #[inline]
    pub fn next_finish(&mut self) -> Option<Time> {
        if !self.touched_bundles.is_empty() {
            self.solve();
        }
        self.finishes.peek().map(|(time, _)| time)
    }

    /// Sets the clock. No flow may be due before `now`.
    pub fn go_to(&mut self, now: Time) {
        debug_assert!(now >= self.now);
        self.now = now;
    }

    /// Ends all flows that are due at `now` and appends their tokens to `tokens`.
    pub fn finish(&mut self, now: Time, tokens: &mut Vec<u32>) {
        debug_assert!(now >= self.now);
        self.now = now;
        while let Some((time, bundle)) = self.finishes.peek() {
            if time > now {
                break;
            }
            self.finishes.remove(bundle);
            self.advance(bundle);
            let mut due = self.bundles[bundle.index()].pop_first(&self.flows);
            while let Some(flow) = due {
                tokens.push(self.flows[flow.index()].token);
                self.end(flow, bundle);
                due = self.bundles[bundle.index()].pop_due(&self.flows);
            }
        }
    }

    fn end(&mut self, flow: FlowId, bundle: BundleNo) {
        let class = self.flows[flow.index()].class;
        self.unlink(flow);
        self.free.push(flow);
        self.leave(class, bundle);
        self.touch(bundle);
        let Fluid { now, classes, resources, bundles, sources, touched_resources, reloaded, visits, .. } =
            self;
        *visits += classes[class.index()].hops.len() as u64;
        for hop in &classes[class.index()].hops {
            let resource = &mut resources[hop.resource.index()];
            resource.demand -= demand::remove(sources, hop);
            resource.crowd -= hop.crowd;
            resource.count(hop.alike, false);
            resource.users -= 1;
            if resource.users == 0 {
                resource.busy += *now - resource.busy_since;
            }
            if let Some(part) = hop.part {
                unfilled::count(resource, &bundles[bundle.index()], (part, hop), -1, reloaded);
            }
            let opposite = resource.opposite;
            if resource.turns() || resource.capacity_may_change() {
                touch(resource, hop.resource, touched_resources);
            }
            touch_opposite(resources, opposite, touched_resources);
        }
        if self.classes[class.index()].count == 0 {
            self.vacate(class);
        }
    }

    /// True if no flow is under way.
    pub fn is_idle(&self) -> bool {
        self.free.len() == self.flows.len()
    }
}

fn touch(resource: &mut Resource, id: ResourceNo, touched: &mut Vec<ResourceNo>) {
    if !resource.touched {
        resource.touched = true;
        touched.push(id);
    }
}

/// Marks the other direction of a controller as touched, since its capacity also depends on the flows of this
/// direction.
fn touch_opposite(resources: &mut [Resource], opposite: Option<ResourceNo>, touched: &mut Vec<ResourceNo>) {
    if let Some(id) = opposite
        && resources[id.index()].users > 0
    {
        touch(&mut resources[id.index()], id, touched);
    }
}

#[cfg(test)]
mod against_plain;
#[cfg(test)]
mod tests;
