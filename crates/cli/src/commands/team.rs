//! The team of a run, in words.

use super::binding::Said;
use super::in_force;
use crate::failure::Failure;
use crate::hints;
use numalab_formats::Point;
use numalab_openmp::binding::{AffinityFormat, ThreadBinding};
use numalab_study::{Files, ResolvedRun};
use numalab_workload::Placement;
use std::io::{BufWriter, Write};

/// Tells what was asked about the team.
pub fn tell(run: &ResolvedRun, said: &Said) {
    let theirs = format!("binding of workload {}", run.experiment.workload.value.name);
    warn(&run.threads, if said.binding.places.is_some() { said.places_from } else { &theirs });
    warn_of_one_kind(run);
    if let Some(what) = said.others.shown {
        in_force::show(run, what, said.display.is_some());
    }
    if let Some(format) = &said.display {
        show(&run.threads, format, &run.machine.loaded.value.name);
    }
}

/// Tells what was asked about the teams of several runs: of the first, and of those whose threads or pages are elsewhere.
pub fn tell_each<'a>(over: &str, runs: impl Iterator<Item = (&'a str, &'a ResolvedRun)>, said: &Said) {
    let mut last = None;
    for (label, run) in runs {
        let about = (&run.threads, &run.spec.placement);
        if last == Some(about) {
            continue;
        }
        last = Some(about);
        if asks(said) {
            let text = format!("{over} {label}:\n");
            // The runs go on without anybody to tell.
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
        tell(run, said);
    }
}

/// The same of a run, or of the points of its series.
pub fn tell_points(run: &ResolvedRun, files: &Files, said: &Said) -> Result<(), Failure> {
    let Some(series) = run.series().filter(|series| asks(said) && series.over == "threads") else {
        tell(run, said);
        return Ok(());
    };
    let sources = said.sources();
    let of_point = |point: &Point| {
        let found = run.with(&point.change, files).map_err(|error| hints::spec(error, sources))?;
        Ok((point.text.clone(), found))
    };
    let points = series.points.iter().map(of_point).collect::<Result<Vec<_>, Failure>>()?;
    tell_each(&series.over, points.iter().map(|(label, run)| (&**label, run)), said);
    Ok(())
}

/// Whether somebody wants to see where threads are.
fn asks(said: &Said) -> bool {
    said.display.is_some() || said.others.shown.is_some()
}

/// Names the variables that mean nothing here: who set them thinks that they do.
pub fn name_the_rest(said: &Said) {
    for variable in &said.others.not_understood {
        let text = format!("warning: {variable} is not understood, and changes nothing here\n");
        // The run goes on without anybody to warn.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
    for variable in &said.others.outdone {
        let text = format!("warning: {variable} changes nothing: something else says where the threads go\n");
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

/// Placements that choose between kinds of memory, where there is one.
fn warn_of_one_kind(run: &ResolvedRun) {
    let machine = &run.machine.loaded.value;
    let of_regions = run.spec.placements.iter().map(|(_, placement)| placement);
    for placement in run.spec.placement.iter().chain(of_regions) {
        let chooses = matches!(placement, Placement::HighBandwidth | Placement::Tiering);
        if chooses && machine.memory_only.is_empty() {
            let text = format!(
                "warning: {placement} chooses between kinds of memory, and {} has one: pages are where they are touched first\n",
                machine.name
            );
            // The run goes on without anybody to warn.
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
    }
}

/// Places that went missing are worth a word, as the runtimes give one.
fn warn(placement: &ThreadBinding, places_from: &str) {
    let dropped = placement.places.dropped;
    if dropped > 0 {
        let (all, have) = (placement.places.len() + dropped, if dropped == 1 { "has" } else { "have" });
        let text = format!(
            "warning: {places_from}: {dropped} of {all} places {have} no processor that the threads may run on, \
             and {have} been left out\n",
        );
        // The run goes on without anybody to warn.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

/// To standard error, so that results stay alone on standard output.
fn show(placement: &ThreadBinding, format: &AffinityFormat, host: &str) {
    let mut lines = BufWriter::new(std::io::stderr().lock());
    // Whoever does not want to read on may leave.
    let _ = placement.lines(format, host).try_for_each(|line| writeln!(lines, "{line}"));
    let _ = lines.flush();
}
