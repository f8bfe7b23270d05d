//! The team against the machine: `--threads`, `--procs` and the binding.

use super::binding::Said;
use crate::excerpt;
use crate::failure::Failure;
use numalab_machine::{Machine, totals};
use numalab_openmp::ProcList;
use numalab_openmp::binding::{AffinityFormat, BindingError, ThreadBinding};
use numalab_study::{self as study, Request, TeamError};
use std::io::{BufWriter, Write};

/// The processors of `--procs`, if given.
pub fn procs(machine: &Machine, list: Option<&ProcList>) -> Result<Option<Vec<u32>>, Failure> {
    Ok(list.map(|list| list.resolve(&machine.name, totals(machine).processors)).transpose()?)
}

/// Sees that the team fits, and tells what was asked about it.
pub fn check(request: &Request, said: &Said) -> Result<(), Failure> {
    let theirs = format!("binding of workload {}", request.workload.value.name);
    let places_said = said.binding.as_ref().is_some_and(|binding| binding.places.is_some());
    let places_from = if places_said { said.places_from } else { &theirs };
    let placement = study::placement(request).map_err(|error| refusal(request, places_from, error))?;
    warn(&placement, places_from);
    if let Some(format) = &said.display {
        show(&placement, format, &request.machine.value.name);
    }
    Ok(())
}

fn refusal(request: &Request, places_from: &str, error: TeamError) -> Failure {
    let problem = error.to_string();
    match error {
        TeamError::TooMany { processors, .. } => {
            let more = if request.procs.is_some() { ", or name more processors" } else { "" };
            let most = study::most_threads(processors);
            Failure::request(problem, format!("ask for fewer (--threads {most}){more}"))
        }
        TeamError::Binding(BindingError::Places(error)) => {
            let list = request.binding.as_ref().and_then(|binding| binding.places.as_ref());
            excerpt::failure(places_from, list.map_or("cores", |list| list.text()), &error)
        }
        _ => Failure::Request { problem, advice: None },
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
