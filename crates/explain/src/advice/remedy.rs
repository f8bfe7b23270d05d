//! Changes that may help: what each is in words, and what it does to a run.

use crate::case::Case;
use numalab_openmp::binding::Binding;
use numalab_runtime::profile::BarrierKind;
use numalab_simulator::Team;
use numalab_units::Bytes;
use numalab_workload::{Construct, LockKind, PageKind, Phase, Placement, RegionId, Schedule, TaskAffinity};
use std::sync::Arc;

/// A change.
#[derive(Clone, Debug)]
pub enum Remedy {
    /// A loop that one thread executes before the measured phases is shared out, for all regions or for one.
    ParallelFirstTouch {
        /// The loop's phase.
        phase: String,
        /// The only region whose pages are touched in parallel.
        only: Option<String>,
    },
    /// Regions are placed otherwise.
    Place {
        /// The regions; all of them if none.
        regions: Vec<String>,
        /// Where.
        placement: Placement,
    },
    /// Regions have pages of another size.
    Page {
        /// Which.
        page: PageKind,
    },
    /// Threads are bound otherwise.
    Bind {
        /// Places and policy.
        binding: Binding,
        /// Where that puts them.
        team: Arc<Team>,
    },
    /// Another schedule of the loops that leave it open, or of one that does not.
    Schedule {
        /// The phase that fixes it.
        phase: Option<String>,
        /// The schedule.
        schedule: Schedule,
    },
    /// Static loops are split by cost instead of by count.
    SplitByCost {
        /// The phases.
        phases: Vec<String>,
        /// Sums of what iterations cost.
        costs: Arc<[u64]>,
        /// The expression that says so, where there is one.
        expression: Option<String>,
    },
    /// Larger tasks.
    Grain {
        /// The phase.
        phase: String,
        /// Iterations in each.
        grain: u64,
    },
    /// Tasks name the data that they want to be near.
    Affinity {
        /// The phase.
        phase: String,
        /// The region.
        region: (RegionId, String),
        /// The schedule that heeds it.
        schedule: Schedule,
    },
    /// Another lock of the runtime.
    Lock(LockKind),
    /// Another barrier of the runtime, which also opens regions.
    Barrier(BarrierKind),
    /// Elements that threads store to are farther apart.
    Spacing {
        /// The phases.
        phases: Vec<String>,
        /// Bytes from one to the next.
        spacing: Bytes,
    },
}

/// Children of a thread where another barrier branches.
pub const BRANCHING: u32 = 4;

impl Remedy {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            Remedy::ParallelFirstTouch { phase, only: None } => format!("first touch in parallel in {phase}"),
            Remedy::ParallelFirstTouch { phase, only: Some(region) } => {
                format!("first touch of {region} in parallel in {phase}")
            }
            Remedy::Place { regions, placement } => {
                let what = if regions.is_empty() { "all pages".to_owned() } else { regions.join(", ") };
                format!("{what}: {placement}")
            }
            Remedy::Page { page } => match page {
                PageKind::Base => "pages of the machine's size".to_owned(),
                PageKind::Fixed(size) => format!("pages of {size}"),
                PageKind::Transparent => "transparent huge pages".to_owned(),
            },
            Remedy::Bind { binding, .. } => {
                let places = binding.places.as_ref().map_or("cores", |places| places.text()).to_owned();
                let policies: Vec<String> =
                    binding.proc_bind.iter().flatten().map(ToString::to_string).collect();
                format!("threads bound to {places}, {}", policies.join(","))
            }
            Remedy::Schedule { phase: None, schedule } => format!("schedule {schedule}"),
            Remedy::Schedule { phase: Some(phase), schedule } => format!("schedule {schedule} in {phase}"),
            Remedy::SplitByCost { .. } => "loops split by cost instead of by count".to_owned(),
            Remedy::Grain { phase, grain } => format!("{grain} iterations in each task of {phase}"),
            Remedy::Affinity { phase, region, schedule } => {
                format!("tasks of {phase} near their {}, {schedule}", region.1)
            }
            Remedy::Lock(kind) => format!("lock {kind}"),
            Remedy::Barrier(kind) => format!("barriers {kind}"),
            Remedy::Spacing { spacing, .. } => format!("elements {} bytes apart", spacing.0),
        }
    }

    /// Changes a run; `None`, if that changes nothing.
    pub fn apply(&self, case: &Case) -> Option<Case> {
        let mut changed = case.clone();
        let workload = |change: &mut dyn FnMut(&mut numalab_workload::Workload) -> bool, case: &mut Case| {
            change(Arc::make_mut(&mut case.workload))
        };
        let done = match self {
            Remedy::ParallelFirstTouch { phase, only } => {
                let region = only.as_ref().and_then(|name| region(case, name));
                workload(&mut |workload| share_out(&mut workload.phases, phase, region), &mut changed)
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
                let any = phase.schedule != Some(*schedule);
                phase.schedule = Some(*schedule);
                any
            }),
            Remedy::SplitByCost { phases, costs, .. } => phases.iter().fold(false, |any, name| {
                each(&mut changed, name, |phase| {
                    phase.costs = Some(costs.clone());
                    true
                }) || any
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
            Remedy::Barrier(kind) => {
                let runtime = Arc::make_mut(&mut changed.runtime);
                let any = (runtime.barrier.kind, runtime.fork.release) != (*kind, *kind);
                (runtime.barrier.kind, runtime.fork.release) = (*kind, *kind);
                if kind.branches() {
                    (runtime.barrier.branching, runtime.fork.branching) = (Some(BRANCHING), Some(BRANCHING));
                }
                any
            }
            Remedy::Spacing { phases, spacing } => phases.iter().fold(false, |any, name| {
                each(&mut changed, name, |phase| match &mut phase.construct {
                    Construct::Update { spacing: present, .. } => {
                        std::mem::replace(present, *spacing) != *spacing
                    }
                    Construct::ParallelFor
                    | Construct::Parallel
                    | Construct::Reduction
                    | Construct::Serial
                    | Construct::For { .. }
                    | Construct::Barrier
                    | Construct::Single
                    | Construct::Critical
                    | Construct::Lock(_)
                    | Construct::Atomic
                    | Construct::Ordered => false,
                }) || any
            }),
        };
        done.then_some(changed)
    }

    /// Whether another change is about something else, so that both can be made.
    pub fn goes_with(&self, other: &Remedy) -> bool {
        let placement =
            |remedy: &Remedy| matches!(remedy, Remedy::ParallelFirstTouch { .. } | Remedy::Place { .. });
        let schedule = |remedy: &Remedy| {
            matches!(
                remedy,
                Remedy::Schedule { .. }
                    | Remedy::SplitByCost { .. }
                    | Remedy::Affinity { .. }
                    | Remedy::Grain { .. }
            )
        };
        let same = std::mem::discriminant(self) == std::mem::discriminant(other);
        !same && !(placement(self) && placement(other)) && !(schedule(self) && schedule(other))
    }
}

fn region(case: &Case, name: &str) -> Option<RegionId> {
    case.workload.regions.iter().position(|region| region.name == name).map(RegionId)
}

/// Changes all phases of a name; whether that changed one.
fn each(case: &mut Case, name: &str, mut change: impl FnMut(&mut Phase) -> bool) -> bool {
    let phases = &mut Arc::make_mut(&mut case.workload).phases;
    phases.iter_mut().filter(|phase| phase.name == name).fold(false, |any, phase| change(phase) || any)
}

/// Shares a loop out; what it does to one region alone, if there is one.
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
