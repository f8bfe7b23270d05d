//! Data of a recorded program's loops, taken from a workload file.

use super::phases::name;
use crate::Recording;
use crate::work::Form;
use numalab_files::Loaded;
use numalab_syntax::diagnostics::Diagnostics;
use numalab_syntax::nearest::hint;
use numalab_workload::{Access, Phase, Region, Workload};

/// Data that a workload file describes: its regions, and the accesses of its loops by name.
pub struct Lent {
    pub regions: Vec<Region>,
    /// Hash of the workload file and its parameters.
    pub hash: String,
    phases: Vec<LentPhase>,
}

struct LentPhase {
    name: String,
    iterations: u64,
    accesses: Vec<Access>,
    outstanding: Option<f64>,
}

impl Lent {
    /// Data of a workload whose phases have the names of recorded loops, read from `path`.
    pub fn new(path: &str, loaded: Loaded<Workload>, recording: &Recording) -> Result<Lent, Diagnostics> {
        let lent = loaded.value.phases.into_iter().filter(|phase| !phase.accesses.is_empty());
        let phases: Vec<LentPhase> = lent
            .map(|phase| LentPhase {
                name: phase.name,
                iterations: phase.iterations,
                accesses: phase.accesses,
                outstanding: phase.outstanding,
            })
            .collect();
        let loops = recording.work.classes.iter().filter(|class| class.form == Form::Loop);
        let mut known: Vec<(String, u64)> =
            loops.map(|class| (name(recording, class), class.iterations)).collect();
        known.sort();
        known.dedup();
        for phase in &phases {
            let mut same = known.iter().filter(|(name, _)| *name == phase.name).peekable();
            if same.peek().is_none() {
                let message = format!("{path}: no recorded loop is called {}", phase.name);
                return Err(Diagnostics::plain(
                    message,
                    hint(&phase.name, known.iter().map(|(name, _)| &**name)),
                ));
            }
            if !same.clone().any(|(_, iterations)| *iterations == phase.iterations) {
                let message = format!("{path}: the loop {} has other iterations than recorded", phase.name);
                let counts: Vec<String> = same.map(|(_, iterations)| iterations.to_string()).collect();
                let label = format!("expected {}, and it has {}", counts.join(" or "), phase.iterations);
                return Err(Diagnostics::plain(message, label));
            }
        }
        Ok(Lent { regions: loaded.value.regions, hash: loaded.hash, phases })
    }

    /// Gives a loop the accesses of the workload's loop with the same name and iterations. Returns false if the
    /// workload has no such loop.
    pub fn lend(&self, phase: &mut Phase) -> bool {
        let same = |lent: &&LentPhase| lent.name == phase.name && lent.iterations == phase.iterations;
        let Some(lent) = self.phases.iter().find(same) else { return false };
        phase.accesses.clone_from(&lent.accesses);
        phase.outstanding = lent.outstanding;
        true
    }
}
