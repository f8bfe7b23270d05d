//! Contexts of loops: the program locations for which software shared memory learns which threads use which pages.

use super::Resolver;
use numalab_files::workload_file::{PhaseFile, WorkloadFile};
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;
use numalab_workload::{Context, Phase};
use std::collections::BTreeMap;

/// Word in a file for a loop without a context.
const NO_CONTEXT: &str = "none";

impl Resolver<'_, '_> {
    /// Sets the contexts of loops that name another phase or `none`.
    pub(super) fn contexts(&mut self, file: &WorkloadFile, phases: &mut [Option<Phase>]) {
        let named = |phase: &PhaseFile| phase.looped.as_ref().and_then(|body| body.context.clone());
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (number, phase) in file.phases.iter().enumerate().filter(|(_, phase)| named(phase).is_none()) {
            places.entry(&phase.name).or_insert(number);
        }
        for (index, name) in file.phases.iter().map(named).enumerate() {
            let Some(name) = name else { continue };
            let path = format!("phases[{index}].loop.context");
            if name == NO_CONTEXT {
                phases[index].iter_mut().for_each(|phase| phase.context = Some(Context::None));
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
            let same = |other: &usize| {
                phases[*other].is_some()
                    && (*other == of || named(&file.phases[*other]).is_some_and(|other| other == name))
            };
            let first = if phases[of].is_some() { Some(of) } else { (0..phases.len()).find(same) };
            let number = first.map(|first| phases[..first].iter().flatten().count());
            if let (Some(phase), Some(number)) = (&mut phases[index], number) {
                phase.context = Some(Context::Of(number));
            }
        }
    }
}
