//! Meaning of sweep files.

use crate::scratch::Scratch;
use numalab_files::Facts;
use numalab_study::ReplicaCount;
use numalab_sweep::file::{Axis, Gate, Rule, Sweep, sweep};
use numalab_workload::{NodeSet, Placement, Schedule, Victim};
use proptest::prelude::*;
use std::path::Path;

/// Loads a sweep from a text, through a temporary file.
pub fn read(text: &str) -> Result<Sweep, String> {
    let folder = Scratch::new();
    let path = folder.write("s.yaml", text);
    let path = path.to_str().unwrap();
    sweep(path).map_err(|error| error.to_string().replace(path, "FILE"))
}

/// Text of a sweep file for `loadbal` on `bcs16`. `points` adds lines under the key `points`, `rest` at top level.
pub fn with(points: &str, rest: &str) -> String {
    format!("name: s\npoints:\n  machine: bcs16\n  workload: loadbal\n{points}{rest}")
}

/// Values, as texts, of the last axis of a sweep with these lines under `points`.
fn values(points: &str) -> Vec<String> {
    let sweep = read(&with(points, "")).unwrap();
    let show = |value: &Option<String>| value.clone().unwrap_or("-".to_owned());
    match sweep.axes.last().unwrap() {
        Axis::Threads(all) => {
            all.iter().map(|t| t.as_ref().map_or("-".to_owned(), |t| t.text().to_owned())).collect()
        }
        Axis::Seed(all) => all.iter().map(u64::to_string).collect(),
        Axis::Set { values, .. } => values.clone(),
        Axis::ProcBind(all) | Axis::Places(all) | Axis::Procs(all) | Axis::Runtime(all) => {
            all.iter().map(show).collect()
        }
        other => panic!("{other:?}"),
    }
}

pub const ALL: &str = "
name: policies
description: Everything that a file can say
points:
  policy: [static, dynamic, 'numa-steal:most-loaded']
  set:
    workload.packages: [3840, 61440]
    machine.memory.bandwidth: { from: 12 GB/s, to: 24 GB/s, step: 4 GB/s }
  machine: [bcs16, 'board:4 socket:4 core:8']
  workload: loadbal
  placement: [default, interleave]
  threads: { from: 8, to: 128, factor: 2 }
replicas: 5
filters:
  stealing: { policy: 'numa-steal:*' }
  hierarchical: { where: boards > 1 and seed < 4 }
  no-bcs: { not: { machine: bcs16, placement: default } }
keep: [no-bcs]
gates:
  - name: close to the best
    policy: numa-steal:most-loaded
    no_worse_than: best
    by: 5 %
    on: hierarchical
  - { name: as before, baseline: old/policies.csv, within: 0.01, measure: bytes_node, better: more }
  - { name: order, order: ['numa-steal:most-loaded', dynamic, static], tie: 2 % }

  - { name: local, holds: bytes_machine < 0.5 * (bytes_node + bytes_machine) }
";

