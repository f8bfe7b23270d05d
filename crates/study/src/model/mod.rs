//! Roofline and extended roofline of a workload, from the machine's simulated peak figures, beside the simulated
//! time.
//!
//! | file | content |
//! |---|---|
//! | `arrays` | bytes and arrays that a loop accesses |
//! | `character` | bandwidths and synchronisation costs of a team, each simulated once |
//! | `roofs` | limits of the machine's parts, and bandwidths of its caches |

mod arrays;
mod character;
mod roofs;

use crate::progress::{Progress, Silent};
use crate::{Files, ResolvedRun, RunSpec, StudyError, in_order};
use arrays::arrays;
use character::Character;
use numalab_base::PS_PER_S;
use numalab_lower::Change;
use numalab_machine::Machine;
use numalab_results::{Model, ModelArray, ModelPhase, ModelPoint, SCHEMA_VERSION};
use numalab_runtime::Profile;
use numalab_simulator::Team;
use numalab_workload::{Phase, Schedule, Workload};
use std::sync::atomic::{AtomicU64, Ordering};

/// Both models for each team size, under the first policy of the specification or the workload. Without `sizes`, the
/// sizes are those of the workload's series over threads, or powers of two.
pub fn model(
    spec: &RunSpec,
    sizes: &[u32],
    files: &Files,
    progress: &dyn Progress,
) -> Result<Model, StudyError> {
    let sizes = if sizes.is_empty() { usual(spec, files)? } else { sizes.to_vec() };
    let largest = spec.with(&Change { threads: sizes.iter().copied().max(), overrides: Vec::new() });
    let run = largest.resolve(files)?;
    let policy = *run.schedules.first().unwrap_or(&Schedule::Static { chunk: None });
    let spec = &RunSpec { schedules: vec![policy], ..spec.clone() };
    let done = AtomicU64::new(0);
    let model_point = |threads: &u32| {
        let point = point(&spec.with(&Change::of_threads(*threads)).resolve(files)?, policy, progress)?;
        progress.report(done.fetch_add(1, Ordering::Relaxed) + 1, sizes.len() as u64);
        Ok(point)
    };
    let points = in_order(&sizes, model_point).into_iter().collect::<Result<_, StudyError>>()?;
    let (machine, fabric) = (&run.machine.loaded.value, &run.machine.fabric);
    Ok(Model {
        schema_version: SCHEMA_VERSION,
        seed: spec.seed,
        machine: run.machine_input(),
        workload: run.workload_input(),
        runtime: Some(run.runtime_input()),
        policy: policy.to_string(),
        points,
        roofs: roofs::of_parts(machine, fabric)?,
        cache_roofs: roofs::of_caches(machine, fabric)?,
    })
}

/// Team sizes of the workload's series over threads, or else powers of two up to the team's size.
fn usual(spec: &RunSpec, files: &Files) -> Result<Vec<u32>, StudyError> {
    let run = spec.resolve(files)?;
    let listed: Vec<u32> = run
        .series()
        .filter(|series| series.over == "threads")
        .map(|series| series.points.iter().filter_map(|point| point.change.threads).collect())
        .unwrap_or_default();
    if !listed.is_empty() {
        return Ok(listed);
    }
    let most = run.team.members.len() as u32;
    let mut sizes: Vec<u32> = (0..32).map(|power| 1 << power).take_while(|size| *size < most).collect();
    sizes.push(most);
    Ok(sizes)
}

fn point(run: &ResolvedRun, policy: Schedule, progress: &dyn Progress) -> Result<ModelPoint, StudyError> {
    let (machine, team) = (&run.machine.loaded.value, &run.team);
    let runs = run.simulate(Some(1), &Silent(progress))?;
    let mut character = Character::new(machine, &run.machine.fabric, team);
    let (bandwidth, peak) = (character.triad()?, peak(machine, team));
    let workload = &run.experiment.workload.value;
    let mut phases = Vec::new();
    for phase in workload.phases.iter().filter(|phase| phase.measured) {
        let mut modelled =
            modelled(workload, phase, policy, &run.runtime.value, &mut character, bandwidth, peak)?;
        // The simulated times of phases with the same name are one sum.
        let simulated = runs.iter().flat_map(|run| &run.phases).find(|sum| sum.name == phase.name);
        let counted = phases.iter().any(|earlier: &ModelPhase| earlier.name == phase.name);
        modelled.simulated_ps = simulated.filter(|_| !counted).map_or(0, |sum| sum.time_ps);
        phases.push(modelled);
    }
    let simulated_ps = runs.first().map_or(0, |run| run.makespan_ps);
    let sum = |part: fn(&ModelPhase) -> u64| phases.iter().map(part).fold(0u64, u64::saturating_add);
    let (roofline_ps, extended_ps) = (sum(|phase| phase.roofline_ps), sum(|phase| phase.extended_ps));
    let error = |ps: u64| (simulated_ps > 0).then(|| ps as f64 / simulated_ps as f64 - 1.0);
    Ok(ModelPoint {
        threads: team.members.len() as u32,
        simulated_ps,
        roofline_ps,
        extended_ps,
        roofline_error: error(roofline_ps),
        extended_error: error(extended_ps),
        bandwidth_bytes_per_s: bandwidth,
        peak_flop_per_s: peak,
        phases,
    })
}

/// Times of a phase in both models, with all its repetitions. The caller sets the simulated time.
fn modelled(
    workload: &Workload,
    phase: &Phase,
    policy: Schedule,
    runtime: &Profile,
    character: &mut Character<'_>,
    bandwidth: f64,
    peak: f64,
) -> Result<ModelPhase, StudyError> {
    let runs = f64::from(phase.repeat) * f64::from(phase.rounds(workload.rounds));
    let times = |bytes: u64| (bytes as f64 * runs) as u64;
    let (mut listed, caches) = (Vec::new(), character.caches());
    let (mut bytes, mut streaming) = (0u64, 0.0);
    for array in arrays(workload, phase, character.threads()) {
        let rate = character.stream(&array.windows, array.mode)?;
        streaming += array.bytes as f64 / rate;
        // Data beyond the size of the caches comes from memory in every pass.
        let kept = array.footprint <= caches;
        bytes = bytes.saturating_add(if kept { array.footprint } else { array.bytes });
        listed.push(ModelArray {
            name: array.name,
            mode: arrays::mode_name(array.mode).to_owned(),
            footprint_bytes: array.footprint,
            bytes: times(array.bytes),
            bandwidth_bytes_per_s: rate,
        });
    }
    let computing = phase.flops / peak;
    let sync = character.sync(phase, policy, runtime)?.as_secs();
    let ps = |seconds: f64| (seconds * runs * PS_PER_S).round() as u64;
    Ok(ModelPhase {
        name: phase.name.clone(),
        simulated_ps: 0,
        roofline_ps: ps((bytes as f64 / bandwidth).max(computing)),
        extended_ps: ps(streaming.max(computing) + sync),
        bytes: times(bytes),
        flops: phase.flops * runs,
        sync_ps: ps(sync),
        arrays: listed,
    })
}

/// Peak of the team's cores, in floating-point operations per second.
fn peak(machine: &Machine, team: &Team) -> f64 {
    let mut cores: Vec<u32> = team.members.iter().map(|member| member.core.0).collect();
    cores.sort_unstable();
    cores.dedup();
    cores.len() as f64 * machine.core.clock.0 * machine.core.flops_per_cycle
}

#[cfg(test)]
mod tests;
