//! Bytes over each resource between two instants, for an observer. The bytes are computed only at these instants, so
//! that changes of rates cost nothing.

use super::{ClassId, Fluid, ResourceNo};
use numalab_base::Time;

/// Bytes over each resource since the last report.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    /// Classes that have or had flows since the last call of `settle`.
    flowing: Vec<ClassId>,
    /// Bytes that all flows of a class had moved at the last call of `settle`, or when the class joined `flowing`
    /// after it; by number of the class. `None` if the class is not in `flowing`.
    known: Vec<Option<f64>>,
    sums: Vec<f64>,
}

impl Loads {
    /// Called before a flow begins: adds its class to `flowing`.
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

    /// Adds the bytes moved by the time `at`, at the rates of the last solve, to the sums. Removes classes without
    /// flows, whose numbers may be reused.
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

    /// Visits the resources that bytes crossed between the last call and the time `at`, in the order of their
    /// numbers, each with its bytes.
    pub fn tell(&mut self, fluid: &Fluid, at: Time, mut visit: impl FnMut(ResourceNo, f64)) {
        self.settle(fluid, at);
        for (resource, bytes) in
            (0..).map(ResourceNo::new).zip(&mut self.sums).filter(|(_, bytes)| **bytes > 0.0)
        {
            visit(resource, std::mem::take(bytes));
        }
    }

    /// Called after the solver's restart, which resets the bytes of classes and reuses numbers of dropped classes.
    /// All earlier bytes have been reported.
    pub fn restart(&mut self, fluid: &Fluid) {
        let Loads { flowing, known, .. } = self;
        flowing.retain(|class| {
            let there = fluid.classes.get(class.index()).is_some_and(|class| class.count > 0);
            known[class.index()] = there.then(|| fluid.moved(*class, fluid.now));
            there
        });
    }
}
