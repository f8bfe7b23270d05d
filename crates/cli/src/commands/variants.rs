//! Variants of a run: several machines, the run with and without changes, or values of a setting outside the
//! workload.

use super::binding::Said;
use super::{load, tools};
use crate::failure::Failure;
use crate::flags::{Policies, Policy, Sim, Tools};
use crate::hints;
use numalab_files::SERIES_PREFIX;
use numalab_openmp::binding::{Binding, BindingError};
use numalab_results::Series;
use numalab_study::{Files, ResolvedRun, RunSpec, Variant};
use numalab_syntax::typed_values;
use std::collections::BTreeSet;

/// Runs with labels that differ in one setting.
pub struct Variants {
    /// Name of the setting in which the runs differ.
    pub over: String,
    pub specs: Vec<(String, RunSpec)>,
}

/// Path of the setting that selects the technique of software-shared memory.
pub const TECHNIQUE: &str = "machine.dsm.technique";

/// Setting outside of the workload that `--series` can vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// The machine, or a value in its file.
    Machine,
    /// The runtime, or a value in its file.
    Runtime,
    /// Placement of all pages.
    Placement,
    /// Places of the threads.
    Places,
    ProcBind,
    /// Processors that threads may run on.
    Procs,
    Policy,
}

impl Outside {
    /// Parses the first part of the name that `--series` varies; `None` if it belongs to the workload.
    pub fn parse(over: &str) -> Option<Outside> {
        match over.split('.').next()? {
            "machine" => Some(Outside::Machine),
            "runtime" => Some(Outside::Runtime),
            "placement" => Some(Outside::Placement),
            "places" => Some(Outside::Places),
            "proc_bind" | "binding" => Some(Outside::ProcBind),
            "procs" => Some(Outside::Procs),
            "policy" | "policies" => Some(Outside::Policy),
            _ => None,
        }
    }
}

/// True if `--series` varies something outside the workload.
pub fn is_outside(series: &str) -> bool {
    Outside::parse(series.split('=').next().unwrap_or_default().trim()).is_some()
}

/// Name of the value that `--series` varies. `workload.` is left out, except before the name of a setting outside the
/// workload, which is another value.
pub fn varied(series: &str) -> &str {
    let over = series.split('=').next().unwrap_or_default().trim();
    over.strip_prefix(SERIES_PREFIX).filter(|bare| Outside::parse(bare).is_none()).unwrap_or(over)
}

/// Values of a list that is typed for `over`.
pub fn values(over: &str, list: &str) -> Vec<String> {
    match Outside::parse(over) {
        // A number after a comma is the chunk of the policy before the comma.
        Some(Outside::Policy) => Policies::each(list),
        Some(_) => split(list),
        None => typed_values::items(list).map(|(_, item)| item.trim().to_owned()).collect(),
    }
}

/// Machines that a run may use: those named on the command line, and the values of a series over machines.
pub fn machines(flags: &Sim, named: &[String]) -> Vec<String> {
    let of_series = flags.series.iter().filter_map(|series| series.split_once('='));
    let of_series = of_series.filter(|(over, _)| over.trim() == "machine").map(|(_, values)| split(values));
    let mut all = named.to_vec();
    all.extend(of_series.flatten().filter(|name| !named.contains(name)));
    all
}

/// Variants that the flags request; `None` without such flags. `base` is the run without variants. Two series are left to
/// [`super::sim`].
pub fn requested(flags: &Sim, base: &RunSpec, machines: &[String]) -> Result<Option<Variants>, Failure> {
    let outside = flags.series.first().filter(|series| is_outside(series));
    let techniques = flags.dsm.len() > 1;
    let ways = [machines.len() > 1, flags.what_if, outside.is_some(), techniques];
    if ways.iter().filter(|way| **way).count() > 1 {
        return Err(Failure::request(
            "several machines, --what-if, several techniques and --series over what is not the workload's are four ways to \
             vary a run",
            "take one of them at a time; numalab sweep combines them",
        ));
    }
    let varied = if machines.len() > 1 {
        let spec = |name: &String| {
            let machine = name.as_str().into();
            (name.clone(), RunSpec { machine, ..base.clone() })
        };
        Variants { over: "machine".to_owned(), specs: machines.iter().map(spec).collect() }
    } else if techniques {
        each_once("--dsm ", &flags.dsm, ",")?;
        over(&format!("{TECHNIQUE}={}", flags.dsm.join(",")), base)?
    } else if flags.what_if {
        what_if(flags, base)?
    } else if let Some(series) = outside {
        over(series, base)?
    } else {
        return Ok(None);
    };
    // The workload's own series is disabled, since a run can have only one series.
    let alone = |(label, spec): (String, RunSpec)| (label, RunSpec { series: false, ..spec });
    Ok(Some(Variants { specs: varied.specs.into_iter().map(alone).collect(), ..varied }))
}

