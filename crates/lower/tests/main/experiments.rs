//! Shipped workloads on shipped machines, compared with the published measurements.

use numalab_files::{Facts, Item, Kind, catalogue, parse_overrides};
use numalab_lower::{Experiment, machine, workload};
use numalab_machine::totals;
use numalab_workload::{Mode, Placement, Slice};

fn names(kind: Kind) -> Vec<String> {
    let items = catalogue().into_iter().filter(|item: &Item| item.kind == kind);
    items.map(|item| item.name).collect()
}

fn experiment(name: &str, machine_name: &str, threads: u32, set: &[&str]) -> Experiment {
    let texts: Vec<String> = set.iter().map(|text| (*text).to_owned()).collect();
    let overrides = parse_overrides(&texts).unwrap().workload;
    let machine = machine(machine_name, &[]).unwrap().value;
    workload(name, &overrides, &Facts::of(&machine, threads)).unwrap()
}

#[test]
fn every_workload_loads_on_every_machine() {
    for machine_name in names(Kind::Machine) {
        let machine = machine(&machine_name, &[]).unwrap().value;
        for name in names(Kind::Workload) {
            for threads in [1, totals(&machine).cores] {
                let loaded = workload(&name, &[], &Facts::of(&machine, threads));
                assert!(loaded.is_ok(), "{name} on {machine_name}:\n{}", loaded.err().unwrap());
            }
        }
    }
}

/// In every row of `published.csv` whose machine and workload ship, the workload knows the parameters, and the
/// quantity is one of its measures. Rows about makespans and model errors are left out.
#[test]
fn the_published_rows_are_understood() {
    let (machines, workloads) = (names(Kind::Machine), names(Kind::Workload));
    let mut seen = 0;
    for row in include_str!("../../../../reference/published.csv").lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [id, machine, name, quantity, params] = [cells[0], cells[2], cells[3], cells[4], cells[5]];
        let known = |names: &[String], name: &str| names.iter().any(|known| known == name);
        let other = ["makespan", "model_error", "model_error_max"].contains(&quantity);
        if !known(&machines, machine) || !known(&workloads, name) || other {
            continue;
        }
        let mut threads = 1;
        let mut set = Vec::new();
        for (key, value) in params.split(';').filter_map(|pair| pair.split_once('=')) {
            match key {
                "threads" => {
                    threads = value.split('x').map(|factor| factor.parse::<u32>().unwrap()).product();
                }
                "binding" => assert_eq!(value, "off"),
                // `from` selects one of the nodes that the workload measures in turn.
                "from" if name == "node_bandwidth" => {}
                _ if value == "any" => {}
                _ => set.push(format!("workload.{key}={value}")),
            }
        }
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let questions = experiment(name, machine, threads, &set).questions;
        assert!(questions.measures.iter().any(|measure| measure.name == quantity), "{id}: no {quantity}");
        seen += 1;
    }
    assert!(seen >= 50, "{seen}");
}

#[test]
fn levels_of_distance_are_nodes() {
    let node = |machine, level: &str| {
        let set = format!("workload.level={level}");
        experiment("serial_bandwidth", machine, 1, &[&set]).workload.value.regions[0].placement.clone()
    };
    // Placements on four boards of four nodes, two nodes per board, and one node.
    let bind = |node: u32| format!("bind:{node}").parse::<Placement>().unwrap();
    assert_eq!(["0", "1", "2"].map(|level| node("bcs16", level)), [0, 1, 4].map(bind));
    assert_eq!(["0", "1", "2"].map(|level| node("altix-uv", level)), [0, 1, 2].map(bind));
    assert_eq!(["0", "1", "2"].map(|level| node("xeon-phi", level)), [0, 0, 0].map(bind));
}

