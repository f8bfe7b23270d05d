//! Delays of streams behind full resources, for whoever looks on: which resource kept how much from a stream, over all
//! the time that it flowed.

use numalab_des::fluid::{ClassId, Fluid};
use numalab_units::Time;

/// Picoseconds that each resource kept from a flow, by the solver's number.
pub(crate) type Delayed = Vec<(u32, f64)>;

/// One class: the present limit, and sums up to `since`.
#[derive(Clone, Debug, Default)]
struct Limits {
    /// The resource that limits its flows, and the part of their ceiling that they lose.
    now: Option<(u32, f64)>,
    since: Time,
    sums: Delayed,
    /// Whether it is among those that flow.
    flowing: bool,
}

/// Delays of all classes. What flows at a part of its ceiling is late by the rest of the time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delays {
    classes: Vec<Limits>,
    /// Classes with flows, as of when rates were looked at last.
    flowing: Vec<ClassId>,
}

impl Limits {
    fn settle(&mut self, now: Time) {
        if let Some((by, part)) = self.now {
            let late = part * (now - self.since).0 as f64;
            match self.sums.iter_mut().find(|sum| sum.0 == by) {
                Some(sum) => sum.1 += late,
                None => self.sums.push((by, late)),
            }
        }
        self.since = now;
    }
}

impl Delays {
    /// Sums of a class up to now, as a flow that begins finds them.
    pub fn begin(&mut self, class: ClassId, now: Time) -> Delayed {
        let at = class.0 as usize;
        if at >= self.classes.len() {
            self.classes.resize_with(at + 1, Limits::default);
        }
        if !std::mem::replace(&mut self.classes[at].flowing, true) {
            self.flowing.push(class);
            self.classes[at].now = None;
        }
        self.classes[at].settle(now);
        self.classes[at].sums.clone()
    }

    /// Delays since a flow began.
    pub fn end(&mut self, class: ClassId, began: &Delayed, now: Time) -> Delayed {
        let Some(limits) = self.classes.get_mut(class.0 as usize) else { return Delayed::new() };
        limits.settle(now);
        let before = |by| began.iter().find(|sum| sum.0 == by).map_or(0.0, |sum| sum.1);
        limits.sums.iter().map(|&(by, sum)| (by, sum - before(by))).filter(|late| late.1 > 0.0).collect()
    }

    /// Rates may have changed: from now on other limits hold.
    pub fn look(&mut self, fluid: &Fluid, now: Time) {
        let Delays { classes, flowing } = self;
        flowing.retain(|class| {
            let limits = &mut classes[class.0 as usize];
            let next = fluid.limited(*class);
            if next != limits.now {
                limits.settle(now);
                limits.now = next;
            }
            limits.flowing = fluid.flows(*class);
            limits.flowing
        });
    }

    /// The solver gives its numbers of classes anew.
    pub fn forget(&mut self) {
        self.classes.clear();
        self.flowing.clear();
    }
}
