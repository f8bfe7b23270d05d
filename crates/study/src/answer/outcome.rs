//! Outcomes that every run has.

use numalab_lower::Questions;
use numalab_results::{PhaseCounts, Run};

/// The value of one of [`Questions::OUTCOMES`], or of an outcome of a phase.
pub(super) fn outcome(run: &Run, name: &str) -> Option<f64> {
    let of_phases = |prefix: &str, part: fn(&PhaseCounts) -> u64| {
        let phase = name.strip_prefix(prefix)?;
        let sums = run.phases.iter().filter(|sum| Questions::phase_name(&sum.name) == phase);
        let (count, sum) = sums.fold((0, 0), |(count, sum), next| (count + 1, sum + part(next)));
        (count > 0).then_some(sum as f64)
    };
    let seconds = |ps: f64| ps / numalab_base::PS_PER_S;
    let sum = |part: fn(&PhaseCounts) -> u64| run.phases.iter().map(part).sum::<u64>() as f64;
    match name {
        "time" => Some(seconds(run.makespan_ps as f64)),
        "bytes" => Some(sum(|phase| phase.bytes)),
        "remote_bytes" => Some(sum(|phase| phase.remote_bytes)),
        "cached_bytes" => Some(sum(|phase| phase.cached_bytes)),
        "iterations" => Some(run.team.iter().map(|member| member.iterations).sum::<u64>() as f64),
        "pages_moved" => Some(sum(|phase| phase.pages_moved)),
        "pages_promoted" => Some(sum(|phase| phase.pages_promoted)),
        "pages_demoted" => Some(sum(|phase| phase.pages_demoted)),
        "threads_moved" => Some(sum(|phase| phase.threads_moved)),
        "transactions" => Some(run.transactions as f64),
        "tasks" => Some(run.tasks.as_ref().map_or(0.0, |tasks| tasks.created as f64)),
        "work_time" => Some(seconds(run.work_ps() as f64)),
        "ideal_time" => Some(seconds(run.ideal_work_ps as f64)),
        "primary_work_time" => {
            run.team.first().map(|member| seconds((member.compute_ps + member.stall_ps) as f64))
        }
        "penalty_time" => Some(seconds(run.memory_penalty_ps as f64)),
        "sequential_time" => Some(seconds(run.sequential_ps? as f64)),
        "inflation_time" => Some(seconds(run.inflation_ps? as f64)),
        "overhead_time" => Some(seconds(run.overhead_ps.as_f64())),
        "idle_time" => Some(seconds(run.idle_ps.as_f64())),
        _ => of_phases("time_", |phase| phase.time_ps)
            .map(seconds)
            .or_else(|| of_phases("bytes_", |phase| phase.bytes))
            .or_else(|| of_phases("remote_", |phase| phase.remote_bytes))
            .or_else(|| of_phases("cached_", |phase| phase.cached_bytes))
            .or_else(|| of_phases("faults_", |phase| phase.page_faults.total())),
    }
}
