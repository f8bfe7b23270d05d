//! Rows whose experiment is a workload, or an alias of one with some parameters set: measures of the workload, or the
//! makespan.

use super::RowContext;
use super::reference::{Published, pairs, read};
use numalab_files::Kind;
use numalab_lower::DisplayUnit;
use numalab_openmp::binding::Binding;
use numalab_study::measured::{ANY, Measured, SEQUENTIAL, evaluate, yields};
use numalab_study::{Files, ResolvedRun, RunSpec, StudyError};
use serde::Deserialize;

/// `reference/setups.csv`: processors that the published experiments used, if not all processors of the machine.
const SETUPS: &str = include_str!("../../../../reference/setups.csv");

#[derive(Deserialize)]
struct Setup {
    machine: String,
    places: String,
}

/// `reference/experiments.csv`: experiments that are aliases of workloads, with parameters.
const EXPERIMENTS: &str = include_str!("../../../../reference/experiments.csv");

#[derive(Deserialize)]
pub struct Alias {
    pub experiment: String,
    /// Machine on which the alias is valid; empty for all machines.
    pub machine: String,
    pub workload: String,
    pub params: String,
}

/// Simulated value in the row's unit; `None` if no workload or measure covers the row.
pub fn simulate(row: &Published, context: &RowContext<'_>) -> Result<Option<f64>, StudyError> {
    let files = &context.files;
    // The quantity may be the name of a parameter of the workload instead of a measure.
    if !has(row, &row.quantity, files)? {
        return Ok(None);
    }
    let Some(mut run) = resolve(row, files)? else { return Ok(None) };
    run.spec.seed = context.seed;
    let unit: DisplayUnit = row.unit.parse().map_err(|error| row.wrong(error))?;
    let any = row.params().any(|(_, value)| value == ANY);
    let wanted = any.then(|| row.value.parse().unwrap_or(1.0));
    let alone = match alone(row) {
        Some(row) => resolve(&row, files)?,
        None => None,
    };
    let alone = alone.map(|mut alone| {
        alone.spec.seed = context.seed;
        alone
    });
    let evaluated =
        evaluate(&run, (files, None, context.progress), &row.quantity, &unit, wanted, alone.as_ref())?;
    context.add_run(RunSpec { series: evaluated.is_of_series, ..run.spec.clone() });
    let times = match unit.is_amount() {
        true => repeats(row)?,
        false => 1.0,
    };
    Ok(evaluated.value.map(|value| value * times))
}

/// Number of times that the published program repeats the simulated part: `times=36.5` of its experiment.
fn repeats(row: &Published) -> Result<f64, StudyError> {
    let Some(times) = fixed(row, "times")? else { return Ok(1.0) };
    times.parse().map_err(|_| row.wrong(format!("times={times} is not a number")))
}

/// True if a run of the row's experiment yields `quantity`.
pub fn has(row: &Published, quantity: &str, files: &Files) -> Result<bool, StudyError> {
    let plain = resolve(&row.with(String::new()), files)?;
    Ok(plain.is_some_and(|plain| yields(&plain, quantity)))
}

/// Row about the sequential program: parameters `sequential.NAME` replace those called `NAME`. `None` if the row has
/// no such parameter.
fn alone(row: &Published) -> Option<Published> {
    let own: Vec<_> =
        row.params().filter_map(|(key, value)| Some((key.strip_prefix(SEQUENTIAL)?, value))).collect();
    let kept = row.params().filter(|(key, _)| {
        let name = key.strip_prefix(SEQUENTIAL).unwrap_or(key);
        own.iter().all(|(own, _)| *own != name)
    });
    let params = kept.chain(own.iter().copied()).map(|(key, value)| format!("{key}={value}"));
    (!own.is_empty()).then(|| row.with(params.collect::<Vec<_>>().join(";")))
}

/// Resolves the run of a row; `None` if its machine, experiment or runtime has no file.
pub fn resolve(row: &Published, files: &Files) -> Result<Option<ResolvedRun>, StudyError> {
    let alias = alias(&row.experiment, &row.machine)?;
    let (workload, fixed) = alias
        .as_ref()
        .map_or((row.experiment.as_str(), ""), |alias| (alias.workload.as_str(), alias.params.as_str()));
    let runtime = row.param("runtime");
    if !numalab_files::is_known(Kind::Machine, &row.machine)
        || !numalab_files::is_known(Kind::Workload, workload)
        || runtime.is_some_and(|name| !numalab_files::is_known(Kind::Runtime, name))
    {
        return Ok(None);
    }
    let mut spec = RunSpec::new(&*row.machine, workload);
    spec.binding = binding(&row.machine)?;
    let mut params: Vec<_> = pairs(fixed).chain(row.params()).collect();
    params.retain(|(key, _)| !["of", "times"].contains(key));
    let measured =
        Measured { experiment: workload, quantity: &row.quantity, unit: &row.unit, params: &params };
    measured.resolve(spec, files).map(Some).map_err(|error| row.wrong(error))
}

