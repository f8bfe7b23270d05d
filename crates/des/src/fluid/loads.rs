//! What crosses each resource, for whoever looks on: kept by differences, so that a change costs what it changes.

use super::{ClassId, Fluid};

/// Parts of a byte per second: sums of whole numbers come back to where they were.
const PARTS: f64 = (1u64 << 20) as f64;

/// Bytes per second that cross resources.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    /// Classes that have had flows since these were looked at last.
    flowing: Vec<ClassId>,
    /// Rate of all flows of a class when it was looked at last, by its number; none, if it is not among those.
    known: Vec<Option<f64>>,
    /// Sums by resource.
    sums: Vec<i128>,
    /// What was told last, by resource.
    told: Vec<i128>,
    /// Resources of which another sum may hold than was told.
    touched: Vec<u32>,
}

impl Loads {
    /// A flow of a class begins.
    pub fn begin(&mut self, class: ClassId) {
        let at = class.0 as usize;
        if at >= self.known.len() {
            self.known.resize(at + 1, None);
        }
        if self.known[at].is_none() {
            self.known[at] = Some(0.0);
            self.flowing.push(class);
        }
    }

    /// Takes out classes that have no flows any more, whose numbers may be given again.
    pub fn settle(&mut self, fluid: &Fluid) {
        self.look(fluid, |class| if fluid.flows(class) { None } else { Some(0.0) });
    }

    /// All classes have ended, and their numbers are given again.
    pub fn forget(&mut self) {
        self.flowing.clear();
        self.known.clear();
        for (resource, sum) in (0..).zip(&mut self.sums) {
            if std::mem::take(sum) != 0 {
                self.touched.push(resource);
            }
        }
    }

    /// Visits, in their order, the resources that another rate crosses than was told last.
    pub fn tell(&mut self, fluid: &mut Fluid, mut visit: impl FnMut(u32, f64)) {
        fluid.next_finish();
        let fluid = &*fluid;
        self.look(fluid, |class| Some(fluid.total(class)));
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        self.told.resize(self.sums.len(), 0);
        for resource in touched.drain(..) {
            let (sum, told) = (self.sums[resource as usize], &mut self.told[resource as usize]);
            if sum != *told {
                *told = sum;
                visit(resource, sum as f64 / PARTS);
            }
        }
        self.touched = touched;
    }

    /// Takes the rates of classes over that are known, and drops those without flows.
    fn look(&mut self, fluid: &Fluid, rate: impl Fn(ClassId) -> Option<f64>) {
        let Loads { flowing, known, sums, touched, .. } = self;
        flowing.retain(|class| {
            let last = &mut known[class.0 as usize];
            let (Some(before), Some(rate)) = (*last, rate(*class)) else { return true };
            if rate != before {
                for (resource, share) in fluid.shares(*class) {
                    let at = resource as usize;
                    if at >= sums.len() {
                        sums.resize(at + 1, 0);
                    }
                    let parts = |rate: f64| (share * rate * PARTS) as i128;
                    sums[at] += parts(rate) - parts(before);
                    touched.push(resource);
                }
            }
            *last = fluid.flows(*class).then_some(rate);
            last.is_some()
        });
    }
}

impl Fluid {
    /// Bytes per second of all flows of a class, as of the last solve.
    fn total(&self, class: ClassId) -> f64 {
        let class = &self.classes[class.0 as usize];
        if class.count == 0 {
            return 0.0;
        }
        self.bundles[class.bundle as usize].rate * f64::from(class.count)
    }

    /// Resources that a class crosses, each with what crosses it of every byte.
    fn shares(&self, class: ClassId) -> impl Iterator<Item = (u32, f64)> {
        self.classes[class.0 as usize].hops.iter().map(|hop| (hop.resource, hop.share))
    }
}
