//! Time of one thread that only computes, calculated instead of simulated. An iteration or a task takes the same time
//! in every execution. A task of a tree is executed once for each path from a root to the task.

use crate::engine::setup::LONGEST;
use crate::engine::setup::Setup;
use crate::os::noise::{PhaseNoise, Piece};
use crate::os::relocate;
use crate::plan::computing;
use numalab_base::Span;
use numalab_machine::NodeId;
use numalab_workload::{Construct, Phase, Placement};

/// Numbers of executions below this are exact as `f64`.
const EXACT: f64 = (1u64 << 53) as f64;

/// Time of the measured phases for a team of one thread, under any schedule, if all phases, measured or not, only
/// compute. `None` if the team is larger, if anything else takes time, or if the sum exceeds the longest run: then
/// the run is simulated.
pub fn computing_alone(setup: &Setup<'_>) -> Option<Span> {
    let Setup { machine, workload, team, .. } = setup;
    let [member] = &team.members[..] else { return None };
    // Scanners and reclaimers take processor time from threads.
    let walked = |placement: &Placement| matches!(placement, Placement::Balancing | Placement::Tiering);
    let walks = workload.regions.iter().any(|region| walked(&region.placement));
    let computes =
        workload.phases.iter().all(only_computes) && relocate::phases(workload, &[NodeId(0)], 1).is_empty();
    if walks || !computes || machine.dsm.is_some() {
        return None;
    }
    // In a replica, iterations that are planned together take one time.
    if setup.replica > 0 && workload.phases.iter().any(|phase| phase.unit.is_some()) {
        return None;
    }
    let speed = machine.core.clock.0 * machine.core.instructions_per_cycle;
    let time = |instructions: f64| computing(instructions, member.core_mates, speed).0;
    let measured = workload.phases.iter().filter(|phase| phase.measured);
    let once = measured.map(|phase| {
        let times = u64::from(phase.repeat).checked_mul(phase.times.into())?;
        let times = times.checked_mul(phase.rounds(workload.rounds).into())?;
        let noise = PhaseNoise::new(setup, phase);
        let factor = |piece| noise.as_ref().map_or(1.0, |noise| noise.factor(0, piece));
        once(phase, |instructions, piece| time(factor(piece) * instructions))?.checked_mul(times)
    });
    let all = once.sum::<Option<u64>>()?;
    (all <= LONGEST.0).then_some(Span(all))
}

/// True if a phase is a loop or tasks of one team that only compute.
fn only_computes(phase: &Phase) -> bool {
    let others = !phase.accesses.is_empty() || phase.allocation.is_some() || phase.section.is_some();
    let is_sections = matches!(phase.construct, Construct::Sections { .. });
    phase.construct.is_loop() && !is_sections && phase.teams == 1 && !others
}

/// Time of one execution of a phase, in picoseconds; `time`: the same for the instructions of a piece. `None` if the sum
/// is not exact in 64 bits.
fn once(phase: &Phase, time: impl Fn(f64, Piece) -> u64) -> Option<u64> {
    let own = |at: usize| {
        phase.instructions.get(at).map_or(0, |instructions| time(*instructions, Piece::Iterations(at as u64)))
    };
    let Some(tree) = &phase.tasking.tree else {
        return (0..phase.instructions.len()).try_fold(0, |sum: u64, at| sum.checked_add(own(at)));
    };
    let ways = tree.executions()?;
    (0..).zip(&tree.tasks[..]).zip(ways).try_fold(0, |sum: u64, ((at, task), ways)| {
        let after = if task.after > 0.0 { time(task.after, Piece::After(at as u64)) } else { 0 };
        let each = own(at).checked_add(after)?;
        (ways < EXACT).then(|| each.checked_mul(ways as u64))?.and_then(|all| sum.checked_add(all))
    })
}
