//! Simulated runs as recordings, and their exact replays.

use crate::Recording;
use numalab_files::Facts;
use numalab_nlt::Meta;
use numalab_workload::{Construct, Exact, Phase, Slice, Workload};

/// Program of a run as a recording. `command` is the command line of the run.
pub fn simulated_recording(program: &Workload, command: Vec<String>, threads: u32) -> Recording {
    Recording {
        meta: Meta { command, threads, rounds: 1, ..Meta::default() },
        program: Some(program.clone()),
        ..Recording::default()
    }
}

/// Program for a team, with notes for readers of the results; an error if the program cannot run on that team.
pub(super) fn program(
    program: &Workload,
    meta: &Meta,
    facts: &Facts,
) -> Result<(Workload, Vec<String>), String> {
    let (before, now) = (meta.threads, facts.threads);
    let mut notes = Vec::new();
    let mut program = program.clone();
    if before != now {
        for phase in program.phases.iter_mut().filter(|phase| has_bodies(phase)) {
            *phase = with_bodies(phase, now).ok_or_else(|| {
                format!("{} has a body for each of {before} threads, and the team has {now}", phase.name)
            })?;
        }
        if let Some(phase) = program.phases.iter().find(|phase| phase.teams > 1) {
            return Err(format!("{} divides a team of {before} into {}", phase.name, phase.teams));
        }
        if let Some(phase) = program.phases.iter().find(|phase| phase.team.is_some()) {
            return Err(format!("{} has a team of its own, of a run with {before} threads", phase.name));
        }
        notes.push(format!("simulated with a team of {before}: its loops are divided as they were for that"));
    }
    let larger = |phase: &&Phase| phase.team.as_ref().is_some_and(|team| team.threads > now);
    if let Some(phase) = program.phases.iter().find(larger) {
        return Err(format!("{} has more threads than the team of {now}", phase.name));
    }
    let vague = |phase: &Phase| {
        phase.accesses.iter().any(|access| match access.slice.touching(0..0).0 {
            Slice::Sparse(sparse) => *sparse.exact() == Exact::Unknown,
            Slice::Partition(_) | Slice::Explicit(_) | Slice::Whole(_) | Slice::Partial(_) => false,
        })
    };
    if facts.pages && program.phases.iter().any(vague) {
        notes.push(
            "which pages scattered accesses use is not in it: they count as using all of them".to_owned(),
        );
    }
    let nodes = program.regions.iter().flat_map(|region| region.placement.nodes());
    if let Some(node) = nodes.chain(migrated(&program)).find(|node| *node >= facts.nodes) {
        return Err(format!("it places pages on node {node}, and the machine has {} nodes", facts.nodes));
    }
    Ok((program, notes))
}

/// Nodes that phases move pages to.
fn migrated(program: &Workload) -> impl Iterator<Item = u32> + '_ {
    let modes = program.phases.iter().flat_map(|phase| &phase.accesses).map(|access| &access.mode);
    modes.filter_map(|mode| match mode {
        numalab_workload::Mode::Migrate(node) => Some(*node),
        _ => None,
    })
}

/// True if every thread executes the iteration of its own number.
fn has_bodies(phase: &Phase) -> bool {
    !phase.construct.iterates()
}

/// Phase for a team of `threads`; `None` if the threads of the recorded team do different work or access only parts
/// of regions, or if tasks have affinities.
fn with_bodies(phase: &Phase, threads: u32) -> Option<Phase> {
    let alike = phase.instructions.windows(2).all(|pair| pair[0].to_bits() == pair[1].to_bits());
    let whole = phase.accesses.iter().all(|access| matches!(access.slice, Slice::Whole(_)));
    // In serial work only the first iteration counts.
    let first_only = phase.construct == Construct::Serial && phase.accesses.is_empty();
    if !(first_only || alike && whole) || phase.tasking.affinity.is_some() {
        return None;
    }
    let instructions = phase.instructions.first().map_or(Vec::new(), |one| vec![*one; threads as usize]);
    Some(Phase {
        iterations: threads.into(),
        instructions: instructions.into(),
        costs: None,
        ..phase.clone()
    })
}
