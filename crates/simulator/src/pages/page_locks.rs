//! Critical sections and reductions of threads whose nodes share memory by pages.

use crate::account::observer::Listener;
use crate::engine::script::Program;
use crate::engine::segment::{Next, team_of};
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::worker::Doing;
use crate::plan::{PageUse, Step};
use numalab_base::Time;
use numalab_dsm::Use;
use numalab_machine::Reductions;

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// True if threads add to the variables of the loop's reduction in a shared page: the machine states so
    /// (`reductions`), and consistency is not lazy.
    pub(crate) fn sums_in_pages(&self) -> bool {
        let pages = self.setup.machine.dsm.as_ref().is_some_and(|dsm| dsm.reductions == Reductions::Page);
        let shared = self.world.dsm.as_ref().is_some_and(|dsm| !dsm.is_lazy());
        pages && shared && self.phase.reduction.is_some()
    }

    /// Step that adds to the reduction's variables; `None` without shared pages or without a reduction.
    pub(crate) fn sum(&self) -> Option<Step> {
        /// Bytes of a reduction variable.
        const VARIABLE: u64 = 8;
        let (dsm, region) = (self.world.dsm.as_ref()?, self.phase.reduction?);
        let pages = dsm.pages(region.0, 0..VARIABLE);
        Some(Step::Pages(PageUse { pages, how: Use::Update, each: VARIABLE as u32 }))
    }

    /// Acquires or releases the lock of critical sections by messages.
    pub(crate) fn take_turns(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        thread: u32,
        program: Program,
        now: Time,
    ) -> Next {
        if O::ACTIVE {
            state.note_turns(program, team_of(state, thread), thread, now);
        }
        // Training of `align` ends before the wait for other threads, which says nothing of the thread's own speed.
        if program == Program::Acquire && self.sums_in_pages() {
            self.world.aligned.end(thread, now);
        }
        let Some(dsm) = &mut self.world.dsm else { return Next::Again };
        if program == Program::Acquire {
            dsm.lock(thread, now);
            return Next::Until(Doing::Turn);
        }
        dsm.unlock(thread, now);
        Next::Again
    }
}
