//! Simulated counterpart of a measured value.
//!
//! A value is covered if its experiment is the name of a workload, and its quantity is the makespan, another quantity
//! of any run, or a measure of the workload. Its parameters determine the run.

use crate::progress::Silent;
use crate::{Files, Given, Progress, ResolvedRun, RunSpec, SealedMachine, StudyError, answer, series};
use numalab_files::{Kind, Loaded, Origin, Override};
use numalab_lower::DisplayUnit;
use numalab_machine::{CoreId, Fabric};
use numalab_openmp::binding::Binding;
use numalab_results::{Member, Run};
use numalab_runtime::Profile;

/// Value of a workload parameter that stands for all points of the workload's series.
pub const ANY: &str = "any";

/// Prefix of parameters that apply only to the program on one thread, the base of work-time inflation.
pub const SEQUENTIAL: &str = "sequential.";

/// A measured quantity and its conditions.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a> {
    /// Name of the workload.
    pub experiment: &'a str,
    /// `makespan`, another quantity of any run, or a measure of the workload.
    pub quantity: &'a str,
    /// Name of the unit of the simulated value.
    pub unit: &'a str,
    /// Conditions as name and value:
    /// - `schedule`: the policy;
    /// - `threads`: the team size (`4x32`: four outer threads with inner teams of 32, the workload parameter
    ///   `teams`);
    /// - `procs`: the processors;
    /// - `from`: the node whose cores are used;
    /// - `threads_per_domain`, `domains`: a team of so many threads on each of so many nodes, from node 0 on;
    /// - `proc_bind`, `binding`: the binding policy (`binding=off`: none, `binding=on`: `true`);
    /// - `runtime`: the OpenMP runtime;
    /// - `technique`, `consistency`: software shared memory;
    /// - `sequential.NAME`: a parameter of the program on one thread, to which inflation is relative;
    /// - any other name: a parameter of the workload.
    pub params: &'a [(&'a str, &'a str)],
}

