//! Names of one iteration or task (`let`), for expressions that other values use.

use super::Resolver;
use numalab_files::quantity::Expression;
use numalab_syntax::expression::{self, INDEX, Parsed};
use numalab_syntax::tree::shorten;
use std::collections::BTreeMap;

impl Resolver<'_, '_> {
    /// Defines the names of a loop, a body or a kind of task, instead of the names before. `path` is that of `let`;
    /// `variables` may stand in the expressions. Mistakes are reported, and such names stand for 1.
    pub(super) fn define(&mut self, path: &str, names: &BTreeMap<String, Expression>, variables: &[&str]) {
        self.scope.locals.clear();
        let mut left: Vec<(&String, Parsed)> = Vec::new();
        for (name, text) in names {
            let path = format!("{path}.{name}");
            self.local_name(&path, name, variables);
            match expression::parse(&text.0) {
                Ok(parsed) => left.push((name, parsed)),
                Err(error) => self.report.within(&path, &text.0, error),
            }
        }
        while !left.is_empty() {
            let waits = |(name, parsed): &&(&String, Parsed)| {
                left.iter()
                    .any(|(other, _)| parsed.names().any(|(used, _)| used == other.as_str()) && other != name)
                    || parsed.names().any(|(used, _)| used == name.as_str())
            };
            let Some(at) = left.iter().position(|entry| !waits(&entry)) else {
                let names: Vec<&str> = left.iter().map(|(name, _)| name.as_str()).collect();
                let message = format!("{} use each other in a circle", names.join(" and "));
                let message = if names.len() == 1 { format!("{} uses itself", names[0]) } else { message };
                self.report.at(
                    &format!("{path}.{}", names[0]),
                    message,
                    "expected a name that is defined without it",
                );
                return;
            };
            let (name, parsed) = left.remove(at);
            let bound = parsed.formula(&self.scope, variables).map(|_| ());
            let inlined = bound.and_then(|()| parsed.inlined(&self.scope.locals));
            match inlined {
                Ok(inlined) => self.scope.locals.push((name.clone(), inlined)),
                Err(error) => {
                    let text = names[name].0.as_str();
                    self.report.within(&format!("{path}.{name}"), text, error);
                    self.scope.locals.extend(expression::parse("1").ok().map(|one| (name.clone(), one)));
                }
            }
        }
    }

    /// Reports a name that cannot stand in expressions, or has a meaning there.
    fn local_name(&mut self, path: &str, name: &str, variables: &[&str]) {
        if !expression::is_name(name) {
            let label = "expected letters, digits and _, not beginning with a digit";
            self.report.at(path, format!("`{}` cannot name a number", shorten(name)), label);
        } else if variables.contains(&name)
            || name == INDEX
            || expression::reserved().any(|reserved| reserved == name)
            || self.scope.get(name).is_some()
        {
            let message = format!("`{name}` has a meaning in expressions");
            self.report.at(path, message, "expected a name that no parameter or fact has");
        }
    }
}
