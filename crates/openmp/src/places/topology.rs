//! The part of the machine's topology that place lists need.

use numalab_base::ProcessorId;

/// A machine with the processor numbers of its operating system.
pub trait Topology {
    /// Number of hardware threads of the machine; hardware threads are numbered from 0.
    fn processors(&self) -> u32;

    fn location(&self, processor: ProcessorId) -> Location;
}

/// Location of a hardware thread in nested groups. Each kind of group is numbered through the
/// machine in the order of the hierarchy, so the cores of any group have consecutive numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Board of the hardware thread; equal to `socket` on machines without boards.
    pub board: u32,
    pub socket: u32,
    pub node: u32,
    pub cache: u32,
    pub core: u32,
}

/// Processors that a program may use, as restricted by `taskset` or `numactl --physcpubind`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    usable: Vec<bool>,
    count: u32,
}

impl Allowed {
    pub fn all(processors: u32) -> Allowed {
        Allowed { usable: vec![true; processors as usize], count: processors }
    }

    /// Allows the processors `numbers` only; numbers that the machine does not have are ignored.
    pub fn only(processors: u32, numbers: impl IntoIterator<Item = u32>) -> Allowed {
        let mut allowed = Allowed { usable: vec![false; processors as usize], count: 0 };
        for number in numbers {
            if let Some(usable) = allowed.usable.get_mut(number as usize) {
                allowed.count += u32::from(!std::mem::replace(usable, true));
            }
        }
        allowed
    }

    pub fn contains(&self, processor: u32) -> bool {
        self.usable.get(processor as usize).copied().unwrap_or(false)
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    /// The allowed processors, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.usable.len() as u32).filter(|number| self.contains(*number))
    }

    /// Removes all processors from a set that are not allowed.
    pub(crate) fn keep(&self, mut set: Vec<u32>) -> Vec<u32> {
        set.retain(|number| self.contains(*number));
        set
    }

    /// The allowed processors core by core, in the order of the hierarchy, ascending within a core.
    pub(crate) fn by_core(&self, topology: &dyn Topology) -> Vec<(Location, u32)> {
        let mut locations: Vec<(Location, u32)> =
            self.numbers().map(|number| (topology.location(ProcessorId::new(number)), number)).collect();
        locations.sort_unstable_by_key(|(location, number)| (location.core, *number));
        locations
    }
}
