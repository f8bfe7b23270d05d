//! Numbers as tools print them.

use crate::topology::MAX_NUMBER;
use numalab_syntax::cells::Cell;
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::shorten;

/// Cells that mean "not measured".
const MISSING: [&str; 8] = ["", "-", "--", "x", "n/a", "na", "nan", "-nan"];

/// Parses a finite number of at least 0. `what` names the expected number in errors.
pub fn number(cell: Cell<'_>, what: &str) -> Result<f64, Diagnostic> {
    let wrong = |message: String, expected: String| Err(Diagnostic::new(cell.span, message, expected));
    let shown = shorten(cell.text);
    match cell.text.parse::<f64>() {
        Ok(value) if numalab_base::is_sensible(value) && value >= 0.0 => Ok(value),
        Ok(value) if value.is_finite() && value > 0.0 => {
            wrong(format!("`{shown}` is out of range"), format!("expected {what}"))
        }
        _ if cell.text.is_empty() => wrong("a number is missing".to_owned(), format!("expected {what}")),
        _ if with_point(cell.text).is_some() => wrong(
            format!("`{shown}` has a comma"),
            format!("expected {what} with a point before the decimals, as tools print it under LC_ALL=C"),
        ),
        _ => wrong(format!("`{shown}` is no number here"), format!("expected {what}")),
    }
}

/// Parses a measured value; `None` for zero and for cells that mean "not measured".
pub fn measured(cell: Cell<'_>, what: &str) -> Result<Option<f64>, Diagnostic> {
    if MISSING.iter().any(|missing| cell.text.eq_ignore_ascii_case(missing)) {
        return Ok(None);
    }
    number(cell, what).map(|value| Some(value).filter(|value| *value > 0.0))
}

/// As `measured`, for cells in which a comma can only be a decimal point.
pub fn measured_local(cell: Cell<'_>, what: &str) -> Result<Option<f64>, Diagnostic> {
    match with_point(cell.text).and_then(|text| text.parse::<f64>().ok()) {
        Some(value) if numalab_base::is_sensible(value) && value >= 0.0 => {
            Ok(Some(value).filter(|value| *value > 0.0))
        }
        _ => measured(cell, what),
    }
}

/// Replaces the only comma by a point; `None` if the text is no number with one comma.
pub fn with_point(text: &str) -> Option<String> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (whole, decimals) = text.split_once(',')?;
    (digits(whole) && digits(decimals)).then(|| format!("{whole}.{decimals}"))
}

/// Parses the number of a node or processor. `what` names the expected number in errors.
pub fn index(cell: Cell<'_>, what: &str) -> Result<u32, Diagnostic> {
    match cell.text.parse::<u32>() {
        Ok(number) if number < MAX_NUMBER => Ok(number),
        Ok(_) => Err(Diagnostic::new(
            cell.span,
            format!("`{}` is too large", cell.text),
            format!("expected {what} below {MAX_NUMBER}"),
        )),
        Err(_) => {
            let message = format!("`{}` is no whole number", shorten(cell.text));
            Err(Diagnostic::new(cell.span, message, format!("expected {what}")))
        }
    }
}

/// True if the text consists of digits.
pub fn whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Number of digits after the point.
pub fn decimals(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}
