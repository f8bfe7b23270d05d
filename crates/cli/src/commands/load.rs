//! Files and overrides, with the errors of all of them at once.

use crate::failure::Failure;
use crate::procs::ProcList;
use numalab_formats::{Experiment, Facts, Loaded, Override, parse_overrides, parse_series};
use numalab_machine::{Fabric, Machine, totals};

/// What a command line changes.
pub struct Changes {
    machine: Vec<Override>,
    workload: Vec<Override>,
}

impl Changes {
    /// From the texts of `--set` and of `--series`.
    pub fn parse(set: &[String], series: Option<&str>) -> Result<Changes, Failure> {
        match (parse_overrides(set), series.map(parse_series).transpose()) {
            (Ok((machine, mut workload)), Ok(series)) => {
                workload.extend(series);
                Ok(Changes { machine, workload })
            }
            (Err(set), Err(series)) => Err(set.and(series).into()),
            (Err(errors), _) | (_, Err(errors)) => Err(errors.into()),
        }
    }

    /// Whether `--set` gives a parameter a value.
    pub fn fix(&self, parameter: &str) -> bool {
        self.workload.iter().any(|change| change.sets_parameter(parameter))
    }
}

/// A machine and what is asked of it, with a team whose size `threads` says.
pub fn both(
    machine: &str,
    workload: &str,
    set: &[String],
    threads: impl FnOnce(&Machine) -> u32,
) -> Result<(Loaded<Machine>, Experiment), Failure> {
    changed(machine, workload, &Changes::parse(set, None)?, threads)
}

/// The same, with changes that have been read.
pub fn changed(
    machine: &str,
    workload: &str,
    changes: &Changes,
    threads: impl FnOnce(&Machine) -> u32,
) -> Result<(Loaded<Machine>, Experiment), Failure> {
    let Changes { machine: for_machine, workload: for_workload } = changes;
    let machine = numalab_formats::machine(machine, for_machine);
    // What else is wrong with a workload shows without a machine too.
    let facts = machine
        .as_ref()
        .map_or(Facts::default(), |machine| Facts::of(&machine.value, threads(&machine.value)));
    let workload = numalab_formats::workload(workload, for_workload, &facts);
    match (machine, workload) {
        (Ok(machine), Ok(workload)) => Ok((machine, workload)),
        (Err(machine), Err(workload)) => Err(machine.and(workload).into()),
        (Err(errors), _) | (_, Err(errors)) => Err(errors.into()),
    }
}

/// Threads of the team, for what a workload's expressions ask; whether they fit is checked elsewhere.
pub fn team_size(machine: &Machine, threads: Option<u32>, procs: Option<&ProcList>) -> u32 {
    let totals = totals(machine);
    let listed = || Some(procs?.resolve(&machine.name, totals.processors).ok()?.len() as u32);
    threads.or_else(listed).unwrap_or(totals.cores).max(1)
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

/// The sealed machine. A loaded machine has passed its check, so this fails only if the two disagree.
pub fn fabric(machine: &Machine) -> Result<Fabric, Failure> {
    Fabric::new(machine).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(|problem| problem.to_string()).collect();
        Failure::Run(lines.join("\n"))
    })
}
