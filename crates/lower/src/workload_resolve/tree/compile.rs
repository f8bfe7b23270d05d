//! Compiles the tasks of a file to a grammar with resolved names.

use super::super::Resolver;
use super::super::dependences::{NO_ITEM, NO_ITEM_LABEL};
use super::grammar::{Call, Depend, Grammar, Kind, KindSection, Touch};
use numalab_files::quantity::Expression;
use numalab_files::workload_file::{
    CallFile, CriticalFile, DependFile, KindFile, PieceFile, RootFile, SliceFile, TouchFile, TreeFile,
};
use numalab_syntax::expression::{self, Formula};
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;
use numalab_workload::Region;

/// Name of a task's depth, counted from 0, in expressions.
const DEPTH: &str = "depth";
/// Largest number of arguments of a kind.
const MOST_ARGUMENTS: usize = 16;

impl Resolver<'_, '_> {
    /// Grammar of the tasks in the file; `None` after reporting an error.
    pub(super) fn grammar(&mut self, path: &str, file: &TreeFile, regions: &[Region]) -> Option<Grammar> {
        let names: Vec<String> = file.kinds.keys().cloned().collect();
        let mut kinds = Vec::new();
        for (name, kind) in &file.kinds {
            kinds.push(self.task_kind(&format!("{path}.kinds.{name}"), name, kind, file, &names, regions));
        }
        let root = format!("{path}.root");
        let roots: Vec<Option<Call>> = match &file.root {
            RootFile::One(call) => vec![self.task_call(&root, call, file, &names, &[])],
            RootFile::Several(calls) => {
                let calls = calls.iter().enumerate();
                calls
                    .map(|(at, call)| self.task_call(&format!("{root}[{at}]"), call, file, &names, &[]))
                    .collect()
            }
        };
        let grammar = Grammar {
            kinds: kinds.into_iter().collect::<Option<_>>()?,
            roots: roots.into_iter().collect::<Option<_>>()?,
        };
        let construct = grammar.section();
        let other =
            |kind: &&Kind| kind.section.as_ref().is_some_and(|section| Some(section.construct) != construct);
        if let Some(kind) = grammar.kinds.iter().find(other) {
            let label = "expected one kind of section for all tasks of a phase";
            self.complain(
                &format!("{}.critical", kind.path),
                "tasks of this phase have two kinds of sections",
                label,
            );
        }
        Some(grammar)
    }

    fn task_kind(
        &mut self,
        path: &str,
        name: &str,
        kind: &KindFile,
        file: &TreeFile,
        names: &[String],
        regions: &[Region],
    ) -> Option<Kind> {
        if kind.arguments.len() > MOST_ARGUMENTS {
            let message = format!("{} has {} arguments", shorten(name), kind.arguments.len());
            self.report.at(
                &format!("{path}.arguments"),
                message,
                format!("expected at most {MOST_ARGUMENTS}"),
            );
            return None;
        }
        for (at, argument) in kind.arguments.iter().enumerate() {
            self.variable(&format!("{path}.arguments[{at}]"), argument, &kind.arguments[..at]);
        }
        let mut variables: Vec<&str> = kind.arguments.iter().map(String::as_str).collect();
        variables.push(DEPTH);
        self.define(&format!("{path}.let"), &kind.names, &variables);
        let calls = kind.spawn.iter().enumerate();
        let spawn: Vec<Option<Call>> = calls
            .map(|(at, call)| self.task_call(&format!("{path}.spawn[{at}]"), call, file, names, &variables))
            .collect();
        let touches = kind.touches.iter().enumerate();
        let touches: Vec<Option<Touch>> = touches
            .map(|(at, touch)| self.task_touch(&format!("{path}.touches[{at}]"), touch, &variables, regions))
            .collect();
        let cutoff = self.task_formula(&format!("{path}.cutoff"), kind.cutoff.as_ref(), &variables);
        let instructions =
            self.task_formula(&format!("{path}.instructions"), kind.instructions.as_ref(), &variables);
        let after = self.task_formula(&format!("{path}.after"), kind.after.as_ref(), &variables);
        let at = kind.affinity.as_ref().map(|affinity| &affinity.at);
        let affinity = self.task_formula(&format!("{path}.affinity.at"), at, &variables);
        let depends = kind.depends.iter().enumerate();
        let depends: Vec<Option<Vec<Depend>>> = depends
            .map(|(at, clause)| self.task_depend(&format!("{path}.depends[{at}]"), clause, &variables))
            .collect();
        let section = self.kind_section(&format!("{path}.critical"), kind.critical.as_ref(), &variables);
        self.scope.locals.clear();
        Some(Kind {
            name: name.to_owned(),
            path: path.to_owned(),
            arguments: kind.arguments.clone(),
            spawn: spawn.into_iter().collect::<Option<_>>()?,
            wait: kind.wait,
            cutoff: cutoff?,
            instructions: instructions?,
            after: after?,
            touches: touches.into_iter().collect::<Option<_>>()?,
            affinity: affinity?,
            depends: depends.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().collect(),
            section: section?,
        })
    }

