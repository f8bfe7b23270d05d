//! Loop-scheduling policies that a workload compares.

use super::Resolver;
use numalab_files::workload_file::WorkloadFile;
use numalab_workload::{Phase, Schedule};

impl Resolver<'_, '_> {
    /// Policies that a workload names, or else all policies that suit its phases. Only the first policy if every
    /// phase states its own.
    pub(super) fn compared(&mut self, file: &WorkloadFile, phases: &[Phase]) -> Vec<Schedule> {
        let tasks = phases.iter().find(|phase| phase.schedule.is_none() && phase.needs_tasks());
        let fits = |policy: &Schedule| tasks.is_none() || matches!(policy, Schedule::Tasks(_));
        let named: Vec<Schedule> = file.compare.iter().filter_map(|schedule| schedule.0).collect();
        if let (Some(at), Some(phase)) = (named.iter().position(|policy| !fits(policy)), tasks) {
            let message =
                format!("phase {} is made of tasks, which {} does not execute", phase.name, named[at]);
            self.report.at(&format!("compare[{at}]"), message, Schedule::OF_TASKS);
        }
        let all = Schedule::NAMES.iter().filter_map(|name| name.parse().ok()).filter(fits);
        let policies = if named.is_empty() { all.collect() } else { named };
        let differ = phases.iter().any(|phase| phase.schedule.is_none());
        policies.into_iter().take(if differ { usize::MAX } else { 1 }).collect()
    }
}
