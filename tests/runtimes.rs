//! `--runtime` and runtime files.

use crate::support::{Desk, says};
use serde_json::Value;

const MACHINE: &str = include_str!("fixtures/pair.toml");
const WORKLOAD: &str = include_str!("fixtures/sweep.yaml");
const PLAIN: &str = include_str!("../runtimes/plain.toml");

fn desk() -> Desk {
    let desk = Desk::with("machines/pair.toml", MACHINE);
    desk.put("workloads/sweep.yaml", WORKLOAD);
    desk
}

/// The runtime that the results of a run name.
fn recorded(desk: &Desk, arguments: &[&str]) -> Value {
    let all = [&["sim", "pair", "sweep", "--format", "json"], arguments].concat();
    serde_json::from_str::<Value>(&desk.answer(&all)).unwrap()["runtime"].take()
}

#[test]
fn results_name_their_runtime() {
    let desk = desk();
    let plain = recorded(&desk, &[]);
    assert_eq!(plain["name"], "plain");
    assert_eq!(plain["resolved"]["fork"]["fixed"], "200000 ps");
    assert_eq!(recorded(&desk, &["--runtime", "plain"]), plain);
    let gcc = recorded(&desk, &["--runtime", "gcc-4.8", "--set", "runtime.lock.kind=mcs"]);
    assert_eq!((&gcc["name"], &gcc["resolved"]["lock"]["kind"]), (&"gcc-4.8".into(), &"mcs".into()));
    assert_eq!(gcc["overrides"][0], "runtime.lock.kind=mcs");
    assert_ne!(gcc["hash"], plain["hash"]);
}

#[test]
fn titles_name_other_runtimes() {
    let desk = desk();
    let title = |arguments: &[&str]| {
        let all = [&["sim", "pair", "sweep"], arguments].concat();
        desk.answer(&all).lines().next().unwrap().to_owned()
    };
    assert!(!title(&[]).contains("runtime"));
    says(&title(&["--runtime", "free"]), &["runtime free"]);
    says(&title(&["--set", "runtime.fork.fixed=1 us"]), &["runtime plain changed"]);
    let series = desk.answer(&["sim", "pair", "sweep", "--series", "threads=1,2", "--runtime", "gcc"]);
    says(series.lines().next().unwrap(), &["runtime gcc"]);
    let model = desk.answer(&["model", "pair", "sweep", "--threads", "1,2", "--runtime", "free"]);
    says(model.lines().next().unwrap(), &["runtime free"]);
}

#[test]
fn a_workload_may_name_its_runtime_and_the_command_line_wins() {
    let desk = desk();
    desk.put("workloads/sweep.yaml", &format!("runtime: gcc\n{WORKLOAD}"));
    assert_eq!(recorded(&desk, &[])["name"], "gcc");
    assert_eq!(recorded(&desk, &["--set", "runtime.fork.fixed=1 us"])["name"], "gcc");
    assert_eq!(recorded(&desk, &["--runtime", "llvm"])["name"], "llvm");
    let model = desk.answer(&["model", "pair", "sweep", "--threads", "1", "--format", "json"]);
    assert_eq!(serde_json::from_str::<Value>(&model).unwrap()["runtime"]["name"], "gcc");
}

#[test]
fn local_runtime_files_hide_built_in_ones() {
    let desk = desk();
    desk.put("runtimes/llvm.toml", &PLAIN.replace("\"plain\"", "\"mine\""));
    desk.put("elsewhere/r.toml", &PLAIN.replace("\"plain\"", "\"other\""));
    assert_eq!(recorded(&desk, &["--runtime", "llvm"])["name"], "mine");
    assert_eq!(recorded(&desk, &["--runtime", "elsewhere/r.toml"])["name"], "other");
    says(&desk.answer(&["list"]), &["Runtimes", "runtimes/llvm.toml", "intel-14", "qthreads"]);
    let list: Value = serde_json::from_str(&desk.answer(&["list", "--format", "json"])).unwrap();
    assert!(list["runtimes"].as_array().unwrap().iter().any(|item| item["name"] == "gcc-4.8"));
    says(&desk.answer(&["list", "--format", "csv"]), &["\"runtime\",\"plain\""]);
}

