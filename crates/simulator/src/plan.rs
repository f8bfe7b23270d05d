//! An iteration as steps: page operations, faults, computing, what caches serve, and one stream from
//! each origin of its data.

use crate::lanes::Lanes;
use crate::origin::Origin;
use crate::system::System;
use crate::team::Member;
use crate::world::World;
use numalab_machine::{Fabric, Machine, NodeId};
use numalab_memory::{Kind, MemoryFull, Moved, Served, Touched};
use numalab_program::{Access, Mode, Phase, Piece, Slice};
use numalab_units::{Span, Time};
use std::ops::Range;

/// What a thread does next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    /// Work of the operating system or the runtime.
    Overhead(Span),
    /// The same, holding the lock of the address space.
    Locked(Span),
    /// Instructions that touch no memory.
    Compute(Span),
    /// Data from one of the core's own caches: which, how many bytes, and how much of their time passes
    /// while other data is waited for anyway.
    Cached(usize, u64, Span),
    /// Data from (and to) an origin.
    Stream(Segment),
    /// So many bytes of pages on their way from one node to another.
    Copy(NodeId, NodeId, u64),
}

/// Bytes of one origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    pub origin: Origin,
    /// Bytes that the program accesses.
    pub bytes: u64,
    pub mix: Mix,
    /// Faults on the way, page by page: their time for each byte, without contention.
    pub faults: Faults,
}

/// Picoseconds of faulting for each byte, in steps of a 64th of what whole fresh pages take: coarse enough
/// that slices which differ by part of a page count as the same kind of flow. 0: the pages are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Faults(u32);

impl Faults {
    const STEPS: f64 = 64.0;

    /// So many picoseconds over so many bytes, where a fresh byte nominally takes `nominal`, and what is
    /// left of them.
    fn new(faulting: u64, bytes: u64, nominal: f64) -> (Faults, Span) {
        if faulting == 0 {
            return (Faults(0), Span::ZERO);
        }
        // A hair more, so that whole pages are not a step short.
        let steps = (faulting as f64 / bytes as f64 / nominal * Faults::STEPS + 1e-6).floor();
        let faults = Faults(steps as u32);
        let spread = (faults.of(nominal) * bytes as f64).ceil() as u64;
        (faults, Span(faulting.saturating_sub(spread)))
    }

    /// Picoseconds for each byte.
    pub fn of(self, nominal: f64) -> f64 {
        f64::from(self.0) / Faults::STEPS * nominal
    }
}

/// How many transfers each accessed byte causes in each direction, in 256ths: coarse enough that slices
/// which differ by a few bytes count as the same kind of flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Mix {
    /// Home to reader: loads, and the fetches that stores cause.
    pub fills: u16,
    /// Reader to home: write-backs and streaming stores.
    pub write_backs: u16,
}

impl Mix {
    const SCALE: u64 = 256;

    /// Every byte is fetched.
    pub const LOAD: Mix = Mix { fills: Mix::SCALE as u16, write_backs: 0 };

    /// Every byte is written.
    pub const STORE: Mix = Mix { fills: 0, write_backs: Mix::SCALE as u16 };

    /// Sizes end at 2^60, so scaling the divisor instead of the dividend loses less than the scale.
    fn new(bytes: u64, fills: u64, write_backs: u64) -> Mix {
        let unit = bytes.div_ceil(Mix::SCALE).max(1);
        let part = |amount: u64| match bytes < 1 << 48 {
            true => ((amount * Mix::SCALE + bytes / 2) / bytes) as u16,
            false => (amount / unit) as u16,
        };
        Mix { fills: part(fills), write_backs: part(write_backs) }
    }

    /// Fills per byte.
    pub fn fills(self) -> f64 {
        f64::from(self.fills) / Mix::SCALE as f64
    }

    /// Write-backs per byte.
    pub fn write_backs(self) -> f64 {
        f64::from(self.write_backs) / Mix::SCALE as f64
    }
}

