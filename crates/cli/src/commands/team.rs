//! Messages about the team of a run: its binding, and warnings.

use super::binding::Said;
use super::in_force;
use crate::brief;
use crate::failure::{self, Failure};
use crate::hints;
use numalab_lower::Point;
use numalab_openmp::binding::{AffinityFormat, ThreadBinding};
use numalab_study::{Files, ResolvedRun, unread_variables};
use numalab_workload::Placement;

/// Prints the binding and the settings, if the user requests them, and warnings about the team.
pub fn tell(run: &ResolvedRun, said: &Said) {
    let of_workload = format!("binding of workload {}", run.experiment.workload.value.name);
    warn(&run.threads, if said.binding.places.is_some() { said.places_from } else { &of_workload });
    warn_of_one_kind(run);
    warn_of_waiting(run);
    if let Some(what) = said.others.shown {
        in_force::show(run, what, said.display.is_some());
    }
    if let Some(format) = &said.display {
        show(&run.threads, format, &run.machine.loaded.value.name);
    }
}

/// Prints the messages of [`tell`] for the first of several runs, and for each run whose threads or placement differ
/// from the previous run's.
pub fn tell_each<'a>(over: &str, runs: impl Iterator<Item = (&'a str, &'a ResolvedRun)>, said: &Said) {
    let mut last = None;
    for (label, run) in runs {
        let about = (&run.threads, &run.spec.placement);
        if last == Some(about) {
            continue;
        }
        last = Some(about);
        if prints(said) {
            let text = format!("{over} {label}:\n");
            failure::tell(&text);
        }
        tell(run, said);
    }
}

/// Prints the messages of [`tell`] for a run; for a series over team sizes, for each point.
pub fn tell_points(run: &ResolvedRun, files: &Files, said: &Said) -> Result<(), Failure> {
    let Some(series) = run.series().filter(|series| prints(said) && series.over == "threads") else {
        tell(run, said);
        return Ok(());
    };
    let sources = said.sources();
    let of_point = |point: &Point| {
        let resolved = run.with(&point.change, files).map_err(|error| hints::spec(error, sources))?;
        Ok((point.text.clone(), resolved))
    };
    let points = series.points.iter().map(of_point).collect::<Result<Vec<_>, Failure>>()?;
    tell_each(&series.over, points.iter().map(|(label, run)| (&**label, run)), said);
    Ok(())
}

/// True if the user requests to print the binding or the settings.
fn prints(said: &Said) -> bool {
    said.display.is_some() || said.others.shown.is_some()
}

/// Warns of environment variables that have no effect.
pub fn warn_of_variables(said: &Said) {
    for variable in &said.others.not_understood {
        let text = format!("warning: {} is not understood and has no effect\n", brief::beginning(variable));
        failure::tell(&text);
    }
    for part in &said.others.idle {
        failure::tell(&format!("note: {} has no effect here\n", brief::beginning(part)));
    }
    for variable in &said.others.overridden {
        let variable = brief::beginning(variable);
        let text = format!("warning: {variable} has no effect: other settings already place the threads\n");
        failure::tell(&text);
    }
}

/// Warns of variables about waiting that the runtime does not read.
fn warn_of_waiting(run: &ResolvedRun) {
    let runtime = &run.runtime.value;
    for name in unread_variables(&run.spec.waiting, runtime.wait.variables) {
        failure::tell(&format!("warning: {name} has no effect: runtime {} does not read it\n", runtime.name));
    }
}

/// Warns if a placement chooses between kinds of memory, but the machine has only one kind.
fn warn_of_one_kind(run: &ResolvedRun) {
    let machine = &run.machine.loaded.value;
    let of_regions = run.spec.placements.iter().map(|(_, placement)| placement);
    for placement in run.spec.placement.iter().chain(of_regions) {
        let chooses = matches!(placement, Placement::HighBandwidth | Placement::Tiering);
        if chooses && machine.memory_only.is_empty() {
            let text = format!(
                "warning: {placement} chooses between kinds of memory, but {} has one: pages are placed at first touch\n",
                machine.name
            );
            failure::tell(&text);
        }
    }
}

/// Warns of places that have no usable processor, as OpenMP runtimes do.
fn warn(placement: &ThreadBinding, places_from: &str) {
    let dropped = placement.places.dropped;
    if dropped > 0 {
        let (all, have) = (placement.places.len() + dropped, if dropped == 1 { "has" } else { "have" });
        let text = format!(
            "warning: {places_from}: {dropped} of {all} places {have} no processor that the threads may run on, \
             and {have} been left out\n",
        );
        failure::tell(&text);
    }
}

/// Prints the binding to standard error, so that standard output has only results.
fn show(placement: &ThreadBinding, format: &AffinityFormat, host: &str) {
    let lines: Vec<String> = placement.lines(format, host).map(|line| format!("{line}\n")).collect();
    failure::tell(&lines.concat());
}
