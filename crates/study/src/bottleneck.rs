//! Cause of most of a run's lost time, from the sums that every run keeps.

use numalab_machine::{Closeness, Fabric};
use numalab_results::Bottleneck;
use numalab_simulator::{Loss, LostTime, PhaseOutcome, RunOutcome};

/// Cause of most of the team's lost time, over all phases, and the phase in which the team lost most of that.
pub(crate) fn bottleneck(run: &RunOutcome, fabric: &Fabric) -> Option<Bottleneck> {
    let mut sums: Vec<(Loss, u128)> = Vec::new();
    for LostTime { to, time_ps, .. } in run.phases.iter().flat_map(|phase| &phase.lost) {
        match sums.iter_mut().find(|known| known.0 == *to) {
            Some(known) => known.1 += time_ps,
            None => sums.push((*to, *time_ps)),
        }
    }
    // The first of equals, in the order in which losses occurred.
    let (most, time) = sums.into_iter().rev().max_by_key(|sum| sum.1).filter(|sum| sum.1 > 0)?;
    let of = |phase: &'_ PhaseOutcome| phase.lost.iter().find(|lost| lost.to == most).copied();
    let phases = run.phases.iter().filter_map(|phase| Some((phase, of(phase)?)));
    let (phase, lost) = phases.rev().max_by_key(|(_, lost)| lost.time_ps)?;
    let class = |id| Loss::Full(fabric.class(id));
    // The first of equals here too.
    let delays = run.delays.iter().filter(|delay| class(delay.resource) == most);
    let worst = delays.rev().max_by_key(|delay| delay.late_ps);
    let (from_ps, to_ps) = worst.map_or((lost.from_ps, lost.to_ps), |worst| (worst.from_ps, worst.to_ps));
    let whole = run.team.len() as f64 * run.makespan_ps as f64;
    Some(Bottleneck {
        name: name(most, fabric),
        share: if whole > 0.0 { time as f64 / whole } else { 0.0 },
        phase: phase.name.clone(),
        resource: worst.map(|worst| fabric.name(worst.resource)),
        from_ps,
        to_ps,
    })
}

/// Name of what threads wait for while they lose time.
fn name(loss: Loss, fabric: &Fabric) -> String {
    match loss {
        Loss::Full(class) => return fabric.class_name(class),
        Loss::Latency(Closeness::Node) => "local latency",
        Loss::Latency(Closeness::Socket) => "latency in the socket",
        Loss::Latency(Closeness::Board) => "latency on the board",
        Loss::Latency(Closeness::Machine) => "latency of far memory",
        Loss::Cache => "caches",
        Loss::Pages => "shared pages",
        Loss::Fault => "page faults",
        Loss::Kernel => "moves of pages",
        Loss::AddressSpace => "address space",
        Loss::Scanner => "scanner",
        Loss::Runtime => "runtime",
        Loss::Barrier => "the last thread",
        Loss::NoWork => "work",
    }
    .to_owned()
}
