//! Bytes that cross each resource between two instants, for whoever looks on: worked out at these instants alone, so that
//! a change of rates costs nothing here.

use super::{ClassId, Fluid, ResourceNo};
use numalab_base::Time;

/// Bytes that crossed resources since they were told last.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    /// Classes that have had flows since these were looked at last.
    flowing: Vec<ClassId>,
    /// Bytes that all flows of a class had moved when it was looked at last, by its number; none, if it is not among those.
    known: Vec<Option<f64>>,
    /// Bytes by resource.
    sums: Vec<f64>,
}

impl Loads {
    /// A flow of a class is about to begin.
    pub fn begin(&mut self, fluid: &Fluid, class: ClassId) {
        let at = class.index();
        if at >= self.known.len() {
            self.known.resize(at + 1, None);
        }
        if self.known[at].is_none() {
            self.known[at] = Some(fluid.moved(class, fluid.now));
            self.flowing.push(class);
        }
    }

    /// Adds what flows have moved by an instant, at the rates of the last solve, and takes out classes that have no flows
    /// any more, whose numbers may be given again.
    pub fn settle(&mut self, fluid: &Fluid, at: Time) {
        let Loads { flowing, known, sums } = self;
        flowing.retain(|class| {
            let last = &mut known[class.index()];
            let Some(before) = *last else { return false };
            let moved = fluid.moved(*class, at);
            if moved > before {
                for hop in &fluid.classes[class.index()].hops {
                    let resource = hop.resource.index();
                    if resource >= sums.len() {
                        sums.resize(resource + 1, 0.0);
                    }
                    sums[resource] += hop.share * (moved - before);
                }
            }
            *last = fluid.flows(*class).then_some(moved.max(before));
            last.is_some()
        });
    }

    /// Visits, in their order, the resources that bytes crossed until an instant, and since this was called last.
    pub fn tell(&mut self, fluid: &Fluid, at: Time, mut visit: impl FnMut(ResourceNo, f64)) {
        self.settle(fluid, at);
        for (resource, bytes) in
            (0..).map(ResourceNo::new).zip(&mut self.sums).filter(|(_, bytes)| **bytes > 0.0)
        {
            visit(resource, std::mem::take(bytes));
        }
    }

    /// Bytes of classes are counted from nothing again, and some may have ended, whose numbers are given again. Everything
    /// has been told.
    pub fn restart(&mut self, fluid: &Fluid) {
        let Loads { flowing, known, .. } = self;
        flowing.retain(|class| {
            let there = fluid.classes.get(class.index()).is_some_and(|class| class.count > 0);
            known[class.index()] = there.then(|| fluid.moved(*class, fluid.now));
            there
        });
    }
}
