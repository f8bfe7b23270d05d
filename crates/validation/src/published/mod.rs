//! Simulation against published measurements, row by row.
//!
//! A row is covered if its experiment is the name of a workload (or an alias of one in `reference/experiments.csv`)
//! and a run yields its quantity: the makespan, or a measure of the workload. Its parameters describe the run:
//! `schedule` is the policy, `threads` the team, `runtime` the OpenMP runtime, any other a parameter of the workload.
//! New rows and workloads need no code.
//!
//! | file in `reference/` | content |
//! |---|---|
//! | `experiments.csv` | experiments that are aliases of workloads |
//! | `variants.csv` | names of a source, in parameters of the workload |
//! | `quantities.csv` | quantities that no single run yields, with their derivations |
//! | `setups.csv` | processors of the published runs, if not all |
//! | `reasons.csv` | reasons of rows beyond their limits |
//! | `not_simulated.csv` | reasons of rows that no machine and workload of the program describe |
//!
//! Most values are numbers. Other values are ranges, bounds, several numbers or orders.

pub(crate) mod cases;
mod derivations;
mod expected;
mod interval;
mod models;
mod ratios;
mod reference;
mod row_context;
mod score;
mod seeds;
mod stated;
mod teams;
pub(crate) mod workloads;

pub(crate) use cases::Variant;
pub(crate) use reference::Published;
#[cfg(test)]
pub(crate) use reference::published_as;
pub(crate) use row_context::RowContext;

use crate::papers::{self, placement};
use derivations::{Derivation, Derivations};
use expected::Expected;
use models::Figure;
use numalab_results::{SCHEMA_VERSION, Validation, ValidationRow};
use numalab_study::{Progress, RunSpec, StudyError, in_order};
use reference::{not_simulated, published, reasons};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Largest relative error that passes, by the role of the row: fitted rows must fit best.
const TOLERANCE: [(&str, f64); 2] = [("characterise", 0.05), ("predict", 0.25)];

/// Selection of rows; a field that is `None` admits all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rows<'a> {
    /// Only rows of this machine.
    pub machine: Option<&'a str>,
    /// Only rows of this experiment, or of aliases of this workload.
    pub experiment: Option<&'a str>,
    /// Only rows of this OpenMP runtime.
    pub runtime: Option<&'a str>,
}

impl Rows<'_> {
    fn admit(&self, row: &Published, aliases: &[workloads::Alias]) -> bool {
        let said = |asked: Option<&str>, found: Option<&str>| asked.is_none() || asked == found;
        let runtime = row.params().find(|(key, _)| *key == "runtime").map(|(_, name)| name);
        // The name of a workload selects the experiments that have it as an alias, too.
        let mut workloads =
            aliases.iter().filter(|alias| alias.experiment == row.experiment).map(|alias| &*alias.workload);
        said(self.machine, Some(&row.machine))
            && (said(self.experiment, Some(&row.experiment))
                || workloads.any(|workload| self.experiment == Some(workload)))
            && said(self.runtime, runtime)
    }
}

/// Simulated rows of a selection.
pub struct Validated {
    /// All rows, or those that were simulated before the listener ended the validation.
    pub validation: Validation,
    /// Number of rows of the selection.
    pub of: usize,
}

