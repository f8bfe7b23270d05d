//! Origins of values, as machine and runtime files state them.

use crate::support::{FACTS, Scratch, assert_shows, error_of_machine, error_of_workload};
use numalab_base::{FileValue, ValueOrigin};
use numalab_files::{ReadFile, machine_text, parse_overrides};
use numalab_lower::{ReadWorkload, machine, machine_of, runtime, workload_of};
use numalab_machine::Machine;
use numalab_syntax::diagnostics::Source;

const MACHINE: &str = r#"
name = "m"
[[level]]
kind = "core"
count = 4
[core]
clock = "2 GHz"
flops_per_cycle = 4
instructions_per_cycle = 1
outstanding = 10
[[cache]]
level = 1
size = "32 KiB"
shared_by = 1
latency = "1 ns"
bandwidth = "32 GB/s"
[memory]
capacity = "1 GB"
latency = "100 ns"
bandwidth = "18 GB/s"
"#;

fn machine_with(origins: &str, set: &[&str]) -> Machine {
    let source = Source { name: "m.toml".to_owned(), text: format!("{MACHINE}[origins]\n{origins}") };
    let set: Vec<String> = set.iter().map(|text| (*text).to_owned()).collect();
    machine_of(&ReadFile::machine(source), &parse_overrides(&set).unwrap().machine).unwrap().value
}

/// Origin and tolerance of the value at a path.
fn of(machine: &Machine, path: &str) -> (ValueOrigin, f64) {
    let all = machine.file_values();
    let found = |quantity: &&FileValue<_>| quantity.path == path;
    let quantity = all.iter().find(found).unwrap();
    (machine.origins.of(quantity), machine.origins.within(quantity))
}

#[test]
fn files_state_origins_and_tolerances() {
    let machine = machine_with(
        "others = \"sheet\"\nmeasured = [\"memory.latency\"]\nassumed = [\"cache.L1\", \"core.clock\"]\n\
         within = { \"core.clock\" = 0.02 }",
        &["machine.cache.L1.bandwidth=40 GB/s", "machine.cache.0.latency=x2"],
    );
    assert_eq!(of(&machine, "memory.latency"), (ValueOrigin::Measured, 0.05));
    assert_eq!(of(&machine, "memory.bandwidth"), (ValueOrigin::Sheet, 0.1));
    assert_eq!(of(&machine, "core.clock"), (ValueOrigin::Assumed, 0.02));
    // The file does not say it.
    assert_eq!(of(&machine, "cache.L1.passed_on"), (ValueOrigin::Default, 0.5));
    // The user says them.
    assert_eq!(of(&machine, "cache.L1.bandwidth"), (ValueOrigin::Stated, 0.0));
    assert_eq!(of(&machine, "cache.L1.latency"), (ValueOrigin::Stated, 0.0));
}

/// Sizes, words and tables are values, too: a file can say where they come from.
#[test]
fn files_state_origins_of_sizes_and_words() {
    let machine =
        machine_with("assumed = [\"memory.capacity\", \"level.core.count\", \"cache.L1.size\"]", &[]);
    let at = |path: &str| machine.origins.at(path, path);
    assert_eq!(at("memory.capacity"), ValueOrigin::Assumed);
    assert_eq!(at("level.core.count"), ValueOrigin::Assumed);
    assert_eq!(at("cache.L1.shared_by"), ValueOrigin::Stated);
}

#[test]
fn a_file_without_origins_is_taken_at_its_word() {
    let machine = machine_with("", &[]);
    assert_eq!(of(&machine, "memory.latency"), (ValueOrigin::Stated, 0.0));
    assert_eq!(of(&machine, "os.page_fault"), (ValueOrigin::Default, 0.5));
}

#[test]
fn origins_read_back() {
    for name in ["socket:2 core:4", "epyc-9654-2p-nps4"] {
        let before = machine(name, &[]).unwrap().value;
        let source = Source { name: "m.toml".to_owned(), text: machine_text(&before, &|_| None) };
        let after = machine_of(&ReadFile::machine(source), &[]).unwrap().value;
        for quantity in before.file_values() {
            assert_eq!(of(&after, &quantity.path), of(&before, &quantity.path), "{}", quantity.path);
        }
    }
}

/// Law: Origins change no run, so the hash of a machine does not depend on them.
#[test]
fn origins_change_no_hash() {
    let hash = |text: &str| {
        let source = Source { name: "m.toml".to_owned(), text: format!("{MACHINE}{text}") };
        machine_of(&ReadFile::machine(source), &[]).unwrap().hash
    };
    assert_eq!(hash(""), hash("[origins]\nassumed = [\"memory\"]"));
    assert_ne!(hash(""), hash("[os]\nmap = \"1 us\""));
}

#[test]
fn values_of_runtimes_have_origins() {
    let runtime = runtime("llvm", &[]).unwrap().value;
    let all = runtime.file_values();
    let fixed = all.iter().find(|quantity| quantity.path == "fork.fixed").unwrap();
    assert_ne!(runtime.origins.of(fixed), ValueOrigin::Default);
}

