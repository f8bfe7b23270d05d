//! Flags that are invalid, or do not fit the machine: status 2, and a message with a remedy.

use crate::support::{Desk, says};

#[test]
fn help_teaches_with_examples() {
    let desk = Desk::empty();
    says(&desk.answer(&["--help"]), &["Examples:", "numalab sim bcs16 loadbal"]);
    for verb in [
        "sim",
        "show",
        "calibrate",
        "places",
        "place-threads",
        "protocol",
        "schema",
        "validate",
        "completions",
    ] {
        says(&desk.answer(&["help", verb]), &["Example", &format!("numalab {verb}")]);
    }
}

#[test]
fn misspelt_policies_get_the_nearest_name() {
    let message = Desk::empty().refusal(&["sim", "bcs16", "loadbal", "--policy", "statik"]);
    says(&message, &["invalid value 'statik'", "did you mean \"static\"?"]);
    let message = Desk::empty().refusal(&["sim", "bcs16", "loadbal", "--policy", "dynamic,0"]);
    says(&message, &["must be a whole number of at least 1"]);
}

#[test]
fn a_team_without_threads_is_refused() {
    let message = Desk::empty().refusal(&["sim", "bcs16", "loadbal", "--threads", "0"]);
    says(&message, &["0 is not in 1.."]);
}

#[test]
fn processors_outside_the_machine_or_named_twice_are_refused() {
    for (list, parts) in [
        ("0-6", ["names processor 6", "its processors are 0-5"]),
        ("0-4000000000", ["names processor 6", "its processors are 0-5"]),
        ("1,0-2", ["names processor 1 twice", "once"]),
        ("2-0", ["runs backwards", "0-2"]),
        ("all", ["\"all\"", "0-7"]),
    ] {
        says(&Desk::empty().refusal(&["sim", "socket:2 core:3", "loadbal", "--procs", list]), &parts);
    }
}

#[test]
fn threads_sit_on_the_processors_in_the_order_of_the_list() {
    let json = Desk::empty().answer(&[
        "sim",
        "socket:2 core:3",
        "loadbal",
        "-p",
        "static",
        "--procs",
        "4,0-2:2",
        "--format",
        "json",
        "--set",
        "workload.footprint=100 MB",
    ]);
    let results: serde_json::Value = serde_json::from_str(&json).unwrap();
    let team = results["runs"][0]["team"].as_array().unwrap();
    let processors: Vec<u64> = team.iter().map(|member| member["processor"].as_u64().unwrap()).collect();
    assert_eq!(processors, [4, 0, 2]);
}

#[test]
fn a_wrong_override_is_refused_with_the_nearest_name() {
    let message =
        Desk::empty().refusal(&["sim", "bcs16", "loadbal", "--set", "machine.memory.bandwith=1 GB/s"]);
    says(&message, &["bandwith", "bandwidth"]);
    let message = Desk::empty().refusal(&["sim", "bcs16", "loadbal", "--set", "workload.pakages=7"]);
    says(&message, &["pakages", "packages"]);
    let message = Desk::empty().refusal(&["sim", "bcs16", "loadbal", "--set", "nonsense"]);
    says(&message, &["nonsense"]);
}

#[test]
fn an_unknown_name_gets_the_nearest_one() {
    says(&Desk::empty().refusal(&["sim", "bsc16", "loadbal"]), &["bsc16", "bcs16"]);
    says(&Desk::empty().refusal(&["sim", "bcs16", "loadball"]), &["loadball", "loadbal"]);
    // Both wrong names are reported at once.
    says(&Desk::empty().refusal(&["sim", "bsc16", "loadball"]), &["bsc16", "loadball"]);
}

#[test]
fn completions_know_the_catalogue() {
    for shell in ["bash", "zsh", "fish"] {
        says(&Desk::empty().answer(&["completions", shell]), &["numalab", "bcs16", "loadbal", "numa-steal"]);
    }
}
