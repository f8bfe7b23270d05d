//! Demands of the accesses of a phase: lines that each keeps in flight, and instructions for each of its bytes.
//! What has one demand is one flow from each origin; what has another is a flow of its own.

use numalab_machine::Machine;
use numalab_workload::{Demand, Phase};
use std::ops::Range;

/// Number of a demand in its phase; 0 is the loop's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct DemandId(u32);

/// Demand of some accesses, with what the machine adds to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demanded {
    /// Most lines that one thread keeps in flight: what prefetchers fetch ahead of each of its sequences, and what the
    /// phase says.
    pub ahead: f64,
    /// Lines in flight that the phase says; caches then show their latency.
    pub outstanding: Option<f64>,
    /// Instructions for each byte, and those that a core executes in a second.
    instructions_per_byte: f64,
    speed: f64,
}

/// All demands of a phase.
pub(crate) struct Demands {
    all: Vec<Demanded>,
    /// Demand of each access.
    of: Vec<DemandId>,
}

impl Demands {
    pub fn new(machine: &Machine, phase: &Phase, speed: f64) -> Demands {
        let mut kinds = vec![Demand::default()];
        let of = phase.accesses.iter().map(|access| {
            let known = kinds.iter().position(|kind| *kind == access.demand);
            DemandId(known.unwrap_or_else(|| {
                kinds.push(access.demand);
                kinds.len() - 1
            }) as u32)
        });
        let of = of.collect();
        let demanded = |kind: &Demand| {
            let fetched =
                machine.core.stream_outstanding.zip(phase.sequences(*kind)).map(|(each, count)| each * count);
            let outstanding = kind.outstanding.or(phase.outstanding);
            Demanded {
                ahead: [fetched, outstanding].into_iter().flatten().fold(f64::INFINITY, f64::min),
                outstanding,
                instructions_per_byte: kind.instructions_per_byte.unwrap_or(phase.instructions_per_byte),
                speed,
            }
        };
        Demands { all: kinds.iter().map(demanded).collect(), of }
    }

    /// All of them, by number.
    pub fn ids(&self) -> impl Iterator<Item = DemandId> + use<> {
        (0..self.all.len() as u32).map(DemandId)
    }

    /// Demand of an access.
    pub fn of(&self, access: usize) -> DemandId {
        self.of[access]
    }

    /// Places of a demand in a list that has one for each demand and cache.
    pub fn places(&self, DemandId(demand): DemandId, caches: usize) -> Range<usize> {
        let first = demand as usize * caches;
        first..first + caches
    }

    pub fn get(&self, DemandId(demand): DemandId) -> &Demanded {
        &self.all[demand as usize]
    }
}

impl Demanded {
    /// Seconds of computing per accessed byte, for a thread with so many mates on its core.
    pub fn computing(&self, core_mates: u32) -> f64 {
        self.instructions_per_byte * f64::from(core_mates) / self.speed
    }
}
