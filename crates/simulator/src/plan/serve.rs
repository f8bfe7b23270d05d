//! Chooses the cache or memory that serves the data of an access.

use super::planner::ServedPart;
use super::sweep::kind;
use super::{Amounts, Deliverer, DemandId, Planner, Step};
use crate::account::observer::Listener;
use crate::engine::team::Member;
use crate::engine::world::World;
use crate::flow::origin::Origin;
use numalab_base::{Span, in_proportion};
use numalab_machine::{Cache, Replacement};
use numalab_memory::{AccessKind, Served, drawn, held as held_in_sets, kept, swept};
use numalab_workload::{Access, Mode, Piece, RegionId};

/// Bytes of a piece that are still in the cache when the piece is touched again in order.
fn found_again(cache: &Cache, piece: Piece) -> u64 {
    match (cache.replacement, cache.ways) {
        (Replacement::Lru, Some(ways)) => {
            let part = kept(ways, piece.reuse as f64 / cache.size.0 as f64);
            (piece.again as f64 * part) as u64
        }
        (Replacement::Lru, None) => {
            if cache.size.0 >= piece.reuse {
                piece.again
            } else {
                0
            }
        }
        (Replacement::Random, _) => {
            let part = swept(piece.reuse as f64 / cache.size.0 as f64);
            (piece.again as f64 * part) as u64
        }
    }
}

/// Fraction of a window that a cache holds, if the window's lines are used in random order. `window`: its bytes.
/// `beside`: other bytes, used once, that pass through the cache for each byte used at random.
fn held(cache: &Cache, window: u64, beside: f64) -> f64 {
    match cache.replacement {
        Replacement::Lru => {
            let last = used_last(cache.size.0 as f64 / window as f64, beside);
            let of_sets = |ways| held_in_sets(ways, window as f64 / cache.size.0 as f64);
            cache.ways.map_or(last, |ways| last.min(of_sets(ways)))
        }
        Replacement::Random => drawn(window as f64 / cache.size.0 as f64, beside),
    }
}

