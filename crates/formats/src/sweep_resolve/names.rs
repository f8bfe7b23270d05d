//! Machines, workloads and runtimes are looked for before anything runs; what is in them is read later.

use super::Resolver;
use crate::load::is_synthetic;
use crate::lookup::{self, Kind};
use numalab_syntax::expression::ExpressionError;

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
        let (message, label) = error.message.split_once("; ").unwrap_or((&error.message, ""));
        let range = error.span.start..error.span.end;
        let (message, label) = (message.to_owned(), label.to_owned());
        self.report.within(path, form, ExpressionError { range, message, label });
        None
    }
}
