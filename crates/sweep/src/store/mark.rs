//! The file that marks a folder as a store and names the version of its results.

use numalab_results::SCHEMA_VERSION;

pub(super) const NAME: &str = "numalab-store";

const BEFORE: &str = "NumaLab store, format ";
const AFTER: &str = ": one result a line in *.jsonl, safe to delete as a whole\n";

pub(super) fn text() -> String {
    format!("{BEFORE}{SCHEMA_VERSION}{AFTER}")
}

/// Version named by the text of a mark; `None` if the text names no version.
pub(super) fn version(text: &str) -> Option<u32> {
    text.strip_prefix(BEFORE)?.split(':').next()?.parse().ok()
}