/// Variants for `--what-if`: the run without changes, with each `--set` value, and with all of them.
fn what_if(flags: &Sim, base: &RunSpec) -> Result<Variants, Failure> {
    if flags.overrides.is_empty() {
        return Err(Failure::request(
            "--what-if has no change to compare with",
            "add one, such as --set machine.memory.bandwidth=x2",
        ));
    }
    let without = RunSpec { overrides: Default::default(), ..base.clone() };
    let mut specs = vec![("as it is".to_owned(), without.clone())];
    for set in &flags.overrides {
        let overrides = load::overrides(std::slice::from_ref(set), None)?;
        specs.push((set.clone(), RunSpec { overrides, ..without.clone() }));
    }
    if flags.overrides.len() > 1 {
        specs.push(("all of these".to_owned(), base.clone()));
    }
    Ok(Variants { over: Series::WHAT_IF.to_owned(), specs })
}

/// Variants for `--series WHAT=VALUES`: one run per value.
pub fn over(series: &str, base: &RunSpec) -> Result<Variants, Failure> {
    let (over, list) = series.split_once('=').unwrap_or((series, ""));
    let over = over.trim();
    if Outside::parse(over) == Some(Outside::Policy) && !base.schedules.is_empty() {
        return Err(Failure::request(
            "-p and --series both name policies",
            "leave out one of them; -p gives one row per policy at every point",
        ));
    }
    let values = values(over, list);
    if values.is_empty() {
        return Err(Failure::request(
            format!("--series {over} has no values"),
            format!("type --series {over}=A,B, or --series \"{over}=A;B\" if the values contain commas"),
        ));
    }
    each_once(&format!("--series {over}="), &values, between(list))?;
    if let Some(range) = values.iter().find(|value| is_range(over, value)) {
        return Err(Failure::request(
            format!("--series {over} takes no range such as {range}"),
            format!("type all values: --series {over}=1,2,4; ranges are for parameters of the workload"),
        ));
    }
    let specs = values.into_iter().map(|value| Ok((value.clone(), with(over, &value, base)?)));
    Ok(Variants { over: over.to_owned(), specs: specs.collect::<Result<_, Failure>>()? })
}

/// True if a value is a range of numbers, such as `1..8` or `1KiB..1MiB*2`. Names of files can have two dots as well.
fn is_range(over: &str, value: &str) -> bool {
    let is_file =
        matches!(Outside::parse(over), Some(Outside::Machine | Outside::Runtime)) && !over.contains('.');
    let is_number = |part: std::ops::Range<usize>| value[part].starts_with(|c: char| c.is_ascii_digit());
    let range = typed_values::range(value, 0..value.len(), "").ok().flatten();
    !is_file && range.is_some_and(|range| is_number(range.from) && is_number(range.to))
}

/// Refuses a value that is typed twice: its runs would have the same name. `flag` is the text before the values.
fn each_once(flag: &str, values: &[String], between: &str) -> Result<(), Failure> {
    let mut once: Vec<&str> = Vec::new();
    let mut known = BTreeSet::new();
    let mut twice = None;
    for value in values {
        if known.insert(value) { once.push(value) } else { twice = twice.or(Some(value)) }
    }
    let Some(twice) = twice else { return Ok(()) };
    // A single value with commas would be read as a list.
    let end = if once.len() == 1 && between == ";" { ";" } else { "" };
    let typed = format!("{}{end}", once.join(between));
    let is_word = typed.chars().all(|c| c.is_alphanumeric() || ",.:-_/".contains(c));
    let quoted = (!is_word).then(|| shlex::try_quote(&typed).ok()).flatten();
    let typed = quoted.unwrap_or((&*typed).into());
    Err(Failure::request(format!("{twice} is here twice"), format!("type each value once: {flag}{typed}")))
}

/// Text between the values of a list: a semicolon if there is one.
fn between(list: &str) -> &'static str {
    if list.contains(';') { ";" } else { "," }
}