#[test]
fn axes_come_in_the_order_of_the_file() {
    let sweep = read(ALL).unwrap();
    assert_eq!((sweep.name.as_str(), sweep.replicas), ("policies", ReplicaCount::Number(5)));
    let stealing = Schedule::NumaSteal(Victim::MostLoaded);
    let names: Vec<&str> = sweep.axes.iter().map(Axis::name).collect();
    assert_eq!(
        names,
        [
            "policy",
            "workload.packages",
            "machine.memory.bandwidth",
            "machine",
            "workload",
            "placement",
            "threads"
        ]
    );
    let set = |path: &str, values: &[&str]| Axis::Set {
        path: path.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    let policies = vec![Schedule::Static { chunk: None }, Schedule::Dynamic { chunk: 1 }, stealing];
    assert_eq!(sweep.axes[0], Axis::Schedule(policies));
    assert_eq!(sweep.axes[1], set("workload.packages", &["3840", "61440"]));
    let rates = ["12 GB/s", "16 GB/s", "20 GB/s", "24 GB/s"];
    assert_eq!(sweep.axes[2], set("machine.memory.bandwidth", &rates));
    let machines = ["bcs16", "board:4 socket:4 core:8"].map(str::to_owned).to_vec();
    assert_eq!(sweep.axes[3], Axis::Machine(machines));
    let interleave = Some(Placement::Interleave(NodeSet::All));
    assert_eq!(sweep.axes[5], Axis::Placement(vec![None, interleave]));
    assert_eq!(sweep.axes[6].len(), 5);
}

#[test]
fn filters_choose_points() {
    let sweep = read(ALL).unwrap();
    let names: Vec<&str> = sweep.filters.iter().map(|filter| filter.name.as_str()).collect();
    assert_eq!((names, sweep.keep.as_slice()), (vec!["stealing", "hierarchical", "no-bcs"], &[2][..]));
    let holds = |number: usize, boards, seed, machine: &str, policy: &str, placement: Option<&str>| {
        let facts = Facts { boards, ..Facts::default() };
        sweep.filters[number].holds(Some(&facts), seed, &|coordinate| match coordinate {
            "machine" => Some(machine.to_owned()),
            "policy" => Some(policy.to_owned()),
            "placement" => placement.map(str::to_owned),
            _ => None,
        })
    };
    assert!(holds(0, 1, 0, "bcs16", "numa-steal:random", None));
    assert!(!holds(0, 1, 0, "bcs16", "static", None));
    assert!(holds(1, 2, 3, "bcs16", "static", None));
    assert!(!holds(1, 2, 4, "bcs16", "static", None) && !holds(1, 1, 3, "bcs16", "static", None));
    // Filter 2 rejects bcs16, and the default placement.
    assert!(holds(2, 1, 0, "hp8", "static", Some("interleave")));
    assert!(!holds(2, 1, 0, "bcs16", "static", Some("interleave")) && !holds(2, 1, 0, "hp8", "static", None));
}

#[test]
fn seeds_are_coordinates_of_filters() {
    let text = with("  seed: [1, 12]\n", "filters:\n  few: { seed: '1*' }\n");
    let filter = &read(&text).unwrap().filters[0];
    let holds = |seed| filter.holds(Some(&Facts::default()), seed, &|_| None);
    assert!(holds(12) && holds(1) && !holds(21));
}

#[test]
fn gates_say_what_must_hold() {
    let sweep = read(ALL).unwrap();
    let [close, before, order, local] = &sweep.gates[..] else { panic!("four gates") };
    let stealing = Schedule::NumaSteal(Victim::MostLoaded);
    let about = |gate: &Gate| (gate.filter, gate.measure.clone(), gate.more_is_better, gate.line);
    // The file begins with an empty line.
    assert_eq!(about(close), (Some(1), "makespan".to_owned(), false, 20));
    assert_eq!(about(before), (None, "bytes_node".to_owned(), true, 25));
    assert_eq!((order.line, local.line), (26, 28));
    let Rule::NoWorse { over, value, than, by } = &close.rule else { panic!("{close:?}") };
    assert_eq!((&**over, value, than.len(), *by), ("policy", &stealing.to_string(), 0, 0.05));
    let Rule::Baseline { file, by } = &before.rule else { panic!("{before:?}") };
    assert!(file.is_absolute() && file.ends_with("old/policies.csv"), "{file:?}");
    assert_eq!(*by, 0.01);
    let Rule::Order { over: _, values, tie } = &order.rule else { panic!("{order:?}") };
    assert_eq!((values.len(), &values[0], *tie), (3, &stealing.to_string(), 0.02));
    let Rule::Holds(condition) = &local.rule else { panic!("{local:?}") };
    assert_eq!(condition.names(), ["bytes_machine", "bytes_node"]);
    assert!(
        condition.holds(&[1.0, 2.0]) && !condition.holds(&[2.0, 1.0]) && !condition.holds(&[f64::NAN, 1.0])
    );
}

#[test]
fn the_shipped_sweep_is_found_by_its_name() {
    let shipped = sweep("policies").unwrap();
    assert_eq!(shipped.file(), "policies.yaml (built in)");
    let error = shipped.wrong("points.workload", "no such thing", "expected one").to_string();
    assert!(error.contains("policies.yaml (built in):") && error.contains("workload: loadbal"), "{error}");
    let machines = numalab_files::catalogue();
    // The sweep has all machines with coherent caches; its policies share words, which software-shared pages do not
    // support.
    let of_lines = |name: &str| numalab_lower::machine(name, &[]).unwrap().value.dsm.is_none();
    let machines = machines.iter().filter(|item| item.kind == numalab_files::Kind::Machine);
    let machines = machines.filter(|item| of_lines(&item.name)).count();
    assert!(matches!(&shipped.axes[0], Axis::Machine(all) if all.len() == machines));
    for gate in &shipped.gates {
        if let Rule::Baseline { file, .. } = &gate.rule {
            assert!(file.is_relative() && !Path::new("sweeps").join(file).exists());
        }
    }
}

#[test]
fn values_are_one_a_list_a_range_or_a_text() {
    for (points, expected) in [
        ("  threads: 8\n", &["8"][..]),
        ("  threads: [cores/2, cores, default]\n", &["cores/2", "cores", "-"]),
        ("  threads: 8, 2*8, min(cores, 4)\n", &["8", "16", "min(cores, 4)"]),
        ("  threads: 8..128*2\n", &["8", "16", "32", "64", "128"]),
        ("  threads: 1..3\n", &["1", "2", "3"]),
        ("  threads: { from: 1, to: 100, count: 3, log: true }\n", &["1", "10", "100"]),
        // 1, 1.5, 2.25, 3.375, 4 are rounded to whole numbers; duplicates are dropped.
        ("  threads: { from: 1, to: 4, factor: 1.5 }\n", &["1", "2", "3", "4"]),
        ("  seed: 1..7:3\n", &["1", "4", "7"]),
        ("  seed: '18446744073709551615'\n", &["18446744073709551615"]),
        ("  runtime: [default, llvm]\n", &["-", "llvm"]),
        ("  proc_bind: [true, 'spread,close']\n", &["true", "spread,close"]),
        ("  procs: [7, 0-7:2]\n", &["7", "0-7:2"]),
        ("  places: '{0:4},{8:4}'\n", &["{0:4},{8:4}"]),
    ] {
        assert_eq!(values(points), expected, "{points}");
    }
}

#[test]
fn ranges_of_quantities_keep_their_unit() {
    for (text, expected) in [
        ("{ from: 0, to: 0.4, step: 0.1 }", &["0", "0.1", "0.2", "0.3", "0.4"][..]),
        ("{ from: 1, to: 2, count: 3 }", &["1", "1.5", "2"]),
        ("{ from: 64 KiB, to: 1024KiB, factor: 4 }", &["64 KiB", "256 KiB", "1024 KiB"]),
        ("1 GHz..2.5 GHz:0.5 GHz", &["1 GHz", "1.5 GHz", "2 GHz", "2.5 GHz"]),
        ("'8, 16'", &["8", "16"]),
        ("8.0", &["8"]),
        ("[8 GB, 16 GB]", &["8 GB", "16 GB"]),
        // A text that begins with a word is one value.
        ("'dynamic,4'", &["dynamic,4"]),
        ("../matrices/a.mtx", &["../matrices/a.mtx"]),
        ("[near, far, true]", &["near", "far", "true"]),
    ] {
        assert_eq!(values(&format!("  set: {{ workload.x: {text} }}\n")), expected, "{text}");
    }
}

#[test]
fn sizes_of_teams_depend_on_the_machine() {
    let sweep = read(&with("  threads: [cores / 2, cores / 3, 4]\n", "")).unwrap();
    let Axis::Threads(sizes) = &sweep.axes[2] else { panic!("{:?}", sweep.axes) };
    let facts = Facts { cores: 16, ..Facts::default() };
    let of = |number: usize| sizes[number].as_ref().unwrap().on(&facts);
    assert_eq!((of(0), of(2)), (Ok(8), Ok(4)));
    assert!(of(1).unwrap_err().contains("cores / 3 is 5.33"));
}

proptest! {
    /// Ranges of decimal fractions equal those of whole numbers divided by ten.
    #[test]
    fn ranges_are_arithmetic(from in 0..1000_i64, step in 1..50_i64, count in 0..60_i64, typed in any::<bool>()) {
        let tenths = |value: i64| match value % 10 {
            0 => format!("{} GB/s", value / 10),
            part => format!("{}.{part} GB/s", value / 10),
        };
        let (first, last, by) = (tenths(from), tenths(from + count * step), tenths(step));
        let text = match typed {
            true => format!("{first}..{last}:{by}"),
            false => format!("{{ from: {first}, to: {last}, step: {by} }}"),
        };
        let expected: Vec<String> = (0..=count).map(|k| tenths(from + k * step)).collect();
        prop_assert_eq!(values(&format!("  set: {{ machine.memory.bandwidth: {text} }}\n")), expected);
    }

    /// A range with a factor is a geometric series.
    #[test]
    fn factors_are_arithmetic(from in 1..100_u64, factor in 2..10_u64, count in 0..6_u32) {
        let to = from * factor.pow(count);
        let expected: Vec<String> = (0..=count).map(|k| (from * factor.pow(k)).to_string()).collect();
        prop_assert_eq!(values(&format!("  set: {{ workload.packages: {from}..{to}*{factor} }}\n")), expected);
    }
}

#[test]
fn every_shipped_sweep_loads() {
    for item in numalab_files::catalogue().into_iter().filter(|item| item.kind == numalab_files::Kind::Sweep)
    {
        let error = sweep(&item.name).err();
        assert!(error.is_none(), "{}:\n{}", item.name, error.unwrap());
    }
}
