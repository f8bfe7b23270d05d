//! Resolves the figures that gates compare, alone or in conditions.

use super::Resolver;
use super::filters::WHOLE_RUN;
use crate::file::Condition;
use numalab_files::quantity::Expression;
use numalab_files::sweep_file::GateFile;
use numalab_results::{CellKind, Figures};
use numalab_syntax::expression::{self, ExpressionError, Scope};
use numalab_syntax::nearest::hint_or;
use numalab_syntax::tree::shorten;

/// Measure that a gate compares by default.
const MAKESPAN: &str = "makespan";

impl Resolver<'_, '_> {
    /// Name of the figure or measure that a gate compares; the makespan by default.
    pub(super) fn measure(&mut self, path: &str, gate: &GateFile) -> String {
        let name = gate.measure.as_deref().unwrap_or(MAKESPAN).trim();
        let path = format!("{path}.measure");
        if !expression::is_name(name) {
            let label = hint_or(name, numbers(), "expected a figure or a measure, such as makespan");
            self.report.at(&path, format!("\"{}\" names no figure", shorten(name)), label);
        } else if is_text(name) {
            let message = format!("{name} is a text");
            self.report.at(&path, message, "expected a number, such as makespan");
        }
        name.to_owned()
    }

    /// Condition on figures, measures and facts. Names of measures are checked when the workloads are read.
    pub(super) fn condition(&mut self, path: &str, text: &Expression) -> Option<Condition> {
        let read = expression::parse(&text.0).and_then(|parsed| {
            let parsed = parsed.without_rows(WHOLE_RUN)?;
            let mut names: Vec<String> = Vec::new();
            for (name, range) in parsed.names() {
                if is_text(name) {
                    let label = "expected numbers alone".to_owned();
                    return Err(ExpressionError { range, message: format!("{name} is a text"), label });
                }
                if !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
            let variables: Vec<&str> = names.iter().map(String::as_str).collect();
            let formula = parsed.formula(&Scope::default(), &variables)?;
            Ok(Condition { text: text.0.clone(), names, formula })
        });
        let condition = read.map_err(|error| self.report.within(path, &text.0, error)).ok()?;
        if condition.names.is_empty() {
            let label = "expected figures, measures or facts of the machine";
            self.report.at(path, "this is the same for every point", label);
        }
        Some(condition)
    }
}

/// Names of the figures that gates can compare, since they are numbers.
fn numbers() -> impl Iterator<Item = &'static str> {
    let numbers = Figures::COLUMNS.iter().filter(|(_, kind)| *kind != CellKind::Text);
    numbers.map(|(name, _)| *name).chain([MAKESPAN])
}

fn is_text(name: &str) -> bool {
    Figures::COLUMNS.iter().any(|(known, kind)| *known == name && *kind == CellKind::Text)
}