/// Simulates every covered row of a selection under up to `seeds` seeds. `command` writes the command of a run. `finished` receives the rows in their order, each group of consecutive
/// rows of one experiment as soon as it is complete and all groups before it are.
pub fn validate(
    rows: Rows<'_>,
    seeds: u32,
    command: &(dyn Fn(&RunSpec) -> String + Sync),
    progress: &dyn Progress,
    finished: &(dyn Fn(&[ValidationRow]) + Sync),
) -> Result<Validated, StudyError> {
    let aliases = workloads::aliases()?;
    let rows: Vec<Published> = published()?.into_iter().filter(|row| rows.admit(row, &aliases)).collect();
    let (variants, derivations) = (cases::variants()?, Derivations::read()?);
    let (reasons, not_simulated) = (reasons()?, not_simulated()?);
    let context = RowContext::new(progress);
    let total = rows.len() as u64;
    let done = AtomicU64::new(0);
    let queue = Mutex::new(Queue::of(&rows));
    let rows: Vec<_> = rows.into_iter().enumerate().collect();
    let judged = in_order(rows, |(at, published)| {
        if progress.stops() {
            return Ok(());
        }
        let expected: Expected = published.value.parse().map_err(|error| published.wrong(error))?;
        let simulated = seeds::simulate(&context, seeds, |context| {
            simulate(&published, &expected, &variants, &derivations, context)
        });
        let simulated = match simulated {
            // One thread's time may be missing in a run that was stopped.
            _ if progress.stops() => return Ok(()),
            simulated => simulated?,
        };
        progress.report(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        let tolerance = TOLERANCE.iter().find(|(role, _)| *role == published.role).map_or(0.10, |t| t.1);
        let stated = is_stated(&published, &variants, &derivations);
        let mut row = ValidationRow {
            id: published.id,
            source: published.source,
            machine: published.machine,
            experiment: published.experiment,
            quantity: published.quantity,
            params: published.params,
            role: published.role,
            published: None,
            expected: None,
            simulated: None,
            found: None,
            unit: published.unit,
            error: None,
            tolerance,
            within: None,
            interval: None,
            seeds: 1,
            over_seeds: None,
            commands: simulated.runs.iter().map(command).collect(),
            stated,
            reason: None,
            note: published.note,
        };
        match &expected {
            Expected::Number(value) => row.published = Some(*value),
            _ => row.expected = Some(published.value),
        }
        row = simulated.judge(&expected, &row);
        row.reason = match row.within {
            Some(true) => None,
            Some(false) => reasons.of(&row.id),
            None => not_simulated.of(&row.id),
        };
        queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(at, row, finished);
        Ok(())
    });
    judged.into_iter().collect::<Result<(), StudyError>>()?;
    let queue = queue.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let of = queue.rows.len();
    let mut rows = queue.end(finished);
    interval::add(&mut rows);
    let (scores, experiments) = score::scores(&rows);
    Ok(Validated { validation: Validation { schema_version: SCHEMA_VERSION, rows, scores, experiments }, of })
}

/// Rows in their order, of which groups are passed on once they are complete.
struct Queue {
    rows: Vec<Option<ValidationRow>>,
    /// End of each group that is not passed on, the last group first.
    ends: Vec<usize>,
    /// Number of rows that are passed on.
    passed_on: usize,
}

impl Queue {
    fn of(rows: &[Published]) -> Queue {
        let groups = rows.chunk_by(|row, next| row.experiment == next.experiment).scan(0, |end, group| {
            *end += group.len();
            Some(*end)
        });
        let mut ends: Vec<usize> = groups.collect();
        ends.reverse();
        Queue { rows: rows.iter().map(|_| None).collect(), ends, passed_on: 0 }
    }

    fn add(&mut self, at: usize, row: ValidationRow, finished: &dyn Fn(&[ValidationRow])) {
        self.rows[at] = Some(row);
        while let Some(end) = self.ends.last().copied()
            && self.rows[self.passed_on..end].iter().all(Option::is_some)
        {
            self.pass_on(end, finished);
        }
    }

    fn pass_on(&mut self, end: usize, finished: &dyn Fn(&[ValidationRow])) {
        let group: Vec<ValidationRow> = self.rows[self.passed_on..end].iter().flatten().cloned().collect();
        self.ends.pop();
        self.passed_on = end;
        finished(&group);
    }

    /// Passes on the rows of incomplete groups, and returns all rows.
    fn end(mut self, finished: &dyn Fn(&[ValidationRow])) -> Vec<ValidationRow> {
        while let Some(end) = self.ends.last().copied() {
            self.pass_on(end, finished);
        }
        self.rows.into_iter().flatten().collect()
    }
}

/// True if a file states the row's value, or a formula computes it from the file.
fn is_stated(row: &Published, variants: &[Variant], derivations: &Derivations) -> bool {
    let by_formula =
        matches!(derivations.of(row), Some(Derivation::Machine(_) | Derivation::Model(Figure::PeakFlops)));
    by_formula || cases::parameter(variants, row).is_some()
}

/// Simulated values in the row's unit, one for each run of the row; empty if a run has no value.
fn simulate(
    row: &Published,
    expected: &Expected,
    variants: &[Variant],
    derivations: &Derivations,
    context: &RowContext<'_>,
) -> Result<Vec<f64>, StudyError> {
    let derivation = derivations.of(row);
    if let Some(Derivation::Placement(statistic)) = derivation {
        return Ok(placement::simulate(row, statistic, variants, context)?.into_iter().collect());
    }
    if let Some(size) = stated::size_of_program(row, variants, context)? {
        return Ok(vec![size]);
    }
    let (row, mean) = cases::averaged(row);
    let mut values = Vec::new();
    for case in cases::cases(&row, expected, variants) {
        let case = match expected {
            // Other orders than those of runs are not simulated.
            Expected::Order(_) if derivation != Some(Derivation::Runs(ratios::Relation::Order)) => {
                return Ok(Vec::new());
            }
            Expected::Order(_) => {
                let quantity = workloads::measure(&case)?.unwrap_or_else(|| "makespan".to_owned());
                // Values are only compared with each other.
                Published { quantity, unit: "1".to_owned(), ..case }
            }
            _ => case,
        };
        match value(&case, derivations.of(&case), context)? {
            Some(value) => values.push(value),
            None => return Ok(Vec::new()),
        }
    }
    if mean && !values.is_empty() {
        values = vec![values.iter().sum::<f64>() / values.len() as f64];
    }
    Ok(values)
}

/// Simulated value in the row's unit; `None` if the row is not covered.
fn value(
    row: &Published,
    derivation: Option<Derivation>,
    context: &RowContext<'_>,
) -> Result<Option<f64>, StudyError> {
    let Some(derivation) = derivation else { return workloads::simulate(row, context) };
    match derivation {
        Derivation::Runs(relation) => match ratios::sides(row, relation, context)? {
            Some(sides) => ratios::simulate(row, relation, sides, context),
            None => workloads::simulate(row, context),
        },
        Derivation::Teams(team) => teams::simulate(row, team, context),
        Derivation::Model(figure) => models::simulate(row, figure, context),
        Derivation::Machine(fact) => stated::by_machine(row, fact, context),
        Derivation::Table(table) => papers::simulate(row, table),
        // Placements need several programs and are simulated in `papers`.
        Derivation::Placement(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::reference::published_as;
    use numalab_study::Files;
    use numalab_workload::Schedule;

    #[test]
    fn the_reference_data_reads() {
        let rows = published().unwrap();
        assert!(rows.len() > 50);
        assert!(rows.iter().all(|row| TOLERANCE.iter().any(|t| t.0 == row.role)));
        for row in &rows {
            assert!(row.value.parse::<Expected>().is_ok(), "{}: {:?}", row.id, row.value.parse::<Expected>());
        }
        let ids: std::collections::BTreeSet<_> = rows.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids.len(), rows.len(), "every row has an id of its own");
    }

    fn simulated(progress: &dyn Progress, finished: &(dyn Fn(&[ValidationRow]) + Sync)) -> Validated {
        validate(LOADBAL, 1, &|_| String::new(), progress, finished).unwrap()
    }

    const LOADBAL: Rows<'_> = Rows { machine: None, experiment: Some("loadbal"), runtime: None };

    /// Ranges, bounds and orders are checked as such, and the scores are those of the rows.
    #[test]
    fn scores_are_of_the_rows() {
        let validation = simulated(&(), &|_| ()).validation;
        let of =
            |machine: &str| validation.scores.iter().find(|score| score.machine.as_deref() == Some(machine));
        let bcs = of("bcs16").unwrap();
        let (values, gaps) = (validation.rows.iter().filter(|row| row.machine == "bcs16").count(), bcs.gaps);
        assert_eq!(bcs.values, values as u64);
        // Three makespans, each more than 5 % from the others.
        assert_eq!((gaps, bcs.gaps_ordered, bcs.tau), (3, 3, Some(1.0)));
        assert_eq!(validation.experiments.len(), 1);
    }

    /// The times of the main job are met within a tenth, except for the one row that nothing in the characterisation
    /// explains: 59 threads of the Xeon Phi demand 4 % of the measured bandwidth and are delayed nevertheless.
    #[test]
    fn load_balancing_is_within_a_tenth() {
        for row in simulated(&(), &|_| ()).validation.rows.iter().filter(|row| row.quantity == "makespan") {
            let close = row.error.is_some_and(|error| error.abs() <= 0.10);
            assert_eq!(close, row.id != "lb.phi.dynamic", "{}: {:?}", row.id, row.error);
        }
    }

    #[test]
    fn the_order_of_schedules_is_the_measured_one() {
        let rows = simulated(&(), &|_| ()).validation.rows;
        let same = |a: &ValidationRow, b: &ValidationRow| a.machine == b.machine && a.quantity == b.quantity;
        for a in rows.iter().filter(|row| row.published.is_some()) {
            for b in rows.iter().filter(|b| same(a, b) && a.published < b.published) {
                assert!(a.simulated < b.simulated, "{} before {}", a.id, b.id);
            }
        }
    }

    #[test]
    fn a_row_says_what_to_run() {
        let rows = published().unwrap();
        let row = rows.iter().find(|row| row.id == "lb.phi.dynamic").unwrap();
        let run = workloads::resolve(row, &Files::default()).unwrap().unwrap();
        assert_eq!(run.schedules, [Schedule::Dynamic { chunk: 1 }]);
        assert_eq!(run.spec.threads, Some(59));
        assert_eq!(run.experiment.workload.overrides.len(), 1, "the footprint");
    }

    /// A row names its runtime; its experiment is a workload, or an alias of one.
    #[test]
    fn an_alias_and_a_runtime_say_what_to_run() {
        let row = published_as("epcc.gcc.4");
        // Any shipped workload serves here.
        let row = Published { experiment: "loadbal".to_owned(), ..row };
        let files = Files::default();
        let run = workloads::resolve(&row, &files).unwrap().unwrap();
        assert_eq!(run.runtime.value.name, "gcc-4.8");
        assert_eq!((run.spec.threads, run.experiment.workload.overrides.len()), (Some(4), 0));
        let unknown = Published { params: "runtime=gcc-0".to_owned(), ..row };
        assert!(workloads::resolve(&unknown, &files).unwrap().is_none(), "no such runtime ships");
        let alias = workloads::alias("epcc_parallel", "bcs16").unwrap().unwrap();
        assert_eq!(
            (alias.workload.as_str(), alias.params.as_str()),
            ("epcc", "construct=parallel;of=overhead")
        );
        assert!(workloads::alias("loadbal", "bcs16").unwrap().is_none());
        let on = |machine: &str| workloads::alias("nas_cg_a", machine).unwrap().unwrap().params;
        let own = [("marenostrum8", "computing=12.29"), ("crossi8", "computing=4.07")];
        assert!(own.iter().all(|(machine, params)| on(machine) == *params), "a machine's own");
    }

    /// The published system TreadMarks is the machine's shared memory under lazy release consistency.
    #[test]
    fn a_row_may_say_by_which_protocol_nodes_share_memory() {
        let row = published_as("dsm.kandake.cga.4.treadmarks");
        let variants = cases::variants().unwrap();
        let lazy = &cases::cases(&row, &row.value.parse().unwrap(), &variants)[0];
        assert_eq!(lazy.params, "threads=4;schedule=static;consistency=lrc");
        let run = workloads::resolve(lazy, &Files::default()).unwrap().unwrap();
        assert_eq!(run.spec.overrides.machine[0].path, "dsm.consistency");
        let context = RowContext::default();
        let one = value(lazy, None, &context).unwrap().unwrap();
        let other =
            value(&lazy.with("threads=4;schedule=static".to_owned()), None, &context).unwrap().unwrap();
        assert!(one < 0.9 * other, "nobody waits for copies to be dropped: {one} s, {other} s");
    }

    /// Groups are passed on in their order, each once it and those before it are complete; the rest at the end.
    #[test]
    fn groups_of_rows_are_passed_on_in_order() {
        let rows = published().unwrap();
        let rows = [
            rows[0].clone(),
            rows[0].clone(),
            Published { experiment: "other".to_owned(), ..rows[0].clone() },
        ];
        let row = simulated(&(), &|_| ()).validation.rows.swap_remove(0);
        let seen = Mutex::new(Vec::new());
        let finished = |group: &[ValidationRow]| seen.lock().unwrap().push(group.len());
        let mut queue = Queue::of(&rows);
        queue.add(2, row.clone(), &finished);
        queue.add(1, row.clone(), &finished);
        assert!(seen.lock().unwrap().is_empty());
        queue.add(0, row.clone(), &finished);
        assert_eq!((queue.end(&finished).len(), seen.lock().unwrap().clone()), (3, vec![2, 1]));
        let mut queue = Queue::of(&rows);
        queue.add(1, row, &finished);
        assert_eq!((queue.end(&finished).len(), seen.into_inner().unwrap()), (1, vec![2, 1, 1, 0]));
    }

    /// A listener that stops leaves out the rows that have not begun.
    #[test]
    fn a_stopped_validation_has_the_rows_so_far() {
        struct After(AtomicU64);
        impl Progress for After {
            fn report(&self, done: u64, _: u64) {
                self.0.store(done, Ordering::Relaxed);
            }
            fn stops(&self) -> bool {
                self.0.load(Ordering::Relaxed) > 0
            }
        }
        let stopped = simulated(&After(AtomicU64::new(0)), &|_| ());
        assert!(
            (1..stopped.of).contains(&stopped.validation.rows.len()),
            "{}",
            stopped.validation.rows.len()
        );
    }

    #[test]
    fn rows_of_a_runtime_can_be_asked_for() {
        let of = |runtime| Rows { runtime: Some(runtime), ..Rows::default() };
        let (all, aliases) = (published().unwrap(), workloads::aliases().unwrap());
        let count = |rows: Rows<'_>| all.iter().filter(|row| rows.admit(row, &aliases)).count();
        assert_eq!((count(of("intel-14")), count(of("gcc-4.8")), count(of("none"))), (16, 5, 0));
    }
}
