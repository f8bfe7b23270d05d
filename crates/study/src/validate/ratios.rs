//! Rows about how many times as much one run yields as another: a parameter says both, `threads=128/1`.

use super::workloads;
use crate::published::Published;
use crate::{Files, StudyError};

/// Whether a row is about that, and its workload has no measure for it.
pub fn covers(row: &Published) -> Result<bool, StudyError> {
    Ok(row.quantity == "ratio"
        && both(row).is_some()
        && !workloads::has(row, &row.quantity, &Files::default())?)
}

/// Quotient of what both runs yield; `None` where nothing here yields it. The experiment says what
/// of: `of=MEASURE`, the makespan if it does not.
pub fn simulate(row: &Published) -> Result<Option<f64>, StudyError> {
    let Some(sides) = both(row) else { return Ok(None) };
    let quantity = workloads::fixed(row, "of")?.unwrap_or_else(|| "makespan".to_owned());
    let value =
        |params: String| workloads::simulate(&Published { quantity: quantity.clone(), ..row.with(params) });
    let [Some(first), Some(second)] = [value(sides.0)?, value(sides.1)?] else { return Ok(None) };
    Ok(Some(first / second))
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
    use crate::published::published;

    #[test]
    fn a_parameter_with_two_values_is_two_runs() {
        let of = |id: &str| published().unwrap().into_iter().find(|row| row.id == id).unwrap();
        let one = |id: &str| workloads::simulate(&of(id)).unwrap().unwrap();
        let row = of("epcc.intel.128over1");
        assert!(covers(&row).unwrap());
        let ratio = simulate(&row).unwrap().unwrap();
        assert!((ratio / (one("epcc.intel.128") / one("epcc.intel.1")) - 1.0).abs() < 1e-12, "{ratio}");
        // A workload may have a measure of its own for it.
        assert!(!covers(&of("matvec.balancing.gain")).unwrap());
    }
}
