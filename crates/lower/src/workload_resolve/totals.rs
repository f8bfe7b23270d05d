//! Checks sums over the whole workload.

use super::phases::Placed;
use super::tree::tree_bytes;
use super::{MOST_BYTES, Resolver};
use numalab_files::workload_file::WorkloadFile;
use numalab_workload::{Phase, Slice};

impl Resolver<'_, '_> {
    /// Reports a workload whose phases together touch too many bytes for the simulator's sums.
    pub(super) fn totals(&mut self, file: &WorkloadFile, phases: &[Placed], rounds: u32) {
        let mut total: u128 = 0;
        let constructs = file.constructs();
        for (place, phase) in phases {
            let (Some(phase), (path, written)) = (phase, &constructs[*place]) else { continue };
            let bytes = touched(phase).saturating_mul(u128::from(phase.times));
            let rounds = phase.rounds(rounds);
            total = total.saturating_add(bytes.saturating_mul(u128::from(phase.repeat) * u128::from(rounds)));
            if total > u128::from(MOST_BYTES) {
                let message = format!("the phases up to here touch {total} bytes");
                let label = format!("expected at most {MOST_BYTES} (1 EiB) in all");
                self.complain(&format!("{path}.{}", written.key()), message, label);
                return;
            }
        }
    }
}

/// Bytes that all iterations of a phase touch. A task counts as often as it is executed.
fn touched(phase: &Phase) -> u128 {
    let times = phase.tasking.tree.as_ref().map(|tree| tree.executions().unwrap_or_default());
    let all = |slice: &Slice| match &times {
        Some(times) => tree_bytes(times, slice),
        None => slice.total(phase.iterations),
    };
    phase.accesses.iter().map(|access| all(&access.slice)).fold(0, u128::saturating_add)
}
