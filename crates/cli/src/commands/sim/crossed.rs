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
use numalab_study::{Curve, Files, MOST_RUNS, PointsOfCurve, RunSpec, Variant, crossed};

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
    for (label, spec) in values(flags, by, base, files, said)? {
        let points = points(flags, over, (by, &label), spec, (files, said))?;
        runs += points.runs();
        if runs > MOST_RUNS {
            return Err(Failure::request(
                format!("--series {} and --series {} have more than {MOST_RUNS} runs", name(over), name(by)),
                "name fewer values or policies",
            ));
        }
        curves.push(Curve { label, points });
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
    let run = resolve(flags, ("--series", by), typed(by, base)?, (files, said))?.run;
    let points = run.series().map(|series| &series.points[..]).unwrap_or_default();
    Ok(points.iter().map(|point| (point.text.clone(), base.with(&point.change))).collect())
}

/// Points of the first series in the run of one value of the second.
fn points(
    flags: &Sim,
    over: &str,
    (by, label): (&str, &str),
    spec: RunSpec,
    (files, said): (&Files, &Said),
) -> Result<PointsOfCurve, Failure> {
    if variants::is_outside(over) {
        let alone = RunSpec { series: false, ..spec };
        let Variants { over, specs } = variants::over(over, &alone)?;
        let all = variants::resolve(Variants { over, specs }, &flags.tools, files, said);
        let (_, all) = all.map_err(|error| error.of(&format!("{} {label}", name(by))))?;
        return Ok(PointsOfCurve::Variants(all));
    }
    let variant = resolve(flags, (name(by), label), typed(over, &spec)?, (files, said))?;
    Ok(PointsOfCurve::Series(Box::new(variant.run)))
}

/// The run with a series of the workload as typed. Its table does not show work-time inflation.
fn typed(series: &str, spec: &RunSpec) -> Result<RunSpec, Failure> {
    let mut overrides = spec.overrides.clone();
    overrides.workload.extend(load::overrides(&[], Some(series))?.workload);
    Ok(RunSpec { overrides, series: true, sequential: false, ..spec.clone() })
}

fn resolve(
    flags: &Sim,
    (over, label): (&str, &str),
    spec: RunSpec,
    (files, said): (&Files, &Said),
) -> Result<Variant, Failure> {
    let over = over.to_owned();
    let specs = vec![(label.to_owned(), spec)];
    let (_, all) = variants::resolve(Variants { over, specs }, &flags.tools, files, said)?;
    let lost = || Failure::request("the series has no run", "name at least one value");
    all.into_iter().next().ok_or_else(lost)
}
