//! Costs of the operating system: page faults and moves, locks of memory, time slices and wake-ups; parameters of
//! automatic balancing and of memory tiers.

use super::ReleaseLock;
use numalab_base::{Bandwidth, Bytes, Span};

const US: u64 = 1_000_000;
const MIB: f64 = 1_048_576.0;

numalab_base::parameters! {
    /// Costs of the operating system. Defaults are those of a recent Linux on a small machine.
    pub struct Os as "OsFile" with defaults {
        /// Fault and zeroing of one fresh page without contention.
        page_fault: Span = Span(US),
        /// Rate of zeroing fresh memory, a part of `page_fault`: the extra cost of a larger page.
        zeroing: Bandwidth = Bandwidth(10e9),
        /// The part of `page_fault` that holds the lock of the node's free pages.
        page_lock: Span = Span(US / 10) => [lock],
        /// Mapping and unmapping a block of memory without contention.
        map: Span = Span(4 * US),
        /// Waking the next thread that sleeps at the lock of the address space.
        wake: Span = Span(5 * US),
        /// Time per processor of sending the interrupts of a TLB shootdown. The answer of a processor takes the
        /// latency of a line.
        interrupt: Span = Span::ZERO => [silent],
        /// Returning the pages of a block and taking them again without contention, where the allocator keeps the
        /// addresses.
        release: Span = Span::ZERO => [silent],
        /// Lock of the address space while pages are released: shared or exclusive.
        release_lock: ReleaseLock = ReleaseLock::Shared => [silent],
        /// A short system call, such as binding a thread to its present processor.
        system_call: Span = Span(US / 2) => [silent],
        /// Period in which every thread of a processor runs once, while each gets at least `sched_granularity`.
        sched_latency: Span = Span(24_000 * US) => [silent],
        /// Minimum time slice of a thread that shares its processor with others.
        sched_granularity: Span = Span(3_000 * US) => [silent],
        /// Switch from one thread of a processor to the next.
        context_switch: Span = Span(2 * US) => [silent],
        /// Time until a thread that slept at a barrier runs again.
        wake_thread: Span = Span(5 * US) => [silent],
        /// Time that, multiplied by the number of processors of the scheduling domain, is the interval between two
        /// searches of an idle processor for threads to move to itself.
        balance_interval: Span = Span(1_000 * US) => [silent, above_zero],
        /// Mean idle time above which a processor that becomes idle searches for threads immediately.
        migration_cost: Span = Span(500 * US) => [silent],
        /// Time that the creating thread spends per new thread.
        create_thread: Span = Span(10 * US) => [silent],
        /// Time until a new thread runs.
        start_thread: Span = Span(20 * US) => [silent],
        /// Moving one page, without the copy and the TLB shootdown.
        page_migration: Span = Span(US),
        /// Fault of a page that is marked for next touch, without the move.
        next_touch: Span = Span(10 * US),
        /// Automatic NUMA balancing.
        balancing: Balancing = Balancing::default(),
        /// Variation of times between perturbed replicas of a run.
        noise: Noise = Noise::default() => [silent],
        /// Memory tiers.
        tiering: Tiering = Tiering::default() => [silent],
    }
}

// Defaults of the kernel, except the time of a scan: it is measured on each machine, and 0 where it was not.
numalab_base::parameters! {
    /// Automatic NUMA balancing: the search for pages that are used from other nodes.
    pub struct Balancing as "BalancingFile" with defaults {
        /// Fault that only shows which node accesses the page.
        hint_fault: Span = Span(US),
        /// Memory unmapped by one scan.
        scan_size: Bytes = Bytes(256 << 20) => [above_zero],
        /// Time between two scans.
        scan_period: Span = Span(1_000_000 * US) => [above_zero, unlimited],
        /// Time before the first scan.
        scan_delay: Span = Span(1_000_000 * US) => [above_zero, unlimited],
        /// Processor time of unmapping one page. 0: scans take no time.
        scan_page: Span = Span::ZERO => [silent],
    }
}

// The kernel's manual page rtla-osnoise-top(1) shows one minute on four processors of an ordinary Linux: interruptions
// take 0.54 % of their time (from 0.39 to 0.64 %), in 53 000 interruptions of 5.4 us each. Work varies by this figure,
// which is a typical one: short pieces of work vary more on real machines, and long ones less.
// The start is assumed: about one memory latency, in which a thread sees that a region is open. An interruption hits
// one start in two hundred, and is left out.
numalab_base::parameters! {
    /// Variation of times on a core between perturbed replicas of a run. The nominal run has none.
    pub struct Noise as "NoiseFile" with defaults {
        /// Largest part by which a piece of work varies: computing takes more or less time, receiving data takes more.
        work: f64 = 0.005 => [silent, part],
        /// Longest time by which a thread starts its part of a parallel region late.
        start: Span = Span(US / 10) => [silent],
    }
}

// The kernel's own defaults.
numalab_base::parameters! {
    /// Memory tiering: moves of pages between faster and slower memory, chosen by the scans of automatic balancing.
    pub struct Tiering as "TieringFile" with defaults {
        /// Time after a scan within which an access makes a page hot.
        hot_threshold: Span = Span(1_000_000 * US) => [silent, above_zero, unlimited],
        /// Most bytes of hot pages per second that are promoted to a node.
        promote_rate: Bandwidth = Bandwidth(65_536.0 * MIB) => [silent],
        /// Space between two watermarks of a node's free memory, as a fraction of the node's memory.
        watermark_scale: f64 = 0.001 => [silent, above_zero],
    }
}

impl Os {
    /// Time slice of a thread whose processor has `threads` threads.
    pub fn time_slice(&self, threads: u32) -> Span {
        Span(self.sched_latency.0 / u64::from(threads.max(1))).max(self.sched_granularity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 24 ms shared by 1, 2 and 8 threads; 9 would get 2.7 ms each, and get 3.
    #[test]
    fn a_slice_is_part_of_the_latency_and_no_less_than_the_granularity() {
        let slices = [1, 2, 8, 9, 100].map(|threads| Os::default().time_slice(threads).0 / US);
        assert_eq!(slices, [24_000, 12_000, 3_000, 3_000, 3_000]);
    }
}
