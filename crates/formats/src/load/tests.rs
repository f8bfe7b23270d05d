//! A file that was read once comes to the same as one that is read for each run.

use super::*;
use crate::overrides::parse_overrides;

/// Texts of `--set`, right and wrong, deep and shallow, new keys and old ones.
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
    assert!(machine.checked.is_some() && workload.checked.is_some());
    let (mut refused, facts) = (0, Facts::default());
    for text in SET {
        let set = parse_overrides(&[text.to_owned()]).unwrap();
        let unchecked = |file: &ReadFile| ReadFile {
            source: file.source.clone(),
            parsed: file.parsed.clone(),
            checked: None,
        };
        let one = machine_of(&machine, &set.machine);
        refused += usize::from(one.is_err());
        same(one, machine_of(&unchecked(&machine), &set.machine), text);
        let one = workload_of(&workload, &set.workload, &facts);
        refused += usize::from(one.is_err());
        same(one, workload_of(&unchecked(&workload), &set.workload, &facts), text);
    }
    assert!((3..SET.len()).contains(&refused), "{refused} of {} are refused", SET.len());
}
