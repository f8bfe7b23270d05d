//! Findings about software-shared pages: page faults that stop threads, and their reasons.

use super::account::percent;
use super::finding;
use numalab_results::{Finding, PageSharing, PhaseCounts, Run};

/// Least share of the team time for which faults stop threads, for the finding.
const MATTERS: f64 = 0.1;

/// Least share of the makespan in which a daemon serves messages, for the finding.
const BUSY: f64 = 0.5;

/// Least share of the team time that faults cost in loops with pages that several nodes write, for the finding.
const SHARED: f64 = 0.02;

pub(super) fn find(run: &Run) -> Vec<Finding> {
    let Some(pages) = &run.pages else { return Vec::new() };
    let team = run.makespan_ps as f64 * run.team.len() as f64;
    if team == 0.0 {
        return Vec::new();
    }
    [stopped(run, pages, team), shared(run, team), daemon(run, pages)].into_iter().flatten().collect()
}

/// Finding: faults stop threads. The text names the largest component of the stopped time, and the loop with most of
/// it.
fn stopped(run: &Run, pages: &PageSharing, team: f64) -> Option<Finding> {
    let all: u64 = pages.stops.iter().map(|stop| stop.stop_ps).sum();
    if (all as f64) < MATTERS * team {
        return None;
    }
    let part = |name: &str| -> u64 { pages.stops.iter().filter_map(|stop| stop.by_part_ps.get(name)).sum() };
    let names = pages.stops.first().map(|stop| stop.by_part_ps.keys()).into_iter().flatten();
    let (cause, most) = names.map(|name| (name, part(name))).max_by_key(|(_, span)| *span)?;
    let PhaseCounts { name, page_faults: faults, sharing, .. } =
        run.phases.iter().max_by_key(|phase| phase.sharing.stop_ps())?;
    let evidence = format!(
        "faults stop the threads for {} of their time, {} of it as `{cause}` and {} of it in `{name}`, \
         with {} faults ({} to read, {} to write, {} upgrades)",
        percent(all as f64 / team),
        percent(most as f64 / all as f64),
        percent(sharing.stop_ps() as f64 / all as f64),
        faults.total(),
        faults.read,
        faults.write,
        faults.upgrade,
    );
    finding("page-faults", evidence)
}

/// Finding: several nodes write the same pages in one loop.
fn shared(run: &Run, team: f64) -> Option<Finding> {
    let several = |phase: &&PhaseCounts| phase.sharing.written_by_several > 0;
    let lost: u64 = run.phases.iter().filter(several).map(|phase| phase.sharing.stop_ps()).sum();
    if (lost as f64) < SHARED * team {
        return None;
    }
    let most = run.phases.iter().filter(several).max_by_key(|phase| phase.sharing.stop_ps())?;
    let count = most.sharing.written_by_several;
    let (pages, are) = if count == 1 { ("page", "is") } else { ("pages", "are") };
    let evidence = format!(
        "{count} {pages} {are} written by several nodes in `{name}`, whose faults stop the threads for {} of their time: \
         align the loop `{name}` with pages, or pad the data that it writes",
        percent(most.sharing.stop_ps() as f64 / team),
        name = most.name,
    );
    finding("pages-written-by-several", evidence)
}

/// Finding: a daemon is busy most of the time.
fn daemon(run: &Run, pages: &PageSharing) -> Option<Finding> {
    let (node, busiest) = pages.nodes.iter().enumerate().max_by_key(|(_, node)| node.daemon_busy_ps)?;
    let utilisation = busiest.daemon_busy_ps as f64 / run.makespan_ps as f64;
    if utilisation < BUSY {
        return None;
    }
    let all: u64 = pages.nodes.iter().map(|node| node.daemon_busy_ps).sum();
    let mean = all as f64 / pages.nodes.len() as f64 / run.makespan_ps as f64;
    let evidence = format!(
        "the daemon of node {node} serves messages for {} of the time, daemons on average for {}: requests to it queue",
        percent(utilisation),
        percent(mean),
    );
    finding("daemon-busy", evidence)
}
