//! A run's outcome as the record that is written to files.

use crate::bottleneck::bottleneck;
use crate::page_record;
use numalab_machine::Fabric;
use numalab_results::{
    ByNode, BytesByLevel, EngineCounts, Executed, Member, PhaseSum, Resource, Run, TaskSum, TeamTime,
};
use numalab_simulator as outcome;
use numalab_workload::Region;

/// The record of an outcome. Findings and measures are added by those who look for them.
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
        overhead_ps: TeamTime(run.overhead_ps),
        idle_ps: TeamTime(run.idle_ps),
        transactions: run.transactions,
        engine: engine(run.engine),
        tasks: run.tasks.as_ref().map(tasks),
        pages: run.pages.as_ref().map(|pages| page_record::sharing(pages, regions)),
        findings: Vec::new(),
        measures: Vec::new(),
        bytes_by_level: levels(run.bytes_by_level),
        cached_bytes: run.cached_bytes,
        phases: run.phases.into_iter().map(phase).collect(),
        team: (0..).zip(run.team).map(|(thread, member)| self::member(thread, member)).collect(),
        resources: run.resources.into_iter().map(resource).collect(),
    }
}

fn engine(counts: outcome::EngineCounts) -> EngineCounts {
    let outcome::EngineCounts { solver_visits, cache_visits, operations } = counts;
    EngineCounts { solver_visits, cache_visits, operations }
}

fn levels(bytes: outcome::BytesByLevel) -> BytesByLevel {
    let outcome::BytesByLevel { node, socket, board, machine, memory_only } = bytes;
    BytesByLevel { node, socket, board, machine, memory_only }
}

fn phase(phase: outcome::PhaseOutcome) -> PhaseSum {
    let outcome::PhaseOutcome {
        name,
        time_ps,
        bytes,
        remote_bytes,
        cached_bytes,
        pages_faulted,
        pages_moved,
        pages_promoted,
        pages_demoted,
        threads_moved,
        page_faults,
        sharing,
        lost: _,
    } = phase;
    let page_faults = page_record::faults(page_faults);
    let sharing = page_record::phase(sharing);
    PhaseSum {
        name,
        time_ps,
        bytes,
        remote_bytes,
        cached_bytes,
        pages_faulted,
        pages_moved,
        pages_promoted,
        pages_demoted,
        threads_moved,
        page_faults,
        sharing,
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
        bytes_by_node: ByNode::of(member.bytes_by_node.into_entries()),
        time_by_node_ps: ByNode::of(member.time_by_node_ps.into_entries()),
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

fn tasks(counts: &outcome::TaskCounts) -> TaskSum {
    let executed = |part: outcome::Executed| Executed { tasks: part.tasks, time_ps: part.time_ps };
    TaskSum {
        phases: counts.phases,
        phases_ps: counts.phases_ps,
        created: counts.created,
        creators: counts.creators,
        at_once: counts.at_once,
        by_creator: executed(counts.by_creator),
        same_socket: executed(counts.same_socket),
        same_board: executed(counts.same_board),
        remote: executed(counts.remote),
        steals: counts.steals,
        failed_steals: counts.failed_steals,
        longest_queue: counts.longest_queue,
        creating_ps: counts.creating_ps,
        busiest_creator_ps: counts.busiest_creator_ps,
        fetching_ps: counts.fetching_ps,
        searching_ps: counts.searching_ps,
        working_ps: counts.working_ps,
        longest_task_ps: counts.longest_task_ps,
    }
}