/// Nodes and cores of a row's machine.
pub fn size(row: &Published, files: &Files) -> Result<Option<(u32, u32)>, StudyError> {
    if !numalab_files::is_known(Kind::Machine, &row.machine) {
        return Ok(None);
    }
    let machine = files.machine(&row.machine.as_str().into(), &[])?;
    Ok(Some((machine.fabric.nodes(), machine.fabric.cores())))
}

/// Value of the setting `name` (such as `of` or `times`) that `experiments.csv` gives for the row's experiment;
/// `None` if missing.
pub fn fixed(row: &Published, name: &str) -> Result<Option<String>, StudyError> {
    let alias = alias(&row.experiment, &row.machine)?;
    let said = alias.as_ref().and_then(|alias| pairs(&alias.params).find(|(key, _)| *key == name));
    Ok(said.map(|(_, value)| value.to_owned()))
}

/// Measure that the runs of a row are compared by, `of=MEASURE` of the row or of its experiment; `None` if neither
/// names one.
pub fn measure(row: &Published) -> Result<Option<String>, StudyError> {
    match row.param("of") {
        Some(measure) => Ok(Some(measure.to_owned())),
        None => fixed(row, "of"),
    }
}

/// Experiments that are aliases of workloads.
pub fn aliases() -> Result<Vec<Alias>, StudyError> {
    read("reference/experiments.csv", EXPERIMENTS)
}

/// Workload of an experiment on a machine, if the experiment is an alias.
pub fn alias(experiment: &str, machine: &str) -> Result<Option<Alias>, StudyError> {
    let aliases = aliases()?.into_iter().filter(|alias| alias.experiment == experiment);
    let (own, general): (Vec<Alias>, Vec<Alias>) = aliases
        .filter(|alias| alias.machine.is_empty() || alias.machine == machine)
        .partition(|alias| !alias.machine.is_empty());
    Ok(own.into_iter().chain(general).next())
}

fn binding(machine: &str) -> Result<Binding, StudyError> {
    let wrong = |what: &dyn std::fmt::Display| StudyError::Reference {
        place: "reference/setups.csv".to_owned(),
        problem: what.to_string(),
    };
    for setup in csv::Reader::from_reader(SETUPS.as_bytes()).deserialize() {
        let setup: Setup = setup.map_err(|error| wrong(&error))?;
        if setup.machine == machine {
            return Binding::parse(Some(&setup.places), Some("close")).map_err(|error| wrong(&error));
        }
    }
    Ok(Binding::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::reference::published_as;

    /// Nodes have sixteen cores each: the first two cores of two nodes are 0, 1, 16 and 17.
    #[test]
    fn a_row_may_name_threads_of_each_domain() {
        let of = |params: &str| {
            let row = published_as("n2.copy.2x1").with(params.to_owned());
            resolve(&row, &Files::default()).map(|run| run.unwrap().spec.processors.unwrap())
        };
        let both = of("kernel=copy;threads_per_domain=2;domains=2").unwrap();
        assert_eq!(both, [0, 1, 16, 17].into_iter().collect());
        let one = of("kernel=copy;threads_per_domain=2").unwrap();
        assert_eq!(one, [0, 1].into_iter().collect());
        let refused = of("threads_per_domain=17;domains=1").unwrap_err().to_string();
        assert!(refused.contains("node 0 has 16 cores, not 17"), "{refused}");
    }

    /// Ten days of the published year are simulated, so times are multiplied by 36.5, and ratios are not.
    #[test]
    fn what_is_repeated_takes_so_many_times_as_long() {
        let row = published_as("ol.health.16.intel");
        let repeated = |row: &Published| repeats(row).unwrap();
        assert_eq!(repeated(&row), 36.5);
        let value = |row: &Published| simulate(row, &RowContext::default()).unwrap().unwrap();
        let small = |quantity: &str, unit: &str| Published {
            quantity: quantity.to_owned(),
            unit: unit.to_owned(),
            ..row.with("threads=4;cities=6;days=2;per_inhabitant=87;schedule=tasks".to_owned())
        };
        let plain = small("makespan", "s");
        let run = resolve(&plain, &Files::default()).unwrap().unwrap();
        let once =
            evaluate(&run, (&Files::default(), None, &()), "makespan", &"s".parse().unwrap(), None, None);
        assert!((value(&plain) / once.unwrap().value.unwrap() / 36.5 - 1.0).abs() < 1e-12);
        let ratio = value(&small("work_time_ratio", "1"));
        assert!((0.1..10.0).contains(&ratio), "{ratio}");
    }
}
