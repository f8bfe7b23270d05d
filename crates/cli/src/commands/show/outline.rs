//! Outline of a workload or a sweep, in a few lines.

use crate::failure::Failure;
use numalab_files::Entry;
use serde_json::Value as Json;
use std::fmt::Write;

/// Width of the first column in characters.
const COLUMN: usize = 18;

/// Name and description, then one line per entry of each part of the file.
pub fn outline(entry: &Entry) -> Result<String, Failure> {
    let json = entry.json()?;
    let word = |key: &str| json.get(key).map(short).unwrap_or_default();
    let mut text = format!(
        "{}: {}\n  {} from {}\n",
        word("name"),
        word("description"),
        entry.kind.name(),
        one_line(&entry.place)
    );
    for (part, value) in json.as_object().into_iter().flatten() {
        if matches!(part.as_str(), "name" | "description") || is_nothing(value) {
            continue;
        }
        let _ = writeln!(text, "\n{}", one_line(part));
        match value {
            Json::Object(table) => {
                for (key, value) in table.iter().filter(|(_, value)| !is_nothing(value)) {
                    line(&mut text, key, &short(value));
                }
            }
            Json::Array(items) if items.iter().all(|item| item.get("name").is_some()) => {
                for item in items {
                    let rest = item
                        .as_object()
                        .into_iter()
                        .flatten()
                        .filter(|(key, value)| *key != "name" && !is_nothing(value));
                    let rest: Vec<String> = rest.map(|(key, value)| property(key, value)).collect();
                    line(&mut text, &item.get("name").map(short).unwrap_or_default(), &rest.join(", "));
                }
            }
            other => line(&mut text, &short(other), ""),
        }
    }
    let _ = writeln!(text, "\n--format yaml shows the file");
    Ok(text)
}

fn line(text: &mut String, name: &str, rest: &str) {
    let _ = writeln!(text, "{}", format!("  {:<COLUMN$} {rest}", one_line(name)).trim_end());
}

/// Text of one property; for a table only the name.
fn property(key: &str, value: &Json) -> String {
    match value {
        Json::Bool(true) => key.to_owned(),
        Json::Object(_) => key.to_owned(),
        Json::Array(items) if items.iter().any(Json::is_object) => format!("{} {key}", items.len()),
        other => format!("{key} {}", short(other)),
    }
}

fn is_nothing(value: &Json) -> bool {
    match value {
        Json::Null | Json::Bool(false) => true,
        Json::Array(items) => items.is_empty(),
        Json::Object(table) => table.is_empty(),
        Json::Bool(true) | Json::Number(_) | Json::String(_) => false,
    }
}

/// Text of a value in one line.
fn short(value: &Json) -> String {
    match value {
        Json::String(text) => one_line(text),
        Json::Array(items) => items.iter().map(short).collect::<Vec<_>>().join(", "),
        Json::Object(table) => match (table.get("choices"), table.get("default")) {
            (Some(choices), Some(default)) => format!("{} (one of {})", short(default), short(choices)),
            _ => {
                let entries = table.iter().filter(|(_, value)| !is_nothing(value));
                entries
                    .map(|(key, value)| format!("{} {}", one_line(key), short(value)))
                    .collect::<Vec<_>>()
                    .join(", ")
            }
        },
        Json::Null | Json::Bool(_) | Json::Number(_) => value.to_string(),
    }
}

/// Text in one line that cannot control the terminal; files can come from other users.
fn one_line(text: &str) -> String {
    numalab_report::printable(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}
