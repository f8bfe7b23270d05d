//! Every shipped file loads, and has a name and a description.

use numalab_base::{ValueOrigin, ValueOrigins};
use numalab_files::{Facts, Kind, Overrides, catalogue, entry, parse_overrides, written_values};
use numalab_lower::{machine, runtime, workload};
use numalab_syntax::toml_tree;

#[test]
fn every_shipped_file_loads() {
    for item in catalogue() {
        let failure = match item.kind {
            Kind::Machine => machine(&item.name, &[]).err(),
            Kind::Workload => workload(&item.name, &[], &Facts::default()).err(),
            Kind::Runtime => runtime(&item.name, &[]).err(),
            // The tests of the crate `sweep` load these.
            Kind::Sweep | Kind::Policy => None,
        };
        assert!(failure.is_none(), "{}:\n{}", item.name, failure.unwrap());
        assert!(!item.description.is_empty(), "{} has no description", item.name);
    }
}

#[test]
fn the_machines_of_the_published_measurements_ship() {
    let names: Vec<String> =
        catalogue().into_iter().filter(|item| item.kind == Kind::Machine).map(|item| item.name).collect();
    let expected = [
        "altix-uv",
        "bcs16",
        "epyc-naples-2p",
        "grace",
        "hp8",
        "numascale72",
        "s6030",
        "sandybridge4",
        "westmere",
        "xeon-5218",
        "xeon-8280-2p",
        "xeon-phi",
    ];
    for name in expected {
        assert!(names.iter().any(|known| known == name), "{name} is missing from {names:?}");
    }
}

#[test]
fn bcs16_has_the_fitted_latencies() {
    let machine = machine("bcs16", &[]).unwrap().value;
    let ns = |name: &str| machine.links.iter().find(|link| link.name == name).unwrap().latency.0 as f64 / 1e3;
    let local = machine.memory.latency.0 as f64 / 1e3;
    let ceiling = |latency: f64| machine.core.outstanding * 64.0 / latency;
    // 10 lines of 64 B in 134.7 ns are 4.75 GB/s; 0.725 of it to another node of the board, 0.25 of it to another
    // board.
    assert!((ceiling(local) - 4.75).abs() < 0.01);
    assert!((ceiling(local + 2.0 * ns("qpi")) / ceiling(local) - 0.725).abs() < 0.002);
    let away = local + 2.0 * (2.0 * ns("qpi-bcs") + ns("xqpi"));
    assert!((ceiling(away) / ceiling(local) - 0.25).abs() < 0.001);
}

#[test]
fn loadbal_is_what_its_definition_says() {
    let loadbal = workload("loadbal.yaml", &[], &Facts::default()).unwrap().workload.value;
    assert_eq!(loadbal.phases.len(), 2);
    let work = &loadbal.phases[1];
    assert_eq!((work.iterations, work.schedule), (3840, None));
    // Package i has i + 1 of 1 + … + 3840 = 7 374 720 parts of its share, a third of 40 GB.
    let size = loadbal.regions[0].size.0;
    assert_eq!(size, 13_333_333_333);
    let (start, end) = work.accesses[0].slice.range(99);
    assert_eq!(start, (u128::from(size) * (99 * 100 / 2) / 7_374_720) as u64);
    assert_eq!(end, (u128::from(size) * (100 * 101 / 2) / 7_374_720) as u64);
}

#[test]
fn overrides_change_values_and_hashes() {
    let texts = [
        "machine.memory.bandwidth=18 GB/s",
        "machine.level.board.count=2",
        "machine.level.1.count=2",
        "machine.link.qpi.lanes=3",
        "workload.packages=62400",
        "workload.phases.work.loop.overlap=0.5",
        "workload.compare=[\"static\"]",
    ]
    .map(str::to_owned);
    let Overrides { machine: for_machine, workload: for_workload, .. } = parse_overrides(&texts).unwrap();
    let plain = machine("bcs16", &[]).unwrap();
    let changed = machine("bcs16", &for_machine).unwrap();
    assert_eq!(changed.value.memory.bandwidth.0, 18e9);
    assert_eq!((changed.value.levels[0].count, changed.value.levels[1].count), (2, 2));
    assert_eq!(changed.overrides, texts[..4]);
    assert_ne!(plain.hash, changed.hash);
    let changed = workload("loadbal", &for_workload, &Facts::default()).unwrap().workload;
    assert_eq!(changed.value.phases[1].iterations, 62_400);
    assert_eq!(changed.value.phases[1].overlap, 0.5);
    assert_eq!(changed.value.compare.len(), 1);
    assert!(changed.resolved.to_string().len() < 4000, "no bounds in the record");
}

