//! A machine of round numbers and loops over one region, to calculate with by hand.

use numalab_base::{Bandwidth, Bytes, Frequency, Span};
use numalab_machine::{Cache, Fabric, Machine, Replacement, synthetic};
use numalab_runtime::Profile;
use numalab_simulator::{Ideal, RunOutcome, Setup, SimulationError, Team, ThreadOutcome, prepare};
use numalab_workload::{
    Access, Allocation, BindingText, Construct, LockKind, Mode, Phase, Placement, Region, RegionId, Schedule,
    Slice, Workload,
};

pub const NS: u64 = 1_000;
pub const US: u64 = 1_000_000;
pub const MS: u64 = 1_000_000_000;
pub const MB: u64 = 1_000_000;
pub const PAGE: u64 = 4096;

/// Constructs whose state comes back from one execution to the next, in the nominal run and in replicas.
pub const RETURNING: [Construct; 8] = [
    Construct::Parallel,
    Construct::Reduction,
    Construct::Barrier,
    Construct::Single { nowait: false },
    Construct::Critical,
    Construct::Lock(Some(LockKind::Ticket)),
    Construct::Atomic,
    Construct::Ordered,
];

/// One thread keeps 10 lines of 64 bytes in flight, 100 ns from local memory: 6.4 GB/s. A controller
/// moves 10 GB/s. A link adds 50 ns each way and carries 2 GB/s. A core executes 1 instruction each
/// nanosecond. Faults are free.
pub fn machine(spec: &str) -> Machine {
    let mut machine = synthetic(spec).expect("a sound machine");
    machine.core.clock = Frequency(1e9);
    machine.core.instructions_per_cycle = 1.0;
    machine.core.outstanding = 10.0;
    machine.memory.latency = Span(100 * NS);
    machine.memory.bandwidth = Bandwidth(10e9);
    machine.memory.read_bandwidth = None;
    machine.memory.write_bandwidth = None;
    // Latency does not grow under load.
    machine.memory.loaded_latency.0.clear();
    machine.memory.page = Bytes(PAGE);
    // Hand calculations add costs one at a time.
    machine.os.page_fault = Span::ZERO;
    machine.os.page_lock = Span::ZERO;
    machine.caches.clear();
    for link in &mut machine.links {
        link.latency = Span(50 * NS);
        link.bandwidth = Bandwidth(2e9);
    }
    machine
}

/// Two sockets of one core, on which all page operations of the operating system cost time.
pub fn charging() -> Machine {
    let mut machine = machine("socket:2 core:1");
    machine.os.page_migration = Span(US);
    machine.os.next_touch = Span(10 * US);
    machine.os.map = Span(4 * US);
    machine.os.wake = Span(5 * US);
    machine
}

/// Unmeasured loop before the measured loops: thread `i` of the team writes the bytes `bounds[i]..bounds[i + 1]`.
pub fn placed(bounds: &[u64]) -> Phase {
    let schedule = Some(Schedule::Static { chunk: None });
    Phase { name: "place".to_owned(), measured: false, schedule, ..looped(Mode::Write, bounds) }
}

/// Loop whose iteration `i` accesses the bytes `bounds[i]..bounds[i + 1]`.
pub fn looped(mode: Mode, bounds: &[u64]) -> Phase {
    let access = Access::new(RegionId(0), Slice::Partition(bounds.into()), mode);
    Phase { accesses: vec![access], overlap: 1.0, ..Phase::new("loop", bounds.len() as u64 - 1) }
}

/// Loop whose iteration `i` executes `instructions[i]` and touches no memory.
pub fn computing(instructions: &[f64]) -> Phase {
    let empty = vec![0; instructions.len() + 1];
    Phase { instructions: instructions.into(), accesses: Vec::new(), ..looped(Mode::Read, &empty) }
}

/// Loop whose iterations each allocate a block of the heap and free the block. In the fraction `mapped` of the
/// iterations the allocator maps the block.
pub fn allocating(iterations: usize, mapped: f64) -> Phase {
    let allocation = Some(Allocation { bytes: Bytes(MB), mapped, released: 0.0 });
    Phase { allocation, instructions: [].into(), ..computing(&vec![0.0; iterations]) }
}

/// Adds a cache outside all caches of the machine: 10 lines in flight at `latency` nanoseconds, at most `bandwidth`
/// bytes per second.
pub fn add_cache(machine: &mut Machine, size: u64, shared_by: u32, latency: u64, bandwidth: f64) {
    machine.caches.push(Cache {
        level: machine.caches.len() as u8 + 1,
        size: Bytes(size),
        shared_by,
        core_to_core: None,
        passed_on: 0.5,
        inclusive: true,
        random_outstanding: None,
        ways: None,
        replacement: Replacement::Lru,
        latency: Span(latency * NS),
        bandwidth: Bandwidth(bandwidth),
    });
}