    /// Section of a kind; the inner `None` if absent, the outer `None` after reporting an error.
    #[expect(clippy::option_option, reason = "absent is not wrong")]
    fn kind_section(
        &mut self,
        path: &str,
        file: Option<&CriticalFile>,
        variables: &[&str],
    ) -> Option<Option<KindSection>> {
        let Some(CriticalFile { kind, times, instructions }) = file else { return Some(None) };
        let construct = self.section_kind(&format!("{path}.kind"), kind.as_ref());
        let times = self.task_formula(&format!("{path}.times"), times.as_ref(), variables);
        let instructions =
            self.task_formula(&format!("{path}.instructions"), instructions.as_ref(), variables);
        Some(Some(KindSection { construct: construct?, times: times?, instructions: instructions? }))
    }

    fn task_depend(&mut self, path: &str, clause: &DependFile, variables: &[&str]) -> Option<Vec<Depend>> {
        let texts = clause.expressions();
        if texts.iter().all(|(_, text, _)| text.is_none()) {
            self.report.at(path, NO_ITEM, NO_ITEM_LABEL);
        }
        let mut depends = Vec::new();
        for (key, text, writes) in texts {
            let path = format!("{path}.{key}");
            if let Some(item) = self.task_formula(&path, text, variables)? {
                depends.push(Depend { path, item, writes });
            }
        }
        Some(depends)
    }

    /// Reports the name of a variable if it is invalid, has a meaning in expressions already, or is one of `others`.
    fn variable(&mut self, path: &str, name: &str, others: &[String]) {
        if !expression::is_name(name) {
            let label = "expected letters, digits and _, not beginning with a digit";
            self.report.at(path, format!("`{}` cannot name a number", shorten(name)), label);
        } else if name == DEPTH
            || expression::reserved().any(|reserved| reserved == name)
            || self.scope.get(name).is_some()
            || self.scope.locals.iter().any(|(known, _)| known == name)
        {
            let message = format!("`{name}` has a meaning in expressions");
            self.report.at(path, message, "expected a name that no parameter or fact has");
        } else if others.iter().any(|other| other == name) {
            self.report.at(path, format!("`{name}` is here twice"), "expected another name");
        }
    }

    /// Program of an optional expression; the inner `None` if absent, the outer `None` after reporting an error.
    #[expect(clippy::option_option, reason = "absent is not wrong")]
    fn task_formula(
        &mut self,
        path: &str,
        text: Option<&Expression>,
        variables: &[&str],
    ) -> Option<Option<Formula>> {
        let Some(text) = text else { return Some(None) };
        let bound = expression::parse(&text.0).and_then(|parsed| parsed.formula(&self.scope, variables));
        bound.map(Some).map_err(|error| self.report.within(path, &text.0, error)).ok()
    }

