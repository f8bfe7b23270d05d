//! Writes the fitted machine and runtime as files. A comment above each fitted value states its uncertainty and its
//! rows.

use super::origins;
use super::{Finding, Fitted, IDENTIFIABLE, Origin, Verdict};
use numalab_base::parameter::Value;
use numalab_files::{machine_text, runtime_text};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Text of the machine file. `measured` names the sources of the measurements; `runtime` is the name of the runtime
/// file.
pub fn machine_file(fitted: &Fitted, measured: &str, runtime: &str) -> String {
    let mut machine = fitted.subject.machine.clone();
    machine.runtime = Some(runtime.to_owned());
    machine.origins = origins::written(&machine, &fitted.origins, &fitted.estimates);
    let findings: BTreeMap<&str, &Finding> =
        fitted.estimates.iter().map(|finding| (finding.path.as_str(), finding)).collect();
    let comment = |path: &str| match findings.get(path) {
        Some(finding) => Some(about(finding, fitted)),
        None => match fitted.origins.iter().find(|(known, _)| known == path) {
            Some((_, Origin::Assumed { table, .. })) => Some(format!("assumed: as of {table}")),
            Some((_, Origin::Stated(from))) if path == "core.clock" => Some(from.clone()),
            Some((_, Origin::Stated(_) | Origin::Measured)) | None => None,
        },
    };
    format!("{}{}", heading(fitted, measured), machine_text(&machine, &comment))
}

pub fn runtime_file(fitted: &Fitted, measured: &str) -> String {
    let comment = |path: &str| {
        let mut findings = fitted.estimates.iter();
        let found = findings.find(|one| one.estimate.target.is_of_runtime() && one.path == path)?;
        Some(about(found, fitted))
    };
    format!("{}{}", heading(fitted, measured), runtime_text(&fitted.subject.runtime, &comment))
}

fn heading(fitted: &Fitted, measured: &str) -> String {
    let used: std::collections::BTreeSet<usize> =
        fitted.estimates.iter().flat_map(|finding| finding.rows.iter().copied()).collect();
    let disturbed = used.iter().filter(|row| fitted.rows[**row].0.disturbed).count();
    let mut text = format!(
        "# Fitted by `numalab calibrate fit` to {} of {} rows of {measured}. Above each value: its standard error, and\n\
         # the rows that it rests on.\n",
        used.len(),
        fitted.rows.len(),
    );
    if disturbed > 0 {
        let _ = writeln!(
            text,
            "# In {disturbed} of them no sample was undisturbed: measure again on a quiet machine."
        );
    }
    text
}

/// Comment above a value: its standard error, and its rows.
fn about(finding: &Finding, fitted: &Fitted) -> String {
    let error = finding.estimate.error * 100.0;
    let within = finding.interval();
    let sure = match finding.verdict {
        Verdict::Known => format!("+-{error:.1} %"),
        Verdict::Wide => format!(
            "best estimate, within a factor of {within:.2} (an error above {:.0} % is not identifiable)",
            IDENTIFIABLE * 100.0
        ),
        Verdict::Unlimited => "no limit is seen".to_owned(),
        Verdict::AtLeast => "the most that was seen: no row reaches the limit".to_owned(),
        Verdict::Contradicted => "contradicted by the rows that it rests on".to_owned(),
        Verdict::Untold => "assumed: these rows do not tell".to_owned(),
    };
    let mut by_experiment: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for row in &finding.rows {
        by_experiment.entry(&fitted.rows[*row].0.row.experiment).or_default().push(*row);
    }
    let rows: Vec<String> = by_experiment
        .iter()
        .map(|(experiment, rows)| {
            let first = rows.first().map_or("", |row| fitted.rows[*row].0.row.source.as_str());
            match rows.len() {
                1 => format!("{experiment} ({first})"),
                count => format!("{count} of {experiment} (from {first})"),
            }
        })
        .collect();
    format!("{sure}; {}", rows.join(", "))
}

impl Finding {
    /// Uncertainty of the value in a few words.
    pub fn sure(&self) -> String {
        match self.verdict {
            Verdict::Known => format!("±{:.1}%", self.estimate.error * 100.0),
            Verdict::Wide => format!("within ×{:.2}", self.interval()),
            Verdict::Unlimited => "no limit seen".to_owned(),
            Verdict::AtLeast => "at least".to_owned(),
            Verdict::Contradicted => "contradicted".to_owned(),
            Verdict::Untold => "not told".to_owned(),
        }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.value {
            Value::Number(number) => write!(f, "{} = {number:.3}", self.path),
            Value::Curve(points) => {
                write!(f, "{} = up to ×{:.2}", self.path, points.last().map_or(1.0, |last| last.1))
            }
            value => write!(f, "{} = {value}", self.path),
        }
    }
}
