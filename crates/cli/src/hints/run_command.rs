//! Command that repeats one run.

use numalab_files::Override;
use numalab_study::{Given, RunSpec};

/// Command of a run whose machine and runtime have names.
pub fn run_command(spec: &RunSpec) -> String {
    let machine = match &spec.machine {
        Given::Named(machine) => machine.clone(),
        Given::Loaded(machine) => machine.loaded.value.name.clone(),
    };
    let mut words = vec!["numalab".to_owned(), "sim".to_owned(), machine, spec.workload.clone()];
    let mut flag = |name: &str, value: Option<String>| {
        value.into_iter().for_each(|value| words.extend([name.to_owned(), value]));
    };
    let policies: Vec<String> = spec.schedules.iter().map(ToString::to_string).collect();
    flag("--policy", (!policies.is_empty()).then(|| policies.join(",")));
    flag("--threads", spec.threads.map(|threads| threads.to_string()));
    flag("--procs", spec.processors.as_ref().map(ToString::to_string));
    flag("--places", spec.binding.places.as_ref().map(ToString::to_string));
    let policies = spec.binding.proc_bind.as_deref();
    let policies = policies.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
    flag("--proc-bind", policies);
    if let Some(Given::Named(runtime)) = &spec.runtime {
        flag("--runtime", Some(runtime.clone()));
    }
    let kinds = [
        ("machine", &spec.overrides.machine),
        ("workload", &spec.overrides.workload),
        ("runtime", &spec.overrides.runtime),
    ];
    for (kind, overrides) in kinds {
        for Override { path, value, .. } in overrides {
            flag("--set", Some(format!("{kind}.{path}={value}")));
        }
    }
    flag("--seed", (spec.seed != 0).then(|| spec.seed.to_string()));
    if !spec.series {
        words.push("--no-series".to_owned());
    }
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::run_command;
    use crate::commands::sim::spec_of;
    use numalab_study::{Files, RunSpec};
    use numalab_validation::{Rows, validate_published};
    use std::sync::Mutex;

    /// Law: The command of a run describes the run.
    #[test]
    fn commands_repeat_the_runs_of_published_rows() {
        for experiment in ["loadbal", "memory_kernels", "dsm_synthetic", "first_touch_init"] {
            let specs: Mutex<Vec<RunSpec>> = Mutex::default();
            let command = |spec: &RunSpec| {
                specs.lock().unwrap().push(spec.clone());
                String::new()
            };
            let rows = Rows { experiment: Some(experiment), ..Rows::default() };
            validate_published(rows, 1, &command, &(), &|_| ()).unwrap();
            let specs = specs.into_inner().unwrap();
            assert!(!specs.is_empty(), "{experiment} has runs");
            let files = Files::keeping(8);
            for spec in specs {
                let spec = RunSpec { seed: 3, ..spec };
                let command = run_command(&spec);
                let typed = spec_of(&shlex::split(&command).unwrap());
                let hash = |spec: &RunSpec| spec.resolve(&files).unwrap().hash();
                assert_eq!(hash(&typed), hash(&spec), "{command}");
                assert_eq!(typed.series, spec.series, "{command}");
            }
        }
    }
}
