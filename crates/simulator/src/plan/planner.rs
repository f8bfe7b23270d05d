//! Planner of a phase: the facts that all of its iterations share.

use super::demand::{DemandId, Demanded, Demands, tells_random_lines};
use super::shared_lines::SharedLines;
use super::step::{Amounts, DataPart};
use super::touching::{BlockAccesses, Touching};
use crate::engine::setup::Setup;
use crate::engine::team::{LastCaches, Member, Team};
use crate::flow::carried::Carried;
use crate::flow::ideal::Ideal;
use crate::flow::origin::Origin;
use crate::os::noise::{PhaseNoise, Piece};
use crate::os::system::System;
use numalab_base::Span;
use numalab_machine::{Fabric, Machine};
use numalab_memory::Served;
use numalab_workload::{Access, Phase, Slice};
use std::ops::Range;

/// Planner of the iterations of one phase on one machine.
pub(crate) struct Planner<'a> {
    pub machine: &'a Machine,
    pub fabric: &'a Fabric,
    pub phase: &'a Phase,
    pub threads: u32,
    pub system: System<'a>,
    /// True if the phase streams so much that caches are ignored.
    pub streams: bool,
    /// Bytes of a last-level cache for each of the team's cores that use it; `None` if the machine has no caches.
    pub(super) cache_share: Option<u64>,
    /// Number of accesses to data.
    pub(super) data_accesses: usize,
    pub(super) touching: Touching,
    /// Accesses of the iterations that are being planned.
    pub(super) touched: BlockAccesses,
    /// True if later blocks can be planned as continuations of the first.
    pub(super) sweeps: bool,
    pub(super) demands: Demands,
    /// Variation of times; `None` in the nominal run.
    pub noise: Option<PhaseNoise<'a>>,
    /// Ideal: all data lies at the reader's node.
    pub(super) local: bool,
    /// Ideal: the last-level caches never evict in this phase.
    pub keeps: bool,
    /// True if the machine states the cost of lines in random order and the phase has such accesses. `beside`: bytes
    /// of streams for each byte that the present block accesses in random order.
    pub(super) scatters: bool,
    pub(super) beside: f64,
    /// Instructions per second of one core.
    speed: f64,
    /// Number of parts in which a grant of a recorded loop is planned.
    pub(super) parts: u64,
    /// Amounts from each origin under each demand. Scratch space.
    pub(super) origins: Vec<((Origin, DemandId), Amounts)>,
    /// Place in `origins` behind the last one added to. Blocks of interleaved pages go round the nodes, so the next
    /// origin is usually there.
    pub(super) next_origin: usize,
    /// Bytes that caches deliver, by demand and cache. `later`: bytes that caches deliver when data is touched again
    /// after the first pass. Scratch space.
    pub(super) cached: Vec<u64>,
    pub(super) later: Vec<u64>,
    /// Parts of one access, each served by one cache or by memory. Scratch space.
    pub(super) served: Vec<ServedPart>,
    /// Bytes that rounded blends owe to nodes, of the thread whose iterations are planned.
    pub carried: Carried,
    pub(super) shared_lines: SharedLines,
    /// Deliverers of each region's bytes. Filled only for an observer.
    pub(super) data: Vec<DataPart>,
}