impl Measured<'_> {
    /// Simulates the value, in its unit; `None` if neither a workload nor one of its measures covers it. Without a
    /// runtime in `runtime` or the conditions, the workload's or the machine's is used, or `plain`. Threads are on
    /// adjacent cores, unless the conditions state otherwise. `files` is a cache of the files read.
    pub fn simulate(
        &self,
        machine: SealedMachine,
        runtime: Option<Loaded<Profile>>,
        files: &Files,
    ) -> Result<Option<f64>, StudyError> {
        if !numalab_files::is_known(Kind::Workload, self.experiment) {
            return Ok(None);
        }
        let unit: DisplayUnit = self.unit.parse().map_err(|error| self.wrong(error))?;
        let mut spec = RunSpec::new(Given::loaded(machine), self.experiment);
        spec.runtime = runtime.map(Given::loaded);
        spec.binding = Binding::parse(Some("cores"), Some("close")).unwrap_or_default();
        let run = self.resolve(spec, files)?;
        // There is no value with which points of a series could be compared.
        Ok(evaluate(&run, (files, Some(1), &()), self.quantity, &unit, None, None)?.value)
    }

    /// Resolves the run that the parameters describe, under one schedule.
    pub fn resolve(&self, mut spec: RunSpec, files: &Files) -> Result<ResolvedRun, StudyError> {
        let mut processors: Option<Vec<u32>> = None;
        let (mut of_each_domain, mut domains) = (None, None);
        let of_the_team = |(key, value): &&(&str, &str)| *value != ANY && !key.starts_with(SEQUENTIAL);
        for &(key, value) in self.params.iter().filter(of_the_team) {
            match key {
                "technique" | "consistency" => spec.overrides.machine.push(Override {
                    path: format!("dsm.{key}"),
                    value: value.to_owned(),
                    original: format!("machine.dsm.{key}={value}"),
                    origin: Origin::Set,
                }),
                "runtime" => spec.runtime = Some(Given::from(value)),
                "schedule" => spec.schedules = vec![value.parse().map_err(|error| self.wrong(error))?],
                "proc_bind" => {
                    spec.binding.proc_bind =
                        Binding::parse(None, Some(value)).map_err(|error| self.wrong(error))?.proc_bind;
                }
                "threads" => {
                    let (teams, size) = match value.split_once('x') {
                        None => (1, value),
                        Some((teams, size)) => {
                            spec.overrides.workload.push(Override::of_workload("teams", teams, Origin::Set));
                            (self.number(key, teams)?, size)
                        }
                    };
                    let all = teams.checked_mul(self.number(key, size)?);
                    spec.threads =
                        Some(all.ok_or_else(|| self.wrong(format!("{key}={value} is too large")))?);
                }
                "binding" if value == "off" => {
                    spec.binding = Binding::parse(None, Some("false")).map_err(|error| self.wrong(error))?;
                }
                "binding" if value == "on" => {
                    spec.binding = Binding::parse(None, Some("true")).map_err(|error| self.wrong(error))?;
                }
                "procs" => {
                    let listed = value.split(',').map(|processor| self.number(key, processor));
                    processors = Some(listed.collect::<Result<_, _>>()?);
                }
                "threads_per_domain" => of_each_domain = Some(self.number(key, value)?),
                "domains" => domains = Some(self.number(key, value)?),
                "from" => {
                    let machine = files.machine(&spec.machine, &spec.overrides.machine)?;
                    processors = Some(cores_of(&machine.fabric, self.number(key, value)?));
                }
                _ => spec.overrides.workload.push(Override::of_workload(key, value, Origin::Set)),
            }
        }
        if let Some(threads) = of_each_domain {
            let machine = files.machine(&spec.machine, &spec.overrides.machine)?;
            processors = Some(self.of_domains(&machine.fabric, threads, domains.unwrap_or(1))?);
        }
        if let Some(listed) = processors {
            // Without a binding, threads take the listed processors in order.
            spec.binding = Binding::default();
            let most = spec.threads.map_or(listed.len(), |threads| threads as usize);
            spec.processors = Some(listed.into_iter().take(most).collect());
        }
        Ok(spec.resolve(files)?.under_the_first())
    }

    /// The first `threads` cores of each of the first `domains` nodes.
    fn of_domains(&self, fabric: &Fabric, threads: u32, domains: u32) -> Result<Vec<u32>, StudyError> {
        let each = (0..domains).map(|node| {
            let cores = cores_of(fabric, node);
            let taken = cores.get(..threads as usize).map(<[u32]>::to_vec);
            taken.ok_or_else(|| self.wrong(format!("node {node} has {} cores, not {threads}", cores.len())))
        });
        Ok(each.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn number(&self, key: &str, text: &str) -> Result<u32, StudyError> {
        text.trim().parse().map_err(|_| self.wrong(format!("{key}={text} is not a number")))
    }

    fn wrong(&self, what: impl std::fmt::Display) -> StudyError {
        let place = format!("{} of {}", self.quantity, self.experiment);
        StudyError::Reference { place, problem: what.to_string() }
    }
}

/// Numbers of the first hardware thread of each core of a node; empty if the machine lacks the node.
pub fn cores_of(fabric: &Fabric, node: u32) -> Vec<u32> {
    let of_node = |core: &CoreId| fabric.node_of(*core).0 == node;
    (0..fabric.cores()).map(CoreId).filter(of_node).map(|core| fabric.os_number(core, 0).number()).collect()
}

/// Quantity that every run has. A measure of the workload with the same name takes precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum General {
    Time,
    SequentialTime,
    RemoteFraction,
    LocalFraction,
    Inflation,
    RelativeInflation,
    WorkRatio,
    InflationShare,
    MemoryRead,
    /// Fraction of the team time that is not work.
    RestShare,
    FirstNodeDone,
    StolenByUpperHalf,
}

impl General {
    fn named(quantity: &str) -> Option<General> {
        Some(match quantity {
            "makespan" | "elapsed" | "time" => General::Time,
            "sequential_time" => General::SequentialTime,
            "remote_fraction" => General::RemoteFraction,
            "local_fraction" => General::LocalFraction,
            "work_time_inflation" => General::Inflation,
            "work_time_inflation_relative" => General::RelativeInflation,
            "work_time_ratio" => General::WorkRatio,
            "inflation_share_of_total" | "work_time_inflation_share" => General::InflationShare,
            "overhead_plus_idle_share" | "overhead_plus_idle_share_max" => General::RestShare,
            "memory_read" => General::MemoryRead,
            "first_socket_done_max" => General::FirstNodeDone,
            "stolen_share_upper_half" => General::StolenByUpperHalf,
            _ => return None,
        })
    }

    fn needs_one_thread(self) -> bool {
        match self {
            General::SequentialTime
            | General::Inflation
            | General::RelativeInflation
            | General::WorkRatio
            | General::InflationShare => true,
            General::Time
            | General::RemoteFraction
            | General::LocalFraction
            | General::MemoryRead
            | General::RestShare
            | General::FirstNodeDone
            | General::StolenByUpperHalf => false,
        }
    }

