//! Turns the JSON Schemas in `schemas/` into static data. References and optional values are followed here, so that
//! a check of a file meets parts with content only.

use serde_json::Value as Json;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Code of a module for each kind of file, with the text of its schema (`TEXT`) and the schema itself (`ROOT`).
pub fn code(root: &Path) -> String {
    let mut code = String::new();
    for name in ["machine", "workload", "runtime", "sweep", "policy"] {
        let path = root.join(format!("schemas/{name}.schema.json"));
        println!("cargo:rerun-if-changed={}", path.display());
        let text = fs::read_to_string(&path).expect("the schema can be read");
        let schema: Json = serde_json::from_str(&text).expect("the schema is JSON");
        let module = Module { root: &schema };
        writeln!(
            code,
            "pub(super) mod {name} {{\n    use super::Part;\n    pub const TEXT: &str = include_str!({path:?});\n    \
             pub static ROOT: Part = {};",
            module.part(&schema)
        )
        .expect("a string takes it");
        for (number, definition) in module.definitions().enumerate() {
            writeln!(code, "    static DEFINITION_{number}: Part = {};", module.followed(definition))
                .expect("a string takes it");
        }
        code.push_str("}\n");
    }
    code
}

/// Schema of one kind of file.
struct Module<'a> {
    root: &'a Json,
}

impl<'a> Module<'a> {
    fn definitions(&self) -> impl Iterator<Item = &'a Json> {
        self.root["$defs"].as_object().into_iter().flatten().map(|(_, definition)| definition)
    }

    /// Number and content of the definition to which a part refers.
    fn referred(&self, schema: &Json) -> Option<(usize, &'a Json)> {
        let name = schema["$ref"].as_str()?.strip_prefix("#/$defs/")?;
        let definitions = self.root["$defs"].as_object()?;
        let number = definitions.keys().position(|key| key == name).expect("a definition of that name");
        Some((number, &definitions[name]))
    }

    /// Struct of a part, after references and optional values.
    fn followed(&self, schema: &'a Json) -> String {
        match (self.referred(schema), optional(schema)) {
            (Some((_, definition)), _) => self.followed(definition),
            (None, Some(only)) => self.followed(only),
            (None, None) => self.part(schema),
        }
    }

    /// Reference to a part.
    fn reference(&self, schema: &'a Json) -> String {
        match (self.referred(schema), optional(schema)) {
            (Some((number, _)), _) => format!("&DEFINITION_{number}"),
            (None, Some(only)) => self.reference(only),
            (None, None) => format!("&{}", self.part(schema)),
        }
    }

    /// Struct of a part that neither refers nor is optional.
    fn part(&self, schema: &'a Json) -> String {
        let list = |key: &str| schema[key].as_array().into_iter().flatten();
        let words = words(schema);
        let types: Vec<&str> = match &schema["type"] {
            _ if words.is_some() => vec!["string"],
            Json::String(one) => vec![one],
            Json::Array(several) => {
                several.iter().filter_map(Json::as_str).filter(|t| *t != "null").collect()
            }
            _ => Vec::new(),
        };
        let inner = |key: &str| {
            Some(&schema[key]).filter(|inner| inner.is_object()).map(|inner| self.reference(inner))
        };
        let mut fields = Vec::new();
        let mut field = |name: &str, value: Option<String>| {
            fields.extend(value.map(|value| format!("{name}: {value}")));
        };
        field("types", (!types.is_empty()).then(|| format!("&{types:?}")));
        field("words", words.map(|words| format!("Some(&{words:?})")));
        field("format", schema["format"].as_str().map(|format| format!("Some({format:?})")));
        field("example", schema["examples"].get(0).map(|example| format!("Some({:?})", example.to_string())));
        let required: Vec<&str> = list("required").filter_map(Json::as_str).collect();
        field("required", (!required.is_empty()).then(|| format!("&{required:?}")));
        let properties = schema["properties"].as_object().map(|properties| {
            let each = properties.iter().map(|(key, inner)| format!("({key:?}, {})", self.reference(inner)));
            format!("Some(&[{}])", each.collect::<Vec<_>>().join(", "))
        });
        field("properties", properties);
        field("others", inner("additionalProperties").map(|others| format!("Some({others})")));
        let keys_format = schema["propertyNames"]["format"].as_str();
        field("keys_format", keys_format.map(|format| format!("Some({format:?})")));
        field("items", inner("items").map(|items| format!("Some({items})")));
        let count = |key: &str| schema[key].as_u64().map(|count| format!("Some({count})"));
        field("least_items", count("minItems"));
        field("most_items", count("maxItems"));
        let bound = |key: &str| schema[key].as_f64().map(|bound| format!("Some({bound:?})"));
        field("least", bound("minimum"));
        field("above", bound("exclusiveMinimum"));
        field("most", bound("maximum"));
        let alternatives: Vec<String> = list("anyOf").map(|inner| self.reference(inner)).collect();
        field("alternatives", (!alternatives.is_empty()).then(|| format!("&[{}]", alternatives.join(", "))));
        fields.push("..Part::NONE".to_owned());
        format!("Part {{ {} }}", fields.join(", "))
    }
}

/// Schema of a value that may be left out, if it is the only one beside `null`.
fn optional(schema: &Json) -> Option<&Json> {
    let branches = schema["anyOf"].as_array()?;
    match branches.iter().filter(|branch| branch["type"] != "null").collect::<Vec<_>>()[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Words of an enumeration.
fn words(schema: &Json) -> Option<Vec<&str>> {
    if let Some(listed) = schema["enum"].as_array() {
        return Some(listed.iter().filter_map(Json::as_str).collect());
    }
    let of_branch = |branch: &'_ Json| branch["const"].is_string() || branch["enum"].is_array();
    let branches = schema["oneOf"].as_array().filter(|branches| branches.iter().all(of_branch))?;
    let each = |branch| words(branch).or_else(|| Some(vec![Json::as_str(&branch["const"])?]));
    Some(branches.iter().filter_map(each).flatten().collect())
}