    fn task_call(
        &mut self,
        path: &str,
        call: &CallFile,
        file: &TreeFile,
        names: &[String],
        variables: &[&str],
    ) -> Option<Call> {
        let kind = names.iter().position(|name| *name == call.task);
        let callee = file.kinds.get(&call.task);
        match callee {
            None => {
                let label = hint(&call.task, names.iter().map(String::as_str));
                let message = format!("there is no task `{}`", shorten(&call.task));
                self.report.at(&format!("{path}.task"), message, label);
            }
            Some(callee) if callee.arguments.len() != call.arguments.len() => {
                let message = format!("{} gets {} arguments", shorten(&call.task), call.arguments.len());
                let label = match &callee.arguments[..] {
                    [] => "expected none".to_owned(),
                    names => format!("expected a value for each of {}", names.join(", ")),
                };
                self.report.at(path, message, label);
                return None;
            }
            Some(_) => {}
        }
        let row = match (&call.variable, &call.from, &call.to) {
            (Some(_), Some(from), Some(to)) => {
                let from = self.task_formula(&format!("{path}.from"), Some(from), variables);
                let to = self.task_formula(&format!("{path}.to"), Some(to), variables);
                Some((from??, to??))
            }
            (None, None, None) => None,
            _ => {
                self.report.at(
                    path,
                    "this row of tasks is incomplete",
                    "expected `for`, `from` and `to` together",
                );
                return None;
            }
        };
        let mut inner = variables.to_vec();
        if let Some(name) = &call.variable {
            let others: Vec<String> = variables.iter().map(|name| (*name).to_owned()).collect();
            self.variable(&format!("{path}.for"), name, &others);
            inner.push(name);
        }
        let when = self.task_formula(&format!("{path}.when"), call.when.as_ref(), &inner);
        let arguments = call.arguments.iter().enumerate();
        let arguments: Vec<Option<Formula>> = arguments
            .map(|(at, text)| self.task_formula(&format!("{path}.arguments[{at}]"), Some(text), &inner)?)
            .collect();
        let arguments = arguments.into_iter().collect::<Option<_>>()?;
        Some(Call { path: path.to_owned(), kind: kind?, arguments, when: when?, row })
    }

    fn task_touch(
        &mut self,
        path: &str,
        touch: &TouchFile,
        variables: &[&str],
        regions: &[Region],
    ) -> Option<Touch> {
        let region = self.region(&format!("{path}.region"), &touch.region, regions);
        let mode = self.mode(&format!("{path}.mode"), &touch.mode);
        let when = self.task_formula(&format!("{path}.when"), touch.when.as_ref(), variables);
        let piece = match &touch.slice {
            SliceFile::Whole(_) => Some(None),
            SliceFile::Piece(piece) => self.task_slice(&format!("{path}.slice"), piece, variables).map(Some),
        };
        let demand = self.demand(path, touch);
        let region = region?;
        let size = regions[region].size.0;
        Some(Touch { path: path.to_owned(), region, size, mode: mode?, demand, when: when?, piece: piece? })
    }

    /// Start and length of the slice that a task touches. Slices of tasks can have no other form.
    fn task_slice(
        &mut self,
        path: &str,
        piece: &PieceFile,
        variables: &[&str],
    ) -> Option<(Formula, Formula)> {
        let keys: Vec<&str> = piece.expressions().map(|(key, _)| key).collect();
        if keys != ["start", "length"] {
            let label = "expected `whole` or { start: …, length: … } of a task";
            self.report.at(path, "this is not a slice", label);
            return None;
        }
        let start = self.task_formula(&format!("{path}.start"), piece.start.as_ref(), variables);
        let length = self.task_formula(&format!("{path}.length"), piece.length.as_ref(), variables);
        Some((start??, length??))
    }
}
