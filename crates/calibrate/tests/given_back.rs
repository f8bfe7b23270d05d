//! Law: A simulation of the written machine file gives back each row that it was fitted to, or a message names the row.
//!
//! The inputs have the shape of other tools' output: `lscpu`, `numactl -H`, Intel MLC, STREAM, core-to-core latencies.

use numalab_calibrate::fit::{Fitted, Inputs, Observation, Subject, fit, machine_file};
use numalab_imports::evidence;
use numalab_runtime::Profile;
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn fitted(files: &[&str]) -> Fitted {
    let read: Vec<_> = files.iter().map(|file| evidence(&data(file)).unwrap()).collect();
    let inputs = Inputs::new("own", &read, Profile::default()).unwrap();
    fit(&inputs, &|_, _| ()).unwrap()
}

/// Subject with the machine as its file states it.
fn written(fitted: &Fitted) -> Subject {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.toml");
    std::fs::write(&path, machine_file(fitted, "rows", "plain")).unwrap();
    let machine = numalab_lower::machine(path.to_str().unwrap(), &[]).unwrap().value;
    Subject::new(machine, Profile::default())
}

/// Relative error that a row may have without a message.
fn tolerance(row: &Observation) -> f64 {
    match row.row.experiment.as_str() {
        "pointer_chase" | "core_to_core" => 0.05,
        "loaded_latency" if row.row.quantity == "latency" => 0.15,
        _ => 0.05,
    }
}

/// Fits `files`, simulates each measured row with the written file, and checks each error.
#[track_caller]
fn comes_back(files: &[&str]) -> Fitted {
    let fitted = fitted(files);
    let simulated = fitted.simulated(&written(&fitted));
    let mut missed = Vec::new();
    let off: Vec<usize> = fitted.off().into_iter().flat_map(|off| off.rows).collect();
    for (at, ((row, checked), simulated)) in
        fitted.rows.iter().zip(simulated).take(fitted.measured).enumerate()
    {
        let by = simulated.map(|simulated| simulated / row.value - 1.0);
        let line =
            format!("{} {:?}: read {}, simulated {simulated:?}", row.row.source, row.row.params, row.value);
        let named = fitted.warnings.iter().any(|warning| warning.contains(&row.row.source));
        let named = named || checked.beyond || off.contains(&at);
        if by.is_none_or(|by| by.abs() > tolerance(row)) && !named {
            missed.push(line);
        }
    }
    assert!(missed.is_empty(), "{files:?}:\n{}\n{:#?}", missed.join("\n"), fitted.warnings);
    fitted
}

#[test]
fn core_to_core_rows_come_back_from_every_form() {
    comes_back(&["lscpu-c2c-1socket.txt", "c2c-1socket.csv"]);
    comes_back(&["lscpu-c2c.txt", "c2c-print.txt"]);
    comes_back(&["lscpu-c2c.txt", "c2c-table.txt"]);
}

/// Pairs of one cache, of two caches of a node, of two nodes of a socket, and of two sockets.
#[test]
fn core_to_core_rows_of_four_levels_come_back() {
    comes_back(&["lscpu-2s-nps4.txt", "c2c-nps4.csv"]);
}

/// No input names a cache that cores share: the levels of cores and sockets have the values.
#[test]
fn core_to_core_rows_come_back_without_a_shared_cache() {
    comes_back(&["lscpu-no-l3.txt", "c2c-no-l3.csv"]);
}

/// The firmware's distances of 10 and 32 would make a crossing take 149 ns, and lines come there and back in 115 ns.
#[test]
fn measured_lines_count_more_than_distances() {
    let fitted = comes_back(&["lscpu-2s.txt", "numactl-2s.txt", "c2c-near-sockets.csv"]);
    let named = |warning: &&String| warning.contains("by the firmware's distances");
    assert!(fitted.warnings.iter().any(|warning| named(&warning)), "{:#?}", fitted.warnings);
}

/// Hardware threads of one core take 7 ns.
#[test]
fn core_to_core_rows_of_hardware_threads_come_back() {
    let fitted = comes_back(&["lscpu-threads.txt", "c2c-threads.csv"]);
    assert_eq!(fitted.off(), []);
    assert!(fitted.estimates.iter().any(|finding| finding.path == "core.between_threads"));
}

/// Rows without a value are counted by reason: the machine has 16 processors, so 5 of 6 pairs of 0, 1, 16, 17 are not of
/// it.
#[test]
fn core_to_core_rows_without_a_value_are_counted() {
    let fitted = fitted(&["lscpu-threads.txt", "c2c-strangers.txt"]);
    let left: Vec<&String> =
        fitted.warnings.iter().filter(|warning| warning.starts_with("left out")).collect();
    let [one] = left[..] else { panic!("{left:#?}") };
    let expected =
        ["left out: 5 of 6 core-to-core latencies", "name a processor or a node that the machine has not"];
    assert!(expected.iter().all(|part| one.contains(part)), "{one}");
}

