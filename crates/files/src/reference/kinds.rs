//! Describes possible values in words.

use super::{Reference, choices, referred};
use serde_json::Value as Json;

/// Kind of a value: a format, a JSON type in plain words, or a link.
pub(super) fn kind_of(reference: &Reference<'_>, schema: &Json) -> String {
    if let Some(name) = referred(schema) {
        return reference.link(name);
    }
    let alternatives: Vec<_> = choices(schema)
        .filter(|choice| choice["type"] != "null")
        .map(|choice| kind_of(reference, choice))
        .collect();
    if !alternatives.is_empty() {
        return alternatives.join(" or ");
    }
    if let Some(items) = schema.get("items") {
        return pair(schema).unwrap_or_else(|| format!("list of {}", kind_of(reference, items)));
    }
    if let Some(others) = schema.get("additionalProperties").filter(|others| others.is_object()) {
        return format!("table of {}, by name", kind_of(reference, others));
    }
    match schema["format"].as_str() {
        Some(format) if !is_width(format) => return format.to_owned(),
        _ => {}
    }
    let types = match &schema["type"] {
        Json::Array(types) => types.iter().filter_map(Json::as_str).collect(),
        single => Vec::from_iter(single.as_str()),
    };
    let words = types.iter().filter(|name| **name != "null").map(|name| match *name {
        "integer" => "whole number",
        "string" => "text",
        "boolean" => "`true` or `false`",
        other => other,
    });
    words.collect::<Vec<_>>().join(" or ")
}

/// Description of a list of pairs, such as the points of a curve; `None` for other lists.
fn pair(schema: &Json) -> Option<String> {
    let items = &schema["items"];
    let is_pair = items["minItems"] == 2 && items["maxItems"] == 2;
    is_pair.then(|| "list of pairs of numbers".to_owned())
}

/// True for formats that only give the width of a number in bits.
fn is_width(format: &str) -> bool {
    format == "double" || format.starts_with("uint") || format.starts_with("int")
}

/// Bounds of a number or a list.
pub(super) fn limits(schema: &Json) -> String {
    let said = [("exclusiveMinimum", "above"), ("minimum", "at least"), ("maximum", "at most")];
    if schema["minItems"] == 1 {
        return "Not empty.".to_owned();
    }
    let parts: Vec<_> = said
        .iter()
        .filter_map(|(key, word)| {
            let bound = schema.get(*key)?;
            Some(format!("{word} {bound}"))
        })
        .collect();
    if parts.is_empty() {
        return String::new();
    }
    let text = parts.join(", ");
    format!("{}{}.", text[..1].to_uppercase(), &text[1..])
}
