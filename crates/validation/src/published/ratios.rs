//! Rows about the ratio of two runs: a parameter gives both, `threads=128/1`, or it is the speed-up over the
//! sequential program. A saving is one minus the ratio. Each side may be a name of the source.

use super::reference::Published;
use super::{cases, workloads};
use numalab_study::{Files, StudyError};

/// True if a row is a ratio, and its workload has no measure for it.
pub fn covers(row: &Published) -> Result<bool, StudyError> {
    let is_one = match row.quantity.as_str() {
        "ratio" | "time_saved" | "percent_decrease" | "faults_removed" => both(row).is_some(),
        // A version that is no program of ours keeps its name.
        "speedup" => row.param("version").is_none() && cases::sequential(&row.experiment)?.is_some(),
        _ => false,
    };
    Ok(is_one && !workloads::has(row, &row.quantity, &Files::default())?)
}

/// Quotient of what both runs yield; `None` where nothing here yields it. The experiment says what
/// of: `of=MEASURE`, the makespan if it does not.
pub fn simulate(row: &Published) -> Result<Option<f64>, StudyError> {
    let sides = match (row.quantity.as_str(), cases::sequential(&row.experiment)?) {
        ("speedup", Some(sequential)) => (sequential, row.params.clone()),
        _ => match both(row) {
            Some(sides) => sides,
            None => return Ok(None),
        },
    };
    let (usual, saved) = match row.quantity.as_str() {
        "faults_removed" => ("faults", true),
        "time_saved" | "percent_decrease" => ("makespan", true),
        _ => ("makespan", false),
    };
    let quantity = workloads::fixed(row, "of")?.unwrap_or_else(|| usual.to_owned());
    let (variants, percent) = (cases::variants()?, row.unit == "%");
    let unit = if percent { "1".to_owned() } else { row.unit.clone() };
    let value = |params: String| {
        let params = cases::translate(&variants, &row.experiment, &params);
        let (quantity, unit) = (quantity.clone(), unit.clone());
        workloads::simulate(&Published { quantity, unit, ..row.with(params) })
    };
    let [Some(first), Some(second)] = [value(sides.0)?, value(sides.1)?] else { return Ok(None) };
    let ratio = first / second;
    let value = if saved { 1.0 - ratio } else { ratio };
    Ok(Some(if percent { 100.0 * value } else { value }))
}

/// The parameters of both runs, where one of them has two values.
fn both(row: &Published) -> Option<(String, String)> {
    let (key, first, second) = row.params().find_map(|(key, value)| {
        let (first, second) = value.split_once('/')?;
        Some((key, first, second))
    })?;
    let with = |chosen: &str| {
        let pair = |(name, value)| format!("{name}={}", if name == key { chosen } else { value });
        row.params().map(pair).collect::<Vec<_>>().join(";")
    };
    Some((with(first), with(second)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::reference::published_as;

    #[test]
    fn a_parameter_with_two_values_is_two_runs() {
        let one = |id: &str| workloads::simulate(&published_as(id)).unwrap().unwrap();
        let row = published_as("epcc.intel.128over1");
        assert!(covers(&row).unwrap());
        let ratio = simulate(&row).unwrap().unwrap();
        assert!((ratio / (one("epcc.intel.128") / one("epcc.intel.1")) - 1.0).abs() < 1e-12, "{ratio}");
        // A workload may have a measure of its own for it.
        assert!(!covers(&published_as("matvec.balancing.gain")).unwrap());
    }

    /// A saving is one minus the ratio.
    #[test]
    fn what_is_saved_is_the_rest() {
        let row = |quantity: &str| Published {
            quantity: quantity.to_owned(),
            ..published_as("dsm.synth.speedup.presend")
                .with("threads=2;technique=presend/none;chops=100".to_owned())
        };
        assert!(covers(&row("time_saved")).unwrap());
        let [saved, ratio] =
            ["time_saved", "ratio"].map(|quantity| simulate(&row(quantity)).unwrap().unwrap());
        assert!((saved + ratio - 1.0).abs() < 1e-12 && (0.1..0.5).contains(&saved), "{saved} {ratio}");
    }

    /// In per cent, of runs by the names that the source has for them.
    #[test]
    fn a_decrease_in_per_cent_is_between_runs_by_name() {
        let one = |id: &str| {
            let row = published_as(id);
            let variants = cases::variants().unwrap();
            let params = cases::translate(&variants, &row.experiment, &row.params);
            workloads::simulate(&row.with(params)).unwrap().unwrap()
        };
        let row = published_as("ol.heat.decr.16");
        assert!(covers(&row).unwrap());
        let expected = 100.0 * (1.0 - one("ol.heat.16.ql") / one("ol.heat.16.intel"));
        assert!((simulate(&row).unwrap().unwrap() - expected).abs() < 1e-9, "{expected}");
    }

    #[test]
    fn a_speedup_is_over_the_sequential_program() {
        let row = published_as("dsm.synth.speedup.original").with("threads=8;schedule=static".to_owned());
        assert!(covers(&row).unwrap());
        let time = |params: &str| {
            let (quantity, unit) = ("makespan".to_owned(), "s".to_owned());
            workloads::simulate(&Published { quantity, unit, ..row.with(params.to_owned()) })
                .unwrap()
                .unwrap()
        };
        let expected = time("threads=1;schedule=static") / time("threads=8;schedule=static");
        assert!((simulate(&row).unwrap().unwrap() / expected - 1.0).abs() < 1e-12);
        // Another program, of which nothing is known here.
        assert!(!covers(&published_as("dsm.kandake.tmk.speedup.4")).unwrap());
    }
}
