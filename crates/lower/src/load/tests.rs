//! Tests that a file that is read once for many runs gives the same results as a file that is read for each run.

use super::*;
use numalab_files::parse_overrides;
use std::fmt;

/// Texts of `--set`: valid and wrong, for nested and other keys, new and existing ones.
const SET: [&str; 12] = [
    "machine.memory.latency=201 ns",
    "machine.memory.latency=fast",
    "machine.name=other",
    "machine.levels.0.count=3",
    "machine.memory={ bandwidth = \"1 GB/s\" }",
    "machine.nothing=1",
    "workload.footprint=1 GB",
    "workload.parameters.footprint=1 GB",
    "workload.stores=ordinary",
    "workload.phases.work.repeat=2",
    "workload.phases.1.loop.overlap=2",
    "workload.rounds=0",
];

fn same<T: fmt::Debug>(one: Result<T, Diagnostics>, other: Result<T, Diagnostics>, what: &str) {
    let text = |result: Result<T, Diagnostics>| match result {
        Ok(loaded) => format!("{loaded:?}"),
        Err(error) => error.render(false),
    };
    assert_eq!(text(one), text(other), "{what}");
}

#[test]
fn parts_that_were_checked_before_come_out_the_same() {
    let (machine, workload) = (read_machine("bcs16").unwrap(), read_workload("loadbal").unwrap());
    assert!(machine.checked.is_some() && workload.file.checked.is_some());
    let (mut refused, facts) = (0, Facts::default());
    for text in SET {
        let set = parse_overrides(&[text.to_owned()]).unwrap();
        let unchecked = |file: &ReadFile| {
            let mut file = file.clone();
            file.checked = None;
            file
        };
        let one = machine_of(&machine, &set.machine);
        refused += usize::from(one.is_err());
        same(one, machine_of(&unchecked(&machine), &set.machine), text);
        let one = workload_of(&workload, &set.workload, &facts);
        refused += usize::from(one.is_err());
        same(one, workload_of(&ReadWorkload::new(unchecked(&workload.file)), &set.workload, &facts), text);
    }
    assert!((3..SET.len()).contains(&refused), "{refused} of {} are refused", SET.len());
}

/// Facts that a workload's text does not name have no effect on the workload.
#[test]
fn facts_that_nobody_reads_decide_nothing() {
    let odd = Facts {
        last_level_cache: 12_345,
        node_memory: 23_456_789_000,
        memory_bandwidth: 3.5e10,
        instructions_per_second: 4.5e9,
        core_overlap: 0.5,
        ..Facts::default()
    };
    let (mut fewer, mut other) = (0, 0);
    let names = lookup::names(Kind::Workload);
    for name in &names {
        let file = read_workload(name).unwrap();
        let read = file.facts_read(&[], &odd);
        let moved = workload_of(&file, &[], &read).map(|made| made.moved(&read, &odd));
        same(workload_of(&file, &[], &odd), moved, name);
        fewer += usize::from(read != odd);
        other += usize::from(read.values() != Facts::default().values());
    }
    // Some workloads use facts about the machine, others do not.
    assert!(fewer > 0 && other > 0, "{fewer} and {other} of {}", names.len());
    let set = parse_overrides(&["workload.footprint=node_memory / 2".to_owned()]).unwrap();
    let file = read_workload("loadbal").unwrap();
    assert_eq!(file.facts_read(&[], &odd).node_memory, Facts::default().node_memory);
    assert_eq!(file.facts_read(&set.workload, &odd).node_memory, odd.node_memory);
}
