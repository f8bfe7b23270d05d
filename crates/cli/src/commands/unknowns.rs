//! Values that are not known exactly: what measures them.

use numalab_calibrate::fit::measured_by;
use numalab_results::Influence;
use numalab_study::ResolvedRun;

/// The values with the commands that measure them.
pub fn measured_values(values: Vec<Influence>, run: &ResolvedRun) -> Vec<Influence> {
    let (machine, runtime) = (&run.machine.loaded.value, &run.runtime.value);
    let measured = |value: Influence| Influence {
        how: measured_by(machine, runtime, &value.path)
            .map(|experiment| format!("numalab calibrate run --only {experiment} -o host.jsonl")),
        ..value
    };
    values.into_iter().map(measured).collect()
}
