//! Nothing is said twice: what a series goes over, another flag does not fix, or one of the two would count for nothing.

use crate::commands::variants::Outside;
use crate::commands::{load, tools};
use crate::failure::Failure;
use crate::flags::Sim;

/// Refuses flags that a series would outdo in silence.
pub(super) fn check(flags: &Sim, machines: &[String]) -> Result<(), Failure> {
    let Some(series) = &flags.series else { return Ok(()) };
    let (over, values) = series.split_once('=').unwrap_or((series, ""));
    let over = over.trim();
    let outside = Outside::parse(over);
    if machines.len() > 1 && outside.is_none() {
        return Err(Failure::request(
            format!("several machines and --series over {over} are two ways to vary a run"),
            "take one of them at a time; numalab sweep combines them",
        ));
    }
    let is_path = over.contains('.');
    let of_tools = match outside {
        Some(Outside::Placement) => tools::placement_flag(&flags.tools),
        Some(Outside::Procs) => tools::processors_flag(&flags.tools),
        Some(Outside::Machine | Outside::Runtime | Outside::Places | Outside::ProcBind | Outside::Policy)
        | None => None,
    };
    let says = |says: bool, flag: &'static str| says.then_some(flag);
    let typed = match outside {
        // Values may be expressions of the team.
        None => {
            says(over == "threads" && flags.threads.is_some() && !values.contains("threads"), "--threads")
        }
        Some(Outside::Placement) => {
            says(flags.placements.iter().any(|one| one.region.is_none()), "--placement")
        }
        Some(Outside::Procs) => says(flags.procs.is_some(), "--procs"),
        Some(Outside::Places) => says(flags.binding.places.is_some(), "--places"),
        Some(Outside::ProcBind) => says(flags.binding.proc_bind.is_some(), "--proc-bind"),
        Some(Outside::Runtime) => says(flags.runtime.is_some() && !is_path, "--runtime"),
        // Policies are refused where their texts are read.
        Some(Outside::Machine | Outside::Policy) => None,
    };
    if let Some(flag) = of_tools.or(typed) {
        return Err(both(flag, over, "leave one of them out"));
    }
    if let Some(set) = set_too(flags, over, outside, is_path) {
        return Err(both(&format!("--set {set}"), over, "leave one of them out"));
    }
    let named =
        || values.split([',', ';']).any(|value| machines.iter().any(|machine| machine == value.trim()));
    if outside == Some(Outside::Machine) && !is_path && !machines.is_empty() && !named() {
        return Err(Failure::request(
            format!(
                "{} is none of the machines that --series names, and nothing would run on it",
                machines[0]
            ),
            "name it there too, or name each machine with --machine and leave the series out",
        ));
    }
    Ok(())
}

fn both(flag: &str, over: &str, advice: &str) -> Failure {
    Failure::request(format!("{flag} and --series {over} say the same thing twice"), advice)
}

/// The text of a `--set` of what the series goes over.
fn set_too(flags: &Sim, over: &str, outside: Option<Outside>, is_path: bool) -> Option<String> {
    // What is wrong with it is said later, with all else.
    let set = load::overrides(&flags.overrides, None).ok()?;
    let of_path = |all: Vec<numalab_formats::Override>| {
        let same = all.into_iter().find(|one| over.split_once('.').is_some_and(|(_, path)| one.path == path));
        same.map(|one| one.original)
    };
    match outside {
        Some(Outside::Machine) if is_path => of_path(set.machine),
        Some(Outside::Runtime) if is_path => of_path(set.runtime),
        Some(
            Outside::Machine
            | Outside::Runtime
            | Outside::Placement
            | Outside::Places
            | Outside::ProcBind
            | Outside::Procs
            | Outside::Policy,
        ) => None,
        None => set.workload.into_iter().find(|one| one.sets_parameter(over)).map(|one| one.original),
    }
}
