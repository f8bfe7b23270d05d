//! Parameters of the operating system.

use super::ReleaseLock;
use numalab_base::{Bandwidth, Bytes, Span};

const US: u64 = 1_000_000;
const MIB: f64 = 1_048_576.0;

numalab_base::parameters! {
    /// Charges of the operating system. Those that are absent are a recent Linux's on a small machine.
    pub struct Os as "OsFile" with defaults {
        /// Fault and zeroing of one fresh page, with nobody else faulting.
        page_fault: Span = Span(US),
        /// Rate of zeroing fresh memory, a part of `page_fault`: what a larger page costs more.
        zeroing: Bandwidth = Bandwidth(10e9),
        /// The part of `page_fault` that holds the lock of the node's free pages.
        page_lock: Span = Span(US / 10) => [lock],
        /// Mapping and unmapping a block of memory, alone.
        map: Span = Span(4 * US),
        /// Waking the next thread that sleeps at the lock of the address space.
        wake: Span = Span(5 * US),
        /// Sending one more processor the interrupt that makes it forget translations; what it takes to answer is the
        /// way of a line.
        interrupt: Span = Span::ZERO => [silent],
        /// Giving the pages of a block back and taking them again, alone, where the allocator keeps the addresses.
        release: Span = Span::ZERO => [silent],
        /// How that holds the address space.
        release_lock: ReleaseLock = ReleaseLock::Shared => [silent],
        /// A call that does little, such as binding a thread to where it is.
        system_call: Span = Span(US / 2) => [silent],
        /// Time in which every thread of a processor has its turn, while that leaves each `sched_granularity`.
        sched_latency: Span = Span(24_000 * US) => [silent],
        /// The least that a thread has its processor for when others want it.
        sched_granularity: Span = Span(3_000 * US) => [silent],
        /// From one thread of a processor to the next.
        context_switch: Span = Span(2 * US) => [silent],
        /// Until a thread that slept at a barrier runs again.
        wake_thread: Span = Span(5 * US) => [silent],
        /// Time between two looks of an idle processor for threads to take, for each processor of the domain in which it
        /// looks.
        balance_interval: Span = Span(1_000 * US) => [silent, above_zero],
        /// The time for which a processor has to be idle on average so that it looks at once.
        migration_cost: Span = Span(500 * US) => [silent],
        /// Creating a thread, for who creates it.
        create_thread: Span = Span(10 * US) => [silent],
        /// Until a thread that was created runs.
        start_thread: Span = Span(20 * US) => [silent],
        /// Moving one page, less the copy and the interruption of the other processors.
        page_migration: Span = Span(US),
        /// The fault of a page that is marked for next touch, less the move.
        next_touch: Span = Span(10 * US),
        /// Automatic NUMA balancing.
        balancing: Balancing = Balancing::default(),
        /// Memory tiers.
        tiering: Tiering = Tiering::default() => [silent],
    }
}

// The kernel's own defaults. The time of a scan is of recent measurements; where it was not measured, scans take none.
numalab_base::parameters! {
    /// Search of the operating system for pages that are used from other nodes.
    pub struct Balancing as "BalancingFile" with defaults {
        /// A fault that only tells who accesses the page.
        hint_fault: Span = Span(US),
        /// Memory unmapped at a time.
        scan_size: Bytes = Bytes(256 << 20) => [above_zero],
        /// Time between two such steps.
        scan_period: Span = Span(1_000_000 * US) => [above_zero, unlimited],
        /// Time before the first.
        scan_delay: Span = Span(1_000_000 * US) => [above_zero, unlimited],
        /// Processor time that unmapping one page takes; 0: scans take no time.
        scan_page: Span = Span::ZERO => [silent],
    }
}

// The kernel's own defaults.
numalab_base::parameters! {
    /// Moves of the operating system between faster and slower memory; it searches as automatic balancing does.
    pub struct Tiering as "TieringFile" with defaults {
        /// Time from a scan to an access up to which a page is hot.
        hot_threshold: Span = Span(1_000_000 * US) => [silent, above_zero, unlimited],
        /// Bytes of hot pages that a node takes in a second, at most.
        promote_rate: Bandwidth = Bandwidth(65_536.0 * MIB) => [silent],
        /// Space between two watermarks of a node's free memory, as a part of its memory.
        watermark_scale: f64 = 0.001 => [silent, above_zero],
    }
}

impl Os {
    /// Time that a thread has its processor for, which it shares so that there are so many.
    pub fn time_slice(&self, threads: u32) -> Span {
        Span(self.sched_latency.0 / u64::from(threads.max(1))).max(self.sched_granularity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 24 ms shared by 1, 2 and 8 threads; 9 would have 2.7 ms each, and have 3.
    #[test]
    fn a_slice_is_part_of_the_latency_and_no_less_than_the_granularity() {
        let slices = [1, 2, 8, 9, 100].map(|threads| Os::default().time_slice(threads).0 / US);
        assert_eq!(slices, [24_000, 12_000, 3_000, 3_000, 3_000]);
    }
}
