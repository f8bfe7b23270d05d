//! Values of machine and runtime that are not known exactly, and how much the makespan depends on each.

use crate::budget::{Budget, Expected, Meter};
use crate::case::Case;
use numalab_results::Influence;
use numalab_simulator::SimulationError;
use numalab_study::{Files, Progress, ResolvedRun, StudyError, Unknown};

/// Estimated number of runs of a value or a table of values.
pub(crate) const RUNS: u64 = 2;

/// Effects of all unknown values on a run under its first schedule, whose makespan is `whole` in picoseconds; the
/// largest effect first, without values that have none. `None` if they do not fit the budget.
///
/// Each value is simulated at both ends of its tolerance. Values of a table are first moved together: if neither end
/// changes the makespan, no value of the table is simulated by itself.
pub(crate) fn within(
    run: &ResolvedRun,
    case: &Case,
    whole: u64,
    files: &Files,
    budget: &mut Budget<'_>,
) -> Result<Option<Vec<Influence>>, SimulationError> {
    let unknowns = run.unknowns();
    let tables = tables(&unknowns);
    let ends = |values: &[&Unknown], meter: &Meter<'_>| {
        let at = |place: f64| {
            let factors: Vec<(&Unknown, f64)> =
                values.iter().map(|value| (*value, value.factor(place))).collect();
            // Values that do not fit the rest of the machine stay as they are.
            let Ok(changed) = run.with_values(&factors, files) else { return Ok(whole) };
            let Some(changed) = Case::of(&changed) else { return Ok(whole) };
            Case { schedule: case.schedule, ..changed }.makespan(meter)
        };
        Ok::<_, SimulationError>((at(-1.0)?, at(1.0)?))
    };
    let of_tables = budget.all(&tables, |_| RUNS, |table, meter| ends(table, meter))?;
    let mut felt: Vec<&Unknown> = Vec::new();
    for (table, found) in tables.iter().zip(&of_tables) {
        match found {
            None => return Ok(None),
            Some(found) if *found == (whole, whole) => {}
            Some(_) => felt.extend(table),
        }
    }
    let of_values = budget.all(&felt, |_| RUNS, |value, meter| ends(&[value], meter))?;
    let mut influences = Vec::new();
    for (value, found) in felt.iter().zip(of_values) {
        let Some((at_least_ps, at_most_ps)) = found else { return Ok(None) };
        if (at_least_ps, at_most_ps) != (whole, whole) {
            influences.push(Influence {
                path: value.path.clone(),
                origin: value.origin.to_string(),
                within: value.within,
                at_least_ps,
                at_most_ps,
                how: None,
            });
        }
    }
    influences.sort_by(|a, b| b.effect(whole).total_cmp(&a.effect(whole)));
    Ok(Some(influences))
}

/// Unknown values by table, in their order.
pub(crate) fn tables(unknowns: &[Unknown]) -> Vec<Vec<&Unknown>> {
    let mut tables: Vec<Vec<&Unknown>> = Vec::new();
    for unknown in unknowns {
        match tables.last_mut().filter(|table| table[0].table() == unknown.table()) {
            Some(table) => table.push(unknown),
            None => tables.push(vec![unknown]),
        }
    }
    tables
}

/// Effects of all unknown values on a run under its first schedule, within a budget of work; `None` if they do not
/// fit it.
pub fn influences(
    run: &ResolvedRun,
    files: &Files,
    budget: u64,
    progress: &dyn Progress,
) -> Result<Option<Vec<Influence>>, StudyError> {
    let Some(case) = Case::of(run) else { return Ok(None) };
    let failed =
        |error: SimulationError| run.placed(StudyError::Simulation { policy: Some(case.schedule), error });
    let expected = Expected::new(progress);
    let meter = Meter::new(budget, &expected);
    let whole = match case.makespan(&meter) {
        Err(SimulationError::Stopped) => return Ok(None),
        whole => whole.map_err(failed)?,
    };
    let mut budget = Budget::new(budget, meter.used(), &expected);
    within(run, &case, whole, files, &mut budget).map_err(failed)
}
