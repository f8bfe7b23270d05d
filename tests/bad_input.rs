//! Classes of bad input. Each gives a message with position and remedy and status 2, without panic or hang. Crates
//! test the wording of their own messages.

use crate::support::{Desk, failure, says};
use std::fs;

const MACHINE: &str = include_str!("fixtures/pair.toml");
const WORKLOAD: &str = include_str!("fixtures/sweep.yaml");

fn desk() -> Desk {
    let desk = Desk::with("machines/pair.toml", MACHINE);
    desk.put("workloads/sweep.yaml", WORKLOAD);
    desk
}

/// Error message after a change to the machine file.
#[track_caller]
fn machine(from: &str, to: &str) -> String {
    assert!(MACHINE.contains(from), "{from}");
    let desk = desk();
    desk.put("machines/pair.toml", &MACHINE.replace(from, to));
    desk.refusal(&["sim", "pair", "sweep"])
}

/// Error message after a change to the workload file.
#[track_caller]
fn workload(from: &str, to: &str) -> String {
    assert!(WORKLOAD.contains(from), "{from}");
    let desk = desk();
    desk.put("workloads/sweep.yaml", &WORKLOAD.replace(from, to));
    desk.refusal(&["sim", "pair", "sweep"])
}

#[test]
fn unbroken_input_files_are_valid() {
    says(&desk().answer(&["sim", "pair", "sweep"]), &["static", "dynamic"]);
}

#[test]
fn zero_cores() {
    says(
        &machine("kind = \"core\"\ncount = 2", "kind = \"core\"\ncount = 0"),
        &["machines/pair.toml:11", "count = 0", "^"],
    );
}

#[test]
fn a_disconnected_graph() {
    let message = machine("count = 2\ninterconnect", "count = 3\ninterconnect");
    says(&message, &["machines/pair.toml:7", "edges", "2"]);
}

#[test]
fn an_edge_to_nowhere() {
    says(&machine("to = 1", "to = 7"), &["machines/pair.toml:7", "7", "^"]);
}

#[test]
fn a_route_over_a_link_that_does_not_exist() {
    says(&machine("link = \"wire\"", "link = \"wier\""), &["machines/pair.toml:7", "wier", "wire"]);
}

#[test]
fn an_unknown_key_gets_the_nearest_name() {
    says(
        &machine("latency = \"80 ns\"", "latancy = \"80 ns\""),
        &["machines/pair.toml:25", "latancy", "latency"],
    );
    says(
        &workload("iterations: pieces\n      schedule", "iteration: pieces\n      schedule"),
        &["iteration", "iterations"],
    );
}

#[test]
fn malformed_numbers_are_refused() {
    for bad in ["nan", "inf", "-1"] {
        says(
            &machine("outstanding = 8", &format!("outstanding = {bad}")),
            &["machines/pair.toml:21", "outstanding"],
        );
    }
    for bad in ["NaN GB/s", "-4 GB/s", "0 GB/s", "4 parsecs", ""] {
        says(&machine("\"4 GB/s\"", &format!("\"{bad}\"")), &["machines/pair.toml:14", "bandwidth"]);
    }
}

#[test]
fn sizes_that_overflow_or_are_negative() {
    says(&machine("8 GiB", "-8 GiB"), &["machines/pair.toml:24", "-8 GiB"]);
    says(&machine("8 GiB", "99999999999999 PB"), &["machines/pair.toml:24"]);
    says(&machine("kind = \"core\"\ncount = 2", "kind = \"core\"\ncount = 4000000000"), &["4194304"]);
    says(&workload("size: 64 MB", "size: -64 MB"), &["workloads/sweep.yaml"]);
    says(&workload("size: 64 MB", "size: 99999999999999 PB"), &["workloads/sweep.yaml"]);
    says(&workload("size: 64 MB", "size: 1 / 0"), &["workloads/sweep.yaml"]);
}

#[test]
fn more_data_than_the_machine_has_memory() {
    says(&desk().refusal(&["sim", "pair", "sweep", "--set", "workload.size=1 TB"]), &["memory"]);
}

#[test]
fn a_million_million_packages() {
    says(&workload("pieces: 16", "pieces: 1000000000000"), &["workloads/sweep.yaml", "iterations"]);
    says(&desk().refusal(&["sim", "pair", "sweep", "--set", "workload.pieces=1e12"]), &["iterations"]);
}

