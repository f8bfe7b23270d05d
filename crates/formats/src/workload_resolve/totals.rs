//! Sums over the whole workload.

use super::{MOST_BYTES, Resolver};
use crate::workload_file::WorkloadFile;
use numalab_program::Phase;

impl Resolver<'_, '_> {
    /// Bytes touched in all, which the simulator adds up.
    pub(super) fn totals(&mut self, file: &WorkloadFile, phases: &[Option<Phase>], rounds: u32) {
        let mut total: u128 = 0;
        for (index, (phase, written)) in phases.iter().zip(&file.phases).enumerate() {
            let Some(phase) = phase else { continue };
            let bytes: u128 = phase.accesses.iter().map(|access| access.slice.total(phase.iterations)).sum();
            let rounds = if written.measured { rounds } else { 1 };
            total += bytes * u128::from(phase.repeat) * u128::from(rounds);
            if total > u128::from(MOST_BYTES) {
                let message = format!("the phases up to here touch {total} bytes");
                let label = format!("expected at most {MOST_BYTES} (1 EiB) in all");
                self.complain(&format!("phases[{index}].loop.touches"), message, label);
                return;
            }
        }
    }
}
