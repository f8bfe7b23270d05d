//! An iteration as steps: page faults, computing, and one stream from each home node of its data.

use crate::team::Member;
use crate::world::World;
use numalab_machine::{Fabric, Machine, NodeId};
use numalab_memory::MemoryFull;
use numalab_program::{Mode, Phase};
use numalab_units::Span;
use std::ops::Range;

/// What a thread does next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    /// The operating system places fresh pages.
    Fault(Span),
    /// Instructions that touch no memory.
    Compute(Span),
    /// Data from (and to) one home node.
    Stream(Segment),
}

/// Bytes of one home node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    pub home: NodeId,
    /// Bytes that the program accesses.
    pub bytes: u64,
    pub mix: Mix,
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
    /// Instructions per second of one core.
    speed: f64,
    /// Bytes, fills and write-backs of each home; reused.
    homes: Vec<(NodeId, u64, u64, u64)>,
}

impl<'a> Planner<'a> {
    pub fn new(machine: &'a Machine, fabric: &'a Fabric, phase: &'a Phase) -> Planner<'a> {
        let speed = machine.core.clock.0 * machine.core.instructions_per_cycle;
        Planner { machine, fabric, phase, speed, homes: Vec::new() }
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
        world: &mut World,
        steps: &mut Vec<Step>,
    ) -> Result<(), MemoryFull> {
        let phase = self.phase;
        let whole = phase.instructions.is_empty()
            && phase.accesses.iter().all(|access| access.slice.piece(left.start, left.end).is_some());
        let take = left.start..if whole { left.end } else { left.start + 1 };
        left.start = take.end;

        self.homes.clear();
        let mut faulted = 0;
        for access in &phase.accesses {
            let Some(piece) = access.slice.piece(take.start, take.end) else { continue };
            let (start, end) = (piece.start, piece.end);
            faulted += world.touch(self.fabric, access.region, start..end, member.node)?;
            world.homes(access.region, start..end, |home, bytes| {
                let (fills, write_backs) = match access.mode {
                    Mode::Read => (bytes, 0),
                    Mode::StreamingWrite => (0, bytes),
                    _ => (bytes, bytes),
                };
                match self.homes.iter_mut().find(|entry| entry.0 == home) {
                    Some(entry) => {
                        entry.1 += bytes;
                        entry.2 += fills;
                        entry.3 += write_backs;
                    }
                    None => self.homes.push((home, bytes, fills, write_backs)),
                }
            });
        }
        if faulted > 0 {
            steps.push(Step::Fault(Span(self.machine.os.page_fault.0.saturating_mul(faulted))));
        }
        if let Some(instructions) = phase.instructions.get(take.start as usize) {
            let seconds = instructions * f64::from(member.core_mates) / self.speed;
            steps.push(Step::Compute(Span::from_secs_ceil(seconds)));
        }
        steps.extend(self.homes.iter().map(|&(home, bytes, fills, write_backs)| {
            Step::Stream(Segment { home, bytes, mix: Mix::new(bytes, fills, write_backs) })
        }));
        Ok(())
    }
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
