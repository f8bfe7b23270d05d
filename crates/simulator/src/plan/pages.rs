//! Cost of page operations that precede the use of data.

use super::{KernelLock, Planner, Step};
use crate::engine::team::Member;
use crate::engine::world::World;
use numalab_base::Span;
use numalab_machine::{NodeId, ReleaseLock};
use numalab_memory::{MemoryFull, Moved, Touched};
use numalab_workload::{Access, Mode, Piece, RegionId};
use std::ops::Range;

impl Planner<'_> {
    /// Charges heap allocations and releases that call the kernel. The phase states their number per iteration;
    /// fractions are spread evenly over iterations.
    pub(super) fn allocate(&mut self, take: &Range<u64>, member: &Member, steps: &mut Vec<Step>) {
        let Some(allocation) = self.phase.allocation else { return };
        let part = |of: f64| (take.start as f64 * of) as u64..(take.end as f64 * of) as u64;
        let os = self.system.os;
        for _ in part(allocation.mapped) {
            steps.push(self.unmapping(os.map, KernelLock::AddressSpace, member));
        }
        let lock = match os.release_lock {
            ReleaseLock::Shared => KernelLock::Translations,
            ReleaseLock::Exclusive => KernelLock::AddressSpace,
        };
        for _ in part(allocation.released) {
            steps.push(self.unmapping(os.release, lock, member));
        }
    }

    /// Step under a lock of the kernel: work that takes `alone`, and then a TLB shootdown on every other processor of
    /// the team.
    fn unmapping(&mut self, alone: Span, lock: KernelLock, member: &Member) -> Step {
        Step::Locked(lock, alone + self.system.shootdown(member))
    }

    /// Charges the page operations of an access. Returns the time of its faults, which are paid page by page with the
    /// data.
    pub(super) fn charge(
        &mut self,
        touched: &Touched,
        member: &Member,
        world: &mut World<'_>,
        steps: &mut Vec<Step>,
    ) -> Span {
        world.counts.pages_faulted += touched.fresh.pages + touched.fresh.huge;
        world.counts.pages_moved +=
            touched.next_touch.pages + touched.migrated.pages + touched.promoted.pages;
        world.counts.pages_promoted += touched.promoted.pages;
        if touched.hints > 0 {
            let hints = Span(self.system.os.balancing.hint_fault.0.saturating_mul(touched.hints));
            steps.push(Step::Overhead(
                hints + self.system.moves(member, touched.migrated.pages + touched.promoted.pages),
            ));
            copy(&touched.migrated, member.node, steps);
            copy(&touched.promoted, member.node, steps);
        }
        let next = self.system.next_touch(member, &touched.next_touch);
        if next > Span::ZERO {
            steps.push(Step::Locked(KernelLock::AddressSpace, next));
        }
        if touched.next_touch.pages > 0 {
            copy(&touched.next_touch, world.store.near(member.node), steps);
        }
        self.system.faults(touched.fresh)
    }

    /// Executes an access that is a page operation, and charges its cost.
    pub(super) fn operate(
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
                    steps.push(self.unmapping(self.system.os.map, KernelLock::AddressSpace, member));
                }
                return Ok(());
            }
            Mode::Replicate => return self.replicate(access.region, bytes, member, world, steps),
            Mode::Fetch | Mode::Read | Mode::Write | Mode::StreamingWrite | Mode::Update => {
                world.store.near(member.node)
            }
        };
        let moved = world.store.fetch(region, bytes, to)?;
        world.counts.pages_moved += moved.pages;
        let span = self.system.moves(member, moved.pages);
        if span > Span::ZERO {
            steps.push(Step::Locked(KernelLock::AddressSpace, span));
        }
        copy(&moved, to, steps);
        Ok(())
    }
}

impl Planner<'_> {
    /// Copies bytes of a region to the copy of the thread's node, and charges the faults of the copy's pages.
    fn replicate(
        &mut self,
        region: RegionId,
        bytes: Range<u64>,
        member: &Member,
        world: &mut World<'_>,
        steps: &mut Vec<Step>,
    ) -> Result<(), MemoryFull> {
        let node = world.store.near(member.node);
        let Some((copy, homes)) = world.replicate(region, bytes.clone(), (member.node, node)) else {
            return Ok(());
        };
        if homes.is_empty() {
            return Ok(());
        }
        let touched = world.store.touch(copy.0, bytes, member.node)?;
        let faults = self.charge(&touched, member, world, steps);
        steps.push(Step::Overhead(faults));
        steps.extend(homes.into_iter().map(|(from, bytes)| Step::Copy(from, node, bytes)));
        Ok(())
    }
}

/// Appends the copies of moved pages: reads at the old homes and writes at the new one.
fn copy(moved: &Moved, to: NodeId, steps: &mut Vec<Step>) {
    let each = moved.bytes.0.checked_div(moved.pages).unwrap_or(0);
    steps.extend(moved.from.iter().map(|&(from, pages)| Step::Copy(from, to, pages * each)));
}
