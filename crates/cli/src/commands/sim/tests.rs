//! Command lines that `validate` prints, read back.

use super::{binding, names, spec};
use crate::flags::{Cli, Command};
use crate::hints::run_command;
use clap::Parser;
use numalab_study::{Files, RunSpec};
use numalab_validation::{Rows, validate_published};
use std::sync::Mutex;

/// Specification of the run of a command line, without values of the environment.
fn typed(words: &[String]) -> RunSpec {
    let Command::Sim(flags) = Cli::parse_from(words).command else {
        panic!("{words:?} is no command of sim")
    };
    let said = binding::resolve(&flags.binding, flags.threads).unwrap();
    let (machines, workload) = names(&flags).unwrap();
    spec(&flags, &said, &machines, workload).unwrap()
}

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
            let placement = Some(numalab_workload::Placement::FirstTouch);
            let spec = RunSpec { seed: 3, placement, ..spec };
            let command = run_command(&spec);
            let typed = typed(&shlex::split(&command).unwrap());
            let hash = |spec: &RunSpec| spec.resolve(&files).unwrap().hash();
            assert_eq!(hash(&typed), hash(&spec), "{command}");
            assert_eq!(typed.series, spec.series, "{command}");
        }
    }
}
