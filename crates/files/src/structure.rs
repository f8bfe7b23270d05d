//! Checks a tree against the JSON Schema of its file type: unknown and missing keys, wrong types, unknown words,
//! numbers out of range, malformed quantities. All errors are reported. Wrong values are replaced by the schema's
//! example, so that the rest can still be read and checked.

use crate::quantity;
use crate::schema::Part;
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::nearest::{hint, nearest, one_of};
use numalab_syntax::report::Report;
use numalab_syntax::tree::{Entry, Node, Value, shorten, show};
use serde_json::{Map, Value as Json};

/// Tree that was checked without errors, and its JSON.
#[derive(Clone, Copy)]
pub struct Checked<'c> {
    pub node: &'c Node,
    pub json: &'c Json,
}

impl<'c> Checked<'c> {
    /// Value of a key, with the JSON of the value; `None` if tree or JSON lacks the key.
    fn under(self, key: &str) -> Option<Checked<'c>> {
        Some(Checked { node: self.node.get(key)?, json: self.json.get(key)? })
    }
}

/// Checks `report.root` against `schema` and returns JSON that can be deserialised. `before` is a tree that passed
/// the same schema; the JSON of equal parts is copied from it.
pub fn check(schema: &'static Part, report: &mut Report<'_>, before: Option<Checked<'_>>) -> Json {
    let root = report.root;
    Checker { report }.changed(root, schema, "", before)
}

fn admits(schema: &Part, node: &Node) -> bool {
    schema.types.iter().any(|kind| match (*kind, &node.value) {
        ("object", Value::Table(_))
        | ("array", Value::List(_))
        | ("string", Value::Str(_))
        | ("boolean", Value::Bool(_))
        | ("integer", Value::Int(_))
        | ("number", Value::Int(_) | Value::Float(_)) => true,
        ("integer", Value::Float(number)) => number.fract() == 0.0 && number.abs() < 9e18,
        _ => false,
    })
}

/// Expected value of a schema, in words.
fn expected(schema: &Part) -> String {
    if !schema.alternatives.is_empty() {
        return schema.alternatives.iter().map(|part| expected(part)).collect::<Vec<_>>().join(" or ");
    }
    if let Some(words) = schema.words {
        return one_of(words.to_vec());
    }
    let example = schema.example();
    let example = example.as_ref().and_then(Json::as_str);
    if let (Some(format), Some(example)) = (schema.format, example) {
        let article = if format.starts_with('e') { "an" } else { "a" };
        return format!("{article} {format} such as \"{example}\"");
    }
    let word = |kind: &&'static str| match *kind {
        "object" => "a table",
        "array" => "a list",
        "string" => "a text",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        other => other,
    };
    let all = schema.types.iter().map(word).collect::<Vec<_>>().join(" or ");
    match example {
        Some(example) => format!("{all} such as \"{example}\""),
        None => all,
    }
}

/// Valid value in place of one that is missing or wrong: the schema's example, or else its first word, or a simple
/// value of its type.
fn stand_in(schema: &Part) -> Json {
    if let Some(example) = schema.example() {
        return example;
    }
    if let Some(word) = schema.words.and_then(|words| words.first().copied()) {
        return word.into();
    }
    match schema.types.first().copied() {
        Some("object") => {
            let inner = |key: &str| stand_in(schema.property(key).unwrap_or(&Part::NONE));
            schema.required.iter().map(|key| ((*key).to_owned(), inner(key))).collect()
        }
        Some("array") => Json::Array(Vec::new()),
        Some("integer" | "number") => 1.into(),
        Some("boolean") => false.into(),
        Some("string") => "".into(),
        _ => Json::Null,
    }
}

/// Maximum number of keys of one table that are compared with a missing key.
const MOST_COMPARED: usize = 100;

struct Checker<'r, 'n> {
    report: &'r mut Report<'n>,
}

impl Checker<'_, '_> {
    /// JSON of a value, copied from `before` where equal.
    fn changed(
        &mut self,
        node: &Node,
        schema: &'static Part,
        path: &str,
        before: Option<Checked<'_>>,
    ) -> Json {
        match before {
            Some(Checked { node: known, json }) if known == node => json.clone(),
            // A table is compared key by key.
            Some(before) => match &node.value {
                Value::Table(entries) if schema.alternatives.is_empty() && admits(schema, node) => {
                    self.table(node, entries, schema, path, Some(before))
                }
                _ => self.value(node, schema, path),
            },
            None => self.value(node, schema, path),
        }
    }

    fn value(&mut self, node: &Node, whole: &'static Part, path: &str) -> Json {
        if node.value == Value::Refused {
            self.report.repair(path);
            return stand_in(whole);
        }
        let schema = whole.alternatives.iter().find(|part| admits(part, node)).copied().unwrap_or(whole);
        if !admits(schema, node) {
            let wanted = expected(schema);
            let shown = if path.is_empty() { "the file" } else { path };
            return self.wrong(
                schema,
                path,
                format!("{shown} is {}", node.what()),
                format!("expected {wanted}"),
            );
        }
        match &node.value {
            Value::Table(entries) => self.table(node, entries, schema, path, None),
            Value::List(items) => self.list(items, schema, path),
            Value::Str(text) => self.text(text, schema, whole, path),
            Value::Int(number) => self.number(*number as f64, (*number).into(), schema, path),
            Value::Float(number) if schema.types.contains(&"number") => {
                self.number(*number, (*number).into(), schema, path)
            }
            Value::Float(number) => self.number(*number, (*number as i64).into(), schema, path),
            Value::Bool(value) => (*value).into(),
            Value::Null | Value::Refused => Json::Null,
        }
    }

