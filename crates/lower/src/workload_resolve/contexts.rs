//! Contexts of loops: the program locations for which software shared memory learns which threads use which pages.

use super::Resolver;
use super::phases::Placed;
use numalab_files::workload_file::{PhaseFile, WorkloadFile};
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;
use numalab_workload::Context;
use std::collections::BTreeMap;

/// Word in a file for a loop without a context.
const NO_CONTEXT: &str = "none";

impl Resolver<'_, '_> {
    /// Sets the contexts of loops that name another phase or `none`.
    pub(super) fn contexts(&mut self, file: &WorkloadFile, phases: &mut [Placed]) {
        let named = |phase: &PhaseFile| phase.looped.as_ref().and_then(|body| body.context.clone());
        let constructs = file.constructs();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let own = constructs.iter().enumerate().filter(|(_, (_, phase))| named(phase).is_none());
        for (number, (_, phase)) in own {
            places.entry(&phase.name).or_insert(number);
        }
        for (index, (path, phase)) in constructs.iter().enumerate() {
            let Some(name) = named(phase) else { continue };
            let path = format!("{path}.loop.context");
            if name == NO_CONTEXT {
                set(phases, index, Context::None);
                continue;
            }
            let Some(of) = places.get(name.as_str()).copied() else {
                let names = places.keys().copied().chain([NO_CONTEXT]);
                let label = hint(&name, names);
                let message =
                    format!("no other phase with a context of its own is called `{}`", shorten(&name));
                self.report.at(&path, message, label);
                continue;
            };
            // If the named phase is left out, all phases that name it share the context of the first of them.
            let same =
                |other: usize| other == of || named(&constructs[other].1).is_some_and(|other| other == name);
            let first = number(phases, |place| place == of).or_else(|| number(phases, same));
            if let Some(first) = first {
                set(phases, index, Context::Of(first));
            }
        }
        // The rounds of a group share the contexts of its first round.
        for index in 0..constructs.len() {
            let again = phases.iter().filter(|(place, phase)| *place == index && phase.is_some()).count() > 1;
            if let Some(first) = number(phases, |place| place == index).filter(|_| again) {
                let mut copies = phases.iter_mut().filter(|(place, _)| *place == index);
                let copies = copies.by_ref().filter_map(|(_, phase)| phase.as_mut()).skip(1);
                copies.for_each(|phase| {
                    phase.context.get_or_insert(Context::Of(first));
                });
            }
        }
    }
}

/// Number, among the phases that run, of the first one whose construct `is` the wanted one.
fn number(phases: &[Placed], is: impl Fn(usize) -> bool) -> Option<usize> {
    phases.iter().filter(|(_, phase)| phase.is_some()).position(|(place, _)| is(*place))
}

/// Sets the context of all executions of a construct.
fn set(phases: &mut [Placed], index: usize, context: Context) {
    let executions = phases.iter_mut().filter(|(place, _)| *place == index);
    executions.filter_map(|(_, phase)| phase.as_mut()).for_each(|phase| phase.context = Some(context));
}
