//! Plans the blocks of arrays that continue the thread's last block: their homes and caches are known without
//! visiting each block.

use super::{Amounts, Planner, Step};
use crate::engine::team::Member;
use crate::engine::world::World;
use crate::flow::origin::Origin;
use numalab_base::{Bytes, Span};
use numalab_machine::NodeId;
use numalab_memory::{AccessKind, Ahead, SweptArray};
use numalab_workload::{Access, Mode, Slice};
use std::ops::Range;

/// Smallest number of blocks that are planned together.
const FEW: usize = 4;

/// Kind of cache access of a mode.
pub(super) fn kind(mode: Mode) -> AccessKind {
    match mode {
        Mode::StreamingWrite => AccessKind::Stream,
        Mode::Write | Mode::Update => AccessKind::Write,
        Mode::Read | Mode::Fetch | Mode::Migrate(_) | Mode::NextTouch | Mode::Replicate => AccessKind::Read,
    }
}

impl Planner<'_> {
    /// Plans all blocks but the first, which is planned already, and the last. Requires that every block continues
    /// the one before: all its bytes are on one node or placed there now, and no cache holds more of it than the line
    /// that it shares with the block before. Returns the first iteration left to plan.
    pub(super) fn sweep(
        &mut self,
        mut blocks: impl ExactSizeIterator<Item = Range<u64>>,
        member: &Member,
        world: &mut World<'_>,
        steps: &mut Vec<Step>,
    ) -> u64 {
        let count = blocks.len();
        let Some(first) = blocks.next() else { return 0 };
        if count < FEW || !self.sweeps || self.streams || self.keeps || world.dsm.is_some() {
            return first.end;
        }
        let ends: Vec<u64> = blocks.take(count - 2).map(|block| block.end).collect();
        let Some(end) = ends.last().copied() else { return first.end };
        let array = |access: &Access| match &access.slice {
            Slice::Partition(bounds) => {
                let cuts = [first.start, first.end].into_iter().chain(ends.iter().copied());
                let bounds = cuts.map(|cut| bounds[cut as usize]).collect();
                let region = world.replicas.located(access.region, member.node).0;
                Some(SweptArray { region, kind: kind(access.mode), bounds })
            }
            Slice::Explicit(_) | Slice::Sparse(_) | Slice::Whole(_) | Slice::Partial(_) => None,
        };
        let arrays: Option<Vec<SweptArray>> = self.phase.accesses.iter().map(array).collect();
        let planned = arrays.is_some_and(|arrays| self.sweep_arrays(&arrays, member, world, steps));
        if planned { end } else { first.end }
    }

    /// Plans the blocks of all arrays together. Returns false if they must be planned one by one.
    fn sweep_arrays(
        &mut self,
        arrays: &[SweptArray],
        member: &Member,
        world: &mut World<'_>,
        steps: &mut Vec<Step>,
    ) -> bool {
        let bytes = |array: &SweptArray| array.bounds[1]..array.bounds[array.bounds.len() - 1];
        let World { store, caches, .. } = &mut *world;
        let ahead = arrays.iter().map(|array| store.ahead(array.region, &bytes(array), member.node));
        let Some(ahead) = ahead.collect::<Option<Vec<Ahead>>>() else { return false };
        let page = self.machine.memory.page.0;
        let fresh = Bytes(ahead.iter().map(|ahead| ahead.fresh.0).sum());
        // Zeroing of larger pages is rounded page by page, so their times cannot be summed here.
        let even = ahead.iter().all(|ahead| ahead.fresh.0 == ahead.pages.saturating_mul(page));
        let near = store.near(member.node);
        if !even || !store.has_room(near, fresh) {
            return false;
        }
        let Planner { cached, demands, machine, .. } = &mut *self;
        let mut all = vec![0; arrays.len()];
        let swept = caches.sweep(member.core, arrays, |at, cache, bytes| {
            all[at] += bytes;
            cached[demands.places(demands.of(at), machine.caches.len()).start + cache] += bytes;
        });
        if !swept {
            return false;
        }
        for (at, ((array, Ahead { home, .. }), cached)) in arrays.iter().zip(ahead).zip(all).enumerate() {
            let bytes = bytes(array);
            let Ok(touched) = world.store.touch(array.region, bytes.clone(), member.node) else { continue };
            let faults = match touched.fresh.pages {
                0 => Span::ZERO,
                _ => self.charge(&touched, member, world, steps),
            };
            let home: NodeId = if self.local { member.node } else { home };
            let mode = self.phase.accesses[at].mode;
            let streamed: Amounts = self.transfers(mode, bytes.end - bytes.start - cached, faults.0, false);
            self.add((Origin::Node(home), self.demands.of(at)), streamed);
        }
        true
    }
}
