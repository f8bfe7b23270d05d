//! Simulation against published measurements, row by row.
//!
//! A row is covered when its experiment is the name of a workload and its quantity one that a run
//! yields. Its parameters say the rest: `schedule` is the policy, `threads` the team, anything else a
//! parameter of the workload. There is no list of cases here; a new row or workload is enough.

use crate::StudyError;
use crate::compare::{Request, compare};
use crate::progress::Progress;
use crate::published::{Published, published};
use numalab_formats::{self as formats, Override};
use numalab_program::Policy;
use numalab_results::{SCHEMA_VERSION, Validation, ValidationRow};
use numalab_units::{PS_PER_S, Span};

/// Largest relative error that passes, by the role of the row: what was fitted must fit.
const TOLERANCE: [(&str, f64); 2] = [("characterise", 0.03), ("predict", 0.10)];

/// Seed of validation runs: what `sim` takes when none is said.
const SEED: u64 = 0;

/// Simulates every covered row, or those of one machine or experiment.
pub fn validate(
    machine: Option<&str>,
    experiment: Option<&str>,
    progress: &dyn Progress,
) -> Result<Validation, StudyError> {
    let rows: Vec<Published> = published()?
        .into_iter()
        .filter(|row| machine.is_none_or(|name| name == row.machine))
        .filter(|row| experiment.is_none_or(|name| name == row.experiment))
        .collect();
    let total = rows.len() as u64;
    let rows = rows.into_iter().enumerate().map(|(done, published)| {
        progress.report(done as u64, total);
        let value = simulate(&published)?;
        let tolerance = TOLERANCE.iter().find(|(role, _)| *role == published.role).map_or(0.10, |t| t.1);
        let mut row = ValidationRow {
            id: published.id,
            source: published.source,
            machine: published.machine,
            experiment: published.experiment,
            quantity: published.quantity,
            params: published.params,
            role: published.role,
            published: published.value,
            simulated: None,
            unit: published.unit,
            error: None,
            tolerance,
            note: published.note,
        };
        if let Some(value) = value {
            row.simulate(value);
        }
        Ok(row)
    });
    Ok(Validation { schema_version: SCHEMA_VERSION, rows: rows.collect::<Result<_, StudyError>>()? })
}

/// The simulator's value in the row's unit; `None` where nothing here yields it.
fn simulate(row: &Published) -> Result<Option<f64>, StudyError> {
    if row.quantity != "makespan" {
        return Ok(None);
    }
    let Some(request) = request(row)? else { return Ok(None) };
    let comparison = compare(&request, &())?;
    let Some(makespan) = comparison.runs.first().map(|run| run.makespan_ps) else { return Ok(None) };
    let unit: Span = format!("1 {}", row.unit)
        .parse()
        .map_err(|error| StudyError::Reference(format!("reference/published.csv: {}: {error}", row.id)))?;
    Ok(Some(makespan as f64 / (unit.as_secs() * PS_PER_S)))
}

/// What to run for a row; `None` where its machine or experiment has no file.
fn request(row: &Published) -> Result<Option<Request>, StudyError> {
    let wrong = |what: &dyn std::fmt::Display| {
        StudyError::Reference(format!("reference/published.csv: {}: {what}", row.id))
    };
    let shipped = |name: &str| formats::catalogue().iter().any(|item| item.name == name);
    if !shipped(&row.machine) || !shipped(&row.experiment) {
        return Ok(None);
    }
    let mut policy = Policy::Static { chunk: None };
    let mut threads = None;
    let mut overrides = Vec::new();
    for (key, value) in row.params() {
        match key {
            "schedule" => policy = value.parse().map_err(|error| wrong(&error))?,
            "threads" => threads = Some(value.parse().map_err(|error| wrong(&error))?),
            _ => overrides.push(format!("workload.{key}={value}")),
        }
    }
    let (_, overrides): (Vec<Override>, Vec<Override>) =
        formats::parse_overrides(&overrides).map_err(|error| wrong(&error))?;
    Ok(Some(Request {
        machine: formats::machine(&row.machine, &[]).map_err(|error| wrong(&error))?,
        workload: formats::workload(&row.experiment, &overrides).map_err(|error| wrong(&error))?,
        policies: vec![policy],
        threads,
        procs: None,
        binding: None,
        seed: SEED,
        jobs: Some(1),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_data_reads() {
        let rows = published().unwrap();
        assert!(rows.len() > 50);
        assert!(rows.iter().all(|row| row.value.is_finite() && TOLERANCE.iter().any(|t| t.0 == row.role)));
        let ids: std::collections::BTreeSet<_> = rows.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids.len(), rows.len(), "every row has an id of its own");
    }

    /// Rows that one parameter set is known not to meet, and why. A row that has come to fit leaves.
    const RESIDUALS: [(&str, &str); 1] =
        [("lb.phi.dynamic", "59 threads ask for 4 % of the measured bandwidth and are held up all the same")];

    #[test]
    fn the_machine_files_meet_the_measurements() {
        let validation = validate(None, None, &()).unwrap();
        let judged: Vec<_> = validation.rows.iter().filter(|row| row.simulated.is_some()).collect();
        assert!(judged.len() >= 7);
        for row in judged {
            let known = RESIDUALS.iter().any(|(id, _)| *id == row.id);
            assert_eq!(row.within(), Some(!known), "{}: {:?}", row.id, row.error);
        }
    }

    /// The order of the schedules on each machine is the measured one.
    #[test]
    fn the_order_of_schedules_is_the_measured_one() {
        let rows = validate(None, Some("loadbal"), &()).unwrap().rows;
        for a in &rows {
            for b in rows.iter().filter(|b| b.machine == a.machine && a.published < b.published) {
                assert!(a.simulated < b.simulated, "{} before {}", a.id, b.id);
            }
        }
    }

    #[test]
    fn a_row_says_what_to_run() {
        let rows = published().unwrap();
        let row = rows.iter().find(|row| row.id == "lb.phi.dynamic").unwrap();
        let request = request(row).unwrap().unwrap();
        assert_eq!(request.policies, [Policy::Dynamic { chunk: 1 }]);
        assert_eq!(request.threads, Some(59));
        assert_eq!(request.workload.overrides.len(), 1, "the footprint");
        // Nothing here yields the bandwidth of a link.
        let link = rows.iter().find(|row| row.experiment == "link").unwrap();
        assert_eq!(simulate(link).unwrap(), None);
    }
}