/// Workload over one region that is as large as the phases need.
pub fn workload(phases: &[Phase]) -> Workload {
    let accesses = phases.iter().flat_map(|phase| phase.accesses.iter().map(move |access| (phase, access)));
    let ends = accesses.map(|(phase, access)| access.slice.range(phase.iterations - 1).1);
    let region = Region::new("data", Bytes(ends.max().unwrap_or(0)));
    Workload {
        name: "test".to_owned(),
        description: String::new(),
        parameters: Vec::new(),
        regions: vec![region],
        phases: phases.to_vec(),
        rounds: 1,
        compare: Vec::new(),
        binding: BindingText::default(),
        runtime: None,
    }
}

/// Setup with seed 0 and without ideals.
pub fn setup<'a>(
    (machine, fabric): (&'a Machine, &'a Fabric),
    (workload, runtime): (&'a Workload, &'a Profile),
    team: &'a Team,
) -> Setup<'a> {
    Setup {
        machine,
        fabric,
        workload,
        runtime,
        team,
        seed: 0,
        replica: 0,
        ideal: Ideal::default(),
        exact: false,
    }
}

/// Outcome of the phases under `policy`, on `threads` threads that are bound close to each other.
pub fn run_on(machine: &Machine, threads: u32, policy: &str, phases: &[Phase]) -> RunOutcome {
    let fabric = Fabric::new(machine).expect("a sound machine");
    let team = Team::close(&fabric, threads);
    let policy = policy.parse().expect("a policy");
    try_run(machine, &fabric, &team, &workload(phases), policy, (0, 0)).expect("it fits")
}

/// As [`run_on`] under `static`, with the region placed by `placement`.
pub fn run_placed(machine: &Machine, threads: u32, placement: Placement, phases: &[Phase]) -> RunOutcome {
    try_placed(machine, threads, placement, phases).expect("it fits")
}

/// As [`run_placed`], with an error instead of a panic.
pub fn try_placed(
    machine: &Machine,
    threads: u32,
    placement: Placement,
    phases: &[Phase],
) -> Result<RunOutcome, SimulationError> {
    let fabric = Fabric::new(machine).expect("a sound machine");
    let team = Team::close(&fabric, threads);
    let mut workload = workload(phases);
    workload.regions[0].placement = placement;
    try_run(machine, &fabric, &team, &workload, Schedule::Static { chunk: None }, (0, 0))
}

/// Outcome of a workload under a runtime without costs.
pub fn try_run(
    machine: &Machine,
    fabric: &Fabric,
    team: &Team,
    workload: &Workload,
    policy: Schedule,
    (seed, replica): (u64, u32),
) -> Result<RunOutcome, SimulationError> {
    try_under(&Profile::free(), machine, fabric, team, workload, policy, (seed, replica))
}

/// As [`try_run`], under a runtime whose regions and barriers cost time.
pub fn try_under(
    runtime: &Profile,
    machine: &Machine,
    fabric: &Fabric,
    team: &Team,
    workload: &Workload,
    policy: Schedule,
    (seed, replica): (u64, u32),
) -> Result<RunOutcome, SimulationError> {
    let setup = Setup { seed, replica, ..setup((machine, fabric), (workload, runtime), team) };
    prepare(&setup, &())?.run(policy, &())
}

/// Outcome of one phase with `static` loops, on `threads` threads close to each other, under a runtime.
pub fn run_under(runtime: &Profile, machine: &Machine, threads: u32, phase: &Phase) -> RunOutcome {
    let fabric = Fabric::new(machine).expect("a sound machine");
    let team = Team::close(&fabric, threads);
    let workload = workload(std::slice::from_ref(phase));
    let policy = Schedule::Static { chunk: None };
    try_under(runtime, machine, &fabric, &team, &workload, policy, (0, 0)).expect("it fits")
}

/// Asserts that two times differ by at most a few picoseconds, one for each rounding.
#[track_caller]
pub fn near(actual_ps: u64, expected_ps: u64) {
    assert!(actual_ps.abs_diff(expected_ps) <= 4, "{actual_ps} ps instead of {expected_ps} ps");
}

/// Overhead, computing and idle time of each thread, in nanoseconds.
pub fn times(run: &RunOutcome) -> Vec<(u64, u64, u64)> {
    let times =
        |member: &ThreadOutcome| (member.overhead_ps / NS, member.compute_ps / NS, member.idle_ps / NS);
    run.team.iter().map(times).collect()
}

/// Iterations that each thread executed.
pub fn iterations(run: &RunOutcome) -> Vec<u64> {
    run.team.iter().map(|member| member.iterations).collect()
}