/// Fraction of a window that an LRU cache holds, whose size is `size` windows. When `t` windows of draws have passed,
/// the part `1 - exp(-t)` of the window was used again, and `beside * t` windows of other data passed. The cache
/// holds the data used in the time `t` in which both together fill it.
fn used_last(size: f64, beside: f64) -> f64 {
    if beside == 0.0 {
        return size.min(1.0);
    }
    // Newton's method: the part filled after `t` is concave in `t`, so each tangent ends before the root.
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

impl ServedPart {
    fn length(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Part of `self.bytes` in the first `bytes` of the range.
    fn of(&self, bytes: u64) -> u64 {
        in_proportion(self.bytes, bytes, self.length())
    }
}

impl Planner<'_> {
    /// Bytes of streams that pass through caches for each byte that a block takes in random order. `pieces`: accesses
    /// of the block, with their bytes.
    pub(super) fn streamed_beside(&self, pieces: &[(u32, Piece)]) -> f64 {
        let (mut streamed, mut random) = (0, 0);
        for (at, piece) in pieces {
            let mode = self.phase.accesses[*at as usize].mode;
            if !mode.is_data() || mode == Mode::StreamingWrite {
                continue;
            }
            match piece.scattered {
                true => random += piece.touched + piece.again,
                false => streamed += piece.touched,
            }
        }
        if random == 0 { 0.0 } else { streamed as f64 / random as f64 }
    }

    /// Books the bytes that a piece touches again and that caches still hold; returns their number. Each cache serves
    /// the bytes that it holds beyond those of the caches inside it: in order by [`found_again`], at random by
    /// [`held`].
    fn touched_again<O: Listener>(&mut self, region: RegionId, piece: Piece, demand: DemandId) -> u64 {
        if piece.again == 0 {
            return 0;
        }
        let caches = &self.machine.caches;
        let mine = self.demands.places(demand, caches.len());
        if !piece.scattered {
            let mut booked = 0;
            for (number, cache) in caches.iter().enumerate() {
                let all = self.keeps && number + 1 == caches.len();
                let found = if all { piece.again } else { found_again(cache, piece) };
                let further = found.saturating_sub(booked);
                // Passes in order follow one after the other, so these bytes come after the first pass.
                self.later[mine.start + number] += further;
                self.note::<O>((Deliverer::Cache(number), demand), region, further);
                booked += further;
            }
            return booked;
        }
        let mut booked = 0;
        for (number, cache) in caches.iter().enumerate() {
            let all = self.keeps && number + 1 == caches.len();
            let held = if all { 1.0 } else { held(cache, piece.reuse, self.beside) };
            let further = ((piece.again as f64 * held) as u64).saturating_sub(booked);
            self.cached[mine.start + number] += further;
            self.note::<O>((Deliverer::Cache(number), demand), region, further);
            booked += further;
        }
        booked
    }

    /// Finds what serves the data of an access: the core's caches, another socket's cache, or memory.
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
        let located = world.replicas.located(access.region, member.node);
        let again = self.touched_again::<O>(access.region, piece, demand);
        let total = piece.touched.saturating_add(piece.again - again);
        // The `total` bytes are spread evenly over the window.
        let window = piece.end - piece.start;
        let scaled = |bytes: u64| in_proportion(total, bytes, window);
        let mine = self.demands.places(demand, self.machine.caches.len());
        // Without a separate random bandwidth, ordered and random accesses have the same rates and form one flow.
        let disordered = piece.scattered && self.machine.memory.random_bandwidth.is_some();
        let mut served = std::mem::take(&mut self.served);
        let mut carried = std::mem::take(&mut self.carried);
        match self.streams {
            true => {
                served.push(ServedPart { by: Served::Memory, range: piece.start..piece.end, bytes: window })
            }
            false => world.caches.access(
                member.core,
                located.0,
                piece.start..piece.end,
                kind,
                |by, range, bytes| served.push(ServedPart { by, range, bytes }),
            ),
        }
        let missed = || served.iter().filter(|part| part.by == Served::Memory);
        if !self.streams && kind != AccessKind::Stream && !piece.scattered && world.caches.tracks() {
            missed().for_each(|part| world.track(located, &part.range));
        }
        let fresh: u64 = match faults {
            Span::ZERO => 0,
            _ => missed().map(|part| part.bytes).sum(),
        };
        if fresh == 0 && faults > Span::ZERO {
            steps.push(Step::Overhead(faults));
        }
        let faulting = |bytes: u64| match fresh {
            0 => 0,
            _ => in_proportion(faults.0, bytes, fresh),
        };
        let mut before = 0;
        for part in served.drain(..) {
            let begin = before;
            before += part.bytes;
            // Takes the next `bytes` of the range. Returns the part of them that `by` serves, and its share of
            // `total`.
            let mut at = 0;
            let mut next = |bytes: u64| {
                let (from, to) = (begin + part.of(at), begin + part.of(at + bytes));
                at += bytes;
                (to - from, scaled(to) - scaled(from))
            };
            let length = part.length();
            match part.by {
                Served::Cache(cache) => {
                    let (_, bytes) = next(length);
                    self.cached[mine.start + cache] += bytes;
                    self.note::<O>((Deliverer::Cache(cache), demand), access.region, bytes);
                }
                Served::Peer(node) => {
                    let node = if self.local { member.node } else { node };
                    // The line stays dirty in the other socket's cache; nothing is written back yet.
                    let (_, bytes) = next(length);
                    let origin = match world.dsm {
                        Some(_) => Origin::Node(member.node),
                        None => Origin::Peer(node),
                    };
                    self.add((origin, demand), Amounts { bytes, fills: bytes, ..Amounts::default() });
                    self.note::<O>((Deliverer::Origin(origin), demand), access.region, bytes);
                }
                // Every node has its own copy of a shared page.
                Served::Memory if world.dsm.is_some() => {
                    let (missed, bytes) = next(length);
                    let origin = Origin::Node(member.node);
                    self.add(
                        (origin, demand),
                        self.transfers(access.mode, bytes, faulting(missed), disordered),
                    );
                    self.note::<O>((Deliverer::Origin(origin), demand), access.region, bytes);
                }
                Served::Memory => {
                    let (range, scattered) = (part.range.clone(), piece.scattered);
                    world.homes(located, range, scattered, &mut carried, |origin, bytes| {
                        let origin = if self.local { Origin::Node(member.node) } else { origin };
                        let (missed, bytes) = next(bytes);
                        self.add(
                            (origin, demand),
                            self.transfers(access.mode, bytes, faulting(missed), disordered),
                        );
                        self.note::<O>((Deliverer::Origin(origin), demand), access.region, bytes);
                    });
                }
            }
        }
        (self.served, self.carried) = (served, carried);
    }

    pub(super) fn add(&mut self, origin: (Origin, DemandId), amounts: Amounts) {
        if amounts.bytes == 0 {
            return;
        }
        let (before, behind) = self.origins.split_at(self.next_origin.min(self.origins.len()));
        let found = |part: &[((Origin, DemandId), Amounts)]| part.iter().position(|entry| entry.0 == origin);
        let place = match found(behind) {
            Some(place) => before.len() + place,
            None => found(before).unwrap_or(self.origins.len()),
        };
        match self.origins.get_mut(place) {
            Some((_, sum)) => sum.add(amounts),
            None => self.origins.push((origin, amounts)),
        }
        self.next_origin = place + 1;
    }

    /// Transfers caused by an access that memory serves.
    pub(super) fn transfers(&self, mode: Mode, bytes: u64, faulting: u64, disordered: bool) -> Amounts {
        // An updated line is in the core already, by its load, when it is stored to.
        let (fills, write_backs, stored) = match mode {
            Mode::StreamingWrite => (0, bytes, bytes),
            Mode::Write => (bytes, bytes, bytes),
            Mode::Update => (bytes, bytes, 0),
            Mode::Read | Mode::Fetch | Mode::Migrate(_) | Mode::NextTouch | Mode::Replicate => (bytes, 0, 0),
        };
        let stored = if self.machine.core.store_outstanding.is_some() { stored } else { 0 };
        let random = if disordered { fills + write_backs } else { 0 };
        Amounts { bytes, fills, write_backs, stored, random, faulting }
    }
}
