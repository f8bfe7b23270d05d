//! Finding: makespans of replicas differ much.

use super::account::{percent, time};
use super::finding;
use numalab_results::{Finding, Run};

pub(super) fn find(run: &Run) -> Option<Finding> {
    // Other values of the machine give other times on stable runs, too.
    let replicas = run.replicas.filter(|replicas| run.sampled_ps.is_empty() && replicas.is_unstable())?;
    let mut evidence = format!(
        "{} runs whose times vary as on a machine take {} to {}",
        replicas.number,
        time(replicas.low_ps as f64),
        time(replicas.high_ps as f64),
    );
    if let Some(busiest) = run.busiest().filter(|busiest| busiest.resource.peak_utilisation > 0.0) {
        evidence += &format!(
            "; {} is the busiest resource, in use {} of the time on average and {} at most",
            busiest.resource.name,
            percent(busiest.mean),
            percent(busiest.resource.peak_utilisation),
        );
    }
    finding("unstable", evidence)
}