#[test]
fn a_yaml_bomb() {
    let mut bomb = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for level in 1..12 {
        let row = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb += &format!("a{level}: &a{level} [{row}]\n");
    }
    let desk = desk();
    desk.put("workloads/sweep.yaml", &bomb);
    says(&desk.refusal(&["sim", "pair", "sweep"]), &["workloads/sweep.yaml"]);
    desk.put("workloads/sweep.yaml", &"[".repeat(200_000));
    says(&desk.refusal(&["sim", "pair", "sweep"]), &["workloads/sweep.yaml"]);
    desk.put("machines/pair.toml", &format!("name = {}", "[".repeat(200_000)));
    says(&desk.refusal(&["show", "pair"]), &["machines/pair.toml"]);
}

#[test]
fn special_files_are_refused() {
    let desk = desk();
    desk.put("machines/empty.toml", "");
    says(&desk.refusal(&["sim", "empty", "sweep"]), &["machines/empty.toml", "empty"]);
    says(&desk.refusal(&["sim", "machines/", "sweep"]), &["machines/", "directory"]);
    fs::create_dir(desk.path().join("machines/folder.toml")).unwrap();
    says(&desk.refusal(&["sim", "folder", "sweep"]), &["machines/folder.toml", "directory"]);
    says(&desk.refusal(&["sim", "no/such.toml", "sweep"]), &["no/such.toml", "no such file"]);
    fs::write(desk.path().join("machines/binary.toml"), b"name = \"\xff\xfe\"").unwrap();
    says(&desk.refusal(&["sim", "binary", "sweep"]), &["machines/binary.toml:1:9", "UTF-8"]);
    if cfg!(unix) {
        says(&desk.refusal(&["sim", "/dev/zero", "sweep"]), &["/dev/zero", "not a regular file"]);
    }
}

#[cfg(unix)]
#[test]
fn a_file_without_permission() {
    use std::os::unix::fs::PermissionsExt;
    let desk = desk();
    let file = desk.path().join("machines/pair.toml");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&file).is_ok() {
        return; // The superuser may read anything.
    }
    says(&desk.refusal(&["sim", "pair", "sweep"]), &["machines/pair.toml", "permission denied"]);
}

#[test]
fn the_two_files_in_the_wrong_order() {
    let message = desk().refusal(&["sim", "workloads/sweep.yaml", "machines/pair.toml"]);
    says(&message, &["workloads/sweep.yaml", "machines/pair.toml", "the machine comes first"]);
}

#[test]
fn all_errors_of_both_files_at_once() {
    let desk = desk();
    let broken =
        MACHINE.replace("\"2 GHz\"", "\"2 GB\"").replace("\"80 ns\"", "80").replace("to = 1", "to = 7");
    desk.put("machines/pair.toml", &broken);
    desk.put("workloads/sweep.yaml", &WORKLOAD.replace("mode: read", "mode: raed"));
    let message = desk.refusal(&["sim", "pair", "sweep"]);
    says(&message, &["pair.toml:7", "pair.toml:18", "pair.toml:25", "sweep.yaml:23", "raed", "read"]);
    assert_eq!(message.matches("error").count(), 4, "{message}");
}

#[test]
fn syntax_errors_have_their_place() {
    says(&machine("[memory]", "[memory"), &["machines/pair.toml:23", "^"]);
    says(&workload("regions:", "regions: ]"), &["workloads/sweep.yaml:8", "^"]);
}

#[test]
fn missing_nodes_are_refused() {
    let message = desk().refusal(&["show", "pair", "--between", "0", "2"]);
    says(&message, &["NUMA node 2", "pair has 2", "0-1"]);
    let message = desk().refusal(&["show", "pair", "--set", "workload.pieces=1"]);
    says(&message, &["changes a workload"]);
}

#[test]
fn colours_do_not_split_messages() {
    let desk = desk();
    desk.put("machines/pair.toml", "name = \"\u{1b}[31mred\"\nnonsense = 1\n");
    let message = failure(desk.numalab(&["show", "pair"]).assert().code(2));
    assert!(!message.contains('\u{1b}'), "no escape of a file reaches the terminal: {message:?}");
}
