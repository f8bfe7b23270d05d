//! Guard of texts in CSV: a spreadsheet calculates a cell that begins with `=`, `+`, `-` or `@`, unless an apostrophe
//! precedes it.

/// The text with an apostrophe in front, if a spreadsheet would calculate the text. Numbers are left alone.
pub fn guarded(text: &str) -> String {
    if is_formula(text.trim_start_matches('\'')) && text.parse::<f64>().is_err() {
        return format!("'{text}");
    }
    text.to_owned()
}

/// The text without the apostrophe of [`guarded`].
pub fn unguarded(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest,
        _ => text,
    }
}

/// True for a text that begins as a formula does, possibly after blanks.
fn is_formula(text: &str) -> bool {
    text.trim_start().starts_with(['=', '+', '-', '@'])
}

#[cfg(test)]
mod tests {
    use super::{guarded, unguarded};

    #[test]
    fn formulas_are_guarded_and_come_back() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("+cmd", "'+cmd"),
            ("-x", "'-x"),
            (" @SUM(A1)", "' @SUM(A1)"),
            ("'=1", "''=1"),
            ("-1.5e3", "-1.5e3"),
            ("+2", "+2"),
            ("a=1", "a=1"),
            ("'a'", "'a'"),
            ("", ""),
        ] {
            assert_eq!((&*guarded(text), unguarded(cell)), (cell, text));
        }
    }
}
