//! Command that repeats one run.

use numalab_files::Override;
use numalab_study::{Given, RunSpec};
use numalab_workload::Schedule;

/// Command of a run whose machine and runtime have names. Settings that only the environment, a recording or another
/// command makes are left out; runs of published rows have none.
pub fn run_command(spec: &RunSpec) -> String {
    let RunSpec {
        machine,
        workload,
        runtime,
        overrides,
        threads,
        processors,
        subset: _,
        binding,
        waiting: _,
        placement,
        placements,
        schedules,
        seed,
        series,
        sequential: _,
        exact: _,
        replicas: _,
        unsure: _,
        held_against: _,
    } = spec;
    let machine = match machine {
        Given::Named(machine) => machine.clone(),
        Given::Loaded(machine) => machine.loaded.value.name.clone(),
    };
    let mut words = vec!["numalab".to_owned(), "sim".to_owned(), machine, workload.clone()];
    let mut flag = |name: &str, value: Option<String>| {
        value.into_iter().for_each(|value| words.extend([name.to_owned(), value]));
    };
    let typed = |schedule: &Schedule| match schedule {
        Schedule::File(file) => file.typed(),
        schedule => schedule.to_string(),
    };
    let policies: Vec<String> = schedules.iter().map(typed).collect();
    flag("--policy", (!policies.is_empty()).then(|| policies.join(",")));
    flag("--threads", threads.map(|threads| threads.to_string()));
    flag("--procs", processors.as_ref().map(ToString::to_string));
    flag("--places", binding.places.as_ref().map(ToString::to_string));
    let policies = binding.proc_bind.as_deref();
    let policies = policies.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
    flag("--proc-bind", policies);
    if let Some(Given::Named(runtime)) = runtime {
        flag("--runtime", Some(runtime.clone()));
    }
    let kinds =
        [("machine", &overrides.machine), ("workload", &overrides.workload), ("runtime", &overrides.runtime)];
    for (kind, overrides) in kinds {
        for Override { path, value, .. } in overrides {
            flag("--set", Some(format!("{kind}.{path}={value}")));
        }
    }
    flag("--placement", placement.as_ref().map(ToString::to_string));
    for (region, placement) in placements {
        flag("--placement", Some(format!("{region}={placement}")));
    }
    flag("--seed", (*seed != 0).then(|| seed.to_string()));
    if !series {
        words.push("--no-series".to_owned());
    }
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
