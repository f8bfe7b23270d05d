//! `numalab sim`: compares policies, or runs a series.

mod answer;
mod crossed;
#[cfg(test)]
mod tests;
mod twice;

use super::binding::Said;
use super::variants::{self, Variants};
use super::{bare, binding, load, replay, team, tools, trace};
use crate::commands::unknowns::measured_values;
use crate::failure::Failure;
use crate::flags::{Form, Format, Policies, Policy, RegionPlacement, Sim};
use crate::hints;
use crate::interrupt;
use crate::output::{Destination, check_apart, spare_inputs};
use crate::progress::Bar;
pub(super) use answer::SEEN_BYTES;
use answer::{Answer, check_over_time, check_pages, check_pages_of_one, check_single, watch};
use numalab_explain::{blame_of_each, influences};
use numalab_results::{Comparison, Influences, Series};
use numalab_study::{self as study, Files, Given, ReplicaCount, ResolvedRun, RunSpec};

/// Resolves the request, runs it and writes the results.
pub fn run(flags: &Sim) -> Result<(), Failure> {
    let (form, output) = flags.output.seen()?;
    let svg = flags.svg.clone().map(Destination::from);
    let traced = trace::destinations(&flags.trace);
    let mut places = vec![("the results", &output)];
    places.extend(svg.iter().map(|svg| ("the picture", svg)));
    places.extend(traced.iter().map(|file| ("the trace", file)));
    check_apart(&places)?;
    trace::check_parts(&flags.trace)?;

    let said = binding::resolve(&flags.binding, flags.threads)?;
    let listed = tools::processors_flag(&flags.tools).or(flags.procs.as_ref().map(|_| "--procs"));
    let said = said.with_flags(tools::placement_flag(&flags.tools), listed);
    RegionPlacement::check_each_once(&flags.placements)?;
    let (machines, workload) = names(flags)?;
    twice::check(flags, &machines)?;
    // With --what-if the run without changes has to stay as it is.
    let set = if flags.what_if { &[][..] } else { &flags.overrides };
    let files = bare::files(&variants::machines(flags, &machines), &flags.assume, set)?;
    team::warn_of_variables(&said);
    let base = spec(flags, &said, &machines, workload)?;
    let base = tools::translate(&flags.tools, base, &files, &said)?;
    let base = replay::on_recorder(&flags.replay, base, &files)?;
    if let [over, by] = &flags.series[..] {
        check_single(flags, form)?;
        check_pages_of_one(flags)?;
        let (series, of) = crossed::run(flags, (over, by), &base, (&files, &said), (&places, form))?;
        let done = series.points.iter().map(|point| point.runs.len()).sum();
        return finish(flags, series, missing(flags, done, of, "runs"), (form, &output, svg.as_ref()));
    }
    if let Some(requested) = variants::requested(flags, &base, &machines)? {
        check_single(flags, form)?;
        check_pages_of_one(flags)?;
        return varied(flags, requested, &files, &said, &places, (form, &output, svg.as_ref()));
    }
    base.check_counts(&files, false)?;
    let mut run = base.resolve(&files).map_err(|error| hints::spec(error, said.sources()))?;
    spare_inputs(&places)?;
    trace::check_program(&flags.trace, &run)?;
    // The table of a series does not show work-time inflation.
    run.spec.sequential &= run.series().is_none();
    check_over_time(flags, form, &run)?;
    check_pages(flags, &run)?;
    team::tell_points(&run, &files, &said)?;
    replay::tell(&run, matches!(form, Form::Text(Format::Table)));
    let series = run.series();
    // One more for the run on one thread, if it is simulated.
    let runs = || run.schedules.len() + usize::from(run.spec.sequential);
    let jobs = Some(jobs(flags.jobs, series.map_or_else(runs, |series| series.points.len())));
    let bar = Bar::new();
    let answered = match series {
        Some(row) => Answer::Series(study::series(&run, row, &files, jobs, &bar)?),
        None => match watch(flags, form) {
            Some(watch) => {
                let (mut answered, timelines) = study::answer_watched(&run, &files, jobs, &bar, &watch)?;
                study::between_ends(&run, &mut answered.runs, &files, jobs, &bar)?;
                let reasons = match form {
                    Form::Html => blame_of_each(&run, jobs, &bar)?,
                    Form::Text(_) | Form::Parquet | Form::Svg => Vec::new(),
                };
                Answer::Comparison(run.comparison(answered.runs), timelines, reasons)
            }
            None => {
                let mut runs = study::answer(&run, &files, jobs, &bar)?.runs;
                study::between_ends(&run, &mut runs, &files, jobs, &bar)?;
                Answer::Comparison(run.comparison(runs), Vec::new(), Vec::new())
            }
        },
    };
    let answered = match answered {
        Answer::Comparison(comparison, timelines, reasons) if flags.unsure.is_some() => {
            Answer::Comparison(influenced(comparison, &run, &files, &bar)?, timelines, reasons)
        }
        answered => answered,
    };
    drop(bar);
    let missing = match &answered {
        Answer::Series(of) => {
            missing(flags, of.points.len(), series.map_or(0, |row| row.points.len()), "points")
        }
        Answer::Comparison(of, ..) => missing(flags, of.runs.len(), run.schedules.len(), "runs"),
    };
    if let Some(missing) = missing {
        return answered.write_part(form, &output, flags).and(Err(missing));
    }
    let Some(answered) = answered.kept() else { return Ok(()) };
    let written = answered.write(form, &output, flags);
    // If the reader left early or the disk is full, picture and trace are still written.
    let drawn = svg.map_or(Ok(()), |svg| svg.write(answered.picture(flags.picture).as_bytes()));
    let traced = match &answered {
        Answer::Series(_) => Ok(()),
        Answer::Comparison(_, timelines, _) => trace::write(&flags.trace, &run, timelines),
    };
    match written {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(traced).and(written),
        failed => failed,
    }
}

