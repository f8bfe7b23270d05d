//! Look-up of names: folders below the current one first, then the binary's catalogue.

use crate::support::{Desk, says};

const MACHINE: &str = include_str!("fixtures/pair.toml");
const WORKLOAD: &str = include_str!("fixtures/sweep.yaml");

#[test]
fn the_catalogue_is_there_in_any_folder() {
    let desk = Desk::empty();
    says(&desk.answer(&["show", "bcs16"]), &["bcs16", "16", "128"]);
    says(&desk.answer(&["show", "bcs16.toml"]), &["bcs16"]);
    let machines = [
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
    let list = desk.answer(&["list"]);
    says(&list, &machines);
    says(&list, &["loadbal"]);
    for machine in machines {
        desk.answer(&["show", machine]);
    }
}

#[test]
fn a_file_here_hides_the_built_in_one() {
    let desk = Desk::with("machines/bcs16.toml", MACHINE);
    says(&desk.answer(&["show", "bcs16"]), &["Two sockets for tests"]);
    says(&desk.answer(&["list"]), &["Two sockets for tests", "machines/bcs16.toml"]);
}

#[test]
fn names_paths_and_the_synthetic_form_all_work() {
    let desk = Desk::with("machines/pair.toml", MACHINE);
    desk.put("workloads/sweep.yaml", WORKLOAD);
    desk.put("elsewhere/mine.toml", MACHINE);
    let answer = desk.answer(&["sim", "pair", "sweep"]);
    for (machine, workload) in [
        ("pair.toml", "sweep.yaml"),
        ("machines/pair.toml", "workloads/sweep.yaml"),
        ("./machines/pair.toml", "sweep"),
        ("elsewhere/mine.toml", "sweep"),
    ] {
        assert_eq!(desk.answer(&["sim", machine, workload]), answer, "{machine} {workload}");
    }
    desk.answer(&["sim", "socket:2 core:2", "sweep"]);
}

#[test]
fn the_list_has_three_formats() {
    let desk = Desk::with("machines/pair.toml", MACHINE);
    let list: serde_json::Value = serde_json::from_str(&desk.answer(&["list", "--format", "json"])).unwrap();
    let names = list["machines"].as_array().unwrap().iter().map(|machine| machine["name"].as_str().unwrap());
    assert!(names.clone().any(|name| name == "pair") && names.clone().any(|name| name == "bcs16"));
    let csv = desk.answer(&["list", "--format", "csv"]);
    assert_eq!(csv.lines().next().unwrap(), "kind,name,description,place");
}
