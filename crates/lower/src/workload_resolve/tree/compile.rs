//! Compiles the tasks of a file to a grammar with resolved names.

use super::super::Resolver;
use super::super::dependences::{NO_ITEM, NO_ITEM_LABEL};
use super::grammar::{Call, Depend, Grammar, Kind, KindSection, Row, Touch};
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
const MOST_ARGUMENTS: usize = 32;

/// One step of a kind of task in a file.
struct Step<'f> {
    spawn: &'f [CallFile],
    touches: &'f [TouchFile],
    instructions: Option<&'f Expression>,
    critical: Option<&'f CriticalFile>,
    wait: bool,
    after: Option<&'f Expression>,
}

/// Surroundings of the steps of a kind.
#[derive(Clone, Copy)]
struct Context<'f> {
    file: &'f TreeFile,
    /// Names of all kinds.
    names: &'f [String],
    variables: &'f [&'f str],
    regions: &'f [Region],
}

impl Resolver<'_, '_> {
    /// Grammar of the tasks in the file; `None` after reporting an error.
    pub(super) fn grammar(&mut self, path: &str, file: &TreeFile, regions: &[Region]) -> Option<Grammar> {
        let names: Vec<String> = file.kinds.keys().cloned().collect();
        let (mut kinds, mut later) = (Vec::new(), Vec::new());
        for (at, (name, kind)) in file.kinds.iter().enumerate() {
            let resolved = self.task_kind(&format!("{path}.kinds.{name}"), name, kind, file, &names, regions);
            kinds.push(resolved.map(|(kind, steps)| {
                later.extend(steps.into_iter().map(|step| (at, step)));
                kind
            }));
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
        let mut kinds: Vec<Kind> = kinds.into_iter().collect::<Option<_>>()?;
        // Steps follow all kinds; the last kind or step of each kind's so far gets the next one.
        let mut last: Vec<usize> = (0..kinds.len()).collect();
        let mut waits: Vec<bool> = kinds.iter().map(|kind| kind.wait).collect();
        for (kind, step) in later {
            let number = kinds.len();
            kinds[last[kind]].next = Some(number);
            last[kind] = number;
            let may_be_left_out = waits[kind] || !step.wait;
            waits[kind] &= step.wait;
            kinds.push(Kind { may_be_left_out, ..step });
        }
        kinds.iter_mut().for_each(Kind::find_late_names);
        let grammar = Grammar { kinds, roots: roots.into_iter().collect::<Option<_>>()? };
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
    ) -> Option<(Kind, Vec<Kind>)> {
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
        let names_of_kind = self.task_names(&format!("{path}.let"), kind, &mut variables);
        let context = Context { file, names, variables: &variables, regions };
        let first = Step {
            spawn: &kind.spawn,
            touches: &kind.touches,
            instructions: kind.instructions.as_ref(),
            critical: kind.critical.as_ref(),
            wait: kind.wait,
            after: kind.after.as_ref(),
        };
        let base = self.task_step(path, name, kind, first, &context);
        let then = kind.then.iter().enumerate();
        let then: Vec<Option<Kind>> = then
            .map(|(at, step)| {
                let own = Step {
                    spawn: &step.spawn,
                    touches: &step.touches,
                    instructions: step.instructions.as_ref(),
                    critical: step.critical.as_ref(),
                    wait: step.wait,
                    after: step.after.as_ref(),
                };
                self.task_step(&format!("{path}.then[{at}]"), name, kind, own, &context)
            })
            .collect();
        let cutoff = self.task_formula(&format!("{path}.cutoff"), kind.cutoff.as_ref(), &variables);
        let at = kind.affinity.as_ref().map(|affinity| &affinity.at);
        let affinity = self.task_formula(&format!("{path}.affinity.at"), at, &variables);
        let depends = kind.depends.iter().enumerate();
        let depends: Vec<Option<Vec<Depend>>> = depends
            .map(|(at, clause)| self.task_depend(&format!("{path}.depends[{at}]"), clause, &variables))
            .collect();
        let copied =
            self.task_formula(&format!("{path}.firstprivate"), kind.firstprivate.as_ref(), &variables);
        let (names, base) = (names_of_kind?, base?);
        let then =
            then.into_iter().map(|step| Some(Kind { names: names.clone(), ..step? })).collect::<Option<_>>();
        let kind = Kind {
            names,
            cutoff: cutoff?,
            affinity: affinity?,
            depends: depends.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().collect(),
            copied: copied?,
            ..base
        };
        Some((kind, then?))
    }

    /// One step of a kind of task, still without what the whole task has.
    fn task_step(
        &mut self,
        path: &str,
        name: &str,
        kind: &KindFile,
        step: Step<'_>,
        context: &Context<'_>,
    ) -> Option<Kind> {
        let Context { file, names, variables, regions } = *context;
        let calls = step.spawn.iter().enumerate();
        let spawn: Vec<Option<Call>> = calls
            .map(|(at, call)| self.task_call(&format!("{path}.spawn[{at}]"), call, file, names, variables))
            .collect();
        let touches = step.touches.iter().enumerate();
        let touches: Vec<Option<Touch>> = touches
            .map(|(at, touch)| self.task_touch(&format!("{path}.touches[{at}]"), touch, variables, regions))
            .collect();
        let instructions = self.task_formula(&format!("{path}.instructions"), step.instructions, variables);
        let after = self.task_formula(&format!("{path}.after"), step.after, variables);
        let section = self.kind_section(&format!("{path}.critical"), step.critical, variables);
        Some(Kind {
            name: name.to_owned(),
            path: path.to_owned(),
            arguments: kind.arguments.clone(),
            names: Vec::new(),
            is_late: Vec::new(),
            spawn: spawn.into_iter().collect::<Option<_>>()?,
            wait: step.wait,
            cutoff: None,
            instructions: instructions?,
            after: after?,
            touches: touches.into_iter().collect::<Option<_>>()?,
            affinity: None,
            depends: Vec::new(),
            copied: None,
            section: section?,
            next: None,
            may_be_left_out: false,
        })
    }

    /// Formulas of a kind's names, each of which may use the names before it: these are added to `variables`.
    fn task_names<'k>(
        &mut self,
        path: &str,
        kind: &'k KindFile,
        variables: &mut Vec<&'k str>,
    ) -> Option<Vec<Formula>> {
        self.define(path, &kind.names, variables);
        let order: Vec<String> = self.scope.locals.drain(..).map(|(name, _)| name).collect();
        let mut formulas = Vec::new();
        for (name, text) in order.iter().filter_map(|name| kind.names.get_key_value(name)) {
            formulas.push(self.task_formula(&format!("{path}.{name}"), Some(text), variables)?);
            variables.push(name);
        }
        formulas.into_iter().collect()
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
        let row = match (&call.variable, &call.from, &call.to, &call.bits) {
            (Some(_), Some(from), Some(to), None) => {
                let from = self.task_formula(&format!("{path}.from"), Some(from), variables);
                let to = self.task_formula(&format!("{path}.to"), Some(to), variables);
                Some(Row::Steps(from??, to??))
            }
            (Some(_), None, None, Some(bits)) => {
                Some(Row::Bits(self.task_formula(&format!("{path}.in"), Some(bits), variables)??))
            }
            (None, None, None, None) => None,
            (Some(_), _, _, Some(_)) => {
                let label = "expected `for` with `from` and `to`, or with `in`";
                self.report.at(path, "this row of tasks has two kinds of values", label);
                return None;
            }
            _ => {
                self.report.at(
                    path,
                    "this row of tasks is incomplete",
                    "expected `for`, `from` and `to` together, or `for` and `in`",
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
