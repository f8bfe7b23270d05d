//! Files and overrides of commands that need no run.

use crate::failure::Failure;
use numalab_formats::{Loaded, Override, Overrides, parse_overrides};
use numalab_machine::{Fabric, Machine};
use numalab_runtime::Profile;
use numalab_study as study;

/// The texts of `--set` and of `--series`, with the errors of both.
pub fn overrides(set: &[String], series: Option<&str>) -> Result<Overrides, Failure> {
    match (parse_overrides(set), series.map(numalab_formats::parse_series).transpose()) {
        (Ok(mut overrides), Ok(series)) => {
            overrides.workload.extend(series);
            Ok(overrides)
        }
        (Err(set), Err(series)) => Err(set.and(series).into()),
        (Err(errors), _) | (_, Err(errors)) => Err(errors.into()),
    }
}

/// A machine alone.
pub fn machine(name: &str, set: &[String]) -> Result<Loaded<Machine>, Failure> {
    let Overrides { machine, workload, runtime } = parse_overrides(set)?;
    stray("machine", [("workload", &workload), ("runtime", &runtime)])?;
    Ok(numalab_formats::machine(name, &machine)?)
}

/// A runtime alone.
pub fn runtime(name: &str, set: &[String]) -> Result<Loaded<Profile>, Failure> {
    let Overrides { machine, workload, runtime } = parse_overrides(set)?;
    stray("runtime", [("machine", &machine), ("workload", &workload)])?;
    Ok(numalab_formats::runtime(name, &runtime)?)
}

/// The runtime of this name, or else the one that the machine was measured with.
pub fn runtime_on(name: Option<&str>, machine: &Machine) -> Result<Loaded<Profile>, Failure> {
    Ok(numalab_formats::runtime(study::runtime_name(name, None, Some(machine)), &[])?)
}

/// There is nothing else whose values could be set.
fn stray(only: &str, others: [(&str, &[Override]); 2]) -> Result<(), Failure> {
    for (what, changes) in others {
        if let Some(stray) = changes.first() {
            return Err(Failure::request(
                format!("\"--set {}\" is about a {what}, and there is none here", stray.original),
                format!("only {only}.PATH=VALUE can be set"),
            ));
        }
    }
    Ok(())
}

/// The sealed machine. A loaded machine has passed its check, so this fails only if the two disagree.
pub fn fabric(machine: &Machine) -> Result<Fabric, Failure> {
    Fabric::new(machine).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(|problem| problem.to_string()).collect();
        Failure::Run(lines.join("\n"))
    })
}
