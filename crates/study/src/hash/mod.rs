//! Hash of a run: of all inputs that determine its results, and of no others.

use crate::ResolvedRun;
use numalab_workload::Schedule;
use std::fmt;

/// Hash of a resolved run, including its schedules and its seed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunHash(pub [u8; 32]);

/// Hash of a resolved run, without its schedules and its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SettingHash([u8; 32]);

impl SettingHash {
    /// Hash of machine, workload with measures, runtime, page placement and the threads' processors. Flags that lead
    /// to equal values give equal hashes.
    pub(crate) fn of(run: &ResolvedRun) -> SettingHash {
        let workload = &run.experiment.workload;
        let placements: Vec<_> = workload.value.regions.iter().map(|region| &region.placement).collect();
        let files = [&run.machine.loaded.hash, &workload.hash, &run.runtime.hash];
        // Debug forms quote strings, so two different lists never have the same text.
        let mut text = format!("{files:?} {placements:?} [");
        for (at, member) in run.team.members.iter().enumerate() {
            text.push_str(if at > 0 { ", " } else { "" });
            text.push_str(&member.processor.to_string());
        }
        text.push(']');
        if run.spec.exact {
            text.push_str(" exact");
        }
        // Unbound threads have an effect only on systems that move threads.
        if let Some(processors) = &run.team.unbound {
            text.push_str(&format!(" among {processors:?}"));
        }
        for team in workload.value.phases.iter().filter_map(|phase| phase.team.as_ref()) {
            text.push_str(&format!(" {:?}", team.processors));
        }
        SettingHash(hashed(&text))
    }

    /// Hash of the run with these schedules and this seed.
    pub fn under(&self, schedules: &[Schedule], seed: u64) -> RunHash {
        RunHash(hashed(&format!("{:?} {schedules:?} {seed}", self.0)))
    }
}

fn hashed(text: &str) -> [u8; 32] {
    *blake3::hash(text.as_bytes()).as_bytes()
}

impl fmt::Debug for RunHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod laws;
