//! Writes a value as YAML that reads back to the same value.

use serde_json::Value as Json;
use std::fmt::Write;

/// Text of a document.
pub fn yaml_text(value: &Json) -> String {
    let mut text = String::new();
    block(value, 0, &mut text);
    text.trim_start_matches('\n').to_owned()
}

/// Writes the part after a key or a dash, up to the end of its lines.
fn block(value: &Json, indent: usize, text: &mut String) {
    let pad = " ".repeat(indent);
    match value {
        Json::Object(table) if !table.is_empty() => {
            text.push('\n');
            for (key, value) in table {
                let _ = write!(text, "{pad}{}:", scalar(key));
                block(value, indent + 2, text);
            }
        }
        Json::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            text.push('\n');
            for item in items {
                let mut inner = String::new();
                block(item, indent + 2, &mut inner);
                // The first line of an item stands beside its dash.
                let inner = inner.trim_start_matches(['\n', ' ']);
                let _ = write!(text, "{pad}- {inner}");
            }
        }
        _ => {
            let _ = writeln!(text, " {}", flow(value));
        }
    }
}

/// Value on one line.
fn flow(value: &Json) -> String {
    match value {
        Json::String(word) => scalar(word),
        Json::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Json::Object(table) => {
            let entries = table.iter().map(|(key, value)| format!("{}: {}", scalar(key), flow(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => value.to_string(),
    }
}

/// Text, in quotes if YAML could take it for another type.
fn scalar(text: &str) -> String {
    let plain = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(c, '_' | '.' | '/' | '(' | ')' | '+' | '<' | '>' | ' ' | '*' | '-')
    };
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_word = words.iter().any(|word| text.eq_ignore_ascii_case(word));
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic());
    match begins && text.chars().all(plain) && !is_word && !text.ends_with(' ') {
        true => text.to_owned(),
        // JSON's quotes are valid in YAML.
        false => Json::String(text.to_owned()).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_syntax::tree::{Node, Value};
    use numalab_syntax::yaml_tree;
    use proptest::prelude::*;
    use serde_json::json;

    fn back(node: &Node) -> Json {
        match &node.value {
            Value::Null | Value::Refused => Json::Null,
            Value::Bool(value) => json!(value),
            Value::Int(value) => json!(value),
            Value::Float(value) => json!(value),
            Value::Str(text) => json!(text),
            Value::List(items) => items.iter().map(back).collect(),
            Value::Table(entries) => {
                Json::Object(entries.iter().map(|entry| (entry.key.clone(), back(&entry.node))).collect())
            }
        }
    }

    #[test]
    fn reads_as_people_write_it() {
        let value = json!({"name": "w", "list": [1, 2], "phases": [{"name": "p", "loop": {"n": "2 * x"}}], "when": "no"});
        let expected =
            "list: [1, 2]\nname: w\nphases:\n  - loop:\n      \"n\": \"2 * x\"\n    name: p\nwhen: \"no\"\n";
        assert_eq!(yaml_text(&value), expected);
    }

    fn values() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Json::from),
            any::<i32>().prop_map(Json::from),
            "[ -~]{0,12}".prop_map(Json::from),
            "[a-z:#&*!|>'%@\n\t-]{0,8}".prop_map(Json::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
                prop::collection::btree_map("[a-z]{1,6}", inner, 0..4)
                    .prop_map(|table| Json::Object(table.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(table in prop::collection::btree_map("[a-z0-9 -]{1,6}", values(), 1..4)) {
            let value = Json::Object(table.into_iter().collect());
            let text = yaml_text(&value);
            let parsed = yaml_tree::parse(&text, 0);
            prop_assert!(parsed.errors.is_empty(), "{text}");
            prop_assert_eq!(back(&parsed.root), value, "{}", text);
        }
    }
}
