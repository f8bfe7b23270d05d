//! Demands of the accesses of a phase: lines that each keeps in flight, and instructions for each of its bytes.
//! What has one demand is one flow from each origin; what has another is a flow of its own.

use numalab_machine::{Cache, Machine};
use numalab_workload::{Access, Demand, Phase};
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
    /// Lines in random order as a core itself sees them. Caches then show their latency too.
    of_core: Option<SeenByCore>,
    /// Part of computing that passes while a cache delivers such lines, if the machine says so.
    beside_caches: Option<f64>,
    /// Instructions for each byte, and those that a core executes in a second.
    instructions_per_byte: f64,
    speed: f64,
}

/// Lines that no prefetcher is needed for.
#[derive(Clone, Copy, Debug)]
struct SeenByCore {
    /// Most that a core keeps in flight for all of its threads.
    lines: f64,
    /// Instructions that it executes from one of them to the next, for each byte of the line.
    between: f64,
}

/// All demands of a phase.
pub(crate) struct Demands {
    all: Vec<Demanded>,
    /// Demand of each access.
    of: Vec<DemandId>,
}

impl Demands {
    pub fn new(machine: &Machine, phase: &Phase, speed: f64) -> Demands {
        let limited = tells_random_lines(machine);
        let mut kinds = vec![(Demand::default(), false)];
        let of = phase.accesses.iter().map(|access| {
            let kind = (access.demand, limited && access.is_scattered());
            let known = kinds.iter().position(|known| *known == kind);
            DemandId(known.unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            }) as u32)
        });
        let of = of.collect();
        let demanded = |(kind, scattered): &(Demand, bool)| {
            let sequences = if *scattered { None } else { phase.sequences(*kind) };
            let fetched = machine.core.stream_outstanding.zip(sequences).map(|(each, count)| each * count);
            let outstanding = kind.outstanding.or(phase.outstanding);
            Demanded {
                ahead: [fetched, outstanding].into_iter().flatten().fold(f64::INFINITY, f64::min),
                outstanding,
                of_core: scattered.then(|| random_lines(machine, phase)),
                beside_caches: machine.core.random_overlap,
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

/// Whether the machine says what lines in random order cost more than streams. Only then they are told apart.
pub(super) fn tells_random_lines(machine: &Machine) -> bool {
    let core = &machine.core;
    [core.random_outstanding, core.window, core.random_overlap, core.random_beside_streams]
        .iter()
        .any(Option::is_some)
        || machine.caches.iter().any(|cache| cache.random_outstanding.is_some())
}

/// Lines in random order that a core keeps in flight by itself: it has so many buffers for them, and sees no farther
/// than its window of instructions, in which as many lie from one such line to the next as the loop executes for each.
fn random_lines(machine: &Machine, phase: &Phase) -> SeenByCore {
    let buffers = machine.core.random_outstanding.unwrap_or(f64::INFINITY);
    let bytes = |access: &Access| access.slice.total(phase.iterations) as f64;
    let data = || phase.accesses.iter().filter(|access| access.mode.is_data());
    let each = |access: &Access| access.demand.instructions_per_byte.unwrap_or(phase.instructions_per_byte);
    let computed: f64 = data().map(|access| bytes(access) * each(access)).sum();
    let instructions = computed + phase.instructions.iter().sum::<f64>();
    let random: f64 = data().filter(|access| access.is_scattered()).map(bytes).sum();
    // The one that is waited for is always there.
    let seen = |window: f64| (window * (random / machine.memory.line.0 as f64) / instructions).max(1.0);
    let seen = machine.core.window.map_or(f64::INFINITY, seen);
    SeenByCore { lines: buffers.min(seen), between: instructions / random }
}

impl Demanded {
    /// Lines that one of so many threads of a core keeps in flight, if the core itself keeps so many.
    pub fn lines(&self, most: f64, core_mates: u32) -> f64 {
        (self.of_core.map_or(most, |own| own.lines.min(most)) / f64::from(core_mates)).min(self.ahead)
    }

    /// Lines in flight while a cache delivers, of those in random order no more than it lets a core have; `None` where
    /// prefetchers hide that it takes a while.
    pub fn lines_of_cache(&self, most: f64, cache: &Cache, core_mates: u32) -> Option<f64> {
        let random = cache.random_outstanding.unwrap_or(f64::INFINITY);
        let most = self.of_core.map_or(most, |own| own.lines.min(random).min(most)) / f64::from(core_mates);
        (self.outstanding.is_some() || self.of_core.is_some())
            .then(|| self.outstanding.map_or(most, |lines| lines.min(most)))
    }

    /// Whether these are lines in random order of which the core, not the loop, says how many are under way; on machines that
    /// tell them from streams.
    pub fn is_random(&self) -> bool {
        self.of_core.is_some() && self.outstanding.is_none()
    }

    /// Seconds of computing from one line in random order to the next, for each byte of it, that pass for a thread with so
    /// many mates on its core while a cache delivers them; `None` where the loop's overlap says what passes, since it also
    /// says how many are under way, or the machine says nothing.
    pub fn beside_caches(&self, core_mates: u32) -> Option<f64> {
        let (part, own) = self.beside_caches.zip(self.of_core).filter(|_| self.is_random())?;
        Some(part * own.between * f64::from(core_mates) / self.speed)
    }

    /// Seconds of computing per accessed byte, for a thread with so many mates on its core.
    pub fn computing(&self, core_mates: u32) -> f64 {
        self.instructions_per_byte * f64::from(core_mates) / self.speed
    }
}
