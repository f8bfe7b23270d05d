//! NAS parallel benchmarks: sizes, operations and grids of their classes.

use numalab_files::{Facts, parse_overrides};
use numalab_lower::{Experiment, machine, workload};

const PROGRAMS: [&str; 7] = ["nas_bt", "nas_cg", "nas_ep", "nas_ft", "nas_lu", "nas_mg", "nas_sp"];
const CLASSES: [&str; 6] = ["S", "W", "A", "B", "C", "D"];

fn program(name: &str, machine_name: &str, class: &str) -> Experiment {
    let overrides = parse_overrides(&[format!("workload.class={class}")]).unwrap().workload;
    let machine = machine(machine_name, &[]).unwrap().value;
    workload(name, &overrides, &Facts::of(&machine, 16)).unwrap()
}

fn value(of: &Experiment, name: &str) -> f64 {
    of.questions.value(name, &|_, _| None).unwrap_or_else(|| panic!("{name} has no value"))
}

/// In 10^9 operations. BT of class A by hand: 200 steps of 3478.8 x 64^3 - 17 655.7 x 64^2 + 28 023.7 x 64, which is 911.95e6
/// - 72.32e6 + 1.79e6 = 841.4e6. Classes W to C by the same formulas.
#[test]
fn operations_are_those_of_the_class() {
    for (name, class, expected) in [
        ("nas_bt", "A", 168.28),
        ("nas_bt", "B", 702.18),
        ("nas_sp", "A", 85.01),
        ("nas_lu", "A", 119.30),
        ("nas_mg", "A", 3.892),
        ("nas_mg", "B", 19.46),
        ("nas_ft", "A", 7.137),
        ("nas_cg", "A", 1.496),
        ("nas_cg", "B", 54.71),
        ("nas_ep", "S", 1.678),
        ("nas_ep", "A", 26.84),
    ] {
        let found = value(&program(name, "s6030", class), "operations") / 1e9;
        assert!((found / expected - 1.0).abs() < 1e-3, "{name} {class}: {found}");
    }
}

/// Cores of s6030 execute 2 GHz x 1.5 = 3e9 instructions a second, cores of opteron4 2 GHz x 1.2 = 2.4e9: EP of class A takes
/// 26.84e9 x 2.5 / 3e9 = 22.4 s and 28.0 s.
#[test]
fn the_machine_has_the_rate_of_computing() {
    for (machine, expected) in [("s6030", 22.37), ("opteron4", 27.96)] {
        let found = value(&program("nas_ep", machine, "A"), "computing");
        assert!((found / expected - 1.0).abs() < 1e-3, "{machine}: {found} s");
    }
}

/// Fewer steps are less work; computing that is set is kept.
#[test]
fn steps_and_computing_can_be_set() {
    let of = |set: &[&str]| {
        let texts: Vec<String> = set.iter().map(|text| (*text).to_owned()).collect();
        let machine = machine("s6030", &[]).unwrap().value;
        workload("nas_sp", &parse_overrides(&texts).unwrap().workload, &Facts::of(&machine, 16)).unwrap()
    };
    let (all, few) = (value(&of(&[]), "operations"), value(&of(&["workload.steps=4"]), "operations"));
    assert!((all / few - 100.0).abs() < 1e-9);
    assert_eq!(value(&of(&["workload.computing=5"]), "computing"), 5.0);
}

#[test]
fn every_class_loads() {
    for name in PROGRAMS {
        let mut last = 0.0;
        for class in CLASSES {
            let operations = value(&program(name, "opteron4", class), "operations");
            assert!(operations > last, "{name}: {class} has more operations than the class before");
            last = operations;
        }
    }
    // A plane of BT in class C has 163 x 163 points of five numbers, and there are 162 planes.
    let regions = program("nas_bt", "opteron4", "C").workload.value.regions;
    assert_eq!(regions.iter().find(|region| region.name == "u").unwrap().size.0, 40 * 163 * 163 * 162);
    // The matrix of CG in class S has 78 148 elements, counted with the program's random numbers.
    let regions = program("nas_cg", "opteron4", "S").workload.value.regions;
    assert_eq!(regions.iter().find(|region| region.name == "a").unwrap().size.0, 8 * 78_148);
}

/// Grids of 32 points in each direction have four coarser ones (16, 8, 4 and 2), grids of 128 have six, and of 256 seven.
/// Classes C and D keep seven.
#[test]
fn multigrid_ends_at_two_points() {
    for (class, expected) in [("S", 4), ("W", 6), ("A", 7), ("B", 7), ("C", 7), ("D", 7)] {
        let phases = program("nas_mg", "opteron4", class).workload.value.phases;
        let count = |begins: &str| {
            let with = phases.iter().filter(|phase| phase.name.starts_with(begins));
            with.filter(|phase| !phase.name.ends_with("_ends")).count()
        };
        // Down to each coarser grid, up from it, and a smoothing on each of all grids.
        assert_eq!(
            (count("rprj"), count("interp"), count("psinv")),
            (expected, expected, expected + 1),
            "{class}"
        );
    }
}
