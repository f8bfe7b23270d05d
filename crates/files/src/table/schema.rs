//! JSON Schema of tables and words.

use super::{Entries, Named, Table, json};
use crate::quantity::Quantity;
use numalab_base::parameter::{Kind, Parameter, Parameters, Rule, Section, Value};
use numalab_base::{Bandwidth, Bytes, Frequency, Span, Word, Words};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;

impl<T: Parameters> JsonSchema for Table<T> {
    fn schema_name() -> Cow<'static, str> {
        T::SECTION.name.into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        schema(of_table(T::SECTION, generator))
    }
}

impl<T: Word> JsonSchema for Named<T> {
    fn schema_name() -> Cow<'static, str> {
        T::WORDS.name.into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schema(of_words(T::WORDS))
    }
}

fn schema(json: Json) -> Schema {
    Schema::try_from(json).unwrap_or_default()
}

fn of_words(words: &Words) -> Json {
    let one = |(word, doc): &(&str, &str)| json!({"const": word, "description": text(doc), "type": "string"});
    json!({"description": text(words.doc), "oneOf": words.all.iter().map(one).collect::<Vec<_>>()})
}

fn of_table(section: &Section, generator: &mut SchemaGenerator) -> Json {
    let inside = || section.parameters.iter().filter(|parameter| !parameter.rule.key);
    let required: Vec<&str> =
        inside().filter(|one| one.default_value().is_none()).map(|parameter| parameter.name).collect();
    let properties: Map<String, Json> =
        inside().map(|one| (one.name.to_owned(), of_parameter(one, generator))).collect();
    let mut table = json!({
        "type": "object",
        "description": text(section.doc),
        "additionalProperties": false,
        "properties": properties,
    });
    if !required.is_empty() {
        table["required"] = required.into();
    }
    table
}

fn of_parameter(parameter: &Parameter, generator: &mut SchemaGenerator) -> Json {
    let mut schema = of_kind(&parameter.kind, &parameter.rule, generator);
    if parameter.optional {
        schema = match schema.get("type").cloned() {
            Some(kind) => {
                schema["type"] = json!([kind, "null"]);
                schema
            }
            None => json!({"anyOf": [schema, {"type": "null"}]}),
        };
    }
    schema["description"] = text(parameter.doc).into();
    let default = parameter.default_value().filter(|default| *default != Value::Absent);
    if let Some(default) = default {
        schema["default"] = match (&parameter.kind, default) {
            (Kind::Table(section), Value::Table(values)) => {
                serde_json::to_value(Entries(section, &values)).unwrap_or_default()
            }
            (_, default) => json(&default),
        };
    }
    schema
}

fn of_kind(kind: &Kind, rule: &Rule, generator: &mut SchemaGenerator) -> Json {
    match kind {
        Kind::Flag => bool::json_schema(generator).to_value(),
        Kind::Text => String::json_schema(generator).to_value(),
        Kind::Whole(8) => bounded(u8::json_schema(generator), rule),
        Kind::Whole(_) => bounded(u32::json_schema(generator), rule),
        Kind::Number => bounded(f64::json_schema(generator), rule),
        Kind::Time => Quantity::<Span>::json_schema(generator).to_value(),
        Kind::Rate => Quantity::<Bandwidth>::json_schema(generator).to_value(),
        Kind::Size => Quantity::<Bytes>::json_schema(generator).to_value(),
        Kind::Clock => Quantity::<Frequency>::json_schema(generator).to_value(),
        Kind::Curve => Vec::<[f64; 2]>::json_schema(generator).to_value(),
        Kind::Word(words) => named(words.name, of_words(words), generator),
        Kind::Table(section) => named(section.name, of_table(section, generator), generator),
    }
}

/// Bounds of numbers. Bounds of quantities are checked after their units are parsed.
fn bounded(schema: Schema, rule: &Rule) -> Json {
    let mut schema = schema.to_value();
    let bounds = [
        ("minimum", rule.least),
        ("maximum", rule.most),
        ("exclusiveMinimum", rule.above_zero.then_some(0.0)),
    ];
    for (key, bound) in bounds {
        if let Some(bound) = bound {
            schema[key] = if bound.fract() == 0.0 { (bound as i64).into() } else { bound.into() };
        }
    }
    schema
}

fn named(name: &str, schema: Json, generator: &mut SchemaGenerator) -> Json {
    generator.definitions_mut().insert(name.to_owned(), schema);
    json!({"$ref": format!("#/$defs/{name}")})
}

/// Description without trailing blanks.
fn text(doc: &str) -> String {
    doc.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}
