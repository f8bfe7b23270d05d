//! Facts that all rows of a picture or a table have in common, as they stand below the title.

/// A coordinate and its value; what says itself what it is stands alone.
pub(crate) fn fact(name: &str, value: &str) -> String {
    match name {
        "machine" | "workload" | "policy" => value.to_owned(),
        "threads" if value == "1" => "1 thread".to_owned(),
        "threads" => format!("{value} threads"),
        name => format!("{name} {value}"),
    }
}
