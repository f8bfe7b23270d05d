//! JSON Schemas of the file types. The binary carries those in `schemas/`, as text and as static data, so that a start
//! of the program derives none; a test compares them with the types.

use crate::lookup::Kind;
use crate::machine_file::MachineFile;
use crate::policy_file::PolicyFile;
use crate::runtime_file::RuntimeFile;
use crate::sweep_file::SweepFile;
use crate::workload_file::WorkloadFile;
use serde_json::Value as Json;

mod carried {
    include!(concat!(env!("OUT_DIR"), "/schemas.rs"));
    use super::Part;
}

/// Part of a schema: what a value must be. References and optional values have been followed, and nothing is here
/// that a check does not ask for.
#[derive(Debug)]
pub struct Part {
    /// Accepted JSON types, without `null`.
    pub types: &'static [&'static str],
    /// Words of an enumeration.
    pub words: Option<&'static [&'static str]>,
    /// Name of a text's syntax, such as `size`.
    pub format: Option<&'static str>,
    /// First example, as JSON.
    pub example: Option<&'static str>,
    pub required: &'static [&'static str],
    /// Keys in byte order.
    pub properties: Option<&'static [(&'static str, &'static Part)]>,
    /// Values of all other keys; `None` if there must not be any.
    pub others: Option<&'static Part>,
    /// Syntax of all other keys, such as `list of numbers`; `None` for names.
    pub keys_format: Option<&'static str>,
    pub items: Option<&'static Part>,
    pub least_items: Option<u64>,
    pub most_items: Option<u64>,
    pub least: Option<f64>,
    /// Bound that a number must exceed.
    pub above: Option<f64>,
    pub most: Option<f64>,
    /// The value fits one of these; empty if there is no choice.
    pub alternatives: &'static [&'static Part],
}

impl Part {
    /// Part that accepts nothing.
    pub const NONE: Part = Part {
        types: &[],
        words: None,
        format: None,
        example: None,
        required: &[],
        properties: None,
        others: None,
        keys_format: None,
        items: None,
        least_items: None,
        most_items: None,
        least: None,
        above: None,
        most: None,
        alternatives: &[],
    };

    /// Part of a key that the schema names.
    pub fn property(&self, key: &str) -> Option<&'static Part> {
        let properties = self.properties?;
        let place = properties.binary_search_by(|(known, _)| (*known).cmp(key)).ok()?;
        Some(properties[place].1)
    }

    /// Keys that the schema names, in byte order.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.properties.into_iter().flatten().map(|(key, _)| *key)
    }

    pub fn example(&self) -> Option<Json> {
        serde_json::from_str(self.example?).ok()
    }
}

/// Schema of a kind of file.
pub fn of(kind: Kind) -> &'static Part {
    match kind {
        Kind::Machine => &carried::machine::ROOT,
        Kind::Workload => &carried::workload::ROOT,
        Kind::Runtime => &carried::runtime::ROOT,
        Kind::Sweep => &carried::sweep::ROOT,
        Kind::Policy => &carried::policy::ROOT,
    }
}

/// Schema of a kind of file as text.
pub fn text(kind: Kind) -> &'static str {
    match kind {
        Kind::Machine => carried::machine::TEXT,
        Kind::Workload => carried::workload::TEXT,
        Kind::Runtime => carried::runtime::TEXT,
        Kind::Sweep => carried::sweep::TEXT,
        Kind::Policy => carried::policy::TEXT,
    }
}

/// Schema of a kind of file as the types give it. The text that the binary carries is written from it.
pub fn derived(kind: Kind) -> String {
    let schema = match kind {
        Kind::Machine => schemars::schema_for!(MachineFile),
        Kind::Workload => schemars::schema_for!(WorkloadFile),
        Kind::Runtime => schemars::schema_for!(RuntimeFile),
        Kind::Sweep => schemars::schema_for!(SweepFile),
        Kind::Policy => schemars::schema_for!(PolicyFile),
    };
    let mut text = serde_json::to_string_pretty(&schema.to_value()).unwrap_or_default();
    text.push('\n');
    text
}