/// Values separated by semicolons, or by commas if there is no semicolon.
fn split(values: &str) -> Vec<String> {
    values
        .split(between(values))
        .map(str::trim)
        .filter(|value| !value.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The run `base` with one value of the series.
fn with(over: &str, value: &str, base: &RunSpec) -> Result<RunSpec, Failure> {
    let spec = base.clone();
    let wrong =
        |error: String| Failure::Request { problem: format!("--series {over}: {error}"), advice: None };
    let unknown = || {
        Failure::request(
            format!("--series cannot vary \"{over}\""),
            "expected threads, a parameter of the workload, policy, machine, machine.PATH, runtime, runtime.PATH, \
             placement, places, proc_bind or procs",
        )
    };
    let is_path = over.contains('.');
    let bound = |typed: Result<Binding, BindingError>| {
        let typed = typed.map_err(|error| wrong(format!("{value}: {error}")))?;
        Ok(RunSpec { binding: typed.or(spec.binding.clone()), ..spec.clone() })
    };
    match Outside::parse(over).ok_or_else(unknown)? {
        Outside::Machine | Outside::Runtime if is_path => {
            let more = load::overrides(&[format!("{over}={value}")], None)?;
            let mut overrides = spec.overrides.clone();
            overrides.machine.extend(more.machine);
            overrides.runtime.extend(more.runtime);
            Ok(RunSpec { overrides, ..spec })
        }
        Outside::Placement | Outside::Places | Outside::ProcBind | Outside::Procs | Outside::Policy
            if is_path =>
        {
            Err(unknown())
        }
        Outside::Machine => Ok(RunSpec { machine: value.into(), ..spec }),
        Outside::Runtime => Ok(RunSpec { runtime: Some(value.into()), ..spec }),
        Outside::Policy => {
            let policy: Policy =
                value.parse().map_err(|error: numalab_workload::ParseError| wrong(error.to_string()))?;
            Ok(RunSpec { schedules: vec![policy.schedule()?], ..spec })
        }
        Outside::Placement => {
            let placement =
                value.parse().map_err(|error: numalab_workload::ParseError| wrong(error.to_string()))?;
            Ok(RunSpec { placement: Some(placement), ..spec })
        }
        Outside::Procs => {
            let processors =
                value.parse().map_err(|error: numalab_openmp::ProcListError| wrong(error.to_string()))?;
            Ok(RunSpec { processors: Some(processors), ..spec })
        }
        Outside::Places => bound(Binding::parse(Some(value), None)),
        Outside::ProcBind => bound(Binding::parse(None, Some(value))),
    }
}

/// Resolves all variants; fails with the errors of the first invalid one, under its name.
pub fn resolve(
    requested: Variants,
    tools: &Tools,
    files: &Files,
    said: &Said,
) -> Result<(String, Vec<Variant>), Failure> {
    let resolved = requested.specs.into_iter().map(|(label, spec)| {
        let run = resolve_one(spec, tools, files, said);
        let run = run.map_err(|error| error.of(&format!("{} {label}", requested.over)))?;
        Ok(Variant { label, run })
    });
    let resolved = resolved.collect::<Result<_, Failure>>()?;
    Ok((requested.over, resolved))
}

/// Resolves a run; its errors name no variant.
pub fn resolve_one(spec: RunSpec, tools: &Tools, files: &Files, said: &Said) -> Result<ResolvedRun, Failure> {
    let spec = tools::on_its_machine(tools, spec, files, said)?;
    spec.resolve(files).map_err(|error| hints::spec(error, said.sources()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_commas_or_semicolons_between_them() {
        assert_eq!(split("a, b"), ["a", "b"]);
        assert_eq!(split("bind:0-3,6; interleave"), ["bind:0-3,6", "interleave"]);
        assert_eq!(split(" ,"), Vec::<String>::new());
        assert_eq!(Policies::each("static,1, guided,,dynamic , 16"), ["static,1", "guided", "dynamic,16"]);
        assert_eq!(Policies::each(" , "), Vec::<String>::new());
    }

    #[test]
    fn ranges_are_of_numbers() {
        for (over, value, expected) in [
            ("machine.core.outstanding", "1..100", true),
            ("machine.memory.capacity", "1GiB..8GiB*2", true),
            ("procs", "0..3", true),
            ("machine", "1..2", false),
            ("machine.file", "../a/..", false),
            ("machine.core.outstanding", "1.5", false),
        ] {
            assert_eq!(is_range(over, value), expected, "{over}={value}");
        }
    }

    #[test]
    fn a_parameter_that_is_called_like_a_flag_keeps_its_prefix() {
        assert_eq!(
            (varied("n = 1,2"), varied("workload.n=1"), varied(" workload.threads ")),
            ("n", "n", "threads")
        );
        assert_eq!(
            (varied("workload.placement=a"), varied("placement=a")),
            ("workload.placement", "placement")
        );
    }

    #[test]
    fn parameters_of_the_workload_are_not_outside() {
        assert!(is_outside("machine.memory.latency=1 ns,2 ns") && is_outside("placement = fetch"));
        assert!(
            !is_outside("threads=1,2") && !is_outside("footprint=1KiB..1GiB*2") && !is_outside("machines=1")
        );
    }
}