#[test]
fn runtimes_are_shown_and_copied() {
    let desk = desk();
    let shown = desk.answer(&["show", "--runtime", "intel-14"]);
    says(&shown, &["intel-14", "hypercube of branching 4", "thread-local", "256 tasks per queue", "guided"]);
    says(&desk.answer(&["show", "--runtime", "gcc-4.8"]), &["futex", "64 tasks per thread", "3.00 ms"]);
    for name in ["plain", "free", "intel-14", "clang-3.7", "pgi-15.1", "llvm", "gcc-4.8", "gcc", "qthreads"] {
        let text = desk.answer(&["show", "--runtime", name, "--format", "toml"]);
        desk.put("mine.toml", &text);
        assert_eq!(desk.answer(&["show", "--runtime", "./mine.toml", "--format", "toml"]), text, "{name}");
    }
    let changed = ["show", "--runtime", "plain", "--set", "runtime.fork.fixed=1.5 us", "--format", "toml"];
    says(&desk.answer(&changed), &["fixed = \"1500 ns\""]);
    assert_eq!(desk.answer(&["schema", "runtime"]), include_str!("../schemas/runtime.schema.json"));
}

#[test]
fn wrong_names_and_values_are_refused() {
    let desk = desk();
    let message = desk.refusal(&["sim", "pair", "sweep", "--runtime", "intel-13"]);
    says(&message, &["there is no runtime `intel-13`", "did you mean `intel-14`?"]);
    // All wrong names are reported at once.
    let message = desk.refusal(&["sim", "piar", "swep", "--runtime", "gcc-48"]);
    says(&message, &["`piar`", "`swep`", "`gcc-48`"]);
    let message = desk.refusal(&["sim", "pair", "sweep", "--set", "runtime.lock.knd=mcs"]);
    says(&message, &["knd", "did you mean `kind`?"]);
    let message = desk.refusal(&["sim", "pair", "sweep", "--set", "runtime.lock.kind=tiket"]);
    says(&message, &["lock.kind cannot be \"tiket\"", "did you mean `ticket`?"]);
    let message = desk.refusal(&["model", "pair", "sweep", "--runtime", "nonesuch"]);
    says(&message, &["there is no runtime `nonesuch`", "intel-14"]);
    desk.put("workloads/sweep.yaml", &format!("runtime: gccc\n{WORKLOAD}"));
    says(&desk.refusal(&["sim", "pair", "sweep"]), &["there is no runtime `gccc`", "sweep.yaml:1"]);
    desk.put("runtimes/bad.toml", &PLAIN.replace("\"200 ns\"", "\"200 GB\""));
    says(&desk.refusal(&["show", "--runtime", "bad"]), &["bad.toml:7", "unknown unit \"GB\"", "128 ns"]);
    says(&desk.refusal(&["show", "--runtime", "machines/pair.toml"]), &["unknown key", "missing key `fork`"]);
}

#[test]
fn show_takes_a_machine_or_a_runtime() {
    let desk = desk();
    says(&desk.refusal(&["show"]), &["NAME"]);
    says(&desk.refusal(&["show", "pair", "--runtime", "plain"]), &["cannot be used with"]);
    says(&desk.refusal(&["show", "--runtime", "plain", "--dot", "-"]), &["cannot be used with"]);
    let message = desk.refusal(&["show", "--runtime", "plain", "--set", "machine.core.clock=1 GHz"]);
    says(&message, &["changes a machine", "only runtime.PATH=VALUE"]);
    let message = desk.refusal(&["show", "pair", "--set", "runtime.lock.kind=mcs"]);
    says(&message, &["changes a runtime", "only machine.PATH=VALUE"]);
}

#[test]
fn runtimes_are_completed_and_validated() {
    let desk = desk();
    for shell in ["bash", "zsh", "fish"] {
        says(&desk.answer(&["completions", shell]), &["intel-14", "qthreads"]);
    }
    let by_workload = desk.answer(&["validate", "--experiment", "epcc", "--runtime", "gcc-4.8"]);
    assert_eq!(
        by_workload,
        desk.answer(&["validate", "--experiment", "epcc_parallel", "--runtime", "gcc-4.8"])
    );
    says(&desk.refusal(&["validate", "--runtime", "plain"]), &["no published row", "runtime \"plain\""]);
    says(&desk.answer(&["validate", "--runtime", "gcc-4.8"]), &["epcc_parallel"]);
}
