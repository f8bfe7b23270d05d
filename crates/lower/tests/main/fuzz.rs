//! Reading a file ends with a value or an error, whatever its contents.

use crate::mutated::mutated;
use crate::support::FACTS;
use numalab_files::parse_overrides;
use numalab_lower::{machine, runtime, workload};
use proptest::prelude::*;
use std::fs;

/// Reads `bytes` as every kind of file.
fn read(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let (toml, yaml) = (folder.path().join("m.toml"), folder.path().join("w.yaml"));
    fs::write(&toml, bytes).unwrap();
    fs::write(&yaml, bytes).unwrap();
    let (toml, yaml) = (toml.to_str().unwrap(), yaml.to_str().unwrap());
    let errors = [machine(toml, &[]).err(), runtime(toml, &[]).err(), workload(yaml, &[], &FACTS).err()];
    for error in errors.into_iter().flatten() {
        assert!(error.count() > 0);
        assert!(!error.render(false).is_empty());
        assert!(!error.render(true).is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read(&bytes);
    }

    #[test]
    fn random_text(text in "[a-z:=\\[\\]{}\"'&*!#|>?0-9., \\n\\t-]{0,300}") {
        read(text.as_bytes());
    }

    #[test]
    fn mutated_machines(bytes in mutated(include_str!("../../../../machines/bcs16.toml"))) {
        read(&bytes);
    }

    #[test]
    fn mutated_workloads(bytes in mutated(include_str!("../../../../workloads/loadbal.yaml"))) {
        read(&bytes);
    }

    #[test]
    fn mutated_runtimes(bytes in mutated(include_str!("../../../../runtimes/plain.toml"))) {
        read(&bytes);
    }

    #[test]
    fn mutated_migrations(bytes in mutated(include_str!("../../../../workloads/migration_daxpy.yaml"))) {
        read(&bytes);
    }

    #[test]
    fn mutated_tasks(bytes in mutated(include_str!("../../../../workloads/fib.yaml"))) {
        read(&bytes);
    }

    #[test]
    fn mutated_series(bytes in mutated(include_str!("../../../../workloads/memory_go_around.yaml"))) {
        read(&bytes);
    }

    #[test]
    fn random_overrides(path in "[a-z0-9_.]{0,30}", value in "\\PC{0,20}", known in 0..7_usize) {
        let known = ["", "memory.", "level.", "link.xqpi.", "parameters.", "phases.0.loop.", "fork."][known];
        for whose in ["machine", "workload", "runtime"] {
            let Ok(set) = parse_overrides(&[format!("{whose}.{known}{path}={value}")]) else {
                continue;
            };
            let errors = [
                machine("bcs16", &set.machine).err(),
                workload("loadbal", &set.workload, &FACTS).err(),
                runtime("plain", &set.runtime).err(),
            ];
            for error in errors.into_iter().flatten() {
                prop_assert!(!error.render(true).is_empty());
            }
        }
    }

    #[test]
    fn random_expressions(text in "([-+*/%^(),.=!<> 0-9a-zA-Zé]|and |or |not |if\\(|threads){0,40}") {
        let set = parse_overrides(&[format!("workload.footprint={text}")]).unwrap().workload;
        let _ = workload("loadbal", &set, &FACTS);
    }

    #[test]
    fn random_names(name in "\\PC{0,30}") {
        let _ = machine(&name, &[]);
        let _ = runtime(&name, &[]);
        let _ = workload(&name, &[], &FACTS);
    }
}
