//! Refuses flags that set the parameter which a series varies: one of the two settings would have no effect.

use crate::commands::variants::{self, Outside};
use crate::commands::{load, tools};
use crate::failure::Failure;
use crate::flags::Sim;
use numalab_files::SERIES_PREFIX;

/// Refuses a series whose parameter another flag sets, and more than two series.
pub(super) fn check(flags: &Sim, machines: &[String]) -> Result<(), Failure> {
    let parts = |series: &'_ str| {
        let (over, values) = series.split_once('=').unwrap_or((series, ""));
        (over.trim().to_owned(), values.trim().to_owned())
    };
    let all: Vec<(String, String)> = flags.series.iter().map(|series| parts(series)).collect();
    all.iter().try_for_each(|(over, values)| check_one(flags, machines, (over, values)))?;
    match &all[..] {
        [] | [_] => Ok(()),
        [(one, values), (other, more), ..] if is_same(one, other) => {
            let one = variants::varied(one);
            let advice = joined(one, values, more)
                .map_or("leave out one of them".to_owned(), |all| format!("type all values in one: {all}"));
            Err(Failure::request(format!("two --series vary {one}"), advice))
        }
        [_, _] if machines.len() > 1 => Err(Failure::request(
            "several machines and two --series are three ways to vary a run, of at most two",
            "name one machine, or make the machines a series: --series machine=A,B",
        )),
        [_, _] => Ok(()),
        [_, _, (third, _), ..] => Err(Failure::request(
            format!("--series {third} is the third series of at most two"),
            "take a value of it at a time with --set; numalab sweep combines more",
        )),
    }
}

/// True if two names of series are of the same value.
fn is_same(one: &str, other: &str) -> bool {
    let whole = |over: &str| Outside::parse(over).filter(|_| !over.contains('.'));
    // `policy` and `policies` are the same setting, as are `proc_bind` and `binding`.
    variants::varied(one) == variants::varied(other) || whole(one).is_some() && whole(one) == whole(other)
}

/// One series with the values of two lists, each once; `None` if a range or a list with semicolons is among them, which
/// cannot be joined by a comma.
fn joined(over: &str, values: &str, more: &str) -> Option<String> {
    let is_outside = variants::is_outside(over);
    let is_list =
        |text: &&str| !text.is_empty() && !text.contains(';') && (is_outside || !text.contains(".."));
    let lists = [values, more];
    lists.iter().all(is_list).then_some(())?;
    let mut all: Vec<String> = Vec::new();
    for value in lists.iter().flat_map(|text| variants::values(over, text)) {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    Some(format!("--series {over}={}", all.join(",")))
}

/// Refuses a series whose parameter another flag sets.
fn check_one(flags: &Sim, machines: &[String], (over, values): (&str, &str)) -> Result<(), Failure> {
    let outside = Outside::parse(over);
    let over = over.strip_prefix(SERIES_PREFIX).unwrap_or(over);
    if machines.len() > 1 && outside.is_none() {
        return Err(Failure::request(
            format!("several machines and --series over {over} are two ways to vary a run"),
            format!("make the machines a second series: --series machine={}", machines.join(",")),
        ));
    }
    let is_path = over.contains('.');
    let of_tools = match outside {
        Some(Outside::Placement) => tools::placement_flag(&flags.tools),
        Some(Outside::Procs) => tools::processors_flag(&flags.tools),
        Some(Outside::Machine | Outside::Runtime | Outside::Places | Outside::ProcBind | Outside::Policy)
        | None => None,
    };
    let flag_if = |is_set: bool, flag: &'static str| is_set.then_some(flag);
    let typed = match outside {
        // Beside `--threads`, a series over threads may have values that are expressions of `threads`.
        None => {
            flag_if(over == "threads" && flags.threads.is_some() && !values.contains("threads"), "--threads")
        }
        Some(Outside::Placement) => {
            flag_if(flags.placements.iter().any(|item| item.region.is_none()), "--placement")
        }
        Some(Outside::Procs) => flag_if(flags.procs.is_some(), "--procs"),
        Some(Outside::Places) => flag_if(flags.binding.places.is_some(), "--places"),
        Some(Outside::ProcBind) => flag_if(flags.binding.proc_bind.is_some(), "--proc-bind"),
        Some(Outside::Runtime) => flag_if(flags.runtime.is_some() && !is_path, "--runtime"),
        // Policies are checked when their texts are parsed.
        Some(Outside::Machine | Outside::Policy) => None,
    };
    if let Some(flag) = of_tools.or(typed) {
        return Err(both(flag, over, "leave out one of them"));
    }
    if let Some(set) = set_too(flags, over, outside, is_path) {
        return Err(both(&format!("--set {set}"), over, "leave out one of them"));
    }
    let named =
        || values.split([',', ';']).any(|value| machines.iter().any(|machine| machine == value.trim()));
    if outside == Some(Outside::Machine) && !is_path && !machines.is_empty() && !named() {
        return Err(Failure::request(
            format!("{} is not among the machines of --series, so nothing would run on it", machines[0]),
            "add it to --series, or name each machine with --machine and leave out the series",
        ));
    }
    Ok(())
}

fn both(flag: &str, over: &str, advice: &str) -> Failure {
    Failure::request(format!("{flag} and --series {over} set the same value"), advice)
}

/// The `--set` value that changes the parameter which the series varies; `None` if no value does.
fn set_too(flags: &Sim, over: &str, outside: Option<Outside>, is_path: bool) -> Option<String> {
    // Errors in `--set` are reported later, with all others.
    let set = load::overrides(&flags.overrides, None).ok()?;
    let of_path = |all: Vec<numalab_files::Override>| {
        let same =
            all.into_iter().find(|item| over.split_once('.').is_some_and(|(_, path)| item.path == path));
        same.map(|item| item.original)
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
        None => set.workload.into_iter().find(|item| item.sets_parameter(over)).map(|item| item.original),
    }
}