/// 221 GB/s of reads on two nodes, 181.2 with as many writes: 2 x 221 / 181.2 - 1 = 1.44, and the others are near.
#[test]
fn mixes_of_reads_and_writes_come_back() {
    let fitted = comes_back(&["lscpu-2n.txt", "mlc-mixes.txt"]);
    let memory = written(&fitted).machine.memory;
    near(memory.write_cost.unwrap(), 1.44, 0.05);
    near(bandwidth(&fitted), 110.5, 0.05);
    assert!(!memory.mixed_latency.0.is_empty());
    let mixes = fitted.rows.iter().filter(|(row, _)| row.row.quantity == "moved");
    assert_eq!(mixes.clone().count(), 6);
    for (row, checked) in mixes {
        let by = checked.missed.unwrap();
        assert!(by.abs() < 0.05, "{:?}: {by}", row.row.params);
    }
}

/// Bandwidth of reads of a node's memory in GB/s.
fn bandwidth(fitted: &Fitted) -> f64 {
    let memory = written(fitted).machine.memory;
    memory.read_bandwidth.unwrap_or(memory.bandwidth).0 / 1e9
}

/// Simulated latency under a load, in per cent of the bandwidth of reads of all memories.
fn under_load(fitted: &Fitted, load: &str) -> f64 {
    let mut row = fitted
        .rows
        .iter()
        .find(|(row, _)| row.row.experiment == "loaded_latency" && row.row.quantity == "latency")
        .unwrap()
        .0
        .clone();
    let nodes = f64::from(numalab_machine::totals(&fitted.subject.machine).nodes);
    let asked = load.parse::<f64>().unwrap() / 100.0 * bandwidth(fitted) * nodes;
    row.row.params = vec![("bandwidth".to_owned(), format!("{asked} GB"))];
    row.simulate(&written(fitted)).unwrap().unwrap()
}

#[track_caller]
fn near(found: f64, expected: f64, within: f64) {
    assert!((found / expected - 1.0).abs() < within, "{found} instead of {expected}");
}

/// 198.6 GB/s on two nodes, at 642 ns; 261 ns at half of it. 395 ns at 178.9 GB/s, which is 90 %.
#[test]
fn a_plateau_is_the_capacity() {
    let fitted = comes_back(&["lscpu-2n.txt", "mlc311-vm.txt"]);
    near(bandwidth(&fitted), 99.3, 0.1);
    for (load, latency) in [("50", 261.0), ("75", 346.0), ("90", 395.0), ("100", 642.0)] {
        near(under_load(&fitted, load), latency, 0.15);
    }
}

/// 369 GB/s on four nodes, at 469 ns. 118 ns at 247 GB/s and 207 at 372: 115 at one half, 141 and 182 at 75 and 90 %.
#[test]
fn a_plateau_of_many_latencies_is_steep() {
    let fitted = comes_back(&["lscpu-1x9554-nps4.txt", "mlc-nps4.txt"]);
    near(bandwidth(&fitted), 92.3, 0.1);
    for (load, latency) in [("50", 115.0), ("75", 141.0), ("90", 182.0), ("100", 469.0)] {
        near(under_load(&fitted, load), latency, 0.15);
    }
}

/// One rate of a full machine: 331 GB/s on two nodes with or without the lines that stores fetch, spread or on one.
#[test]
fn one_rate_of_a_full_machine_is_a_capacity() {
    let fitted = comes_back(&["lscpu-cxl.txt", "stream-log.txt"]);
    let finding = fitted.estimates.iter().find(|finding| finding.path == "memory.bandwidth").unwrap();
    let (value, within) = (bandwidth(&fitted), finding.interval());
    near(value, 331.4 / 2.0 * 4.0 / 3.0, 0.05);
    assert!(value / within < 166.0 && value * within > 331.0, "{value} within a factor of {within}");
}

/// 561.7 and 391.0 ns from nodes 0 and 1, the links taking 72 ns there and back. The firmware of the second file calls
/// node 0 the nearer one.
#[test]
fn memory_without_processors_comes_back() {
    for numactl in ["numactl-cxl1.txt", "numactl-cxl.txt"] {
        let fitted = comes_back(&["lscpu-cxl.txt", numactl, "mlc-cxl39a.txt"]);
        let kind = &fitted.subject.machine.memory_only[0];
        assert_eq!((kind.near, kind.only_at), (numalab_machine::LevelKind::Socket, Some(1)));
        let conflict = |warning: &String| warning.contains("the measurement counts");
        assert_eq!(
            fitted.warnings.iter().any(conflict),
            numactl == "numactl-cxl.txt",
            "{:#?}",
            fitted.warnings
        );
        assert_eq!(fitted.off(), []);
    }
    comes_back(&["lscpu-cxl.txt", "numactl-cxl.txt", "mlc-cxl39a.txt", "mlc-cxl-bw.txt"]);
}

/// Latencies and bandwidths from both sockets: stacked memory of each, a device at each, two kinds of device at one.
#[test]
fn memory_without_processors_of_several_nodes_comes_back() {
    for name in ["hbm", "cxl2", "cxl-two-kinds"] {
        let [lscpu, numactl, mlc] = ["lscpu", "numactl", "mlc"].map(|tool| format!("{tool}-{name}.txt"));
        let fitted = comes_back(&[&lscpu, &numactl, &mlc]);
        assert_eq!(fitted.off(), [], "{name}");
    }
}
