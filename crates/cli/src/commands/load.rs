//! Files and overrides of commands that need no run.

use super::bare;
use crate::failure::Failure;
use numalab_formats::{Entry, Kind, Loaded, Override, Overrides, parse_overrides};
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

/// A machine whose text has been read already, as standard input can be only once.
pub fn machine_in(found: &Entry, name: &str, set: &[String]) -> Result<Loaded<Machine>, Failure> {
    let overrides = parse_overrides(set)?;
    stray_of(Kind::Machine, &overrides)?;
    Ok(found.machine(name, &overrides.machine)?)
}

/// A runtime whose text has been read already.
pub fn runtime_in(found: &Entry, set: &[String]) -> Result<Loaded<Profile>, Failure> {
    let overrides = parse_overrides(set)?;
    stray_of(Kind::Runtime, &overrides)?;
    Ok(found.runtime(&overrides.runtime)?)
}

/// Refuses values of something that is not there.
pub fn stray_of(kind: Kind, overrides: &Overrides) -> Result<(), Failure> {
    let Overrides { machine, workload, runtime } = overrides;
    let all = [("machine", &machine[..]), ("workload", workload), ("runtime", runtime)];
    let own = |what: &str| what == kind.name() && matches!(kind, Kind::Machine | Kind::Runtime);
    let others = all.into_iter().filter(|(what, _)| !own(what));
    let Some(stray) = others.flat_map(|(_, changes)| changes).next() else { return Ok(()) };
    let problem = match kind {
        Kind::Workload | Kind::Sweep => {
            format!("\"--set {}\": a {} is shown as its file has it", stray.original, kind.name())
        }
        Kind::Machine | Kind::Runtime => return stray_in(kind.name(), all),
    };
    Err(Failure::request(problem, "numalab sim and numalab sweep set values"))
}

/// A machine alone.
pub fn machine(name: &str, set: &[String]) -> Result<Loaded<Machine>, Failure> {
    let Overrides { machine, workload, runtime } = parse_overrides(set)?;
    stray_in("machine", [("workload", &workload[..]), ("runtime", &runtime)])?;
    bare::refuse(name)?;
    Ok(numalab_formats::machine(name, &machine)?)
}

/// A runtime alone.
pub fn runtime(name: &str, set: &[String]) -> Result<Loaded<Profile>, Failure> {
    let Overrides { machine, workload, runtime } = parse_overrides(set)?;
    stray_in("runtime", [("machine", &machine[..]), ("workload", &workload)])?;
    Ok(numalab_formats::runtime(name, &runtime)?)
}

/// The runtime of this name, or else the one that the machine was measured with.
pub fn runtime_on(name: Option<&str>, machine: &Machine) -> Result<Loaded<Profile>, Failure> {
    Ok(numalab_formats::runtime(study::runtime_name(name, None, Some(machine)), &[])?)
}

/// There is nothing else whose values could be set.
fn stray_in<const N: usize>(only: &str, all: [(&str, &[Override]); N]) -> Result<(), Failure> {
    for (what, changes) in all.into_iter().filter(|(what, _)| *what != only) {
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
