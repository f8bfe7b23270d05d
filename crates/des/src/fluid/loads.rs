//! Bytes over each resource between two instants, for an observer. Computed only at these instants, so that changes
//! of rates cost nothing.

use super::{ClassId, Fluid, ResourceNo};
use numalab_base::Time;

/// Bytes over resources since the last report.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    /// Classes with flows since the last look at them.
    flowing: Vec<ClassId>,
    /// Bytes that all flows of a class had moved at the last look, by its number; `None` if it is not in `flowing`.
    known: Vec<Option<f64>>,
    sums: Vec<f64>,
}

impl Loads {
    /// Lists the class of a flow that is about to begin.
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

    /// Adds the bytes moved by an instant, at the rates of the last solve. Removes classes without flows, whose
    /// numbers may be reused.
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

    /// Visits in order the resources that bytes crossed since the last call, up to an instant.
    pub fn tell(&mut self, fluid: &Fluid, at: Time, mut visit: impl FnMut(ResourceNo, f64)) {
        self.settle(fluid, at);
        for (resource, bytes) in
            (0..).map(ResourceNo::new).zip(&mut self.sums).filter(|(_, bytes)| **bytes > 0.0)
        {
            visit(resource, std::mem::take(bytes));
        }
    }

    /// Reads all classes anew: their bytes are reset, and numbers of dropped classes are reused. All bytes have been
    /// reported.
    pub fn restart(&mut self, fluid: &Fluid) {
        let Loads { flowing, known, .. } = self;
        flowing.retain(|class| {
            let there = fluid.classes.get(class.index()).is_some_and(|class| class.count > 0);
            known[class.index()] = there.then(|| fluid.moved(*class, fluid.now));
            there
        });
    }
}
