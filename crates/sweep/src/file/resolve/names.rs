//! Checks that machines, workloads and runtimes exist; their content is read later.

use super::Resolver;
use numalab_files::lookup::{self, Kind};
use numalab_files::synthetic::{is_synthetic, wrong_form};

impl Resolver<'_, '_> {
    /// Checks that a machine, workload or runtime exists, and returns its name.
    pub(super) fn named(&mut self, kind: Kind, path: &str, name: &str) -> Option<String> {
        if kind == Kind::Machine && is_synthetic(name) {
            return self.synthetic(path, name);
        }
        match lookup::exists(kind, &lookup::beside(kind, &self.folder, name)) {
            Ok(()) => Some(name.to_owned()),
            Err((message, label)) => {
                let label =
                    if label.is_empty() { "paths are relative to this file".to_owned() } else { label };
                self.report.at(path, message, label);
                None
            }
        }
    }

    fn synthetic(&mut self, path: &str, form: &str) -> Option<String> {
        let Err(error) = numalab_machine::synthetic(form) else { return Some(form.to_owned()) };
        self.report.within(path, form, wrong_form(form, error));
        None
    }
}