/// What planning needs to know about the phase on this machine.
pub(crate) struct Planner<'a> {
    pub machine: &'a Machine,
    pub fabric: &'a Fabric,
    pub phase: &'a Phase,
    /// Size of the team.
    pub threads: u32,
    pub system: System<'a>,
    /// Whether the phase streams so much that caches cannot matter.
    pub streams: bool,
    /// Instructions per second of one core.
    speed: f64,
    /// Bytes, fills, write-backs and picoseconds of faulting by origin; reused.
    origins: Vec<(Origin, [u64; 4])>,
    /// Bytes by cache, and those that only come after the others have come; reused.
    cached: Vec<u64>,
    later: Vec<u64>,
    /// What the caches said of one access; reused.
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

    /// Takes iterations off the front of `left` and appends their steps: all of them as one piece where
    /// their slices join without a gap (the same bytes at the same rates, in fewer events), else one.
    pub fn plan(
        &mut self,
        left: &mut Range<u64>,
        member: &Member,
        world: &mut World<'_>,
        now: Time,
        steps: &mut Vec<Step>,
    ) -> Result<(), MemoryFull> {
        let phase = self.phase;
        let whole = left.end - left.start > 1
            && phase.instructions.is_empty()
            && phase.allocation.is_none()
            && phase.accesses.iter().all(|access| access.slice.piece(left.start, left.end).is_some());
        let take = left.start..if whole { left.end } else { left.start + 1 };
        left.start = take.end;

        self.origins.clear();
        self.cached.fill(0);
        self.later.fill(0);
        self.allocate(&take, member, steps);
        for block in self.blocks(take.clone()) {
            self.block(block, member, world, now, steps)?;
        }
        if let Some(instructions) = phase.instructions.get(take.start as usize) {
            let seconds = instructions * f64::from(member.core_mates) / self.speed;
            steps.push(Step::Compute(Span::from_secs_ceil(seconds)));
        }
        let mut idle = self.idle(member);
        for (cache, &bytes) in self.cached.iter().enumerate().filter(|(_, bytes)| **bytes > 0) {
            let (seconds, _) = Lanes::cached(&self.machine.caches[cache], member, self);
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
            steps.push(Step::Stream(Segment { origin, bytes, mix, faults }));
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
        let waiting = 1.0 / Lanes::local(member, self) - self.seconds_per_byte(member.core_mates);
        Span::from_secs_ceil(self.phase.overlap * waiting.max(0.0) * bytes as f64)
    }

    /// Iterations in parts that are small beside what a thread has of its last-level cache: where several
    /// regions are touched side by side, each has its part of the cache at any time.
    fn blocks(&self, take: Range<u64>) -> impl Iterator<Item = Range<u64>> + use<> {
        /// A block's part of the thread's part of the cache.
        const PART: u64 = 2;
        /// More do not make it more exact.
        const MOST: u64 = 1024;
        let accesses = &self.phase.accesses;
        let data = accesses.iter().filter(|access| access.mode.is_data()).count();
        let bytes =
            |access: &Access| access.slice.piece(take.start, take.end).map_or(0, |piece| piece.touched);
        let count = match self.machine.caches.last() {
            Some(cache) if data > 1 && !self.streams => {
                let part = (cache.size.0 / u64::from(cache.shared_by.max(1)) / PART).max(1);
                accesses.iter().map(bytes).sum::<u64>().div_ceil(part).min(MOST)
            }
            _ => 1,
        };
        let length = take.end - take.start;
        let count = count.clamp(1, length.max(1));
        let cut =
            move |part: u64| take.start + (u128::from(length) * u128::from(part) / u128::from(count)) as u64;
        (0..count).map(move |part| cut(part)..cut(part + 1))
    }

    /// What some iterations touch.
    fn block(
        &mut self,
        block: Range<u64>,
        member: &Member,
        world: &mut World<'_>,
        now: Time,
        steps: &mut Vec<Step>,
    ) -> Result<(), MemoryFull> {
        for access in &self.phase.accesses {
            let Some(piece) = access.slice.piece(block.start, block.end) else { continue };
            if piece.touched == 0 {
                continue;
            }
            if access.mode.is_data() {
                let touched = world.store.touch(access.region.0, piece.start..piece.end, member.node, now)?;
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

    /// A block from the heap and back: in part of the iterations, evenly spread, through the kernel.
    fn allocate(&mut self, take: &Range<u64>, member: &Member, steps: &mut Vec<Step>) {
        let Some(allocation) = self.phase.allocation else { return };
        let mapped = |calls: u64| (calls as f64 * allocation.mapped) as u64;
        for _ in mapped(take.start)..mapped(take.end) {
            steps.push(Step::Locked(self.system.os.map + self.system.shootdown(member.node)));
        }
    }

    /// What the pages of an access cost before its data can be used. Returns the time of its faults, which
    /// come page by page with the data.
    fn charge(
        &mut self,
        touched: &Touched,
        member: &Member,
        world: &mut World<'_>,
        steps: &mut Vec<Step>,
    ) -> Span {
        world.pages.faulted += touched.fresh.pages + touched.fresh.huge;
        world.pages.moved += touched.next_touch.pages + touched.migrated.pages;
        if touched.hints > 0 {
            let hints = Span(self.system.os.balancing.hint_fault.0.saturating_mul(touched.hints));
            steps.push(Step::Overhead(hints + self.system.moves(member.node, touched.migrated.pages)));
            copy(&touched.migrated, member.node, steps);
        }
        let next = self.system.next_touch(member.node, &touched.next_touch);
        if next > Span::ZERO {
            steps.push(Step::Locked(next));
        }
        copy(&touched.next_touch, member.node, steps);
        self.system.faults(touched.fresh)
    }

    /// A page operation.
    fn operate(
        &mut self,
        access: &Access,
        piece: Piece,
        member: &Member,
        world: &mut World<'_>,
        steps: &mut Vec<Step>,
    ) -> Result<(), MemoryFull> {
        let (region, bytes) = (access.region.0, piece.start..piece.end);
        let to = match access.mode {
            Mode::Migrate(node) => NodeId(node),
            Mode::NextTouch => {
                if world.store.mark(region, bytes) > 0 {
                    steps.push(Step::Locked(self.system.os.map + self.system.shootdown(member.node)));
                }
                return Ok(());
            }
            _ => member.node,
        };
        let moved = world.store.fetch(region, bytes, to)?;
        world.pages.moved += moved.pages;
        let span = self.system.moves(member.node, moved.pages);
        if span > Span::ZERO {
            steps.push(Step::Locked(span));
        }
        copy(&moved, to, steps);
        Ok(())
    }

    /// Books the lines that are touched again in the innermost cache that holds them meanwhile. Where none
    /// does, regular ones come from where they came first, and random ones are found as often as the
    /// last-level cache holds them. Returns how many bytes are booked.
    fn touched_again(&mut self, piece: Piece) -> u64 {
        if piece.again == 0 {
            return 0;
        }
        let caches = &self.machine.caches;
        let (cache, bytes) = match caches.iter().position(|cache| cache.size.0 >= piece.reuse) {
            Some(cache) => (cache, piece.again),
            None => match caches.last().filter(|_| piece.scattered) {
                Some(last) => {
                    let held = last.size.0 as f64 / piece.reuse as f64;
                    (caches.len() - 1, (piece.again as f64 * held) as u64)
                }
                None => return 0,
            },
        };
        // Lines in random order come again at any time, whole passes one after the other.
        let cached = if piece.scattered { &mut self.cached } else { &mut self.later };
        cached[cache] += bytes;
        bytes
    }

    /// Who serves the data of an access: the core's caches, another socket's, or memory.
    fn serve(
        &mut self,
        access: &Access,
        piece: Piece,
        faults: Span,
        member: &Member,
        world: &mut World<'_>,
        steps: &mut Vec<Step>,
    ) {
        let kind = match access.mode {
            Mode::StreamingWrite => Kind::Stream,
            Mode::Write | Mode::Update => Kind::Write,
            _ => Kind::Read,
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
                    self.add(Origin::Peer(node), [bytes, bytes, 0, 0]);
                }
                Served::Memory => world.homes(access.region, range, piece.scattered, |origin, bytes| {
                    let faulting = faulting(bytes);
                    let bytes = next(bytes);
                    let (fills, write_backs) = match access.mode {
                        Mode::StreamingWrite => (0, bytes),
                        Mode::Write | Mode::Update => (bytes, bytes),
                        _ => (bytes, 0),
                    };
                    self.add(origin, [bytes, fills, write_backs, faulting]);
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

/// Whether a phase touches so many different bytes, each of them once, that what all caches together hold
/// is nothing beside it: then nobody looks into them.
fn streams(machine: &Machine, phase: &Phase) -> bool {
    /// Caches could serve at most one in so many bytes.
    const NOTHING: u128 = 32;
    let once = |access: &Access| matches!(access.slice, Slice::Partition(_)) || !access.mode.is_data();
    let Some(last) = machine.caches.last() else { return true };
    let cores: u64 = machine.levels.iter().map(|level| u64::from(level.count)).product();
    let caches = u128::from(last.size.0) * u128::from(cores.div_ceil(u64::from(last.shared_by.max(1))));
    let touched: u128 = phase.accesses.iter().map(|access| access.slice.total(phase.iterations)).sum();
    phase.accesses.iter().all(once) && touched > NOTHING * caches
}

/// Moved pages are read where they were and written where they go.
fn copy(moved: &Moved, to: NodeId, steps: &mut Vec<Step>) {
    let each = moved.bytes.0.checked_div(moved.pages).unwrap_or(0);
    steps.extend(moved.from.iter().map(|&(from, pages)| Step::Copy(from, to, pages * each)));
}

#[cfg(test)]
mod tests {
    use super::Mix;

    /// c = a + b with plain stores: of 3 bytes, 3 come in (c is fetched too) and 1 goes out.
    /// With streaming stores 2 come in and 1 goes out: 171/256 and 85/256.
    #[test]
    fn a_mix_counts_transfers() {
        assert_eq!(Mix::new(3, 3, 1), Mix { fills: 256, write_backs: 85 });
        assert_eq!(Mix::new(3, 2, 1), Mix { fills: 171, write_backs: 85 });
        assert_eq!(Mix::new(1 << 60, 1 << 60, 0), Mix { fills: 256, write_backs: 0 });
    }
}
