//! Sources of a thread's work: loops hand out iterations, [`Tasks`] hands out tasks.

mod asking;
pub(crate) mod costs;
mod loops;
pub(crate) mod pipeline;
mod shared_words;

pub(crate) use asking::{NextAction, SourceContext, WakeReason, WorkSource};
pub(crate) use shared_words::{LoopSharing, LoopWords};

use crate::engine::setup::Setup;
use crate::engine::team::{Neighbourhood, Team};
use crate::engine::world::World;
use crate::tasks::{TaskTeam, Tasks};
use crate::work_source::costs::Scan;
use loops::{Loops, Shared};
use numalab_base::{Snapshot, Span};
use numalab_counts::{Count, TaskCounts};
use numalab_machine::NodeId;
use numalab_memory::Home;
use numalab_openmp::Measured;
use numalab_workload::{Construct, Phase, Schedule};

pub(crate) enum AnyWorkSource<'a, 'b> {
    Loop(Box<Loops<'a, 'b>>),
    Tasks(Box<Tasks<'a>>),
}

impl<'a> WorkSource<'a> for AnyWorkSource<'a, '_> {
    fn next_action(
        &mut self,
        thread: u32,
        reason: WakeReason,
        context: &mut SourceContext<'_, 'a>,
    ) -> NextAction {
        match self {
            AnyWorkSource::Loop(loops) => loops.next_action(thread, reason, context),
            AnyWorkSource::Tasks(tasks) => tasks.next_action(thread, reason, context),
        }
    }

    fn stolen(&self, thread: u32) -> u64 {
        match self {
            AnyWorkSource::Loop(loops) => loops.stolen(thread),
            AnyWorkSource::Tasks(tasks) => tasks.stolen(thread),
        }
    }

    fn owner(&self, thread: u32) -> Option<u32> {
        match self {
            AnyWorkSource::Loop(loops) => loops.owner(thread),
            AnyWorkSource::Tasks(tasks) => tasks.owner(thread),
        }
    }
}

impl AnyWorkSource<'_, '_> {
    /// Adds the state of handed-out work to a snapshot. Only that of loops without shared words can be captured.
    pub fn snapshot(&self, into: &mut Snapshot) {
        match self {
            AnyWorkSource::Loop(loops) => loops.snapshot(into),
            AnyWorkSource::Tasks(_) => into.refuse(),
        }
    }
}

/// Splits a team into `teams` teams of equal size.
pub(crate) fn teams(team: &Team, teams: u32) -> Vec<Team> {
    let size = team.members.len() / teams as usize;
    team.members
        .chunks(size.max(1))
        .map(|members| Team { members: members.to_vec(), unbound: None })
        .collect()
}

pub(crate) fn neighbourhoods<'b>(setup: &Setup<'b>, teams: &'b [Team]) -> Vec<Neighbourhood<'b>> {
    teams.iter().map(|team| Neighbourhood { fabric: setup.fabric, team }).collect()
}

/// Work sources of all teams for each phase in turn.
pub(crate) fn sources<'a, 'b>(
    setup: &'a Setup<'a>,
    phases: &'a [Phase],
    compared: Schedule,
    world: &mut World<'a>,
    teams: &'b [Team],
    neighbourhoods: &'b [Neighbourhood<'b>],
) -> Vec<AnyWorkSource<'a, 'b>> {
    let mut all = Vec::with_capacity(phases.len() * teams.len());
    for (place, phase) in (0..).zip(phases) {
        let of_loop = phase.under(compared).chosen(setup.runtime.auto, setup.runtime.runtime);
        let is_sections = matches!(phase.construct, Construct::Sections { .. });
        let policy = if is_sections { setup.runtime.sections() } else { of_loop };
        all.extend(of_phase(setup, (place, phase), policy, world, teams, neighbourhoods));
    }
    all
}

