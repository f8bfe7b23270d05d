//! Facts that all rows of a picture or a table share, for the line below the title.

/// Text of a coordinate and its value. For machines, workloads and policies, only the value.
pub fn fact(name: &str, value: &str) -> String {
    match name {
        "machine" | "workload" | "policy" => value.to_owned(),
        "threads" if value == "1" => "1 thread".to_owned(),
        "threads" => format!("{value} threads"),
        name => format!("{name} {value}"),
    }
}
