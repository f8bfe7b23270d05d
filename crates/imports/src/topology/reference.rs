//! Reader of tables in `reference/`: CSV without escaped quotes, the first line of which names the columns.

/// Rows of a table with `N` columns, as `parse` reads them; `None` for a row with another number of columns.
pub(super) fn rows<T, const N: usize>(
    table: &'static str,
    parse: impl Fn([&'static str; N]) -> Option<T>,
) -> impl Iterator<Item = Option<T>> {
    table.lines().skip(1).map(move |line| parse(fields(line).try_into().ok()?))
}

/// Entries of a field that bars separate.
pub(super) fn list(field: &'static str) -> std::str::Split<'static, char> {
    field.split('|')
}

fn fields(line: &str) -> Vec<&str> {
    let mut quoted = false;
    let ends = |c: char| {
        quoted ^= c == '"';
        c == ',' && !quoted
    };
    line.split(ends).map(|field| field.trim_matches('"')).collect()
}
