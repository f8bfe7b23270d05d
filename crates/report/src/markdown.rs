//! Pieces of Markdown.

/// A row of a table.
pub(crate) fn line(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().collect();
    format!("| {} |\n", cells.join(" | "))
}

/// What a record says cannot become markup.
pub(crate) fn cell(text: &str) -> String {
    let escape = |c: char| match c {
        '|' | '*' | '_' | '`' | '<' | '\\' => format!("\\{c}"),
        c if c.is_control() => "?".to_owned(),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}
