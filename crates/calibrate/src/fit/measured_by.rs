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
    let subject = Subject::new(machine.clone(), runtime.clone());
    let quantities = machine.quantities();
    let place = quantities.iter().find(|quantity| quantity.path == path).map(|quantity| &*quantity.place);
    let place = place.unwrap_or(path);
    let measures = stages::all().find(|stage| {
        let is_of = |runtime: bool| runtime == (whose == "runtime");
        let mut targets = stage.candidates(&subject).into_iter();
        targets.any(|target| is_of(target.is_of_runtime()) && target.path(machine) == place)
    });
    measures
        .map(|stage| stage.experiment)
        .or_else(|| read_off::experiment(place).filter(|_| whose == "machine"))
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
        for unmeasured in ["machine.os.sched_latency", "runtime.memory.latency", "memory"] {
            assert_eq!(by(unmeasured), None, "{unmeasured}");
        }
    }
}
