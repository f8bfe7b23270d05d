//! Gate: a condition holds for every row. Replicas are not summarised by medians, which would hide single runs.

use super::measure::Measure;
use super::{Findings, Known};
use crate::file::Condition;
use crate::group::{Key, Labels};
use numalab_files::Facts;
use numalab_results::{Broken, Column, Frame, Violation};
use numalab_syntax::nearest::hint;

pub fn check(condition: &Condition, frame: &Frame, rows: &[usize], known: &Known<'_>) -> Findings {
    let names = condition.names();
    let mut columns = Vec::new();
    for name in names {
        match source(frame, name) {
            Ok(source) => columns.push(source),
            Err(problem) => return Findings::problem(problem),
        }
    }
    let value = |row: usize, name: &String, source: &Source| match source {
        Source::Fact => (known.facts)(row, name),
        Source::Column(measure) => measure.at(frame, row),
    };
    let labels = Labels::of(frame, &["policy", "replica"]);
    let policy = Key::named(frame, &["policy"]);
    let mut findings = Findings::default();
    for &row in rows {
        let values = names.iter().zip(&columns).map(|(name, source)| value(row, name, source));
        let Some(values) = values.collect::<Option<Vec<f64>>>() else { continue };
        findings.checked += 1;
        if !condition.holds(&values) {
            let values = names.iter().cloned().zip(values).collect();
            findings.violations.push(Violation {
                point: labels.of_row(frame, row),
                policy: policy.of(frame, row).concat(),
                broken: Broken::Condition { values },
            });
        }
    }
    if findings.checked == 0 {
        findings.problem = Some(format!("no point has a value of each of {}", names.join(", ")));
    }
    findings
}

/// Origin of a value that a condition names.
pub(super) enum Source {
    Fact,
    Column(Measure),
}

/// Finds a fact or a column by name. The full name of a column yields values in the column's unit; the short name of
/// a time yields seconds.
pub(super) fn source(frame: &Frame, name: &str) -> Result<Source, String> {
    if Facts::NAMES.contains(&name) {
        return Ok(Source::Fact);
    }
    match Measure::find(frame, name) {
        Ok(measure) if name.ends_with("_ps") => Ok(Source::Column(measure.unscaled())),
        Ok(measure) => Ok(Source::Column(measure)),
        Err(problem) if frame.find(name).is_some() => Err(problem),
        Err(_) => {
            let columns = frame.columns.iter().map(|column| Column::short(&column.name));
            Err(format!("there is no column or fact `{name}`: {}", hint(name, columns.chain(Facts::NAMES))))
        }
    }
}
