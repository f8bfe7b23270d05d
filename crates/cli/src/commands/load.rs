//! Files and overrides, with the errors of all of them at once.

use crate::failure::Failure;
use numalab_formats::{Diagnostics, Experiment, Facts, Loaded, Override, Overrides, parse_overrides};
use numalab_machine::{Fabric, Machine, totals};
use numalab_openmp::ProcList;
use numalab_runtime::Profile;
use numalab_study as study;

/// What a command line names.
pub struct Names<'a> {
    pub machine: &'a str,
    pub workload: &'a str,
    /// The workload's, or a plain one, if not said.
    pub runtime: Option<&'a str>,
}

/// What the names mean.
pub struct Inputs {
    pub machine: Loaded<Machine>,
    pub experiment: Experiment,
    pub runtime: Loaded<Profile>,
}

/// What a command line changes.
pub struct Changes(Overrides);

impl Changes {
    /// From the texts of `--set` and of `--series`.
    pub fn parse(set: &[String], series: Option<&str>) -> Result<Changes, Failure> {
        match (parse_overrides(set), series.map(numalab_formats::parse_series).transpose()) {
            (Ok(mut changes), Ok(series)) => {
                changes.workload.extend(series);
                Ok(Changes(changes))
            }
            (Err(set), Err(series)) => Err(set.and(series).into()),
            (Err(errors), _) | (_, Err(errors)) => Err(errors.into()),
        }
    }

    /// Whether `--set` gives a parameter a value.
    pub fn fix(&self, parameter: &str) -> bool {
        self.0.workload.iter().any(|change| change.sets_parameter(parameter))
    }

    /// What is named, with a team whose size `threads` says.
    pub fn load(&self, names: &Names<'_>, threads: impl FnOnce(&Machine) -> u32) -> Result<Inputs, Failure> {
        let machine = numalab_formats::machine(names.machine, &self.0.machine);
        // What else is wrong with a workload shows without a machine too.
        let facts = machine
            .as_ref()
            .map_or(Facts::default(), |machine| Facts::of(&machine.value, threads(&machine.value)));
        let experiment = numalab_formats::workload(names.workload, &self.0.workload, &facts);
        let workload = experiment.as_ref().ok().map(|experiment| &experiment.workload.value);
        let runtime = study::runtime(
            names.runtime,
            workload,
            machine.as_ref().ok().map(|machine| &machine.value),
            &self.0.runtime,
        );
        match (machine, experiment, runtime) {
            (Ok(machine), Ok(experiment), Ok(runtime)) => Ok(Inputs { machine, experiment, runtime }),
            (machine, experiment, runtime) => {
                let errors = [machine.err(), experiment.err(), runtime.err()].into_iter().flatten();
                let all = errors.reduce(Diagnostics::and);
                Err(all.map_or_else(|| Failure::Run("nothing was loaded".to_owned()), Failure::from))
            }
        }
    }
}

/// Threads of the team, for what a workload's expressions ask; whether they fit is checked elsewhere.
pub fn team_size(machine: &Machine, threads: Option<u32>, procs: Option<&ProcList>) -> u32 {
    let totals = totals(machine);
    let listed = || Some(procs?.resolve(&machine.name, totals.processors).ok()?.len() as u32);
    threads.or_else(listed).unwrap_or(totals.cores).max(1)
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