#[test]
fn the_next_thread_owns_what_is_read_in_step_one() {
    let workload = experiment("memory_go_around", "bcs16", 128, &["workload.step=1"]).workload.value;
    let Slice::Explicit(pieces) = &workload.phases[1].accesses[0].slice else { panic!("explicit slices") };
    let chunk = 16_000_000;
    assert_eq!(pieces.slices()[0], (chunk, chunk));
    assert_eq!(pieces.slices()[127], (0, chunk));
    let questions = experiment("memory_go_around", "bcs16", 128, &[]).questions;
    let series = questions.series.unwrap();
    assert_eq!((series.points.len(), series.over.as_str()), (129, "step"));
    assert_eq!(series.points[64].change.overrides[0].original, "workload.parameters.step=64");
    // 8 of 250 GB/s: the smallest value over the first.
    let measure = questions.measures.iter().find(|measure| measure.name == "min_over_first").unwrap();
    assert_eq!(measure.of_series(&[(0.0, 250e9), (1.0, 8e9), (2.0, 250e9)]), Some(8.0 / 250.0));
}

/// Moving a page costs 1.295 us and saves 0.204 - 0.102 us per access, so 12.7 accesses pay for it
/// [migr.westmere.even.fetch].
#[test]
fn migration_breaks_even_as_published() {
    let loaded = experiment("migration_daxpy", "westmere", 12, &["workload.mechanism=migrate"]);
    let phases: Vec<&str> = loaded.workload.value.phases.iter().map(|phase| phase.name.as_str()).collect();
    assert_eq!(phases, ["initialise-serial", "fetch", "access"]);
    assert_eq!(loaded.workload.value.phases[1].accesses[0].mode, Mode::Fetch);
    let pages = 3.0 * 128e6 / 4096.0;
    let run = |name: &str, against: Option<&numalab_lower::Change>| match (name, against) {
        ("time_fetch", None) => Some(1.295e-6 * pages),
        ("time_access", None) => Some(10.0 * 0.102e-6 * pages),
        ("page_access", Some(change)) => {
            assert_eq!(change.overrides[0].original, "workload.parameters.mechanism=none");
            Some(0.204e-6)
        }
        _ => None,
    };
    let value = loaded.questions.value("break_even_accesses", &run).unwrap();
    assert!((value - 12.696).abs() < 0.001, "{value}");
}

/// With an even split of the rows, the last of 128 threads has 4/3 of the mean number of non-zeros, less the
/// differences among its own rows: 2/3 (1 + 127.5 / 128) = 1.3307.
#[test]
fn rows_of_cg_are_uneven_and_balanced_by_variant() {
    let bounds = |variant: &str, access: usize| {
        let set = format!("workload.variant={variant}");
        let workload = experiment("cg", "bcs16", 128, &[&set]).workload.value;
        let product = workload.phases.iter().find(|phase| phase.name == "product").unwrap().clone();
        match &product.accesses[access].slice {
            Slice::Partition(bounds) => (product.iterations, std::sync::Arc::clone(bounds)),
            other => panic!("{other:?}"),
        }
    };
    let (rows, values) = bounds("parallel_init", 0);
    assert_eq!(rows, 2_017_169);
    let total = 8.0 * 283_073_458.0;
    let last = total - values[rows as usize * 127 / 128] as f64;
    assert!((last / total * 128.0 - 1.3307).abs() < 1e-3);
    let (threads, values) = bounds("nnz_balanced", 0);
    assert_eq!(threads, 128);
    assert!((values[127] as f64 - total * 127.0 / 128.0).abs() < 8.0);
    // The first rows are the shortest, so the first thread has most rows: sqrt(1 + 3 / 128) - 1 = 0.011651 of all.
    let (_, vector) = bounds("nnz_balanced", 3);
    assert!((vector[1] as f64 / (8.0 * 2_017_169.0) - 0.011651).abs() < 1e-6);
}

/// Slow in debug builds: about ten times the time of a release build.
#[test]
fn gathers_of_two_million_rows_are_drawn_within_their_windows() {
    let workload = experiment("cg", "bcs16", 128, &["workload.variant=serial_init"]).workload.value;
    let product = workload.phases.iter().find(|phase| phase.name == "product").unwrap();
    let gather = &product.accesses[2].slice;
    assert!(matches!(gather, Slice::Sparse(_)));
    let piece = gather.piece(1_000_000, 1_000_001).unwrap();
    assert_eq!((piece.start, piece.end, piece.scattered), (7_500_000, 8_500_000, true));
    // The row has 283 073 458 / 2 017 169 x 2/3 x (1 + 1e6 / 2 017 169) = 139.9 non-zeros in runs of 8: 17 lines.
    assert_eq!(piece.touched, 17 * 64);
}
