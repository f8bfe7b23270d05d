//! Machines, workloads and runtimes are looked for before anything runs; what is in them is read later.

use super::Resolver;
use crate::load::{is_synthetic, synthetic_error};
use crate::lookup::{self, Kind};

impl Resolver<'_, '_> {
    /// The name of something that is there.
    pub(super) fn named(&mut self, kind: Kind, path: &str, name: &str) -> Option<String> {
        if kind == Kind::Machine && is_synthetic(name) {
            return self.synthetic(path, name);
        }
        match lookup::exists(kind, name) {
            Ok(()) => Some(name.to_owned()),
            Err((message, label)) => {
                self.report.at(path, message, label);
                None
            }
        }
    }

    fn synthetic(&mut self, path: &str, form: &str) -> Option<String> {
        let Err(error) = numalab_machine::synthetic(form) else { return Some(form.to_owned()) };
        self.report.within(path, form, synthetic_error(form, error));
        None
    }
}
