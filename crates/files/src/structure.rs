//! Checks a tree against the JSON Schema of its file type: unknown and missing keys, wrong types, unknown words,
//! numbers out of range, malformed quantities. All errors are reported. Wrong values are replaced by the schema's
//! example, so that the rest can still be read and checked.

use crate::quantity;
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
pub fn check(schema: &Json, report: &mut Report<'_>, before: Option<Checked<'_>>) -> Json {
    let root = report.root;
    Checker { defs: &schema["$defs"], report }.changed(root, schema, "", before)
}

/// Follows references and optional values to a schema with content.
pub fn resolve<'s>(defs: &'s Json, mut schema: &'s Json) -> &'s Json {
    // The derived schemas are at most a few references deep.
    for _ in 0..8 {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
            schema = &defs[name];
        } else if let Some(branches) = schema["anyOf"].as_array()
            && let [only] = branches.iter().filter(|b| b["type"] != "null").collect::<Vec<_>>()[..]
        {
            schema = only;
        } else {
            break;
        }
    }
    schema
}

/// Words of an enumeration.
pub fn words(schema: &Json) -> Option<Vec<&str>> {
    let listed = schema["enum"].as_array().map(|words| words.iter().filter_map(Json::as_str).collect());
    listed.or_else(|| {
        let consts = |branch: &'_ Json| branch["const"].is_string() || branch["enum"].is_array();
        let branches = schema["oneOf"].as_array().filter(|branches| branches.iter().all(consts))?;
        let both = |branch| words(branch).or_else(|| Some(vec![Json::as_str(&branch["const"])?]));
        Some(branches.iter().filter_map(both).flatten().collect())
    })
}

/// Types that a schema accepts, without `null`.
fn types(schema: &Json) -> Vec<&str> {
    if words(schema).is_some() {
        return vec!["string"];
    }
    match &schema["type"] {
        Json::String(one) => vec![one],
        Json::Array(several) => several.iter().filter_map(Json::as_str).filter(|t| *t != "null").collect(),
        _ => Vec::new(),
    }
}

