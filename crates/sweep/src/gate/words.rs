//! Assertions in words.

use numalab_formats::{Gate, Rule};
use numalab_workload::Schedule;

/// The rule, and the filter that it is about.
pub fn rule(gate: &Gate, on: Option<&str>) -> String {
    let said = match &gate.rule {
        Rule::NoWorse { policy, than, by } => {
            let than = match &than[..] {
                [] => "the best of the others".to_owned(),
                [one] => one.to_string(),
                several => format!("the best of {}", list(several)),
            };
            format!("{policy} at most {} worse than {than}", percent(*by))
        }
        Rule::Baseline { file, by } => format!("within {} of {}", percent(*by), file.display()),
        Rule::Order { policies, tie } if *tie > 0.0 => {
            format!("{}, the best first, less than {} a tie", list(policies), percent(*tie))
        }
        Rule::Order { policies, .. } => format!("{}, the best first", list(policies)),
        Rule::Holds(condition) => condition.text().to_owned(),
    };
    on.map_or(said.clone(), |on| format!("{said}, on {on}"))
}

fn list(policies: &[Schedule]) -> String {
    policies.iter().map(Schedule::to_string).collect::<Vec<_>>().join(", ")
}

/// `5 %`, `0.5 %`.
fn percent(fraction: f64) -> String {
    let text = format!("{:.4}", fraction * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}
