//! An iteration as steps: page operations, faults, computing, what caches serve, and one stream from
//! each origin of its data.
//!
//! | file | what |
//! |---|---|
//! | `step` | what a thread does next |
//! | `blocks` | iterations in parts, and loops that no cache matters to |
//! | `pages` | faults, moves, allocations |
//! | `runs` | iterations between two pages of a memory that nodes share by pages |
//! | `serve` | whether a cache or memory serves the data |

mod blocks;
mod pages;
mod runs;
mod serve;
mod step;

pub(crate) use step::{DataStream, Faults, KernelLock, Mix, Step};

use crate::flow_network::FlowNetwork;
use crate::origin::Origin;
use crate::system::System;
use crate::team::Member;
use crate::world::World;
use blocks::streams;
use numalab_machine::{Fabric, Machine};
use numalab_memory::{MemoryFull, Served, Touched};
use numalab_units::Span;
use numalab_workload::Phase;
use std::ops::Range;

/// Planner of a phase on this machine, with all that it needs to know.
pub(crate) struct Planner<'a> {
    pub machine: &'a Machine,
    pub fabric: &'a Fabric,
    pub phase: &'a Phase,
    /// Size of the team.
    pub threads: u32,
    pub system: System<'a>,
    /// Whether the phase streams so much that caches cannot matter.
    pub streams: bool,
    /// Most lines that the phase lets one thread keep in flight.
    pub ahead: f64,
    /// Instructions per second of one core.
    speed: f64,
    /// Bytes, fills, write-backs and picoseconds of faulting by origin; reused.
    origins: Vec<(Origin, [u64; 4])>,
    /// Bytes by cache, and those that only come after the others have come; reused.
    cached: Vec<u64>,
    later: Vec<u64>,
    /// Answers of the caches to one access; reused.
    served: Vec<(Served, Range<u64>)>,
}

impl<'a> Planner<'a> {
    pub fn new(
        machine: &'a Machine,
        fabric: &'a Fabric,
        phase: &'a Phase,
        threads: u32,
        system: System<'a>,
    ) -> Planner<'a> {
        let speed = machine.core.clock.0 * machine.core.instructions_per_cycle;
        let cached = vec![0; machine.caches.len()];
        let streams = streams(machine, phase);
        Planner {
            machine,
            fabric,
            phase,
            threads,
            system,
            streams,
            ahead: ahead(machine, phase),
            speed,
            origins: Vec::new(),
            later: cached.clone(),
            cached,
            served: Vec::new(),
        }
    }

    /// Seconds of computing per accessed byte, for a thread with so many mates on its core.
    pub fn seconds_per_byte(&self, core_mates: u32) -> f64 {
        self.phase.instructions_per_byte * f64::from(core_mates) / self.speed
    }

    /// Time of so many instructions that touch no memory.
    pub fn computing(&self, instructions: f64, member: &Member) -> Span {
        Span::from_secs_ceil(instructions * f64::from(member.core_mates) / self.speed)
    }

    /// Takes iterations off the front of `left` and appends their steps: all of them as one piece where
    /// their slices join without a gap (the same bytes at the same rates, in fewer events), else one.
    pub fn plan(
        &mut self,
        left: &mut Range<u64>,
        member: &Member,
        world: &mut World<'_>,
        steps: &mut Vec<Step>,
    ) -> Result<(), MemoryFull> {
        let phase = self.phase;
        let whole = left.end - left.start > 1
            && phase.instructions.is_empty()
            && phase.allocation.is_none()
            && phase.accesses.iter().all(|access| access.slice.piece(left.start, left.end).is_some());
        let take = match &world.dsm {
            Some(dsm) => runs::run(phase, left, dsm.page_size()),
            None => left.start..if whole { left.end } else { left.start + 1 },
        };
        left.start = take.end;
        let compute = match &world.dsm {
            Some(dsm) => {
                runs::use_pages(phase, &take, dsm, steps);
                let each = phase.instructions.get(take.start as usize..take.end as usize);
                each.map(|each| Step::Compute(self.computing(each.iter().sum(), member)))
            }
            None => {
                let instructions = phase.instructions.get(take.start as usize);
                instructions.map(|instructions| Step::Compute(self.computing(*instructions, member)))
            }
        };
        if phase.accesses.is_empty() && phase.allocation.is_none() {
            steps.extend(compute);
            return Ok(());
        }

        self.origins.clear();
        self.cached.fill(0);
        self.later.fill(0);
        self.allocate(&take, member, steps);
        for block in self.blocks(take.clone()) {
            self.block(block, member, world, steps)?;
        }
        steps.extend(compute);
        let mut idle = self.idle(member);
        for (cache, &bytes) in self.cached.iter().enumerate().filter(|(_, bytes)| **bytes > 0) {
            let (seconds, _) = FlowNetwork::cached(&self.machine.caches[cache], member, self);
            let hidden = idle.min(Span::from_secs_ceil(seconds * bytes as f64));
            idle -= hidden;
            steps.push(Step::Cached(cache, bytes, hidden));
        }
        let later = self.later.iter().enumerate().filter(|(_, bytes)| **bytes > 0);
        steps.extend(later.map(|(cache, bytes)| Step::Cached(cache, *bytes, Span::ZERO)));
        let nominal = self.system.fault_per_byte();
        for &(origin, [bytes, fills, write_backs, faulting]) in &self.origins {
            let (faults, left) = Faults::new(faulting, bytes, nominal);
            if left > Span::ZERO {
                steps.push(Step::Overhead(Span(left.0 * u64::from(member.core_mates))));
            }
            let mix = Mix::new(bytes, fills, write_backs);
            steps.push(Step::Stream(DataStream { origin, bytes, mix, faults }));
        }
        Ok(())
    }

    /// For how long the thread would wait for its streams even alone on the machine, as far as the phase's
    /// overlap lets it do something else meanwhile.
    fn idle(&self, member: &Member) -> Span {
        if self.phase.overlap == 0.0 || self.cached.iter().all(|bytes| *bytes == 0) {
            return Span::ZERO;
        }
        let bytes: u64 = self.origins.iter().map(|(_, amounts)| amounts[0]).sum();
        let waiting = 1.0 / FlowNetwork::local(member, self) - self.seconds_per_byte(member.core_mates);
        Span::from_secs_ceil(self.phase.overlap * waiting.max(0.0) * bytes as f64)
    }

    /// Plans what some iterations touch.
    fn block(
        &mut self,
        block: Range<u64>,
        member: &Member,
        world: &mut World<'_>,
        steps: &mut Vec<Step>,
    ) -> Result<(), MemoryFull> {
        for access in &self.phase.accesses {
            let Some(piece) = access.slice.piece(block.start, block.end) else { continue };
            if piece.touched == 0 {
                continue;
            }
            if access.mode.is_data() {
                let touched = world.store.touch(access.region.0, piece.start..piece.end, member.node)?;
                let faults = match touched == Touched::default() {
                    true => Span::ZERO,
                    false => self.charge(&touched, member, world, steps),
                };
                self.serve(access, piece, faults, member, world, steps);
            } else {
                self.operate(access, piece, member, world, steps)?;
            }
        }
        Ok(())
    }
}

/// Most lines that a phase lets one thread keep in flight: what prefetchers fetch ahead of each of its sequences, and
/// what the phase says.
fn ahead(machine: &Machine, phase: &Phase) -> f64 {
    let fetched = machine.core.stream_outstanding.zip(phase.sequences()).map(|(each, count)| each * count);
    [fetched, phase.outstanding].into_iter().flatten().fold(f64::INFINITY, f64::min)
}
