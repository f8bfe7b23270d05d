//! Resolves sections of iterations that exclude each other (`critical` inside a loop or a body).

use super::Resolver;
use numalab_files::quantity::{Expression, Text};
use numalab_files::workload_file::CriticalFile;
use numalab_syntax::tree::show;
use numalab_workload::{Construct, LockKind, Section};
use std::sync::Arc;

/// Largest number of sections of one iteration or task.
pub(super) const MOST_SECTIONS: f64 = 1e6;

impl Resolver<'_, '_> {
    /// Section of the iterations of a loop; `None` if there is none, or after reporting an error.
    pub(super) fn section(
        &mut self,
        path: &str,
        file: Option<&CriticalFile>,
        iterations: Option<u64>,
    ) -> Option<Section> {
        let file = file?;
        let construct = self.section_kind(&format!("{path}.kind"), file.kind.as_ref());
        let times = match &file.times {
            Some(text) => self.section_column(&format!("{path}.times"), text, iterations)?,
            None => vec![1.0; iterations? as usize],
        };
        let wrong =
            times.iter().position(|times| !(0.0..=MOST_SECTIONS).contains(times) || times.fract() != 0.0);
        if let Some(i) = wrong {
            let message = format!("iteration {i} executes the section {} times", show(times[i]));
            let label = format!("expected a whole number from 0 to {}", show(MOST_SECTIONS));
            self.complain(&format!("{path}.times"), message, label);
            return None;
        }
        let instructions = match &file.instructions {
            Some(text) => self.section_column(&format!("{path}.instructions"), text, iterations)?,
            None => Vec::new(),
        };
        if let Some(i) = instructions.iter().position(|value| !(0.0..=1e18).contains(value)) {
            let message = format!("a section of iteration {i} has {} instructions", show(instructions[i]));
            self.complain(&format!("{path}.instructions"), message, "expected a number between 0 and 1e18");
            return None;
        }
        let times: Arc<[u32]> = times.into_iter().map(|times| times as u32).collect();
        let any = times.iter().any(|times| *times > 0);
        construct.filter(|_| any).map(|construct| Section {
            construct,
            times,
            instructions: instructions.into(),
        })
    }

    /// Construct of a section by the word of its kind; `None` after reporting an error.
    pub(super) fn section_kind(&mut self, path: &str, word: Option<&Text>) -> Option<Construct> {
        let Some(word) = word else { return Some(Construct::Critical) };
        let plain = [Construct::Critical, Construct::Atomic, Construct::Lock(None)];
        let plain = plain.into_iter().zip(["critical", "atomic", "lock"]);
        let locks = LockKind::ALL.map(|kind| (Construct::Lock(Some(kind)), kind.name()));
        let known: Vec<(Construct, &str)> = plain.chain(locks).collect();
        self.named(path, "kind of section", word, &known)
    }

    fn section_column(&mut self, path: &str, text: &Expression, iterations: Option<u64>) -> Option<Vec<f64>> {
        let program = self.program(path, text, true)?;
        let mut column = Vec::with_capacity(iterations? as usize);
        program.each(0, iterations?, |_, values| column.extend_from_slice(values));
        Some(column)
    }

    /// Checks the names in a section of a loop that the `when` of its phase leaves out.
    pub(super) fn section_names(&mut self, path: &str, file: Option<&CriticalFile>) {
        let Some(CriticalFile { kind, times, instructions }) = file else { return };
        self.section_kind(&format!("{path}.kind"), kind.as_ref());
        for (key, text) in [("times", times), ("instructions", instructions)] {
            text.as_ref().and_then(|text| self.program(&format!("{path}.{key}"), text, true));
        }
    }
}
