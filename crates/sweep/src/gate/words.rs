//! Gates as text for people.

use crate::file::{Gate, Rule};

/// The rule of a gate as text, followed by the name of the gate's filter `on`, if any.
pub fn rule(gate: &Gate, on: Option<&str>) -> String {
    let rule = match &gate.rule {
        Rule::NoWorse { over: _, value, than, by } => {
            let than = match &than[..] {
                [] => "the best of the others".to_owned(),
                [name] => name.clone(),
                several => format!("the best of {}", several.join(", ")),
            };
            format!("{value} at most {} worse than {than}", percent(*by))
        }
        Rule::Baseline { file, by } => format!("within {} of {}", percent(*by), file.display()),
        Rule::Order { values, tie, .. } if *tie > 0.0 => {
            format!("{}, the best first, less than {} a tie", values.join(", "), percent(*tie))
        }
        Rule::Order { values, .. } => format!("{}, the best first", values.join(", ")),
        Rule::Holds(condition) => condition.text().to_owned(),
    };
    on.map_or(rule.clone(), |on| format!("{rule}, on {on}"))
}

/// Percentage with up to two decimals: `5 %`, `0.5 %`.
fn percent(fraction: f64) -> String {
    let text = format!("{:.4}", fraction * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}
