//! Laws that hold with caches, whatever the placement, while pages move.

use crate::builders::try_run;
use crate::random::{Case, POLICIES, cached_cases};
use numalab_machine::Fabric;
use numalab_simulator::RunOutcome;
use numalab_simulator::SimulationError;
use numalab_workload::{Access, Mode, Phase, Placement, RegionId, Schedule, Slice};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn bytes_and_times_add_up(case in cached_cases(), policy in proptest::sample::select(&POLICIES[..])) {
        let Some(run) = run(&case, policy)? else { return Ok(()) };
        let asked = asked(&case);
        prop_assert_eq!(run.cached_bytes + run.bytes_by_level.total(), asked);
        prop_assert_eq!(run.phases.iter().map(|phase| phase.bytes).sum::<u64>(), asked);
        let cached = |run: &RunOutcome| run.team.iter().map(|member| member.cached_bytes).sum::<u64>();
        prop_assert_eq!(cached(&run), run.cached_bytes);
        let nodes = run.team.iter().map(|member| member.bytes_by_node.total()).sum::<u64>();
        prop_assert_eq!(nodes, run.bytes_by_level.total());
        prop_assert_eq!(run.phases.iter().map(|phase| phase.time_ps).sum::<u64>(), run.makespan_ps);
        for member in &run.team {
            let sum = member.compute_ps + member.stall_ps + member.overhead_ps + member.idle_ps;
            prop_assert_eq!(sum, run.makespan_ps);
            prop_assert!(member.time_by_node_ps.total() <= member.compute_ps + member.stall_ps);
        }
        for resource in &run.resources {
            prop_assert!(resource.peak_utilisation <= 1.0 && resource.busy_ps <= run.makespan_ps);
        }
    }

    /// Two runs of a case agree to the last picosecond. Without its caches the machine serves the same bytes from
    /// memory.
    #[test]
    fn the_same_run_again_is_the_same(
        case in cached_cases(),
        policy in proptest::sample::select(&POLICIES[..]),
    ) {
        let first = run(&case, policy)?;
        prop_assert_eq!(&first, &run(&case, policy)?);
        let mut bare = case.clone();
        bare.machine.caches.clear();
        let Some(without) = run(&bare, policy)? else { return Ok(()) };
        prop_assert_eq!((without.cached_bytes, without.bytes_by_level.total()), (0, asked(&case)));
    }

    /// Pages are placed by accesses only: as many pages fault as are touched, whatever pages are moved, marked or
    /// unmapped.
    #[test]
    fn pages_faulted_are_pages_touched(
        case in cached_cases(),
        policy in proptest::sample::select(&POLICIES[..]),
    ) {
        let mut case = case;
        case.workload.phases.iter_mut().for_each(|phase| phase.measured = true);
        let touched = touched(&case);
        let fabric = Fabric::new(&case.machine).unwrap();
        let fits = touched <= u64::from(fabric.nodes()) * room(&case);
        match run(&case, policy)? {
            Some(run) => {
                prop_assert!(fits);
                prop_assert_eq!(run.phases.iter().map(|phase| phase.pages_faulted).sum::<u64>(), touched);
            }
            None => prop_assert!(!fits),
        }
    }

    /// A census, which accesses every page with a store past the caches, finds on no node more pages than fit there,
    /// wherever pages moved.
    #[test]
    fn no_node_holds_more_than_fits(
        case in cached_cases(),
        policy in proptest::sample::select(&POLICIES[..]),
    ) {
        let mut case = case;
        let page = case.machine.memory.page.0;
        case.workload.rounds = 1;
        // The census writes all regions.
        for region in case.workload.regions.iter_mut().filter(|region| region.placement == Placement::Replicate) {
            region.placement = Placement::FirstTouch;
        }
        let Some(before) = run(&case, policy)? else { return Ok(()) };
        for at in 0..case.workload.regions.len() {
            let census = census(&case, at, page);
            case.workload.phases.push(census);
        }
        let Some(after) = run(&case, policy)? else { return Ok(()) };
        let fabric = Fabric::new(&case.machine).unwrap();
        for node in 0..fabric.nodes() {
            let on = |run: &RunOutcome| run.team.iter().map(|member| member.bytes_by_node.get(node)).sum::<u64>();
            prop_assert!(on(&after) - on(&before) <= room(&case) * page, "node {}", node);
        }
    }
}

/// Outcome of a case; `None` if memory is full. Regions that are written have no copies.
fn run(case: &Case, policy: Schedule) -> Result<Option<RunOutcome>, TestCaseError> {
    let Case { machine, workload, team, seed, replica } = case;
    let fabric = Fabric::new(machine).unwrap();
    let mut workload = workload.clone();
    for at in (0..workload.regions.len()).map(RegionId) {
        if workload.regions[at.0].placement == Placement::Replicate && workload.written_in(at).is_some() {
            workload.regions[at.0].placement = Placement::FirstTouch;
        }
    }
    match try_run(machine, &fabric, team, &workload, policy, (*seed, *replica)) {
        Ok(run) => Ok(Some(run)),
        Err(SimulationError::MemoryFull { full, .. }) if full.pages > 0 => Ok(None),
        Err(error) => Err(TestCaseError::fail(error.to_string())),
    }
}

/// Phase that accesses every page of a region, one by one.
fn census(case: &Case, region: usize, page: u64) -> Phase {
    let size = case.workload.regions[region].size.0;
    let pages = size.div_ceil(page);
    let bounds = (0..=pages).map(|at| (at * page).min(size)).collect();
    let access = Access::new(RegionId(region), Slice::Partition(bounds), Mode::StreamingWrite);
    Phase {
        schedule: Some(Schedule::Dynamic { chunk: 1 }),
        accesses: vec![access],
        overlap: 1.0,
        ..Phase::new(format!("census {region}"), pages)
    }
}

/// Number of bytes that the measured loops request.
fn asked(case: &Case) -> u64 {
    let bytes = |phase: &Phase| {
        let data = phase.accesses.iter().filter(|access| access.mode.is_data());
        let pieces = data.flat_map(|access| (0..phase.iterations).map(|i| access.slice.piece(i, i + 1)));
        u64::from(phase.repeat) * pieces.flatten().map(|piece| piece.touched + piece.again).sum::<u64>()
    };
    let phases = case.workload.phases.iter().filter(|phase| phase.measured);
    phases.map(bytes).sum::<u64>() * u64::from(case.workload.rounds)
}

/// Number of pages that some iteration accesses.
fn touched(case: &Case) -> u64 {
    let page = case.machine.memory.page.0;
    let regions = case.workload.regions.iter();
    let mut touched: Vec<_> =
        regions.map(|region| vec![false; region.size.0.div_ceil(page) as usize]).collect();
    for phase in &case.workload.phases {
        for access in phase.accesses.iter().filter(|access| access.mode.is_data()) {
            for (start, end) in (0..phase.iterations).map(|i| access.slice.range(i)) {
                if start < end {
                    touched[access.region.0][(start / page) as usize..end.div_ceil(page) as usize].fill(true);
                }
            }
        }
    }
    touched.iter().flatten().filter(|touched| **touched).count() as u64
}

/// Number of pages that a node can hold.
fn room(case: &Case) -> u64 {
    case.machine.memory.capacity.0 / case.machine.memory.page.0
}
