//! Ways to try a change that `explain` suggests: flags, or lines of the workload file.

use numalab_explain::{BRANCHING, Remedy};
use numalab_workload::PageKind;

/// The flags or the lines of the workload file that make a change.
pub fn remedy(remedy: &Remedy) -> String {
    match remedy {
        Remedy::ParallelFirstTouch { phase, only: None } => {
            format!("in the loop of phase {phase}: {{ schedule: static }}")
        }
        Remedy::ParallelFirstTouch { phase, only: Some(region) } => format!(
            "move what phase {phase} touches of region {region} to a phase of its own, whose loop has {{ schedule: static }}"
        ),
        Remedy::TouchInParallel { regions } => format!(
            "initialise {} in a loop of its own: #pragma omp parallel for schedule(static)",
            regions.join(", ")
        ),
        Remedy::Place { regions, placement } if regions.is_empty() => format!("--placement {placement}"),
        Remedy::Place { regions, placement } => {
            let each = regions.iter().map(|region| format!("--placement \"{region}={placement}\""));
            each.collect::<Vec<_>>().join(" ")
        }
        Remedy::Page { page } => match page {
            PageKind::Base => "in each region, leave out `page`".to_owned(),
            PageKind::Fixed(size) => format!("in each region: {{ page: {} }}", size.0),
            PageKind::Transparent => "in each region: { page: transparent }".to_owned(),
        },
        Remedy::Bind { binding, .. } => {
            let places = binding.places.as_ref().map(|places| format!("--places \"{}\"", places.text()));
            let policies = binding.proc_bind.as_ref().map(|list| {
                let list: Vec<String> = list.iter().map(ToString::to_string).collect();
                format!("--proc-bind {}", list.join(","))
            });
            places.into_iter().chain(policies).collect::<Vec<_>>().join(" ")
        }
        Remedy::Schedule { phase: None, schedule } => format!("--policy {schedule}"),
        Remedy::Schedule { phase: Some(phase), schedule } => {
            format!("in the loop of phase {phase}: {{ schedule: \"{schedule}\" }}")
        }
        Remedy::SplitByCost { phases, expression, .. } => {
            let cost = expression.as_deref().unwrap_or("what iteration i costs");
            format!("in the loops of {}: {{ split_by: \"{cost}\" }}", phases.join(", "))
        }
        Remedy::Grain { phase, grain } => {
            format!("in the loop of phase {phase}: {{ tasks: {{ grain: {grain} }} }}")
        }
        Remedy::Affinity { phase, region, schedule } => format!(
            "--policy {schedule}, and in the loop of phase {phase}: {{ tasks: {{ affinity: {{ region: {}, at: BYTE }} }} }}, with \
             the first byte that iteration i touches as BYTE",
            region.1
        ),
        Remedy::Lock(kind) => format!("--set runtime.lock.kind={kind}"),
        Remedy::Barrier(kind) => {
            let branching = match kind.branches() {
                true => format!(
                    " --set runtime.barrier.branching={BRANCHING} --set runtime.fork.branching={BRANCHING}"
                ),
                false => String::new(),
            };
            format!("--set runtime.barrier.kind={kind} --set runtime.fork.release={kind}{branching}")
        }
        Remedy::Technique(technique) => format!("--set machine.dsm.technique={technique}"),
        Remedy::Consistency(consistency) => format!("--set machine.dsm.consistency={consistency}"),
        Remedy::KindOfLock { phases, kind } => {
            format!("in the construct of {}: {{ lock: {kind} }}", phases.join(", "))
        }
        Remedy::Spacing { phases, spacing } => {
            format!("in the construct of {}: {{ update: {{ spacing: {} }} }}", phases.join(", "), spacing.0)
        }
    }
}

/// Text like that of [`remedy`] for a recorded program: it names source lines instead of lines of the workload file.
pub fn remedy_in_program(change: &Remedy) -> String {
    match change {
        Remedy::Schedule { phase: Some(phase), schedule } => format!("at {phase}: schedule({schedule})"),
        Remedy::ParallelFirstTouch { .. }
        | Remedy::TouchInParallel { .. }
        | Remedy::Place { .. }
        | Remedy::Page { .. }
        | Remedy::Bind { .. }
        | Remedy::Schedule { .. }
        | Remedy::SplitByCost { .. }
        | Remedy::Grain { .. }
        | Remedy::Affinity { .. }
        | Remedy::Lock(_)
        | Remedy::KindOfLock { .. }
        | Remedy::Barrier(_)
        | Remedy::Technique(_)
        | Remedy::Consistency(_)
        | Remedy::Spacing { .. } => remedy(change),
    }
}
