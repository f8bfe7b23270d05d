//! Demand of an access: lines that it keeps in flight, and instructions for each of its bytes. Accesses with equal
//! demands form one flow from each origin.

use numalab_machine::{Cache, Machine};
use numalab_workload::{Access, Demand, Phase};
use std::ops::Range;

/// Index of a demand in its phase; 0 is the loop's own demand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct DemandId(u32);

/// Demand that accesses of a phase share, completed by values of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demanded {
    /// Largest number of lines that one thread keeps in flight: at most the lines that prefetchers fetch ahead in all
    /// sequences of the demand together, and at most `outstanding`. Infinite without these limits.
    pub ahead: f64,
    /// Lines in flight that the workload states for the access or its phase; `None` if it states none. If set, cache
    /// latencies become visible.
    pub outstanding: Option<f64>,
    /// Limits on lines in random order, which no prefetcher fetches; `None` for other lines. If set, cache latencies
    /// become visible.
    of_core: Option<SeenByCore>,
    /// Part of the computing that overlaps with random lines from a cache; `None` if the machine does not state this
    /// part.
    beside_caches: Option<f64>,
    /// Instructions for each accessed byte. `speed`: instructions that the core executes per second.
    instructions_per_byte: f64,
    speed: f64,
}

/// Limits on lines that the core requests by itself, without a prefetcher.
#[derive(Clone, Copy, Debug)]
struct SeenByCore {
    /// Largest number of lines in flight, for all threads of a core together.
    lines: f64,
    /// Instructions executed from one line in random order to the next, for each byte of the line.
    between: f64,
}

pub(crate) struct Demands {
    all: Vec<Demanded>,
    /// Demand of each access, by the access's index.
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

    pub fn ids(&self) -> impl Iterator<Item = DemandId> + use<> {
        (0..self.all.len() as u32).map(DemandId)
    }

    pub fn of(&self, access: usize) -> DemandId {
        self.of[access]
    }

    /// Indices of a demand's entries in a list with one entry for each demand and cache.
    pub fn places(&self, DemandId(demand): DemandId, caches: usize) -> Range<usize> {
        let first = demand as usize * caches;
        first..first + caches
    }

    pub fn get(&self, DemandId(demand): DemandId) -> &Demanded {
        &self.all[demand as usize]
    }
}

/// True if the machine states costs of lines in random order. Only then are such lines kept apart from streams.
pub(super) fn tells_random_lines(machine: &Machine) -> bool {
    let core = &machine.core;
    [core.random_outstanding, core.window, core.random_overlap, core.random_beside_streams]
        .iter()
        .any(Option::is_some)
        || machine.caches.iter().any(|cache| cache.random_outstanding.is_some())
}

/// Lines in random order that a core keeps in flight. Two limits: the core's buffers, and the core's window of
/// instructions, divided by the instructions that the loop executes from one such line to the next.
fn random_lines(machine: &Machine, phase: &Phase) -> SeenByCore {
    let buffers = machine.core.random_outstanding.unwrap_or(f64::INFINITY);
    let bytes = |access: &Access| access.slice.total(phase.iterations) as f64;
    let data = || phase.accesses.iter().filter(|access| access.mode.is_data());
    let each = |access: &Access| access.demand.instructions_per_byte.unwrap_or(phase.instructions_per_byte);
    let computed: f64 = data().map(|access| bytes(access) * each(access)).sum();
    let instructions = computed + phase.instructions.iter().sum::<f64>();
    let random: f64 = data().filter(|access| access.is_scattered()).map(bytes).sum();
    // The line that is waited for is always in the window.
    let seen = |window: f64| (window * (random / machine.memory.line.0 as f64) / instructions).max(1.0);
    let seen = machine.core.window.map_or(f64::INFINITY, seen);
    SeenByCore { lines: buffers.min(seen), between: instructions / random }
}

impl Demanded {
    /// Lines that one thread keeps in flight, at most `ahead`, if `core_mates` threads share the core's `most` lines.
    pub fn lines(&self, most: f64, core_mates: u32) -> f64 {
        (self.of_core.map_or(most, |own| own.lines.min(most)) / f64::from(core_mates)).min(self.ahead)
    }

    /// Lines in flight while a cache delivers. Lines in random order are limited by the cache, too. `None` where
    /// prefetchers hide the latency of the cache.
    pub fn lines_of_cache(&self, most: f64, cache: &Cache, core_mates: u32) -> Option<f64> {
        let random = cache.random_outstanding.unwrap_or(f64::INFINITY);
        let most = self.of_core.map_or(most, |own| own.lines.min(random).min(most)) / f64::from(core_mates);
        (self.outstanding.is_some() || self.of_core.is_some())
            .then(|| self.outstanding.map_or(most, |lines| lines.min(most)))
    }

    /// True for lines in random order whose number in flight is limited by the core and not stated by the workload.
    /// Always false on machines that do not tell such lines from streams.
    pub fn is_random(&self) -> bool {
        self.of_core.is_some() && self.outstanding.is_none()
    }

    /// Computing that overlaps with a cache's delivery of lines in random order: seconds per byte of such a line, for
    /// one of `core_mates` threads on a core. `None` if the machine does not state this overlap, for lines in another
    /// order, and if the workload states the lines in flight: the loop's own overlap then applies.
    pub fn beside_caches(&self, core_mates: u32) -> Option<f64> {
        let (part, own) = self.beside_caches.zip(self.of_core).filter(|_| self.is_random())?;
        Some(part * own.between * f64::from(core_mates) / self.speed)
    }

    /// Instructions that the loop executes while it accesses `bytes`.
    pub fn instructions(&self, bytes: f64) -> f64 {
        self.instructions_per_byte * bytes
    }

    /// Seconds of computing per accessed byte for one of `core_mates` threads on a core.
    pub fn computing(&self, core_mates: u32) -> f64 {
        self.instructions_per_byte * f64::from(core_mates) / self.speed
    }
}
