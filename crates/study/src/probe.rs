//! Small workloads, built in memory, that measure the performance of a machine.

use crate::StudyError;
use numalab_base::{Bytes, Span};
use numalab_machine::{Fabric, Machine, NodeId};
use numalab_runtime::Profile;
use numalab_simulator::{Setup, SimulationError, Team, prepare};
use numalab_workload::{
    Access, BindingText, Mode, NodeSet, Phase, Placement, Region, RegionId, Schedule, Slice, Workload,
};

const STATIC: Schedule = Schedule::Static { chunk: None };

/// Loop with one iteration per thread, without instructions and accesses, which callers add.
pub(crate) fn phase(name: &str, measured: bool, threads: u32) -> Phase {
    // Computing overlaps fully with waiting, so only bandwidth is measured.
    Phase { measured, schedule: Some(STATIC), overlap: 1.0, ..Phase::new(name, u64::from(threads)) }
}

/// Access to equal parts of a region, one part per thread.
pub(crate) fn evenly(region: usize, size: u64, threads: u32, mode: Mode) -> Access {
    Access::new(RegionId(region), Slice::evenly(size, threads.into()), mode)
}

pub(crate) fn on_node(name: &str, size: u64, NodeId(node): NodeId) -> Region {
    Region { placement: Placement::Bind(NodeSet::List(vec![node])), ..Region::new(name, Bytes(size)) }
}

/// Makespan of the measured phases of a probe.
pub(crate) fn time(
    machine: &Machine,
    fabric: &Fabric,
    team: &Team,
    runtime: &Profile,
    regions: Vec<Region>,
    phases: Vec<Phase>,
) -> Result<Span, StudyError> {
    let workload = Workload {
        name: "probe".to_owned(),
        description: String::new(),
        parameters: Vec::new(),
        regions,
        phases,
        rounds: 1,
        compare: vec![STATIC],
        binding: BindingText::default(),
        runtime: None,
    };
    let setup = Setup {
        machine,
        fabric,
        workload: &workload,
        runtime,
        team,
        seed: 0,
        replica: 0,
        ideal: numalab_simulator::Ideal::default(),
        exact: false,
    };
    let failed = |error: SimulationError| StudyError::Simulation { policy: None, error };
    let prepared = prepare(&setup, &()).map_err(failed)?;
    Ok(Span(prepared.run_last(STATIC, &()).map_err(failed)?.makespan_ps))
}

/// Bandwidth in bytes per second; a huge value if no time passed.
pub(crate) fn rate(bytes: u64, took: Span) -> f64 {
    bytes as f64 / took.max(Span(1)).as_secs()
}
