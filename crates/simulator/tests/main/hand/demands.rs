//! Accesses of one loop that differ in the lines that they keep in flight, or in what is computed on each byte.

use crate::builders::{MB, MS, US, add_cache, looped, machine, near, placed, run_on};
use numalab_machine::LoadedLatency;
use numalab_workload::{Access, Demand, Mode, Phase, RegionId, Slice};

const CHASE: Demand = Demand { outstanding: Some(1.0), instructions_per_byte: None };

/// A loop of reads, each of which has its own bytes for every iteration and its own demand.
fn reads(parts: &[(&[u64], Demand)]) -> Phase {
    let access = |(bounds, demand): &(&[u64], Demand)| Access {
        demand: *demand,
        ..Access::new(RegionId(0), Slice::Partition((*bounds).into()), Mode::Read)
    };
    Phase { accesses: parts.iter().map(access).collect(), ..looped(Mode::Read, parts[0].0) }
}

/// 640 kB with one line in flight, 0.64 GB/s, are 1 ms; 6.4 MB with ten, 6.4 GB/s, another: one after the other, since
/// neither is the other's stream. With 1 instruction a byte, 1 GB/s, those are 6.4 ms.
#[test]
fn what_differs_is_a_stream_of_its_own() {
    let bounds = [0, 6_400_000];
    for (instructions_per_byte, streamed) in [(None, MS), (Some(1.0), 6_400 * US)] {
        let own = Demand { outstanding: None, instructions_per_byte };
        let phase = reads(&[(&[0, 640_000], CHASE), (&bounds, own)]);
        let run = run_on(&machine("core:1"), 1, "static", &[placed(&bounds), phase]);
        near(run.makespan_ps, MS + streamed);
        near(run.team[0].compute_ps, if instructions_per_byte.is_some() { streamed } else { 0 });
    }
}

/// Prefetchers that fetch 4 lines ahead of each sequence fetch 4 of an access that has a demand of its own, and 8 of
/// two that share the loop's: 2.56 and 5.12 GB/s of 2.56 MB each.
#[test]
fn prefetchers_look_ahead_in_the_sequences_of_one_demand() {
    let mut machine = machine("core:1");
    machine.core.stream_outstanding = Some(4.0);
    let part = |at: u64| [at * 2_560_000, (at + 1) * 2_560_000];
    let own = Demand { outstanding: Some(10.0), instructions_per_byte: None };
    let ours = Demand::default();
    let run = |third: Demand| {
        let phase = reads(&[(&part(0), ours), (&part(1), ours), (&part(2), third)]);
        run_on(&machine, 1, "static", &[placed(&[0, 7_680_000]), phase]).makespan_ps
    };
    near(run(own), MS + MS);
    // All three together have 10 lines, as many as the core.
    near(run(ours), 1_200 * US);
}

/// A chase through what a cache 40 ns away holds: 64 bytes in 40 ns, 640 kB in 400 us. The same read under the
/// loop's demand passes at the cache's 32 GB/s, in 20 us.
#[test]
fn a_chase_sees_the_latency_of_a_cache() {
    let mut machine = machine("core:1");
    add_cache(&mut machine, 1 << 20, 1, 40, 32e9);
    let bounds = [0, 640_000];
    for (demand, took) in [(CHASE, 400 * US), (Demand::default(), 20 * US)] {
        let run = run_on(&machine, 1, "static", &[placed(&bounds), reads(&[(&bounds, demand)])]);
        near(run.makespan_ps, took);
    }
}

/// Three threads read at a pace of 1 instruction for 2 bytes, 2 GB/s each, and a fourth follows a chain. They use 6.0 of
/// 10 GB/s, the chain 64 bytes in a latency, `f` times 100 ns. From half of the bandwidth on, where the factor
/// is 1, it rises by 2 with the load: f = 1 + 2 (0.6 + 0.064 / f - 0.5), f² - 1.2 f = 0.128, f = 1.2985. The chain's 10 000
/// lines take 1.2985 ms; the streams last longer.
#[test]
fn a_chase_beside_streams_in_one_loop_waits_longer() {
    let mut machine = machine("core:4");
    machine.memory.loaded_latency = LoadedLatency(vec![(0.5, 1.0), (1.0, 2.0)]);
    let slow = Demand { outstanding: None, instructions_per_byte: Some(0.5) };
    let chain = [0, 640_000, 640_000, 640_000, 640_000];
    let streams = [640_000, 640_000, 5 * MB, 10 * MB, 15 * MB];
    let run = run_on(
        &machine,
        4,
        "static",
        &[placed(&[0, 4 * MB, 8 * MB, 12 * MB, 15 * MB]), reads(&[(&chain, CHASE), (&streams, slow)])],
    );
    let (actual, expected) = (run.team[0].stall_ps as f64, (1.2 + (1.44_f64 + 0.512).sqrt()) / 2.0 * 1e9);
    assert!((actual / expected - 1.0).abs() < 1e-6, "{actual} instead of {expected}");
}
