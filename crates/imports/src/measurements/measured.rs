//! `measurement` records.

use super::record::Record;
use super::{EndsApart, Row, Sample};
use crate::topology::MAX_NUMBER;
use numalab_syntax::diagnostics::Diagnostic;

/// Keys of a `measurement` record.
pub(super) const KEYS: [&str; 13] = [
    "record",
    "experiment",
    "quantity",
    "params",
    "unit",
    "checked",
    "values",
    "others",
    "steal",
    "waited",
    "pace",
    "ends",
    "apart",
];

/// Makes a row of one record. `file` is the file's name in the row's source.
pub(super) fn row(record: &Record<'_>, file: &str) -> Result<Row, Diagnostic> {
    let values = record.numbers("values")?;
    if values.is_empty() {
        return Err(record.wrong("values", "there are no values", "expected at least one sample"));
    }
    let beside = |key: &str| -> Result<Vec<f64>, Diagnostic> {
        let numbers = record.numbers(key)?;
        if numbers.len() != values.len() {
            let message = format!("`values` has {} numbers and `{key}` has {}", values.len(), numbers.len());
            return Err(record.wrong(key, message, "expected one for each value"));
        }
        if let Some(at) = numbers.iter().position(|number| number.is_some_and(|number| number < 0.0)) {
            let message = format!("`{key}[{at}]` is negative");
            return Err(record.wrong(key, message, "expected a number from 0, or null where it is unknown"));
        }
        Ok(numbers.into_iter().map(|number| number.unwrap_or(0.0)).collect())
    };
    let (others, steal, waited, pace) =
        (beside("others")?, beside("steal")?, beside("waited")?, beside("pace")?);
    // Only newer kernels measure the hand-over time between a team's first and last thread.
    let apart = match record.get("ends").or(record.get("apart")) {
        Some(_) => Some((ends(record)?, beside("apart")?)),
        None => None,
    };
    let apart = |at: usize| {
        let (ends, all) = apart.as_ref()?;
        (all[at] > 0.0).then(|| EndsApart { ends: *ends, hand_over: all[at] })
    };
    let sample = |(at, value): (usize, &Option<f64>)| match *value {
        Some(value) if numalab_base::is_sensible(value) => Ok(Sample {
            value,
            others: others[at],
            steal: steal[at],
            waited: waited[at],
            pace: pace[at],
            apart: apart(at),
            run: 0,
        }),
        _ => {
            let found = value.map_or("null".to_owned(), numalab_syntax::tree::show);
            let message = format!("`values[{at}]` is {found}");
            Err(record.wrong("values", message, "expected measured numbers"))
        }
    };
    Ok(Row {
        experiment: record.name("experiment")?,
        quantity: record.name("quantity")?,
        params: record.pairs("params")?,
        unit: record.name("unit")?,
        samples: values.iter().enumerate().map(sample).collect::<Result<_, _>>()?,
        source: format!("{file}:{}", record.line),
    })
}

/// Processors of the first and the last thread.
fn ends(record: &Record<'_>) -> Result<(u32, u32), Diagnostic> {
    let is_number = |number: &f64| number.fract() == 0.0 && (0.0..f64::from(MAX_NUMBER)).contains(number);
    match record.numbers("ends")?[..] {
        [Some(first), Some(last)] if is_number(&first) && is_number(&last) => Ok((first as u32, last as u32)),
        _ => {
            let label = format!("expected the numbers of two processors, below {MAX_NUMBER}");
            Err(record.wrong("ends", "these are no two processors", label))
        }
    }
}
