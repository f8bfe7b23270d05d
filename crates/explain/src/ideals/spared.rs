//! Machines, runtimes and workloads without some of their costs. Every struct is destructured, so that each new
//! parameter needs a decision here.

use numalab_base::{Bandwidth, Span};
use numalab_machine::{Balancing, Cache, Core, Level, Link, Machine, Memory, MemoryAt, NodePort, Os};
use numalab_runtime::Profile;
use numalab_runtime::profile::{LockProfile, TaskProfile, WaitProfile, Worksharing};
use numalab_workload::{Construct, LockKind, Workload};

/// Operating system whose work takes no time. Parameters that decide the order of threads stay.
pub(super) fn free_os(os: &Os) -> Os {
    let Os {
        page_fault: _,
        zeroing: _,
        page_lock: _,
        map: _,
        wake: _,
        interrupt: _,
        release: _,
        release_lock,
        system_call: _,
        sched_latency,
        sched_granularity,
        context_switch: _,
        wake_thread: _,
        balance_interval,
        migration_cost,
        create_thread: _,
        start_thread: _,
        page_migration: _,
        next_touch: _,
        ref balancing,
        ref noise,
        ref tiering,
    } = *os;
    let Balancing { hint_fault: _, scan_size, scan_period, scan_delay, scan_page: _ } = *balancing;
    Os {
        page_fault: Span::ZERO,
        zeroing: Bandwidth(f64::MAX),
        page_lock: Span::ZERO,
        map: Span::ZERO,
        wake: Span::ZERO,
        interrupt: Span::ZERO,
        release: Span::ZERO,
        release_lock,
        system_call: Span::ZERO,
        sched_latency,
        sched_granularity,
        context_switch: Span::ZERO,
        wake_thread: Span::ZERO,
        balance_interval,
        migration_cost,
        create_thread: Span::ZERO,
        start_thread: Span::ZERO,
        page_migration: Span::ZERO,
        next_touch: Span::ZERO,
        balancing: Balancing {
            hint_fault: Span::ZERO,
            scan_size,
            scan_period,
            scan_delay,
            scan_page: Span::ZERO,
        },
        // The same draws, so that a replica differs by the removed costs alone.
        noise: noise.clone(),
        tiering: tiering.clone(),
    }
}

/// Factor by which lines of the runtime move faster. With an infinite factor, a thread that retries would do so for
/// ever at one instant.
const QUICKER: u64 = 1000;

fn quick(span: Span) -> Span {
    Span(span.0.div_ceil(QUICKER))
}

fn wide(bandwidth: Bandwidth) -> Bandwidth {
    Bandwidth(bandwidth.0 * QUICKER as f64)
}

/// Machine with the same cores and resources on which lines move a thousand times as fast.
pub(super) fn quick_lines(machine: &Machine) -> Machine {
    let Machine {
        name,
        description,
        levels,
        links,
        core,
        caches,
        protocol,
        memory,
        memory_at,
        numbering,
        processors,
        offline,
        os,
        runtime,
        dsm,
        memory_only,
        origins,
    } = machine.clone();
    let levels = levels.into_iter().map(|level| {
        let Level { kind, count, interconnect, controller, port, core_to_core } = level;
        let port = port.map(|NodePort { read_bandwidth, write_bandwidth }| NodePort {
            read_bandwidth: read_bandwidth.map(wide),
            write_bandwidth: write_bandwidth.map(wide),
        });
        Level { kind, count, interconnect, controller, port, core_to_core: core_to_core.map(quick) }
    });
    let links = links.into_iter().map(|link| {
        let Link { name, bandwidth, latency, lanes, duplex, crowding, loaded_latency } = link;
        let (bandwidth, latency) = (wide(bandwidth), quick(latency));
        Link { name, bandwidth, latency, lanes, duplex, crowding, loaded_latency }
    });
    let caches = caches.into_iter().map(|cache| {
        let (latency, bandwidth) = (quick(cache.latency), wide(cache.bandwidth));
        Cache { latency, bandwidth, core_to_core: cache.core_to_core.map(quick), ..cache }
    });
    Machine {
        name,
        description,
        levels: levels.collect(),
        links: links.collect(),
        core: Core { atomic: quick(core.atomic), ..core },
        caches: caches.collect(),
        protocol,
        memory: Memory {
            latency: quick(memory.latency),
            bandwidth: wide(memory.bandwidth),
            read_bandwidth: memory.read_bandwidth.map(wide),
            write_bandwidth: memory.write_bandwidth.map(wide),
            random_bandwidth: memory.random_bandwidth.map(wide),
            ..memory
        },
        memory_at: memory_at
            .into_iter()
            .map(|some| MemoryAt { bandwidth: some.bandwidth.map(wide), ..some })
            .collect(),
        numbering,
        processors,
        offline,
        os,
        runtime,
        dsm,
        memory_only,
        origins,
    }
}

/// Runtime that takes no time, with the same queues and schedules.
pub(super) fn free_runtime(runtime: &Profile) -> Profile {
    let Profile { fork, barrier, .. } = Profile::free();
    Profile {
        origins: runtime.origins.clone(),
        name: runtime.name.clone(),
        description: runtime.description.clone(),
        fork,
        barrier,
        wait: WaitProfile::default(),
        lock: LockProfile::new(LockKind::Mcs),
        worksharing: Worksharing::default(),
        tasks: TaskProfile {
            create: Span::ZERO,
            dispatch: Span::ZERO,
            at_once: None,
            wakes: false,
            lock: None,
            ..runtime.tasks.clone()
        },
        reduction: runtime.reduction,
        auto: runtime.auto,
        runtime: runtime.runtime,
        places: runtime.places,
    }
}

/// Copy of the workload whose locks are of the runtime's kind: in [`free_runtime`] a queue, whose waiters do not
/// retry.
pub(super) fn patient_locks(workload: &Workload) -> Workload {
    let mut workload = workload.clone();
    for phase in &mut workload.phases {
        if matches!(phase.construct, Construct::Lock(_)) {
            phase.construct = Construct::Lock(None);
        }
    }
    workload
}
