//! Applies a remedy to a run.

use super::remedy::{BRANCHING, Remedy};
use crate::case::Case;
use numalab_machine::Dsm;
use numalab_study::SealedMachine;
use numalab_workload::{Access, Construct, Mode, Phase, RegionId, Schedule, Slice, TaskAffinity, Workload};
use std::sync::Arc;

impl Remedy {
    /// The run with the remedy applied; `None` if nothing changes.
    pub fn apply(&self, case: &Case) -> Option<Case> {
        let mut changed = case.clone();
        let workload = |change: &mut dyn FnMut(&mut Workload) -> bool, case: &mut Case| {
            change(Arc::make_mut(&mut case.workload))
        };
        let done = match self {
            Remedy::ParallelFirstTouch { phase, only } => {
                let region = only.as_ref().and_then(|name| region(case, name));
                workload(&mut |workload| share_out(&mut workload.phases, phase, region), &mut changed)
            }
            Remedy::TouchInParallel { regions } => {
                let threads = changed.team.members.len() as u64;
                workload(&mut |workload| touch_in_parallel(workload, regions, threads), &mut changed)
            }
            Remedy::Place { regions, placement } => workload(
                &mut |workload| {
                    let chosen = |name: &String| regions.is_empty() || regions.contains(name);
                    let mut any = false;
                    for region in workload.regions.iter_mut().filter(|region| chosen(&region.name)) {
                        any |= region.placement != *placement;
                        region.placement = placement.clone();
                    }
                    any
                },
                &mut changed,
            ),
            Remedy::Page { page } => workload(
                &mut |workload| {
                    let any = workload.regions.iter().any(|region| region.page != *page);
                    workload.regions.iter_mut().for_each(|region| region.page = *page);
                    any
                },
                &mut changed,
            ),
            Remedy::Bind { team, .. } => {
                let any = changed.team != *team;
                changed.team = team.clone();
                any
            }
            Remedy::Schedule { phase: None, schedule } => {
                let any = changed.schedule != *schedule;
                changed.schedule = *schedule;
                any
            }
            Remedy::Schedule { phase: Some(name), schedule } => each(&mut changed, name, |phase| {
                let schedule = Some(schedule.in_units_of(phase.unit.unwrap_or(1)));
                let any = phase.schedule != schedule;
                phase.schedule = schedule;
                any
            }),
            Remedy::SplitByCost { phases, costs, .. } => each_of(&mut changed, phases, |phase| {
                phase.costs = Some(costs.clone());
                true
            }),
            Remedy::Grain { phase, grain } => each(&mut changed, phase, |phase| {
                let any = phase.tasking.grain != *grain;
                phase.tasking.grain = *grain;
                any
            }),
            Remedy::Affinity { phase, region, schedule } => {
                changed.schedule = *schedule;
                each(&mut changed, phase, |phase| {
                    let of_region = |access: &&numalab_workload::Access| access.region == region.0;
                    let Some(access) = phase.accesses.iter().find(of_region) else { return false };
                    let offsets = (0..phase.iterations).map(|i| access.slice.range(i).0).collect();
                    phase.tasking.affinity = Some(TaskAffinity { region: region.0, offsets });
                    true
                })
            }
            Remedy::Lock(kind) => {
                let lock = &mut Arc::make_mut(&mut changed.runtime).lock;
                std::mem::replace(&mut lock.kind, *kind) != *kind
            }
            Remedy::KindOfLock { phases, kind } => each_of(&mut changed, phases, |phase| {
                let Construct::Lock(Some(present)) = &mut phase.construct else { return false };
                std::mem::replace(present, *kind) != *kind
            }),
            Remedy::Barrier(kind) => {
                let runtime = Arc::make_mut(&mut changed.runtime);
                let any = (runtime.barrier.kind, runtime.fork.release) != (*kind, *kind);
                (runtime.barrier.kind, runtime.fork.release) = (*kind, *kind);
                if kind.branches() {
                    (runtime.barrier.branching, runtime.fork.branching) = (Some(BRANCHING), Some(BRANCHING));
                }
                any
            }
            Remedy::Technique(technique) => share_otherwise(&mut changed, |dsm| {
                std::mem::replace(&mut dsm.technique, *technique) != *technique
            })?,
            Remedy::Consistency(consistency) => share_otherwise(&mut changed, |dsm| {
                std::mem::replace(&mut dsm.consistency, *consistency) != *consistency
            })?,
            Remedy::Spacing { phases, spacing } => each_of(&mut changed, phases, |phase| {
                let Construct::Update { spacing: present, .. } = &mut phase.construct else { return false };
                std::mem::replace(present, *spacing) != *spacing
            }),
        };
        done.then_some(changed)
    }
}