fn admits(schema: &Json, node: &Node) -> bool {
    types(schema).iter().any(|kind| match (*kind, &node.value) {
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
fn expected(defs: &Json, schema: &Json) -> String {
    if let Some(branches) = schema["anyOf"].as_array() {
        let all: Vec<String> = branches.iter().map(|b| expected(defs, resolve(defs, b))).collect();
        return all.join(" or ");
    }
    if let Some(words) = words(schema) {
        return one_of(words);
    }
    let example = schema["examples"][0].as_str();
    if let (Some(format), Some(example)) = (schema["format"].as_str(), example) {
        let article = if format.starts_with('e') { "an" } else { "a" };
        return format!("{article} {format} such as \"{example}\"");
    }
    let all: Vec<&str> = types(schema)
        .into_iter()
        .map(|kind| match kind {
            "object" => "a table",
            "array" => "a list",
            "string" => "a text",
            "integer" => "a whole number",
            "number" => "a number",
            "boolean" => "true or false",
            other => other,
        })
        .collect();
    match example {
        Some(example) => format!("{} such as \"{example}\"", all.join(" or ")),
        None => all.join(" or "),
    }
}

/// Valid value in place of one that is missing or wrong: the schema's example, or else its first word, or a simple
/// value of its type.
fn stand_in(defs: &Json, schema: &Json) -> Json {
    let schema = resolve(defs, schema);
    if let Some(example) = schema.get("examples").and_then(|examples| examples.get(0)) {
        return example.clone();
    }
    if let Some(word) = words(schema).and_then(|words| words.first().copied()) {
        return word.into();
    }
    match types(schema).first().copied() {
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
            required.map(|key| (key.to_owned(), stand_in(defs, &schema["properties"][key]))).collect()
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

struct Checker<'s, 'r, 'n> {
    defs: &'s Json,
    report: &'r mut Report<'n>,
}

impl<'s> Checker<'s, '_, '_> {
    /// JSON of a value, copied from `before` where equal.
    fn changed(&mut self, node: &Node, schema: &'s Json, path: &str, before: Option<Checked<'_>>) -> Json {
        match before {
            Some(Checked { node: known, json }) if known == node => json.clone(),
            // A table is compared key by key.
            Some(before) => {
                let schema = resolve(self.defs, schema);
                match &node.value {
                    Value::Table(entries) if schema["anyOf"].is_null() && admits(schema, node) => {
                        self.table(node, entries, schema, path, Some(before))
                    }
                    _ => self.value(node, schema, path),
                }
            }
            None => self.value(node, schema, path),
        }
    }

    fn value(&mut self, node: &Node, schema: &'s Json, path: &str) -> Json {
        let mut schema = resolve(self.defs, schema);
        let whole = schema;
        if node.value == Value::Refused {
            self.report.repair(path);
            return stand_in(self.defs, schema);
        }
        if let Some(branches) = schema["anyOf"].as_array() {
            let mut fitting = branches.iter().map(|b| resolve(self.defs, b)).filter(|b| admits(b, node));
            schema = fitting.next().unwrap_or(schema);
        }
        if !admits(schema, node) {
            let wanted = expected(self.defs, schema);
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
            Value::Float(number) if types(schema).contains(&"number") => {
                self.number(*number, (*number).into(), schema, path)
            }
            Value::Float(number) => self.number(*number, (*number as i64).into(), schema, path),
            Value::Bool(value) => (*value).into(),
            Value::Null | Value::Refused => Json::Null,
        }
    }

    fn wrong(&mut self, schema: &Json, path: &str, message: String, label: String) -> Json {
        self.report.at(path, message, label);
        self.report.repair(path);
        stand_in(self.defs, schema)
    }

    fn table(
        &mut self,
        node: &Node,
        entries: &[Entry],
        schema: &'s Json,
        path: &str,
        before: Option<Checked<'_>>,
    ) -> Json {
        let within = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
        let properties = schema["properties"].as_object();
        // Candidates for an unknown key.
        let known = properties.into_iter().flatten().map(|(key, _)| key.as_str());
        let absent: Vec<&str> = known.filter(|key| node.get(key).is_none()).collect();
        let mut table = Map::new();
        for entry in entries {
            let inner = join(path, &entry.key);
            let known = properties.and_then(|properties| properties.get(&entry.key));
            let free = Some(&schema["additionalProperties"]).filter(|free| free.is_object());
            match known.or(free) {
                // An empty optional value counts as absent.
                Some(_) if entry.node.value == Value::Null && !is_required(schema, &entry.key) => {}
                Some(schema) => {
                    let known = before.and_then(|before| before.under(&entry.key));
                    let value = self.changed(&entry.node, schema, &inner, known);
                    table.insert(entry.key.clone(), value);
                }
                None => {
                    let message = format!("unknown key `{}`{within}", shorten(&entry.key));
                    let item = numalab_syntax::diagnostics::Diagnostic::new(
                        entry.key_span,
                        message,
                        hint(&entry.key, absent.iter().copied()),
                    );
                    self.report.items.push(item);
                }
            }
        }
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            if node.get(key).is_none() {
                let inner = &schema["properties"][key];
                let wanted = expected(self.defs, resolve(self.defs, inner));
                // A misspelt key has been reported already, and is taken for the missing one.
                let misspelt = entries.iter().take(MOST_COMPARED).any(|entry| {
                    properties.is_some_and(|p| !p.contains_key(&entry.key))
                        && nearest(&entry.key, [key]).is_some()
                });
                if !misspelt {
                    self.report.at(
                        path,
                        format!("missing key `{key}`{within}"),
                        format!("`{key}` is {wanted}"),
                    );
                }
                self.report.repair(&join(path, key));
                table.insert(key.to_owned(), stand_in(self.defs, inner));
            }
        }
        Json::Object(table)
    }

    fn list(&mut self, items: &[Node], schema: &'s Json, path: &str) -> Json {
        let bound = |key: &str, otherwise: u64| schema[key].as_u64().unwrap_or(otherwise) as usize;
        let (least, most) = (bound("minItems", 0), bound("maxItems", u64::MAX));
        if !(least..=most).contains(&items.len()) {
            let wanted = match (least, most) {
                (least, most) if least == most => format!("expected {least}"),
                (least, _) => format!("expected at least {least}"),
            };
            return self.wrong(schema, path, format!("{path} has {} items", items.len()), wanted);
        }
        let each = |(index, item)| self.value(item, &schema["items"], &format!("{path}[{index}]"));
        Json::Array(items.iter().enumerate().map(each).collect())
    }

    /// Checks a text value and returns it as JSON. `schema`: the alternative of `whole` that accepts texts. `whole`:
    /// the value's whole schema, for hints at other alternatives.
    fn text(&mut self, text: &str, schema: &Json, whole: &'s Json, path: &str) -> Json {
        if let Some(words) = words(schema)
            && !words.contains(&text)
        {
            let mut label = hint(text, words);
            let keys = keys_of_table(self.defs, whole);
            if !keys.is_empty() {
                label += &format!(", or a table with {}", keys.join(", "));
            }
            return self.wrong(schema, path, format!("{path} cannot be \"{}\"", shorten(text)), label);
        }
        if let Some(format) = schema["format"].as_str()
            && let Err(error) = quantity::check(format, text)
        {
            self.report.within(path, text, error);
            self.report.repair(path);
            return stand_in(self.defs, schema);
        }
        text.into()
    }

    fn number(&mut self, number: f64, json: Json, schema: &Json, path: &str) -> Json {
        let largest = match schema["format"].as_str() {
            Some("uint32") => f64::from(u32::MAX),
            _ => f64::INFINITY,
        };
        let most = schema["maximum"].as_f64().unwrap_or(largest);
        let least = schema["minimum"].as_f64();
        let above = schema["exclusiveMinimum"].as_f64();
        let wanted = match (least, above) {
            (Some(least), _) if number < least => format!("expected at least {least}"),
            (_, Some(above)) if number <= above => format!("expected more than {above}"),
            _ if number > most => format!("expected at most {most}"),
            _ => return json,
        };
        self.wrong(schema, path, format!("{path} is {}", show(number)), wanted)
    }
}

fn is_required(schema: &Json, key: &str) -> bool {
    schema["required"].as_array().is_some_and(|required| required.iter().any(|name| name == key))
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Keys of the first alternative that is a table.
fn keys_of_table<'s>(defs: &'s Json, schema: &'s Json) -> Vec<&'s str> {
    let branches = schema["anyOf"].as_array().into_iter().flatten().map(|branch| resolve(defs, branch));
    let mut tables = branches.filter_map(|branch| branch["properties"].as_object());
    tables.next().into_iter().flatten().map(|(key, _)| key.as_str()).collect()
}