impl<'a> Planner<'a> {
    /// Planner of a phase that `team` executes.
    pub fn new(setup: &Setup<'a>, phase: &'a Phase, team: &Team, system: System<'a>) -> Planner<'a> {
        let Setup { machine, fabric, .. } = *setup;
        let speed = machine.core.clock.0 * machine.core.instructions_per_cycle;
        let demands = Demands::new(machine, phase, speed);
        let cached = vec![0; machine.caches.len() * demands.ids().count()];
        let last = team.last_caches(machine, fabric);
        // The run's own team may have left data in its caches.
        let left = setup.team.last_caches(machine, fabric);
        let most = last.into_iter().chain(left).max_by_key(|caches| caches.number);
        Planner {
            machine,
            fabric,
            phase,
            threads: team.members.len() as u32,
            system,
            streams: streams(phase, most),
            cache_share: last.map(|LastCaches { size, most, .. }| size / most),
            data_accesses: phase.accesses.iter().filter(|access| access.mode.is_data()).count(),
            touching: Touching::new(phase),
            touched: BlockAccesses::default(),
            sweeps: can_sweep(phase),
            noise: None,
            local: false,
            keeps: false,
            scatters: tells_random_lines(machine) && phase.accesses.iter().any(Access::is_scattered),
            beside: 0.0,
            speed,
            parts: parts(phase, &demands),
            demands,
            origins: Vec::new(),
            next_origin: 0,
            later: cached.clone(),
            cached,
            served: Vec::new(),
            carried: Carried::default(),
            shared_lines: SharedLines::new(machine, fabric, phase, team),
            data: Vec::new(),
        }
    }

    pub fn demanded(&self, demand: DemandId) -> &Demanded {
        self.demands.get(demand)
    }

    /// Varies times, in a replica.
    pub fn varied(self, noise: Option<PhaseNoise<'a>>) -> Planner<'a> {
        Planner { noise, ..self }
    }

    /// Applies ideals: parts of the machine that cost nothing.
    pub fn ideally(mut self, ideal: Ideal) -> Planner<'a> {
        self.local = ideal.local;
        self.keeps = ideal.caches && self.phase.measured && !self.machine.caches.is_empty();
        self.streams &= !self.keeps;
        self
    }

    /// Time of `instructions` that touch no memory, in a piece of a thread's work.
    pub fn computing(&self, instructions: f64, (thread, member): (u32, &Member), piece: Piece) -> Span {
        let factor = self.noise.as_ref().map_or(1.0, |noise| noise.factor(thread, piece));
        computing(factor * instructions, member.core_mates, self.speed)
    }
}

/// Number of parts in which a grant of a recorded loop is planned. Computing and data alternate from part to part, so
/// that data of other threads comes between. Only computing that does not overlap with data needs this: the number
/// is in proportion to it, at most 8.
fn parts(phase: &Phase, demands: &Demands) -> u64 {
    const MOST: f64 = 8.0;
    if phase.unit.is_none() {
        return 1;
    }
    let apart: f64 = phase.instructions.iter().sum();
    let beside = |(at, access): (usize, &Access)| {
        demands.get(demands.of(at)).instructions(access.slice.total(phase.iterations) as f64)
    };
    let beside: f64 = phase.accesses.iter().enumerate().map(beside).sum();
    if apart > 0.0 { (MOST * apart / (apart + beside)).ceil() as u64 } else { 1 }
}

/// Part of an accessed range that one cache or memory serves.
#[derive(Clone, Debug)]
pub(super) struct ServedPart {
    pub by: Served,
    pub range: Range<u64>,
    /// Bytes that `by` serves, spread evenly over `range`.
    pub bytes: u64,
}

/// Time of instructions that touch no memory, on a core with `core_mates` threads.
pub(crate) fn computing(instructions: f64, core_mates: u32, speed: f64) -> Span {
    Span::from_secs_ceil(instructions * f64::from(core_mates) / speed)
}

/// True if a phase touches far more different bytes than the used last-level caches hold, each of them once, or if the
/// machine has no caches. The caches are then not searched at all.
fn streams(phase: &Phase, caches: Option<LastCaches>) -> bool {
    /// Ratio of touched bytes to cache bytes from which caches are ignored: they could serve at most 1/n of the
    /// bytes.
    const NOTHING: u128 = 32;
    let once = |access: &Access| matches!(access.slice, Slice::Partition(_)) || !access.mode.is_data();
    let Some(LastCaches { size, number, .. }) = caches else { return true };
    let caches = u128::from(size) * u128::from(number);
    let touched = |access: &Access| access.slice.total(phase.iterations);
    // Accesses that touch each byte once know their total; the total of others would have to be summed in every
    // round.
    phase.accesses.iter().all(once) && phase.accesses.iter().map(touched).sum::<u128>() > NOTHING * caches
}

/// True if a phase has several accesses and each goes upwards through a region without gaps.
pub(super) fn can_sweep(phase: &Phase) -> bool {
    let upwards = |access: &Access| access.mode.is_data() && matches!(access.slice, Slice::Partition(_));
    phase.accesses.len() > 1 && phase.accesses.iter().all(upwards)
}