/// Applies a change to the software-shared memory. `None` if the machine has none; otherwise true if the change has
/// an effect.
fn share_otherwise(case: &mut Case, change: impl Fn(&mut Dsm) -> bool) -> Option<bool> {
    let mut loaded = case.machine.loaded.clone();
    let any = change(loaded.value.dsm.as_mut()?);
    case.machine = Arc::new(SealedMachine::new(loaded).ok()?);
    Some(any)
}

/// Adds a static loop at the start of the workload, in which all threads write the regions in equal parts. The first
/// phase that accesses any of the regions loses its accesses to all of them. Returns false if there is no such phase.
fn touch_in_parallel(workload: &mut Workload, regions: &[String], threads: u64) -> bool {
    let parts = |size: u64| -> Slice {
        let bound = |part: u64| (u128::from(size) * u128::from(part) / u128::from(threads)) as u64;
        Slice::Partition((0..=threads).map(bound).collect())
    };
    let chosen = workload.regions.iter().enumerate();
    let chosen = chosen.filter(|(_, region)| region.size.0 > 0 && regions.contains(&region.name));
    let accesses: Vec<Access> =
        chosen.map(|(at, region)| Access::new(RegionId(at), parts(region.size.0), Mode::Write)).collect();
    if accesses.is_empty() {
        return false;
    }
    let schedule = Some(Schedule::Static { chunk: None });
    // The pages are first touched in a measured phase only if they were before.
    let touches = |phase: &&Phase| {
        phase.accesses.iter().any(|access| accesses.iter().any(|one| one.region == access.region))
    };
    let Some(before) = workload.phases.iter().position(|phase| touches(&phase)) else { return false };
    let measured = workload.phases[before].measured;
    leave_out(&mut workload.phases[before], &accesses);
    let first = Phase { accesses, schedule, measured, ..Phase::new("first touch", threads) };
    workload.phases.insert(0, first);
    true
}

/// Removes from a phase its accesses to regions of `others`. Their instructions stay, as instructions of the
/// iterations.
fn leave_out(phase: &mut Phase, others: &[Access]) {
    let of_others = |access: &Access| others.iter().any(|one| one.region == access.region);
    let beside = |at: u64| -> f64 {
        let instructions = |access: &Access| {
            let each = access.demand.instructions_per_byte.unwrap_or(phase.instructions_per_byte);
            access.slice.piece(at, at + 1).map_or(0.0, |piece| each * (piece.touched + piece.again) as f64)
        };
        phase.accesses.iter().filter(|access| of_others(access)).map(instructions).sum()
    };
    let own = |at: u64| phase.instructions.get(at as usize).copied().unwrap_or(0.0);
    phase.instructions = (0..phase.iterations).map(|at| own(at) + beside(at)).collect();
    phase.accesses.retain(|access| !of_others(access));
}

fn region(case: &Case, name: &str) -> Option<RegionId> {
    case.workload.regions.iter().position(|region| region.name == name).map(RegionId)
}

/// Applies a change to all phases called `name`. Returns true if any changed.
fn each(case: &mut Case, name: &str, change: impl FnMut(&mut Phase) -> bool) -> bool {
    each_of(case, &[name.to_owned()], change)
}

/// Applies a change to all phases with one of the names. Returns true if any changed.
fn each_of(case: &mut Case, names: &[String], mut change: impl FnMut(&mut Phase) -> bool) -> bool {
    let phases = &mut Arc::make_mut(&mut case.workload).phases;
    let mut any = false;
    for phase in phases.iter_mut().filter(|phase| names.contains(&phase.name)) {
        any |= change(phase);
    }
    any
}

/// Gives the loop `name` a static schedule. With `only`, the loop's accesses to this region move to a static loop of
/// their own before the loop. Returns false if nothing changed, or if one of both loops would have no accesses.
fn share_out(phases: &mut Vec<Phase>, name: &str, only: Option<RegionId>) -> bool {
    let Some(at) = phases.iter().position(|phase| phase.name == name) else { return false };
    let even = Some(Schedule::Static { chunk: None });
    let Some(region) = only else {
        phases[at].schedule = even;
        return true;
    };
    let mut apart = phases[at].clone();
    apart.schedule = even;
    apart.accesses.retain(|access| access.region == region);
    phases[at].accesses.retain(|access| access.region != region);
    if apart.accesses.is_empty() || phases[at].accesses.is_empty() {
        return false;
    }
    phases.insert(at, apart);
    true
}
