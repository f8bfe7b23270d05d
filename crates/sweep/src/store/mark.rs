//! The file that marks a folder as a store, and says which version its results are of.

use numalab_results::SCHEMA_VERSION;

/// Name of the file.
pub(super) const NAME: &str = "numalab-store";

const BEFORE: &str = "NumaLab store, format ";
const AFTER: &str = ": one result a line in *.jsonl, safe to delete as a whole\n";

/// Its text.
pub(super) fn text() -> String {
    format!("{BEFORE}{SCHEMA_VERSION}{AFTER}")
}

/// The version that a mark names.
pub(super) fn version(text: &str) -> Option<u32> {
    text.strip_prefix(BEFORE)?.split(':').next()?.parse().ok()
}
