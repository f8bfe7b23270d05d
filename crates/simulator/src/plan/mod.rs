//! Plans an iteration as steps: page operations, faults, computing, bytes from caches, and one stream from each
//! origin of its data.
//!
//! | file | what |
//! |---|---|
//! | `step` | next step of a thread |
//! | `demand` | lines in flight and instructions of each access |
//! | `planner` | facts that all iterations of a phase share |
//! | `blocks` | iterations cut into blocks; units of recorded loops planned together |
//! | `pages` | faults, page moves, allocations |
//! | `serve` | caches or memory that serve an access |
//! | `runs` | iterations on the same pages, where nodes share pages |
//! | `shared_lines` | stores of several threads to one line |
//! | `sweep` | blocks of fresh data, planned together |
//! | `touching` | accesses of given iterations |

mod blocks;
mod demand;
mod pages;
mod planner;
mod runs;
mod serve;
mod shared_lines;
mod step;
mod sweep;
mod touching;

pub(crate) use blocks::GrantSizes;
pub(crate) use demand::{DemandId, Demanded};
pub(crate) use planner::{Planner, computing};
pub(crate) use step::{
    Amounts, CachedData, DataPart, DataStream, Deliverer, Faults, KernelLock, Mix, PageUse, Step,
};

use crate::account::observer::Listener;
use crate::engine::team::Member;
use crate::engine::world::World;
use crate::flow::flow_network::FlowNetwork;
use crate::os::noise::Piece;
use numalab_base::Span;
use numalab_memory::{MemoryFull, Touched};
use numalab_workload::RegionId;
use std::ops::Range;

impl<'a> Planner<'a> {
    /// Takes iterations off the front of `left`, what is left of a grant, and appends their steps. All iterations are
    /// planned as one (the same bytes at the same rates, in fewer events) if their slices join without a gap, all cost
    /// the same instructions, and none allocates. Else one iteration is taken, or several of a recorded loop
    /// ([`Planner::several`]). Where nodes share pages, a run of iterations on the same pages is taken.
    pub fn plan<O: Listener>(
        &mut self,
        left: &mut Range<u64>,
        grant: GrantSizes,
        (thread, member): (u32, &Member),
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
            None if whole => left.clone(),
            None => left.start..left.start + self.several(left, grant),
        };
        left.start = take.end;
        if let Some(dsm) = &world.dsm {
            runs::use_pages(phase, &take, dsm, steps);
        }
        let each = phase.instructions.get(take.start as usize..take.end as usize);
        let compute = each.map(|each| {
            let piece = Piece::Iterations(take.start);
            Step::Compute(self.computing(each.iter().sum(), (thread, member), piece))
        });
        if phase.accesses.is_empty() && phase.allocation.is_none() {
            steps.extend(compute);
            return Ok(());
        }

