//! Loads files with overrides, for commands without a simulation.

use super::bare;
use crate::failure::Failure;
use crate::flags::Assume;
use numalab_files::{Entry, Kind, Loaded, Override, Overrides, parse_overrides};
use numalab_machine::{Fabric, Machine};
use numalab_runtime::Profile;
use numalab_study as study;

/// Parses the values of `--set` and `--series`; reports the errors of both.
pub fn overrides(set: &[String], series: Option<&str>) -> Result<Overrides, Failure> {
    match (parse_overrides(set), series.map(numalab_files::parse_series).transpose()) {
        (Ok(mut overrides), Ok(series)) => {
            overrides.workload.extend(series);
            Ok(overrides)
        }
        (Err(set), Err(series)) => Err(set.and(series).into()),
        (Err(errors), _) | (_, Err(errors)) => Err(errors.into()),
    }
}

/// Machine of a file that was read before, since standard input can be read only once.
pub fn machine_in(entry: &Entry, name: &str, set: &[String]) -> Result<Loaded<Machine>, Failure> {
    let overrides = parse_overrides(set)?;
    stray_of(Kind::Machine, &overrides)?;
    Ok(numalab_lower::entry_machine(entry, name, &overrides.machine)?)
}

/// Runtime of a file that was read before.
pub fn runtime_in(entry: &Entry, set: &[String]) -> Result<Loaded<Profile>, Failure> {
    let overrides = parse_overrides(set)?;
    stray_of(Kind::Runtime, &overrides)?;
    Ok(numalab_lower::runtime_of(&entry.read_runtime(), &overrides.runtime)?)
}

/// Refuses `--set` values that belong to other kinds of files than `kind`.
pub fn stray_of(kind: Kind, overrides: &Overrides) -> Result<(), Failure> {
    let Overrides { machine, workload, runtime } = overrides;
    let all = [("machine", &machine[..]), ("workload", workload), ("runtime", runtime)];
    let own = |what: &str| what == kind.name() && matches!(kind, Kind::Machine | Kind::Runtime);
    let others = all.into_iter().filter(|(what, _)| !own(what));
    let Some(stray) = others.flat_map(|(_, changes)| changes).next() else { return Ok(()) };
    let problem = match kind {
        Kind::Workload | Kind::Sweep | Kind::Policy => {
            format!("\"--set {}\": values of a {} cannot be changed here", stray.original, kind.name())
        }
        Kind::Machine | Kind::Runtime => return stray_in(kind.name(), all),
    };
    Err(Failure::request(problem, "numalab sim MACHINE WORKLOAD --set PATH=VALUE changes values"))
}

/// Loads a machine. Fails if `set` has values of other files.
pub fn machine(name: &str, set: &[String]) -> Result<Loaded<Machine>, Failure> {
    let Overrides { machine, workload, runtime } = parse_overrides(set)?;
    stray_in("machine", [("workload", &workload[..]), ("runtime", &runtime)])?;
    bare::refuse(name)?;
    Ok(numalab_lower::machine(name, &machine)?)
}

/// As [`machine`], also for a topology with assumed values.
pub fn machine_or_topology(name: &str, assume: &Assume, set: &[String]) -> Result<Loaded<Machine>, Failure> {
    match bare::entry(name, Some(Kind::Machine), assume, set)? {
        Some(entry) => machine_in(&entry, name, set),
        None => machine(name, set),
    }
}

/// Loads a runtime. Fails if `set` has values of other files.
pub fn runtime(name: &str, set: &[String]) -> Result<Loaded<Profile>, Failure> {
    let Overrides { machine, workload, runtime } = parse_overrides(set)?;
    stray_in("runtime", [("machine", &machine[..]), ("workload", &workload)])?;
    Ok(numalab_lower::runtime(name, &runtime)?)
}

/// Loads a runtime by name; without a name, the runtime that the machine file names.
pub fn runtime_on(name: Option<&str>, machine: &Machine) -> Result<Loaded<Profile>, Failure> {
    Ok(numalab_lower::runtime(study::runtime_name(name, None, Some(machine)), &[])?)
}

/// Refuses `--set` values that belong to other kinds of files than `only`. `all` has the values by kind.
fn stray_in<const N: usize>(only: &str, all: [(&str, &[Override]); N]) -> Result<(), Failure> {
    for (what, changes) in all.into_iter().filter(|(what, _)| *what != only) {
        if let Some(stray) = changes.first() {
            return Err(Failure::request(
                format!("\"--set {}\" changes a {what}, but this command uses none", stray.original),
                format!("only {only}.PATH=VALUE can be set"),
            ));
        }
    }
    Ok(())
}

/// Routes between the nodes of a machine. A loaded machine has passed its check, so an error here is a bug.
pub fn fabric(machine: &Machine) -> Result<Fabric, Failure> {
    Fabric::new(machine).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(|problem| problem.to_string()).collect();
        Failure::Run(lines.join("\n"))
    })
}