    /// Value of the quantity in base units; `None` if the run lacks a count that it needs.
    fn of(self, run: &Run) -> Option<f64> {
        let seconds = |ps: f64| ps / numalab_base::PS_PER_S;
        let sequential = || Some(run.sequential_ps? as f64);
        let from_memory = run.bytes_by_level.total() as f64;
        let local = run.bytes_by_level.node as f64 / from_memory;
        match self {
            General::Time => Some(seconds(run.makespan_ps as f64)),
            // Time of the program itself, without the runtime.
            General::SequentialTime => Some(seconds(sequential()?)),
            General::RemoteFraction => Some(1.0 - local),
            General::LocalFraction => Some(local),
            General::Inflation => Some(seconds(run.inflation_ps? as f64)),
            General::RelativeInflation => Some(run.inflation_ps? as f64 / sequential()?),
            General::WorkRatio => Some(run.work_ps() as f64 / sequential()?),
            General::InflationShare => {
                let team = run.makespan_ps as f64 * f64::from(run.threads);
                Some(run.inflation_ps? as f64 / team)
            }
            General::RestShare => {
                let team = run.makespan_ps as f64 * f64::from(run.threads);
                Some((run.overhead_ps.0 + run.idle_ps.0) as f64 / team)
            }
            General::MemoryRead => Some(from_memory),
            // Time at which the last thread of node 0 ran out of work.
            General::FirstNodeDone => {
                let of_node = run.team.iter().filter(|member| member.node == 0);
                let least_idle = of_node.map(|member| member.idle_ps).min()?;
                Some(seconds((run.makespan_ps - least_idle) as f64))
            }
            General::StolenByUpperHalf => {
                let stolen = |members: &[Member]| members.iter().map(|member| member.stolen).sum::<u64>();
                let upper = stolen(run.team.get(run.team.len() / 2..)?);
                Some(upper as f64 / stolen(&run.team).max(1) as f64)
            }
        }
    }
}

/// True if the run's workload has a measure of this name, or any run has a quantity of this name.
pub fn yields(run: &ResolvedRun, quantity: &str) -> bool {
    let measures = &run.experiment.questions.measures;
    General::named(quantity).is_some() || measures.iter().any(|measure| measure.name == quantity)
}

/// Simulated value of a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluated {
    /// Value in the requested unit; `None` if the run does not yield it.
    pub value: Option<f64>,
    /// True if the value is of a series of runs.
    pub is_of_series: bool,
}

/// Value of a quantity, in `unit`. `any`: the measured value, if it is about all
/// points of the workload's series; the result is then the value of the point that is relatively farthest from it.
/// `alone`: run whose time on one thread replaces that of `run` for inflation. Runs have at most `jobs` workers; the
/// listener hears no progress, and can stop them.
pub fn evaluate(
    run: &ResolvedRun,
    (files, jobs, listener): (&Files, Option<usize>, &dyn Progress),
    quantity: &str,
    unit: &DisplayUnit,
    any: Option<f64>,
    alone: Option<&ResolvedRun>,
) -> Result<Evaluated, StudyError> {
    let progress = &Silent(listener);
    let of_one =
        |value: Option<f64>| Evaluated { value: value.map(|value| unit.show(value)), is_of_series: false };
    let first =
        |run: &ResolvedRun| Ok::<_, StudyError>(answer(run, files, jobs, progress)?.runs.into_iter().next());
    let measures = &run.experiment.questions.measures;
    if measures.iter().all(|measure| measure.name != quantity)
        && let Some(general) = General::named(quantity)
    {
        let mut run = run.clone();
        run.spec.sequential = general.needs_one_thread();
        let mut answered = first(&run)?;
        if let (true, Some(alone), Some(run)) = (run.spec.sequential, alone, &mut answered)
            && let Some(sequential) = files.simulate_one_thread(alone, progress)?
        {
            run.beside_one_thread(sequential);
        }
        return Ok(of_one(answered.and_then(|run| general.of(&run))));
    }
    let Some(measure) = measures.iter().find(|measure| measure.name == quantity) else {
        return Ok(of_one(None));
    };
    let in_base_units = |value: f64| value * measure.unit.factor;
    if any.is_none() && !measure.is_of_series() {
        let answered = first(run)?;
        let found = answered.iter().flat_map(|run| &run.measures).find(|value| value.name == quantity);
        return Ok(of_one(found.and_then(|found| found.value).map(in_base_units)));
    }
    let of_series = |value: Option<f64>| Evaluated { value, is_of_series: true };
    let Some(points) = run.series() else { return Ok(of_series(None)) };
    let in_unit = |value: f64| unit.show(in_base_units(value));
    let series = series(run, points, files, jobs, progress)?;
    if measure.is_of_series() {
        let summary = series.summary.iter().find(|summary| summary.name == quantity);
        return Ok(of_series(summary.and_then(|summary| summary.value).map(in_unit)));
    }
    let column = series.measure(quantity);
    let values =
        series.points.iter().filter_map(|point| *point.runs.first()?.values.get(column?)?).map(in_unit);
    let off = |value: &f64| any.map_or(0.0, |wanted| (value / wanted - 1.0).abs());
    Ok(of_series(values.max_by(|a, b| off(a).total_cmp(&off(b)))))
}
