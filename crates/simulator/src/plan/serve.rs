//! Choice of the cache or memory that serves the data of an access.

use super::sweep::kind;
use super::{Amounts, Deliverer, DemandId, Planner, Step};
use crate::observer::Listener;
use crate::origin::Origin;
use crate::team::Member;
use crate::world::World;
use numalab_memory::{AccessKind, Served};
use numalab_units::Span;
use numalab_workload::{Access, Mode, Piece, RegionId};
use std::ops::Range;

/// Part of the lines drawn from a window that a cache holds, which is `size` times the window, where `beside` bytes that are
/// used once come through it for each drawn one. What was used last is in it: after `t` windows of draws, a part
/// `1 - exp(-t)` of the window was used again and `beside * t` windows came by. It holds what was used in the time in
/// which both together fill it.
fn held(size: f64, beside: f64) -> f64 {
    if beside == 0.0 {
        return size.min(1.0);
    }
    // The left side grows slower and slower, so that each tangent ends before the root.
    let mut time = 0.0_f64;
    loop {
        let left = size - (1.0 - (-time).exp() + beside * time);
        let step = left / ((-time).exp() + beside);
        if step.is_nan() || step <= time * 1e-9 {
            return 1.0 - (-time).exp();
        }
        time += step;
    }
}

impl Planner<'_> {
    /// Bytes that come through caches to be used once, for each that the block's iterations take in random order.
    pub(super) fn streamed_beside(&self, block: &Range<u64>) -> f64 {
        let data = self.phase.accesses.iter().filter(|access| access.mode.is_data());
        let (mut streamed, mut random) = (0, 0);
        for access in data.filter(|access| access.mode != Mode::StreamingWrite) {
            let Some(piece) = access.slice.piece(block.start, block.end) else { continue };
            match piece.scattered {
                true => random += piece.touched + piece.again,
                false => streamed += piece.touched,
            }
        }
        if random == 0 { 0.0 } else { streamed as f64 / random as f64 }
    }

    /// Books the lines that are touched again. Regular ones are in the innermost cache that holds all of them
    /// meanwhile; where none does, they come from where they came first. Random ones are found in each cache
    /// as often as it holds them beside what streams through it meanwhile. Returns how many bytes are booked.
    fn touched_again<O: Listener>(&mut self, region: RegionId, piece: Piece, demand: DemandId) -> u64 {
        if piece.again == 0 {
            return 0;
        }
        let caches = &self.machine.caches;
        let mine = self.demands.places(demand, caches.len());
        if !piece.scattered {
            let last = caches.len().checked_sub(1).filter(|_| self.keeps);
            let holds = caches.iter().position(|cache| cache.size.0 >= piece.reuse);
            let Some(cache) = holds.or(last) else { return 0 };
            // Whole passes come one after the other.
            self.later[mine.start + cache] += piece.again;
            self.note::<O>((Deliverer::Cache(cache), demand), region, piece.again);
            return piece.again;
        }
        let mut booked = 0;
        for (number, cache) in caches.iter().enumerate() {
            let all = self.keeps && number + 1 == caches.len();
            let held = if all { 1.0 } else { held(cache.size.0 as f64 / piece.reuse as f64, self.beside) };
            let further = ((piece.again as f64 * held) as u64).saturating_sub(booked);
            self.cached[mine.start + number] += further;
            self.note::<O>((Deliverer::Cache(number), demand), region, further);
            booked += further;
        }
        booked
    }

    /// Finds what serves the data of an access: the core's caches, another socket's, or memory.
    pub(super) fn serve<O: Listener>(
        &mut self,
        (access, demand): (&Access, DemandId),
        piece: Piece,
        faults: Span,
        member: &Member,
        world: &mut World<'_>,
        steps: &mut Vec<Step>,
    ) {
        let kind = kind(access.mode);
        let again = self.touched_again::<O>(access.region, piece, demand);
        let total = piece.touched.saturating_add(piece.again - again);
        // Every stretch of the window counts in that proportion.
        let window = piece.end - piece.start;
        let scaled = |bytes: u64| match total == window {
            true => bytes,
            false => (u128::from(bytes) * u128::from(total) / u128::from(window)) as u64,
        };
        let mine = self.demands.places(demand, self.machine.caches.len());
        // Elsewhere it would only tell apart what goes on at the same rates.
        let disordered = piece.scattered && self.machine.memory.random_bandwidth.is_some();
        let mut served = std::mem::take(&mut self.served);
        match self.streams {
            true => served.push((Served::Memory, piece.start..piece.end)),
            false => world.caches.access(
                member.core,
                access.region.0,
                piece.start..piece.end,
                kind,
                |by, range| served.push((by, range)),
            ),
        }
        if !self.streams && kind != AccessKind::Stream && !piece.scattered && world.caches.tracks() {
            let missed = served.iter().filter(|part| part.0 == Served::Memory);
            missed.for_each(|(_, range)| world.track(access.region, range));
        }
        let fresh: u64 = match faults {
            Span::ZERO => 0,
            _ => served
                .iter()
                .filter(|part| part.0 == Served::Memory)
                .map(|part| part.1.end - part.1.start)
                .sum(),
        };
        if fresh == 0 && faults > Span::ZERO {
            steps.push(Step::Overhead(faults));
        }
        let faulting = |bytes: u64| match fresh {
            0 => 0,
            _ => (u128::from(faults.0) * u128::from(bytes) / u128::from(fresh)) as u64,
        };
        for (by, range) in served.drain(..) {
            let mut at = range.start - piece.start;
            let mut next = |bytes: u64| {
                let before = scaled(at);
                at += bytes;
                scaled(at) - before
            };
            match by {
                Served::Cache(cache) => {
                    let bytes = next(range.end - range.start);
                    self.cached[mine.start + cache] += bytes;
                    self.note::<O>((Deliverer::Cache(cache), demand), access.region, bytes);
                }
                Served::Peer(node) => {
                    let node = if self.local { member.node } else { node };
                    // It stays dirty here: nothing is written back yet.
                    let bytes = next(range.end - range.start);
                    let origin = match world.dsm {
                        Some(_) => Origin::Node(member.node),
                        None => Origin::Peer(node),
                    };
                    self.add((origin, demand), Amounts { bytes, fills: bytes, ..Amounts::default() });
                    self.note::<O>((Deliverer::Origin(origin), demand), access.region, bytes);
                }
                // Every node has its own copy.
                Served::Memory if world.dsm.is_some() => {
                    let length = range.end - range.start;
                    let (faulting, bytes) = (faulting(length), next(length));
                    let origin = Origin::Node(member.node);
                    self.add((origin, demand), transfers(access.mode, bytes, faulting, disordered));
                    self.note::<O>((Deliverer::Origin(origin), demand), access.region, bytes);
                }
                Served::Memory => world.homes(access.region, range, piece.scattered, |origin, bytes| {
                    let origin = if self.local { Origin::Node(member.node) } else { origin };
                    let faulting = faulting(bytes);
                    let bytes = next(bytes);
                    self.add((origin, demand), transfers(access.mode, bytes, faulting, disordered));
                    self.note::<O>((Deliverer::Origin(origin), demand), access.region, bytes);
                }),
            }
        }
        self.served = served;
    }

    pub(super) fn add(&mut self, origin: (Origin, DemandId), amounts: Amounts) {
        if amounts.bytes == 0 {
            return;
        }
        match self.origins.iter_mut().find(|entry| entry.0 == origin) {
            Some((_, sum)) => sum.add(amounts),
            None => self.origins.push((origin, amounts)),
        }
    }
}

/// Transfers that an access served by memory causes, in random order or not.
pub(super) fn transfers(mode: Mode, bytes: u64, faulting: u64, disordered: bool) -> Amounts {
    let (fills, write_backs) = match mode {
        Mode::StreamingWrite => (0, bytes),
        Mode::Write | Mode::Update => (bytes, bytes),
        Mode::Read | Mode::Fetch | Mode::Migrate(_) | Mode::NextTouch => (bytes, 0),
    };
    let random = if disordered { fills + write_backs } else { 0 };
    Amounts { bytes, fills, write_backs, random, faulting }
}
