//! Machine and tools of a measurement.

use super::record::{Record, what};
use crate::topology::MAX_NUMBER;
use numalab_syntax::diagnostics::Diagnostic;
use serde_json::Value as Json;

/// The `host` record of a file. Values that the record lacks are `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostRecord {
    /// Name and version of the compiler.
    pub compiler: Option<String>,
    pub cflags: Option<String>,
    pub openmp_runtime: Option<String>,
    /// Release of the operating system's kernel.
    pub kernel: Option<String>,
    /// Bytes of a base page.
    pub page_size: Option<u64>,
    /// Processors that the measurements could use, ascending.
    pub processors: Vec<u32>,
    /// All other values of the record, by key.
    pub more: Vec<(String, String)>,
}

impl HostRecord {
    pub(super) fn read(record: &Record<'_>) -> Result<HostRecord, Diagnostic> {
        let mut host = HostRecord::default();
        let text = |key: &str| record.string(key).map(|text| Some(text.trim().to_owned()));
        for key in record.keys().filter(|key| *key != "record") {
            match key {
                _ if record.get(key).is_some_and(Json::is_null) => {}
                "compiler" => host.compiler = text(key)?,
                "cflags" => host.cflags = text(key)?,
                "openmp_runtime" => host.openmp_runtime = text(key)?,
                "kernel" => host.kernel = text(key)?,
                "page_size" => host.page_size = Some(page_size(record)?),
                "processors" => host.processors = processors(record)?,
                _ => host.more.push((key.to_owned(), record.get(key).map_or(String::new(), plain))),
            }
        }
        Ok(host)
    }
}

/// Text of a string, or JSON of any other value.
fn plain(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn page_size(record: &Record<'_>) -> Result<u64, Diagnostic> {
    let size = record.get("page_size").and_then(Json::as_u64).filter(|size| size.is_power_of_two());
    size.ok_or_else(|| {
        let found = record.get("page_size").map_or(String::new(), what);
        record.wrong("page_size", format!("`page_size` is {found}"), "expected a power of two of bytes")
    })
}

fn processors(record: &Record<'_>) -> Result<Vec<u32>, Diagnostic> {
    let wrong = |message: String| {
        record.wrong("processors", message, format!("expected numbers of processors, below {MAX_NUMBER}"))
    };
    let mut numbers = Vec::new();
    for number in record.numbers("processors")? {
        match number {
            Some(number) if number >= 0.0 && number.fract() == 0.0 && number < f64::from(MAX_NUMBER) => {
                numbers.push(number as u32);
            }
            Some(number) => {
                return Err(wrong(format!("{} is no processor", numalab_syntax::tree::show(number))));
            }
            None => return Err(wrong("null is no processor".to_owned())),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}
