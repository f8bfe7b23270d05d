//! Two series of a run: the first along the axis, one curve for each value of the second.

use crate::commands::binding::Said;
use crate::commands::variants::{self, Variants};
use crate::commands::{load, replay, team};
use crate::failure::Failure;
use crate::flags::{Form, Format, Sim};
use crate::output::{Destination, spare_inputs};
use crate::progress::Bar;
use numalab_files::SERIES_PREFIX;
use numalab_results::Series;
use numalab_study::{Curve, Files, MOST_RUNS, PointsOfCurve, ResolvedRun, RunSpec, crossed};

/// Simulates the runs of two series. Returns them as one series, and the number of runs that it has if none is missing.
pub(super) fn run(
    flags: &Sim,
    (over, by): (&str, &str),
    base: &RunSpec,
    (files, said): (&Files, &Said),
    (places, form): (&[(&str, &Destination)], Form),
) -> Result<(Series, usize), Failure> {
    let mut runs = 0;
    let mut curves = Vec::new();
    let values = values(flags, by, base, files, said)?;
    for (label, spec) in &values {
        let curve = format!("{} {label}", name(by));
        let points = points(flags, over, Some(&curve), spec, (files, said))
            .map_err(|error| of_all_curves(flags, over, &values, (files, said)).unwrap_or(error))?;
        runs += points.runs();
        if runs > MOST_RUNS {
            return Err(Failure::request(
                format!("--series {} and --series {} have more than {MOST_RUNS} runs", name(over), name(by)),
                "name fewer values or policies",
            ));
        }
        curves.push(Curve { label: label.clone(), points });
    }
    let first = || curves.iter().filter_map(|curve| Some((&*curve.label, curve.points.first()?)));
    if let Some((_, run)) = first().next() {
        replay::tell(run, matches!(form, Form::Text(Format::Table)));
    }
    spare_inputs(places)?;
    team::tell_each(name(by), first(), said);
    let bar = Bar::new();
    let jobs = flags.jobs.map(usize::from);
    let series = crossed(names(over, by), &curves, files, jobs, &bar)?;
    drop(bar);
    let none = || Failure::request(format!("--series {} has no values", name(by)), "name at least one");
    Ok((series.ok_or_else(none)?, runs))
}

/// Name of what a series varies.
fn name(series: &str) -> &str {
    let over = series.split('=').next().unwrap_or_default().trim();
    over.strip_prefix(SERIES_PREFIX).unwrap_or(over)
}

/// Names of what two series vary. A parameter called like a flag keeps `workload.` beside a series over the flag.
fn names<'s>(over: &'s str, by: &'s str) -> (&'s str, &'s str) {
    if name(over) == name(by) {
        (variants::varied(over), variants::varied(by))
    } else {
        (name(over), name(by))
    }
}

/// The run `base` with each value of the second series.
fn values(
    flags: &Sim,
    by: &str,
    base: &RunSpec,
    files: &Files,
    said: &Said,
) -> Result<Vec<(String, RunSpec)>, Failure> {
    if variants::is_outside(by) {
        return Ok(variants::over(by, base)?.specs);
    }
    let run = variants::resolve_one(typed(by, base)?, &flags.tools, files, said)?;
    check_apart(by, &run)?;
    let points = run.series().map(|series| &series.points[..]).unwrap_or_default();
    Ok(points.iter().map(|point| (point.text.clone(), base.with(&point.change))).collect())
}

/// Points of the first series in the run of one value of the second. Errors name `curve`, if given.
fn points(
    flags: &Sim,
    over: &str,
    curve: Option<&str>,
    spec: &RunSpec,
    (files, said): (&Files, &Said),
) -> Result<PointsOfCurve, Failure> {
    if variants::is_outside(over) {
        let alone = RunSpec { series: false, ..spec.clone() };
        let Variants { over, specs } = variants::over(over, &alone)?;
        let over = curve.map_or(over.clone(), |curve| format!("{curve}, {over}"));
        let (_, all) = variants::resolve(Variants { over, specs }, &flags.tools, files, said)?;
        return Ok(PointsOfCurve::Variants(all));
    }
    let run = variants::resolve_one(typed(over, spec)?, &flags.tools, files, said);
    let run = run.and_then(|run| check_apart(over, &run).map(|()| run));
    let run = run.map_err(|error| match curve {
        Some(curve) => error.of(curve),
        None => error,
    })?;
    Ok(PointsOfCurve::Series(Box::new(run)))
}

/// Error of the first series, if the first and the last curve have the same: it is not an error of the second series.
fn of_all_curves(
    flags: &Sim,
    over: &str,
    values: &[(String, RunSpec)],
    with: (&Files, &Said),
) -> Option<Failure> {
    let error = |(_, spec): &(String, RunSpec)| points(flags, over, None, spec, with).err();
    let (first, last) = (error(values.first()?)?, error(values.last()?)?);
    (first == last).then_some(first)
}

/// Refuses a series of which two expressions have the same value: their runs would have the same name.
fn check_apart(series: &str, run: &ResolvedRun) -> Result<(), Failure> {
    let mut points: Vec<_> = run.series().map(|series| series.points.iter().collect()).unwrap_or_default();
    points.sort_by(|one, other| one.value.total_cmp(&other.value));
    match points.windows(2).find(|pair| pair[0].value == pair[1].value) {
        Some(pair) => Err(Failure::request(
            format!("two values of --series {} are {}", name(series), pair[0].text),
            "leave out one of them",
        )),
        None => Ok(()),
    }
}

/// The run with a series of the workload as typed. Its table does not show work-time inflation.
fn typed(series: &str, spec: &RunSpec) -> Result<RunSpec, Failure> {
    let mut overrides = spec.overrides.clone();
    overrides.workload.extend(load::overrides(&[], Some(series))?.workload);
    Ok(RunSpec { overrides, series: true, sequential: false, ..spec.clone() })
}