        let planned = steps.len();
        self.origins.clear();
        self.cached.fill(0);
        self.later.fill(0);
        self.allocate(&take, member, steps);
        let mut blocks = self.blocks(take.clone());
        let all = blocks.clone();
        if let Some(first) = blocks.next() {
            self.block::<O>(first.clone(), member, world, steps)?;
            // An observer receives every block, so none are planned together.
            let left = match O::ACTIVE {
                true => first.end,
                false => self.sweep(all, member, world, steps),
            };
            for block in blocks.skip_while(|block| block.start < left) {
                self.block::<O>(block, member, world, steps)?;
            }
        }
        steps.extend(compute);
        let (mut idle, mut waiting) = (self.idle(member), self.waiting_for_streams(member));
        for (cache, demand, bytes) in self.of_caches(&self.cached) {
            let (seconds, pace) = FlowNetwork::cached(&self.machine.caches[cache], demand, member, self);
            let hidden = idle.min(Span::from_secs_ceil(seconds * bytes as f64));
            idle -= hidden;
            let mut beside = Span::ZERO;
            if waiting > Span::ZERO && self.demanded(demand).is_random() {
                let waited = Span::from_secs_ceil((seconds - pace.compute) * bytes as f64);
                beside = waiting.min(waited - hidden.min(waited));
                waiting -= beside;
            }
            steps.push(Step::Cached(CachedData {
                cache: cache as u32,
                demand,
                bytes,
                hidden: hidden + beside,
            }));
        }
        let later = self.of_caches(&self.later);
        let cached =
            |(cache, demand, bytes)| CachedData { cache: cache as u32, demand, bytes, hidden: Span::ZERO };
        steps.extend(later.map(|later| Step::Cached(cached(later))));
        if world.dsm.is_none() {
            self.share_lines((&take, grant.size), (thread, member), steps, planned);
        }
        let nominal = self.system.fault_per_byte();
        for &((origin, demand), amounts) in &self.origins {
            let bytes = amounts.bytes;
            let (faults, left) = Faults::new(amounts.faulting, bytes, nominal);
            if left > Span::ZERO {
                steps.push(Step::Overhead(Span(left.0 * u64::from(member.core_mates))));
            }
            let mix = Mix::new(amounts);
            steps.push(Step::Stream(DataStream { origin, demand, bytes, mix, faults }));
        }
        Ok(())
    }

    /// Appends what iterations wait for lines that other threads write meanwhile, beyond what their other work takes:
    /// `steps` from `planned` on, and streams on an idle machine.
    fn share_lines(
        &self,
        (take, chunk): (&Range<u64>, u64),
        (thread, member): (u32, &Member),
        steps: &mut Vec<Step>,
        planned: usize,
    ) {
        let waits = self.shared_lines.waits(self.phase, thread, take, chunk);
        if waits == Span::ZERO {
            return;
        }
        let mut meanwhile = Span::ZERO;
        for step in &steps[planned..] {
            meanwhile += match step {
                Step::Compute(span) | Step::Overhead(span) => *span,
                Step::Cached(CachedData { cache, demand, bytes, hidden }) => {
                    let cache = &self.machine.caches[*cache as usize];
                    let seconds = FlowNetwork::cached(cache, *demand, member, self).0;
                    Span::from_secs_ceil(seconds * *bytes as f64).saturating_sub(*hidden)
                }
                Step::Locked(..)
                | Step::Lines(_)
                | Step::Section(..)
                | Step::Run(_)
                | Step::Stream(_)
                | Step::Copy(..)
                | Step::Pages(_)
                | Step::Flag(_)
                | Step::SyncPoint => Span::ZERO,
            };
        }
        for ((_, demand), amounts) in &self.origins {
            let rate = FlowNetwork::local(member, self.demanded(*demand), self);
            meanwhile += Span::from_secs_ceil(amounts.bytes as f64 / rate);
        }
        let left = waits.saturating_sub(meanwhile);
        if left > Span::ZERO {
            steps.push(Step::Lines(left));
        }
    }

    /// Records for an observer the cache or origin that delivers bytes of a region.
    fn note<O: Listener>(&mut self, from: (Deliverer, DemandId), region: RegionId, bytes: u64) {
        if O::ACTIVE && bytes > 0 {
            match self.data.iter_mut().find(|part| (part.from, part.region) == (from, region)) {
                Some(part) => part.bytes += bytes,
                None => self.data.push(DataPart { from, region, bytes }),
            }
        }
    }

    /// Moves the recorded deliverers of data into `into`.
    pub fn take_data(&mut self, into: &mut Vec<DataPart>) {
        into.clear();
        into.append(&mut self.data);
    }

    /// Part of the waits for streams, on an otherwise idle machine, that can hide waits for the caches, by the
    /// phase's overlap. Zero if no cache delivers bytes.
    fn idle(&self, member: &Member) -> Span {
        if self.phase.overlap == 0.0 || self.cached.iter().all(|bytes| *bytes == 0) {
            return Span::ZERO;
        }
        let idle = |demand: DemandId| {
            let streams = self.origins.iter().filter(|((_, known), _)| *known == demand);
            let bytes: u64 = streams.map(|(_, amounts)| amounts.bytes).sum();
            let demand = self.demanded(demand);
            let waiting =
                1.0 / FlowNetwork::local(member, demand, self) - demand.computing(member.core_mates);
            self.phase.overlap * waiting.max(0.0) * bytes as f64
        };
        Span::from_secs_ceil(self.demands.ids().map(idle).sum())
    }

    /// Part of the waits for streams, on an otherwise idle machine, in which lines in random order arrive from
    /// caches. Zero if the machine does not state this part.
    fn waiting_for_streams(&self, member: &Member) -> Span {
        let Some(part) = self.machine.core.random_beside_streams else { return Span::ZERO };
        let streamed = |demand: DemandId| {
            let streams = self.origins.iter().filter(|((_, known), _)| *known == demand);
            let bytes: u64 = streams.map(|(_, amounts)| amounts.bytes).sum();
            let demand = self.demanded(demand);
            if demand.is_random() {
                return 0.0;
            }
            let computing = demand.computing(member.core_mates);
            let waiting = 1.0 / FlowNetwork::local(member, demand, self);
            let all = waiting.max(computing + (1.0 - self.phase.overlap) * waiting);
            (all - computing) * bytes as f64
        };
        Span::from_secs_ceil(part * self.demands.ids().map(streamed).sum::<f64>())
    }

    /// Cache, demand and bytes of each non-zero entry of `bytes`.
    fn of_caches<'b>(&'b self, bytes: &'b [u64]) -> impl Iterator<Item = (usize, DemandId, u64)> + 'b {
        let caches = self.machine.caches.len();
        let each = bytes.chunks(caches.max(1)).zip(self.demands.ids());
        let each =
            each.flat_map(|(bytes, demand)| (0..).zip(bytes).map(move |(at, bytes)| (at, demand, *bytes)));
        each.filter(|(_, _, bytes)| *bytes > 0)
    }

    fn block<O: Listener>(
        &mut self,
        block: Range<u64>,
        member: &Member,
        world: &mut World<'_>,
        steps: &mut Vec<Step>,
    ) -> Result<(), MemoryFull> {
        let mut touched_by = std::mem::take(&mut self.touched);
        touched_by.find(&block, &self.phase.accesses, &self.touching);
        if self.scatters {
            self.beside = self.streamed_beside(&touched_by.pieces);
        }
        for &(at, piece) in touched_by.pieces.iter().filter(|(_, piece)| piece.touched > 0) {
            let at = at as usize;
            let access = &self.phase.accesses[at];
            if access.mode.is_data() {
                let region = world.replicas.located(access.region, member.node);
                let touched = world.store.touch(region.0, piece.start..piece.end, member.node)?;
                let faults = match touched == Touched::default() {
                    true => Span::ZERO,
                    false => self.charge(&touched, member, world, steps),
                };
                self.serve::<O>((access, self.demands.of(at)), piece, faults, member, world, steps);
            } else {
                self.operate(access, piece, member, world, steps)?;
            }
        }
        self.touched = touched_by;
        Ok(())
    }
}
