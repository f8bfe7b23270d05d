//! Choice of the cache or memory that serves the data of an access.

use super::{Planner, Step};
use crate::origin::Origin;
use crate::team::Member;
use crate::world::World;
use numalab_memory::{AccessKind, Served};
use numalab_units::Span;
use numalab_workload::{Access, Mode, Piece};

impl Planner<'_> {
    /// Books the lines that are touched again. Regular ones are in the innermost cache that holds all of them
    /// meanwhile; where none does, they come from where they came first. Random ones are found in each cache
    /// as often as it holds them. Returns how many bytes are booked.
    fn touched_again(&mut self, piece: Piece) -> u64 {
        if piece.again == 0 {
            return 0;
        }
        let caches = &self.machine.caches;
        if !piece.scattered {
            let Some(cache) = caches.iter().position(|cache| cache.size.0 >= piece.reuse) else { return 0 };
            // Whole passes come one after the other.
            self.later[cache] += piece.again;
            return piece.again;
        }
        let mut booked = 0;
        for (cache, booking) in caches.iter().zip(&mut self.cached) {
            let held = (cache.size.0 as f64 / piece.reuse as f64).min(1.0);
            let further = ((piece.again as f64 * held) as u64).saturating_sub(booked);
            *booking += further;
            booked += further;
        }
        booked
    }

    /// Finds what serves the data of an access: the core's caches, another socket's, or memory.
    pub(super) fn serve(
        &mut self,
        access: &Access,
        piece: Piece,
        faults: Span,
        member: &Member,
        world: &mut World<'_>,
        steps: &mut Vec<Step>,
    ) {
        let kind = match access.mode {
            Mode::StreamingWrite => AccessKind::Stream,
            Mode::Write | Mode::Update => AccessKind::Write,
            Mode::Read | Mode::Fetch | Mode::Migrate(_) | Mode::NextTouch => AccessKind::Read,
        };
        let total = piece.touched.saturating_add(piece.again - self.touched_again(piece));
        // Every stretch of the window counts in that proportion.
        let window = piece.end - piece.start;
        let scaled = |bytes: u64| match total == window {
            true => bytes,
            false => (u128::from(bytes) * u128::from(total) / u128::from(window)) as u64,
        };
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
                Served::Cache(cache) => self.cached[cache] += next(range.end - range.start),
                Served::Peer(node) => {
                    // It stays dirty here: nothing is written back yet.
                    let bytes = next(range.end - range.start);
                    let origin =
                        if world.dsm.is_some() { Origin::Node(member.node) } else { Origin::Peer(node) };
                    self.add(origin, [bytes, bytes, 0, 0]);
                }
                // Every node has its own copy.
                Served::Memory if world.dsm.is_some() => {
                    let length = range.end - range.start;
                    let (faulting, bytes) = (faulting(length), next(length));
                    self.add(Origin::Node(member.node), transfers(access.mode, bytes, faulting));
                }
                Served::Memory => world.homes(access.region, range, piece.scattered, |origin, bytes| {
                    let faulting = faulting(bytes);
                    let bytes = next(bytes);
                    self.add(origin, transfers(access.mode, bytes, faulting));
                }),
            }
        }
        self.served = served;
    }

    fn add(&mut self, origin: Origin, amounts: [u64; 4]) {
        if amounts[0] == 0 {
            return;
        }
        match self.origins.iter_mut().find(|entry| entry.0 == origin) {
            Some((_, sum)) => sum.iter_mut().zip(amounts).for_each(|(sum, amount)| *sum += amount),
            None => self.origins.push((origin, amounts)),
        }
    }
}

/// Bytes, fills, write-backs and picoseconds of faulting of an access that memory serves.
fn transfers(mode: Mode, bytes: u64, faulting: u64) -> [u64; 4] {
    let (fills, write_backs) = match mode {
        Mode::StreamingWrite => (0, bytes),
        Mode::Write | Mode::Update => (bytes, bytes),
        Mode::Read | Mode::Fetch | Mode::Migrate(_) | Mode::NextTouch => (bytes, 0),
    };
    [bytes, fills, write_backs, faulting]
}
