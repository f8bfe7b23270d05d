//! The team of a run, in words.

use super::binding::Said;
use super::in_force;
use numalab_openmp::binding::{AffinityFormat, ThreadBinding};
use numalab_study::ResolvedRun;
use std::io::{BufWriter, Write};

/// Tells what was asked about the team.
pub fn tell(run: &ResolvedRun, said: &Said) {
    let theirs = format!("binding of workload {}", run.experiment.workload.value.name);
    warn(&run.threads, if said.binding.places.is_some() { said.places_from } else { &theirs });
    if let Some(what) = said.others.shown {
        in_force::show(run, what, said.display.is_some());
    }
    if let Some(format) = &said.display {
        show(&run.threads, format, &run.machine.loaded.value.name);
    }
}

/// Names the variables that mean nothing here: who set them thinks that they do.
pub fn name_the_rest(said: &Said) {
    for variable in &said.others.not_understood {
        let text = format!("warning: {variable} is not understood, and changes nothing here\n");
        // The run goes on without anybody to warn.
        let _ = std::io::stderr().write_all(text.as_bytes());
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
