//! Which experiment measures a value.

use super::read_off;
use super::stages;
use super::subject::Subject;
use numalab_machine::Machine;
use numalab_runtime::Profile;

/// Name of the experiment that measures a value of a machine or its runtime; `None` if no experiment does. `path` is
/// as `--set` takes it, such as `machine.cache.L3.latency`.
pub fn measured_by(machine: &Machine, runtime: &Profile, path: &str) -> Option<&'static str> {
    let (whose, path) = path.split_once('.')?;
    let of_runtime = match whose {
        "machine" => false,
        "runtime" => true,
        // No experiment measures a program.
        _ => return None,
    };
    let values = machine.file_values();
    let place = values.iter().find(|value| value.path == path).map_or(path, |value| &*value.place);
    let subject = Subject::new(machine.clone(), runtime.clone());
    let measures = stages::measuring(&subject, place, of_runtime).map(|stage| stage.experiment);
    // Values that are read off belong to no stage.
    measures.or_else(|| read_off::experiment(place).filter(|_| !of_runtime))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_experiments() {
        let machine = numalab_machine::synthetic("board:2 socket:2 core:4").unwrap();
        let runtime = Profile::default();
        let by = |path: &str| measured_by(&machine, &runtime, path);
        assert_eq!(by("machine.memory.latency"), Some("pointer_chase"));
        assert_eq!(by("machine.core.clock"), Some("compute"));
        assert!(by("machine.cache.L3.latency").is_some());
        assert!(by("runtime.fork.fixed").is_some());
        for unmeasured in
            ["machine.os.sched_latency", "runtime.memory.latency", "workload.memory.latency", "memory"]
        {
            assert_eq!(by(unmeasured), None, "{unmeasured}");
        }
    }
}
