//! Converts the outcome of a run to the result in files.

use crate::bottleneck::bottleneck;
use crate::page_record;
use numalab_machine::Fabric;
use numalab_results::{Member, Resource, Run, TeamTime};
use numalab_simulator as outcome;
use numalab_workload::Region;

/// Converts an outcome. Findings and measures are added to the result later.
pub(crate) fn record(run: outcome::RunOutcome, fabric: &Fabric, regions: &[Region]) -> Run {
    Run {
        bottleneck: bottleneck(&run, fabric),
        policy: run.schedule.to_string(),
        threads: run.team.len() as u32,
        makespan_ps: run.makespan_ps,
        events: run.events,
        ideal_work_ps: run.ideal_work_ps,
        memory_penalty_ps: run.memory_penalty_ps,
        sequential_ps: None,
        inflation_ps: None,
        replicas: None,
        sampled_ps: Vec::new(),
        overhead_ps: TeamTime(run.overhead_ps),
        idle_ps: TeamTime(run.idle_ps),
        transactions: run.transactions,
        engine: run.engine,
        tasks: run.tasks.map(Into::into),
        pages: run.pages.as_ref().map(|pages| page_record::sharing(pages, regions)),
        findings: Vec::new(),
        measures: Vec::new(),
        bytes_by_level: run.bytes_by_level.into(),
        cached_bytes: run.cached_bytes,
        phases: run.phases.into_iter().map(Into::into).collect(),
        team: (0..).zip(run.team).map(|(thread, member)| self::member(thread, member)).collect(),
        resources: run.resources.into_iter().map(resource).collect(),
    }
}

fn member(thread: u32, member: outcome::ThreadOutcome) -> Member {
    Member {
        thread,
        processor: member.processor,
        node: member.node,
        compute_ps: member.compute_ps,
        stall_ps: member.stall_ps,
        overhead_ps: member.overhead_ps,
        idle_ps: member.idle_ps,
        iterations: member.iterations,
        stolen: member.stolen,
        cached_bytes: member.cached_bytes,
        bytes_by_node: member.bytes_by_node,
        time_by_node_ps: member.time_by_node_ps,
    }
}

fn resource(used: outcome::ResourceUse) -> Resource {
    Resource {
        name: used.name,
        capacity_bytes_per_s: used.capacity_bytes_per_s,
        bytes: used.bytes,
        busy_ps: used.busy_ps,
        peak_utilisation: used.peak_utilisation,
    }
}