    fn wrong(&mut self, schema: &Part, path: &str, message: String, label: String) -> Json {
        self.report.at(path, message, label);
        self.report.repair(path);
        stand_in(schema)
    }

    fn table(
        &mut self,
        node: &Node,
        entries: &[Entry],
        schema: &'static Part,
        path: &str,
        before: Option<Checked<'_>>,
    ) -> Json {
        let within = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
        let mut table = Map::new();
        for entry in entries {
            let inner = join(path, &entry.key);
            match schema.property(&entry.key).or(schema.others) {
                // An empty optional value counts as absent.
                Some(_)
                    if entry.node.value == Value::Null && !schema.required.contains(&entry.key.as_str()) => {}
                Some(schema) => {
                    let known = before.and_then(|before| before.under(&entry.key));
                    let value = self.changed(&entry.node, schema, &inner, known);
                    table.insert(entry.key.clone(), value);
                }
                None => {
                    let message = format!("unknown key `{}`{within}", shorten(&entry.key));
                    let absent = schema.keys().filter(|key| node.get(key).is_none());
                    self.report.items.push(Diagnostic::new(
                        entry.key_span,
                        message,
                        hint(&entry.key, absent),
                    ));
                }
            }
        }
        for &key in schema.required {
            if node.get(key).is_none() {
                let inner = schema.property(key).unwrap_or(&Part::NONE);
                let wanted = expected(inner);
                // A misspelt key has been reported already, and is taken for the missing one.
                let misspelt = entries.iter().take(MOST_COMPARED).any(|entry| {
                    schema.property(&entry.key).is_none() && nearest(&entry.key, [key]).is_some()
                });
                if !misspelt {
                    self.report.at(
                        path,
                        format!("missing key `{key}`{within}"),
                        format!("`{key}` is {wanted}"),
                    );
                }
                self.report.repair(&join(path, key));
                table.insert(key.to_owned(), stand_in(inner));
            }
        }
        Json::Object(table)
    }

    fn list(&mut self, items: &[Node], schema: &'static Part, path: &str) -> Json {
        let bound = |bound: Option<u64>, otherwise: u64| bound.unwrap_or(otherwise) as usize;
        let (least, most) = (bound(schema.least_items, 0), bound(schema.most_items, u64::MAX));
        if !(least..=most).contains(&items.len()) {
            let wanted = match (least, most) {
                (least, most) if least == most => format!("expected {least}"),
                (_, most) if items.len() > most => format!("expected at most {most}"),
                (least, _) => format!("expected at least {least}"),
            };
            return self.wrong(schema, path, format!("{path} has {} items", items.len()), wanted);
        }
        let inner = schema.items.unwrap_or(&Part::NONE);
        let each = |(index, item)| self.value(item, inner, &format!("{path}[{index}]"));
        Json::Array(items.iter().enumerate().map(each).collect())
    }

    /// Checks a text value and returns it as JSON. `schema`: the alternative of `whole` that accepts texts. `whole`:
    /// the value's whole schema, for hints at other alternatives.
    fn text(&mut self, text: &str, schema: &Part, whole: &'static Part, path: &str) -> Json {
        if let Some(words) = schema.words
            && !words.contains(&text)
        {
            let mut label = hint(text, words.iter().copied());
            let keys = keys_of_table(whole);
            if !keys.is_empty() {
                label += &format!(", or a table with {}", keys.join(", "));
            }
            return self.wrong(schema, path, format!("{path} cannot be \"{}\"", shorten(text)), label);
        }
        if let Some(format) = schema.format
            && let Err(error) = quantity::check(format, text)
        {
            self.report.within(path, text, error);
            self.report.repair(path);
            return stand_in(schema);
        }
        text.into()
    }

    fn number(&mut self, number: f64, json: Json, schema: &Part, path: &str) -> Json {
        let largest = match schema.format {
            Some("uint32") => f64::from(u32::MAX),
            _ => f64::INFINITY,
        };
        let most = schema.most.unwrap_or(largest);
        let wanted = match (schema.least, schema.above) {
            (Some(least), _) if number < least => format!("expected at least {least}"),
            (_, Some(above)) if number <= above => format!("expected more than {above}"),
            _ if number > most => format!("expected at most {most}"),
            _ => return json,
        };
        self.wrong(schema, path, format!("{path} is {}", show(number)), wanted)
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Keys of the first alternative that is a table.
fn keys_of_table(schema: &Part) -> Vec<&'static str> {
    let table = schema.alternatives.iter().find(|part| part.properties.is_some());
    table.into_iter().flat_map(|part| part.keys()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_syntax::yaml_tree;

    #[test]
    fn lists_of_a_wrong_length() {
        let said = |schema: &'static Part, text: &str| {
            let parsed = yaml_tree::parse(text, 0);
            let mut report = Report::new(&parsed.root);
            check(schema, &mut report, None);
            report.items.into_iter().map(|item| item.label).collect::<Vec<_>>()
        };
        static NUMBER: Part = Part { types: &["integer"], ..Part::NONE };
        static LIST: Part = Part {
            types: &["array"],
            items: Some(&NUMBER),
            least_items: Some(2),
            most_items: Some(3),
            ..Part::NONE
        };
        assert_eq!(said(&LIST, "[1, 2, 3]"), [""; 0]);
        assert_eq!(said(&LIST, "[1]"), ["expected at least 2"]);
        assert_eq!(said(&LIST, "[1, 2, 3, 4]"), ["expected at most 3"]);
    }
}