#[test]
fn the_spelling_of_a_quantity_does_not_change_the_hash() {
    let set = |text: &str| parse_overrides(&[text.to_owned()]).unwrap().machine;
    let one = machine("bcs16", &set("machine.memory.bandwidth=18 GB/s")).unwrap();
    let two = machine("bcs16", &set("machine.memory.bandwidth=18000 MB/s")).unwrap();
    assert_eq!((one.hash, one.resolved), (two.hash, two.resolved));
}

#[test]
fn synthetic_machines_take_overrides_too() {
    let set = parse_overrides(&["machine.core.clock=3 GHz".to_owned()]).unwrap().machine;
    let machine = machine("board:4 socket:4 core:8", &set).unwrap();
    assert_eq!(machine.value.core.clock.0, 3e9);
    assert_eq!(machine.value.links, numalab_machine::synthetic("board:4 socket:4 core:8").unwrap().links);
}

/// Law: Every value that a shipped machine or runtime writes, and every value that it leaves out, has an origin.
#[test]
fn shipped_values_have_origins() {
    for item in catalogue() {
        let stated: Vec<String> = match item.kind {
            Kind::Machine => {
                let machine = machine(&item.name, &[]).unwrap().value;
                let left_out = machine.file_values().into_iter().map(|one| (one.path, one.place));
                without_origin(&item.name, item.kind, &machine.origins, left_out)
            }
            Kind::Runtime => {
                let runtime = runtime(&item.name, &[]).unwrap().value;
                let left_out = runtime.file_values().into_iter().map(|one| (one.path, one.place));
                without_origin(&item.name, item.kind, &runtime.origins, left_out)
            }
            Kind::Workload | Kind::Sweep | Kind::Policy => Vec::new(),
        };
        assert!(stated.is_empty(), "{}: {stated:?}", item.name);
    }
}

/// Paths of the values of a file that are stated without a source.
fn without_origin(
    name: &str,
    kind: Kind,
    origins: &ValueOrigins,
    known: impl Iterator<Item = (String, String)>,
) -> Vec<String> {
    let root = toml_tree::parse(&entry(name, Some(kind)).unwrap().text, 0).root;
    let written = written_values(&root).into_iter().map(|one| (one.path, one.place));
    let all = known.chain(written);
    all.filter(|(path, place)| origins.at(path, place) == ValueOrigin::Stated).map(|(path, _)| path).collect()
}

/// Law: Origins are data: no comment of a shipped file marks one.
#[test]
fn no_comment_marks_an_origin() {
    let words = ValueOrigin::NAMES.iter().map(|word| format!("[{word}]"));
    let marks: Vec<String> = words.chain(["[study]".to_owned()]).collect();
    for item in catalogue() {
        let text = entry(&item.name, Some(item.kind)).unwrap().text;
        for (number, line) in text.lines().enumerate() {
            let marked = marks.iter().find(|mark| line.contains(&**mark));
            assert!(marked.is_none(), "{}:{}: {line}", item.name, number + 1);
        }
    }
}

/// Law: A shipped workload whose comments say that a value is assumed has an origin of it.
#[test]
fn assumed_values_of_shipped_workloads_have_origins() {
    for item in catalogue().into_iter().filter(|item| item.kind == Kind::Workload) {
        let text = entry(&item.name, Some(Kind::Workload)).unwrap().text;
        let comments = text.lines().filter_map(|line| line.split_once("# ").map(|(_, comment)| comment));
        let says = comments.map(str::to_lowercase).any(|comment| comment.contains("assum"));
        let experiment = workload(&item.name, &[], &Facts::default()).unwrap();
        let assumed = experiment.values.iter().any(|value| value.origin == ValueOrigin::Assumed);
        assert!(assumed || !says, "{}", item.name);
    }
}
