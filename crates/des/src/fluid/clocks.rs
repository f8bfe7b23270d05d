//! Delays of flows by the resources that limited them, for an observer. A bundle has a clock for each resource that
//! ever limited the bundle, advanced with its virtual clock; a class carries over the readings when it changes its
//! bundle.

use super::bundle::BundleNo;
use super::{ClassId, Fluid, Limit, ResourceNo};

/// Delay of a flow caused by one resource.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay {
    /// Resource that limited the flow.
    pub by: ResourceNo,
    /// Picoseconds by which the resource delayed the flow.
    pub late: f64,
    /// Part of the flow's latency-bound time that is charged to the resource, in picoseconds.
    pub rest: f64,
}

/// Delays of a flow by all resources that limited it, one entry per resource.
pub type Delayed = Vec<Delay>;

/// Clocks of all bundles, and the readings that classes carried over.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocks {
    bundles: Vec<Delayed>,
    classes: Vec<Delayed>,
}

/// Adds the readings `more`, multiplied by `times`, to `sums`.
fn add(sums: &mut Delayed, more: &[Delay], times: f64) {
    for delay in more {
        let (late, rest) = (times * delay.late, times * delay.rest);
        match sums.iter_mut().find(|sum| sum.by == delay.by) {
            Some(sum) => (sum.late, sum.rest) = (sum.late + late, sum.rest + rest),
            None => sums.push(Delay { late, rest, ..*delay }),
        }
    }
}

/// Readings at an index, created if missing.
fn at(all: &mut Vec<Delayed>, number: usize) -> &mut Delayed {
    if all.len() <= number {
        all.resize_with(number + 1, Delayed::new);
    }
    &mut all[number]
}

impl Clocks {
    /// Advances the clock of a resource that limited a bundle for `passed` picoseconds.
    pub fn pass(&mut self, bundle: BundleNo, Limit { resource, late, rest }: Limit, passed: f64) {
        let delay = Delay { by: resource, late: late * passed, rest: rest * passed };
        add(at(&mut self.bundles, bundle.index()), &[delay], 1.0);
    }

    /// Carries the readings of a class over to another bundle. The clocks of both bundles are up to date.
    pub fn transfer(&mut self, class: ClassId, from: BundleNo, to: BundleNo) {
        let Clocks { bundles, classes } = self;
        let sums = at(classes, class.index());
        for (bundle, times) in [(from, 1.0), (to, -1.0)] {
            if let Some(clocks) = bundles.get(bundle.index()) {
                add(sums, clocks, times);
            }
        }
    }

    /// Clears the readings of a class whose number is reused.
    pub fn renew(&mut self, class: ClassId) {
        if let Some(sums) = self.classes.get_mut(class.index()) {
            sums.clear();
        }
    }

    /// Clears all clocks, because numbers of classes and bundles are reused.
    pub fn clear(&mut self) {
        self.bundles.clear();
        self.classes.clear();
    }
}

impl Fluid {
    /// Starts to record delays by flow. No effect if they are recorded already.
    pub fn keep_delays(&mut self) {
        self.clocks.get_or_insert_default();
    }

    /// Copies the readings of a class's clocks to `into`, as of the last start, end or change of rate in the class's
    /// bundle. The difference of two readings is the [delay](delayed_between) between the two instants.
    pub fn delays(&self, class: ClassId, into: &mut Delayed) {
        into.clear();
        let Some(Clocks { bundles, classes }) = self.clocks.as_deref() else { return };
        let bundle = self.classes[class.index()].bundle;
        if let Some(readings) = bundles.get(bundle.index()) {
            into.extend_from_slice(readings);
        }
        if let Some(own) = classes.get(class.index()) {
            add(into, own, 1.0);
        }
    }
}

/// Turns the reading `ended` into the delays since the earlier reading `began`.
pub fn delayed_between(began: &Delayed, ended: &mut Delayed) {
    add(ended, began, -1.0);
    ended.retain(|delay| delay.late > 0.0);
}
