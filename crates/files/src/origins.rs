//! Contents of machine, runtime and workload files about the origins of their values.

use crate::table::Named;
use numalab_base::{ValueOrigin, ValueOrigins};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where the values of the file come from, and how far they may be off. Paths are those of `--set`, such as
/// `cache.L3.latency` of a machine or `phases.work.loop.overlap` of a workload; the path of a table stands for all values in
/// it, and the longest path decides. Changes no run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OriginsFile {
    /// Origin of values that no list names. Absent: `stated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<Named<ValueOrigin>>,
    /// Paths of values that were measured, or fitted to measurements of the machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub measured: Vec<String>,
    /// Paths of values from a data sheet, a manual or a program's sources, or computed from one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sheet: Vec<String>,
    /// Paths of values of the order that is known of similar machines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
    /// Paths of values that are written out and are the program's defaults.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub default: Vec<String>,
    /// Largest relative errors by path: 0.3 is from 1/1.3 to 1.3 times the value. Absent: 0.05 of a measured value,
    /// 0.1 of one from a data sheet, 0.25 of an assumed one, 0.5 of a default, 0 of one that is stated without a source.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub within: BTreeMap<String, f64>,
}

impl OriginsFile {
    pub fn of(origins: &ValueOrigins) -> OriginsFile {
        let paths = |origin: ValueOrigin| {
            origins.listed.iter().filter(|(_, of)| *of == origin).map(|(path, _)| path.clone()).collect()
        };
        OriginsFile {
            others: (origins.others != ValueOrigin::default()).then_some(Named(origins.others)),
            measured: paths(ValueOrigin::Measured),
            sheet: paths(ValueOrigin::Sheet),
            assumed: paths(ValueOrigin::Assumed),
            default: paths(ValueOrigin::Default),
            within: origins.within.iter().cloned().collect(),
        }
    }

    /// Lists of paths with their keys and origins, in the order of the file.
    pub fn lists(&self) -> [(&'static str, &[String], ValueOrigin); 4] {
        [
            ("measured", &self.measured, ValueOrigin::Measured),
            ("sheet", &self.sheet, ValueOrigin::Sheet),
            ("assumed", &self.assumed, ValueOrigin::Assumed),
            ("default", &self.default, ValueOrigin::Default),
        ]
    }

    pub fn is_empty(&self) -> bool {
        *self == OriginsFile::default()
    }
}