/// Work source of each team for one phase, with its position in its region: tasks if the policy hands out tasks, else
/// a loop.
fn of_phase<'a, 'b>(
    setup: &'a Setup<'a>,
    (place, phase): (u32, &'a Phase),
    policy: Schedule,
    world: &mut World<'a>,
    teams: &'b [Team],
    neighbourhoods: &'b [Neighbourhood<'b>],
) -> Vec<AnyWorkSource<'a, 'b>> {
    let streams = setup.streams();
    let homes = if matches!(policy, Schedule::Tasks(_)) { homes(phase, world) } else { Vec::new() };
    let each = teams.iter().zip(neighbourhoods).enumerate();
    each.map(|(number, (team, neighbourhood))| {
        let threads = team.members.len() as u32;
        if let Schedule::Tasks(queue) = policy {
            let kind = queue.unwrap_or(setup.runtime.tasks.queue);
            let words = world.sync.task_words(setup, (place, kind), number, &team.members);
            let first = number as u32 * threads;
            let team = TaskTeam { fabric: setup.fabric, members: &team.members, first };
            let tasks = Tasks::new(phase, setup.runtime, words, &team, &streams, &homes);
            return AnyWorkSource::Tasks(Box::new(tasks));
        }
        let words = world.sync.loop_words(policy, number);
        let (machine, fabric) = setup.lines();
        let scan = Scan::new(machine, fabric, team);
        let costs = phase.costs.clone();
        let limits = world.aligned.limits(phase, policy);
        let shared = Shared {
            policy,
            costs,
            limits,
            iterations: phase.iterations,
            threads,
            streams,
            neighbourhood,
            calls: setup.runtime.worksharing.clone(),
        };
        let measured = policy.file().and_then(|file| file.policy.measures).map(|measures| {
            let kept = world.measured.remove(&(phase.name.clone(), number));
            // A phase of the same name can have another policy or another team.
            let fits = |kept: &Measured| kept.fits(measures, threads);
            kept.filter(fits).unwrap_or_else(|| Measured::new(measures, threads))
        });
        AnyWorkSource::Loop(Box::new(Loops::new(shared, words, scan, measured)))
    })
    .collect()
}

/// Node near which each iteration's task should run: the home of the data that the task names, `None` if this data
/// has no home yet. Empty if the phase names no data.
fn homes(phase: &Phase, world: &World<'_>) -> Vec<Option<NodeId>> {
    let Some(affinity) = &phase.tasking.affinity else { return Vec::new() };
    let home = |offset: &u64| {
        let mut found = None;
        world.store.homes(affinity.region.0, *offset..*offset + 1, |home, _| {
            found = match home {
                Home::Node(node) => Some(node),
                Home::Cycle { nodes, first, .. } => nodes.get(first as usize % nodes.len().max(1)).copied(),
            };
        });
        found
    };
    affinity.offsets.iter().map(home).collect()
}

/// Sums the task counts of all `teams` teams at the end of a segment, which took `took`; `None` without tasks. The lines
/// of the queues are kept for later phases, and what loops have measured for their next executions.
pub(crate) fn finish(
    sources: Vec<AnyWorkSource<'_, '_>>,
    phases: &[Phase],
    world: &mut World<'_>,
    teams: usize,
    took: Span,
) -> Option<TaskCounts> {
    let mut sum: Option<TaskCounts> = None;
    for (at, source) in sources.into_iter().enumerate() {
        let tasks = match source {
            AnyWorkSource::Tasks(tasks) => tasks,
            AnyWorkSource::Loop(loops) => {
                if let Some(measured) = loops.into_measured() {
                    world.measured.insert((phases[at / teams].name.clone(), at % teams), measured);
                }
                continue;
            }
        };
        let mine = tasks.sum();
        match &mut sum {
            None => sum = Some(mine),
            // Teams that run at the same time count as one phase with the creators of all.
            Some(sum) => {
                let (phases, creators) = (sum.phases, sum.creators);
                sum.add(&mine);
                (sum.phases, sum.creators) = (phases, creators + mine.creators);
            }
        }
        world.sync.keep_words(tasks.into_words(), (at / teams) as u32, at % teams);
    }
    if let Some(sum) = &mut sum {
        sum.phases_ps = took.0;
    }
    sum
}
