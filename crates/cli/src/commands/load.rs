//! Files and overrides, with the errors of all of them at once.

use crate::failure::Failure;
use numalab_formats::{Loaded, parse_overrides};
use numalab_machine::Machine;
use numalab_program::Workload;

/// A machine and what is asked of it.
pub fn both(
    machine: &str,
    workload: &str,
    set: &[String],
) -> Result<(Loaded<Machine>, Loaded<Workload>), Failure> {
    let (for_machine, for_workload) = parse_overrides(set)?;
    let machine = numalab_formats::machine(machine, &for_machine);
    let workload = numalab_formats::workload(workload, &for_workload);
    match (machine, workload) {
        (Ok(machine), Ok(workload)) => Ok((machine, workload)),
        (Err(machine), Err(workload)) => Err(machine.and(workload).into()),
        (Err(errors), _) | (_, Err(errors)) => Err(errors.into()),
    }
}

/// A machine alone; there is no workload whose parameters could be set.
pub fn machine(name: &str, set: &[String]) -> Result<Loaded<Machine>, Failure> {
    let (for_machine, for_workload) = parse_overrides(set)?;
    if let Some(stray) = for_workload.first() {
        return Err(Failure::request(
            format!("\"--set {}\" is about a workload, and there is none here", stray.original),
            "only machine.PATH=VALUE can be set",
        ));
    }
    Ok(numalab_formats::machine(name, &for_machine)?)
}