#[test]
fn wrong_origins_are_shown() {
    let error = |origins: &str| {
        error_of_machine(&Scratch::new().write("m.toml", format!("{MACHINE}[origins]\n{origins}")))
    };
    assert_shows(
        &error("assumed = [\"memory.latency\", \"memory.latencie\"]"),
        &["the file has no value `memory.latencie`", "FILE:22:30", "did you mean `memory.latency`?"],
    );
    assert_shows(
        &error("sheet = [\"memory.capacitie\"]"),
        &["the file has no value `memory.capacitie`", "FILE:22:10", "did you mean `memory.capacity`?"],
    );
    // The file does not write a word that has a default.
    assert_shows(&error("sheet = [\"protocol\"]"), &["the file has no value `protocol`"]);
    assert_shows(&error("others = \"guessed\""), &["origins.others cannot be \"guessed\"", "assumed"]);
    assert_shows(
        &error("within = { memory = -0.1 }"),
        &["the tolerance of memory is -0.1", "expected a number from 0 to 99, such as 0.3 for 30 %"],
    );
    assert_shows(&error("within = { link = 0.1 }"), &["the file has no value `link`"]);
}

const WORKLOAD: &str = "\
name: w
parameters:
  cost: 4
  kind: { choices: [a, b], default: a }
regions: { a: { size: 1 MB } }
phases:
  - name: work
    measured: true
    loop:
      iterations: 8
      instructions: cost
      overlap: 0.5
      touches: [{ region: a, slice: { partition: 1 }, mode: read }]
";

/// Path, origin and tolerance of each value that has an origin.
fn of_workload(origins: &str, set: &[&str]) -> Vec<(String, ValueOrigin, f64)> {
    let source = Source { name: "w.yaml".to_owned(), text: format!("{WORKLOAD}origins: {{ {origins} }}\n") };
    let set: Vec<String> = set.iter().map(|text| (*text).to_owned()).collect();
    let overrides = parse_overrides(&set).unwrap().workload;
    let read = ReadWorkload::new(ReadFile::workload(source));
    let values = workload_of(&read, &overrides, &FACTS).unwrap().values;
    values.into_iter().map(|one| (one.written.path, one.origin, one.within)).collect()
}

#[test]
fn workloads_state_origins_and_tolerances() {
    let origins = "measured: [cost], assumed: [phases.work.loop, parameters.kind], within: { cost: 0.02 }";
    let of = |path: &str, origin, within| (path.to_owned(), origin, within);
    let all = of_workload(origins, &[]);
    assert_eq!(all[0], of("cost", ValueOrigin::Measured, 0.02));
    assert_eq!(all[1], of("kind", ValueOrigin::Assumed, 0.25));
    assert!(all.contains(&of("phases.work.loop.overlap", ValueOrigin::Assumed, 0.25)));
    // Sizes, counts and names of the program are stated by the file.
    assert!(all.iter().all(|one| !one.0.starts_with("regions") && one.0 != "phases.work.measured"));
    // The user states them.
    let set = ["workload.cost=5", "workload.phases.0.loop.overlap=0.2"];
    let paths: Vec<String> = of_workload(origins, &set).into_iter().map(|one| one.0).collect();
    assert!(!paths.contains(&"cost".to_owned()) && paths.contains(&"kind".to_owned()), "{paths:?}");
    assert!(!paths.contains(&"phases.work.loop.overlap".to_owned()), "{paths:?}");
    assert_eq!(of_workload("", &[]), []);
}

/// Law: Origins change no run, so the hash of a workload does not depend on them.
#[test]
fn origins_change_no_hash_of_a_workload() {
    let hash = |text: &str| {
        let source = Source { name: "w.yaml".to_owned(), text: format!("{WORKLOAD}{text}") };
        workload_of(&ReadWorkload::new(ReadFile::workload(source)), &[], &FACTS).unwrap().workload.hash
    };
    assert_eq!(hash(""), hash("origins: { assumed: [cost] }\n"));
    assert_ne!(hash(""), hash("rounds: 2\n"));
}

#[test]
fn wrong_origins_of_workloads_are_shown() {
    let error = |origins: &str| {
        error_of_workload(&Scratch::new().write("w.yaml", format!("{WORKLOAD}origins: {{ {origins} }}\n")))
    };
    assert_shows(
        &error("assumed: [phases.work.loop.overlep]"),
        &[
            "the file has no value `phases.work.loop.overlep`",
            "FILE:14:22",
            "did you mean `phases.work.loop.overlap`?",
        ],
    );
    assert_shows(&error("others: guessed"), &["origins.others cannot be \"guessed\"", "assumed"]);
    assert_shows(
        &error("within: { cost: 100 }"),
        &["the tolerance of cost is 100", "expected a number from 0 to 99, such as 0.3 for 30 %"],
    );
}
