//! Machine topology, as far as places need it.

use numalab_base::ProcessorId;

/// A machine, as the operating system numbers it.
pub trait Topology {
    /// Hardware threads; their numbers are below.
    fn processors(&self) -> u32;

    /// Location of a hardware thread.
    fn location(&self, processor: ProcessorId) -> Location;
}

/// Location of a hardware thread: groups within groups. Each kind of group is counted through the machine in
/// the order of the hierarchy, so the cores of any group follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The board; the socket where there are no boards.
    pub board: u32,
    /// The socket.
    pub socket: u32,
    /// The NUMA node.
    pub node: u32,
    /// Cores that share this last-level cache.
    pub cache: u32,
    /// The core.
    pub core: u32,
}

/// Processors that a program may use, as `taskset` or `numactl --physcpubind` would say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    usable: Vec<bool>,
    count: u32,
}

impl Allowed {
    /// All of so many.
    pub fn all(processors: u32) -> Allowed {
        Allowed { usable: vec![true; processors as usize], count: processors }
    }

    /// Only these of a machine's processors; numbers that the machine does not have are passed over.
    pub fn only(processors: u32, numbers: impl IntoIterator<Item = u32>) -> Allowed {
        let mut allowed = Allowed { usable: vec![false; processors as usize], count: 0 };
        for number in numbers {
            if let Some(usable) = allowed.usable.get_mut(number as usize) {
                allowed.count += u32::from(!std::mem::replace(usable, true));
            }
        }
        allowed
    }

    /// Whether the program may use this one.
    pub fn contains(&self, processor: u32) -> bool {
        self.usable.get(processor as usize).copied().unwrap_or(false)
    }

    /// Number of processors.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Their numbers, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.usable.len() as u32).filter(|number| self.contains(*number))
    }

    /// Those of a set that are allowed.
    pub(crate) fn keep(&self, mut set: Vec<u32>) -> Vec<u32> {
        set.retain(|number| self.contains(*number));
        set
    }

    /// All of them core by core, in the order of the hierarchy; a core's own ascending.
    pub(crate) fn by_core(&self, topology: &dyn Topology) -> Vec<(Location, u32)> {
        let mut locations: Vec<(Location, u32)> =
            self.numbers().map(|number| (topology.location(ProcessorId::new(number)), number)).collect();
        locations.sort_unstable_by_key(|(location, number)| (location.core, *number));
        locations
    }
}