/// Adds the values that matter most to the fastest policy; nothing if the user stops the simulation.
fn influenced(
    comparison: Comparison,
    run: &ResolvedRun,
    files: &Files,
    bar: &Bar,
) -> Result<Comparison, Failure> {
    let fastest = comparison.runs.iter().min_by_key(|run| run.makespan_ps).map(|run| run.policy.clone());
    let schedule = run.schedules.iter().find(|one| Some(one.to_string()) == fastest);
    let (Some(policy), Some(schedule)) = (fastest, schedule) else { return Ok(comparison) };
    let mut alone = run.clone();
    alone.schedules = vec![*schedule];
    let values = influences(&alone, files, u64::MAX, bar)?;
    let values = values.map(|values| measured_values(values, run));
    Ok(Comparison { influences: values.map(|values| Influences { policy, values }), ..comparison })
}

/// Names of the machines and of the workload. With `--machine`, the workload is the only positional argument.
fn names(flags: &Sim) -> Result<(Vec<String>, &str), Failure> {
    let (first, workload) = match (&flags.machine, &flags.workload) {
        (Some(machine), Some(workload)) => (Some(machine), workload),
        (Some(workload), None) => (None, workload),
        (None, _) => {
            return Err(Failure::request(
                "no workload is named",
                "name it behind the machines; numalab list shows all workloads",
            ));
        }
    };
    Ok((first.into_iter().chain(&flags.machines).cloned().collect(), workload))
}

/// Runs variants (several machines, or values outside of the workload) and writes their results as one table.
fn varied(
    flags: &Sim,
    requested: Variants,
    files: &Files,
    said: &Said,
    places: &[(&str, &Destination)],
    (form, output, svg): (Form, &Destination, Option<&Destination>),
) -> Result<(), Failure> {
    let (over, variants) = variants::resolve(requested, &flags.tools, files, said)?;
    if let Some(variant) = variants.first() {
        replay::tell(&variant.run, matches!(form, Form::Text(Format::Table)));
    }
    spare_inputs(places)?;
    team::tell_each(&over, variants.iter().map(|variant| (&*variant.label, &variant.run)), said);
    let bar = Bar::new();
    let series = study::variants(&over, &variants, files, flags.jobs.map(usize::from), &bar)?;
    drop(bar);
    let Some(series) = series else { return Ok(()) };
    let missing = missing(flags, series.points.len(), variants.len(), "variants");
    finish(flags, series, missing, (form, output, svg))
}

/// Writes a series, and its picture; only to standard output if runs are missing.
fn finish(
    flags: &Sim,
    series: Series,
    missing: Option<Failure>,
    (form, output, svg): (Form, &Destination, Option<&Destination>),
) -> Result<(), Failure> {
    let answered = Answer::Series(series);
    if let Some(missing) = missing {
        return answered.write_part(form, output, flags).and(Err(missing));
    }
    let Some(answered) = answered.kept() else { return Ok(()) };
    let written = answered.write(form, output, flags);
    let drawn = svg.map_or(Ok(()), |svg| svg.write(answered.picture(flags.picture).as_bytes()));
    match written {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(written),
        failed => failed,
    }
}

/// Failure of a command that Ctrl-C ended after `done` of `of` parts, or in the replicas; `None` if nothing is missing.
fn missing(flags: &Sim, done: usize, of: usize, parts: &str) -> Option<Failure> {
    let replicas = || Failure::Interrupted("replicas are missing".to_owned());
    match done < of {
        true => Some(Failure::interrupted(done, of, parts)),
        false => (interrupt::pressed() && flags.replicas != Some(1)).then(replicas),
    }
}

/// Specification of the run that the flags describe, without variants.
fn spec(flags: &Sim, said: &Said, machines: &[String], workload: &str) -> Result<RunSpec, Failure> {
    // Of two series each run has its own values.
    let series =
        flags.series.first().filter(|series| flags.series.len() == 1 && !variants::is_outside(series));
    let processors = flags.procs.clone().or(said.others.processors.clone());
    let mut set = flags.overrides.clone();
    if let [technique] = &flags.dsm[..] {
        set.push(format!("{}={technique}", variants::TECHNIQUE));
    }
    Ok(RunSpec {
        runtime: flags.runtime.as_deref().map(Given::from),
        overrides: replay::with_typed(
            &flags.replay,
            workload,
            load::overrides(&set, series.map(String::as_str))?,
        )?,
        threads: if processors.is_some() { said.threads } else { replay::team(said.threads, workload) },
        processors,
        subset: said.others.subset.clone(),
        waiting: said.others.waiting,
        binding: said.binding.clone(),
        placement: RegionPlacement::of_all(&flags.placements),
        placements: RegionPlacement::of_regions(&flags.placements),
        schedules: (flags.policies.iter())
            .flat_map(|Policies(all)| all)
            .map(Policy::schedule)
            .collect::<Result<_, _>>()?,
        seed: flags.seed,
        series: !flags.no_series,
        sequential: !flags.no_sequential,
        exact: flags.exact,
        unsure: flags.unsure,
        replicas: flags.replicas.map_or(ReplicaCount::ByWork, ReplicaCount::Number),
        ..RunSpec::new(machines.first().map_or("", String::as_str), workload)
    })
}

/// Number of workers: `typed` if given, otherwise one per processor; at most one per run.
fn jobs(typed: Option<u16>, runs: usize) -> usize {
    let here = || std::thread::available_parallelism().map_or(1, |count| count.get());
    let most = if runs > 1 { typed.map_or_else(here, usize::from) } else { 1 };
    most.min(runs).max(1)
}
