//! `numalab validate host.jsonl --machine host.toml`: a user's measurements compared with simulated values.
//!
//! The measurements of `fixtures/pair.jsonl` are invented: they differ from the simulation of `fixtures/pair.toml` by
//! 2, -5, 3, 31, -8 and 18 %. The last one varies by 24 % in the three least disturbed of ten samples.

use crate::support::{Desk, says};

const MEASURED: &str = include_str!("fixtures/pair.jsonl");

fn desk() -> Desk {
    let desk = Desk::with("pair.toml", include_str!("fixtures/pair.toml"));
    desk.put("pair.jsonl", MEASURED);
    desk
}

fn validated(more: &[&str]) -> Vec<String> {
    let all = [&["validate", "pair.jsonl", "--machine", "pair.toml"], more].concat();
    all.into_iter().map(str::to_owned).collect()
}

fn answer(desk: &Desk, more: &[&str]) -> String {
    desk.answer(&validated(more).iter().map(String::as_str).collect::<Vec<_>>())
}

/// Compares a text with `tests/goldens/NAME.snap`.
macro_rules! golden {
    ($name:literal, $text:expr) => {
        insta::with_settings!({ snapshot_path => "goldens", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

/// JSON without hashes of inputs, which change whenever a kind of file gets a new key.
fn without_hashes(json: &str) -> String {
    let hidden = |line: &str| match line.split_once("_hash\": \"") {
        Some((head, hash)) if hash.trim_end_matches(',').len() == 65 => format!("{head}_hash\": \"…\",\n"),
        _ => format!("{line}\n"),
    };
    json.lines().map(hidden).collect()
}

#[test]
fn predictions_beside_measurements() {
    golden!("validate-pair", answer(&desk(), &[]));
    golden!("validate-pair-all", answer(&desk(), &["--all"]));
    golden!("validate-pair-json", without_hashes(&answer(&desk(), &["--all", "--format", "json"])));
}

#[test]
fn equal_measurements_are_within_limits() {
    let desk = desk();
    let simulated = |text: &str| -> Vec<(f64, f64)> {
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        let rows = json["rows"].as_array().unwrap().iter();
        let number = |row: &serde_json::Value, key: &str| row[key].as_f64();
        rows.filter_map(|row| Some((number(row, "simulated")?, number(row, "error")?))).collect()
    };
    let before = simulated(&answer(&desk, &["--experiment", "loadbal", "--format", "json"]));
    // The first measurement of loadbal, with the simulated value as measured value.
    let line = MEASURED.lines().find(|line| line.contains("\"static\"")).unwrap();
    let (head, rest) = line.split_once("\"values\":[").unwrap();
    let (_, tail) = rest.split_once(']').unwrap();
    let exact = vec![before[0].0.to_string(); 5].join(",");
    desk.put("pair.jsonl", &format!("{head}\"values\":[{exact}]{tail}\n"));
    let after = simulated(&answer(&desk, &["--format", "json"]));
    assert!(after.len() == 1 && after[0].1.abs() < 1e-12, "{after:?}");
}

#[test]
fn requested_rows_are_shown() {
    let desk = desk();
    let names = |more: &[&str]| -> Vec<String> {
        let text = answer(&desk, &[more, &["--format", "csv"]].concat());
        let lines = text.lines().skip(1);
        lines.map(|line| line.split(',').next().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&[]), ["epcc", "loadbal", "loadbal", "locks", "locks", "locks"]);
    assert_eq!(names(&["--all"]).len(), 7);
    assert_eq!(names(&["--experiment", "epcc"]), ["epcc", "epcc"], "whatever it is for");
    let with = |runtime: &str| answer(&desk, &["--runtime", runtime, "--experiment", "epcc"]);
    says(&with("gcc"), &["pair.jsonl beside pair with OpenMP runtime gcc"]);
    assert_ne!(with("gcc"), with("llvm").replace("runtime llvm", "runtime gcc"));
}

#[test]
fn runtime_defaults_to_that_of_the_machine() {
    let desk = desk();
    desk.put("here/pair.toml", &format!("runtime = \"llvm\"\n{}", include_str!("fixtures/pair.toml")));
    let text = desk.answer(&["validate", "pair.jsonl", "--machine", "here/pair.toml"]);
    says(&text, &["with OpenMP runtime llvm"]);
}

/// Standard errors of a fit, stored beside its machine and runtime files. Errors of the model: 20 % for data, a
/// factor of e for cache lines. `memory.latency` has an error that affects no row.
const ERRORS: &str = r#"{ "parameters": [ { "path": "memory.latency", "down": 0.0, "up": 0.0 } ],
                          "model": [ ["data", 0.2], ["lines", 1.0] ] }"#;

fn fitted(desk: &Desk, errors: &str) {
    desk.put("here/pair.runtime.toml", include_str!("../runtimes/llvm.toml"));
    let machine = include_str!("fixtures/pair.toml");
    desk.put("here/pair.toml", &format!("runtime = \"pair.runtime.toml\"\n{machine}"));
    desk.put("here/pair.errors.json", errors);
}

// Row loadbal, whose samples scatter little: the interval is a factor of exp(1.645 x 0.2) = 1.39 either way, so that
// 31 % more lies inside.
#[test]
fn predictions_of_a_fitted_machine_have_intervals() {
    let desk = desk();
    fitted(&desk, ERRORS);
    let command = ["validate", "pair.jsonl", "--machine", "here/pair.toml", "--format"];
    let json: serde_json::Value =
        serde_json::from_str(&desk.answer(&[&command[..], &["json", "--all"]].concat())).unwrap();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(json["intervals"]["of"], 5, "predictions that were simulated: {json}");
    let held = rows.iter().filter(|row| row["role"] == "predict" && row["held"] == true).count();
    assert_eq!(json["intervals"]["held"], held);
    for row in rows.iter().filter(|row| row["experiment"] == "loadbal") {
        let (simulated, spread) =
            (row["simulated"].as_f64().unwrap(), row["spread"].as_f64().unwrap() / 1.2816);
        let factor = (1.645 * 0.2_f64.hypot(spread)).exp();
        let high = row["high"].as_f64().unwrap();
        assert!((high / simulated / factor - 1.0).abs() < 1e-3, "{row}");
    }
    let table = desk.answer(&[&command[..], &["table"]].concat());
    says(&table, &["interval", &format!("inside {held} of 5")]);
    assert!(!answer(&desk, &[]).contains("interval"), "nothing says how sure pair.toml is");
}

#[test]
fn malformed_error_files_are_refused() {
    let desk = desk();
    let command = ["validate", "pair.jsonl", "--machine", "here/pair.toml"];
    for (errors, parts) in [
        ("{", &["here/pair.errors.json\" is not an errors file of pair", "EOF", "calibrate fit"][..]),
        (&ERRORS.replace("0.2", "-0.2"), &["Data is -0.2", "from 0 to 10"]),
    ] {
        fitted(&desk, errors);
        says(&desk.refusal(&command), parts);
    }
    fitted(&desk, &ERRORS.replace("memory.latency", "memory.colour"));
    says(&desk.answer(&command), &["there is an error of memory.colour, and no such value"]);
}

#[test]
fn validation_files_are_written_together() {
    let desk = desk();
    answer(&desk, &["-o", "pair.csv", "--svg", "pair.svg"]);
    let read = |name: &str| std::fs::read_to_string(desk.path().join(name)).unwrap();
    assert!(read("pair.csv").starts_with("experiment,quantity,params,"));
    says(&read("pair.svg"), &["<svg", "pair: simulated over measured", "loadbal schedule=dynamic"]);
    let message = desk
        .refusal(&validated(&["-o", "same", "--svg", "same"]).iter().map(String::as_str).collect::<Vec<_>>());
    says(&message, &["same"]);
}

#[test]
fn mismatched_machines_and_measurements_are_refused() {
    let desk = desk();
    desk.put("cpu.txt", "CPU(s): 4\n");
    desk.put("none.jsonl", "{\"record\":\"skipped\",\"experiment\":\"cg\",\"reason\":\"no memory\"}\n");
    desk.put("fitted.jsonl", MEASURED.lines().next().unwrap());
    desk.put("broken.jsonl", "{\"record\":\"measurement\",\"experiment\":\n{}\n");
    for (arguments, parts) in [
        (
            &["pair.jsonl"][..],
            &["\"pair.jsonl\" needs a machine", "--machine FILE", "calibrate fit pair.jsonl"][..],
        ),
        (&["bcs16"], &["\"bcs16\" is a machine", "validate --machine bcs16"]),
        (&["bcs16.toml"], &["\"bcs16.toml\" is a machine", "validate --machine bcs16\""]),
        (&["pare.jsonl", "--machine", "pair.toml"], &["pare.jsonl"]),
        (&["pair.toml", "--machine", "pair.toml"], &["\"pair.toml\" has no measurements", "JSON record"]),
        (&["cpu.txt", "--machine", "pair.toml"], &["output of another tool", "calibrate run"]),
        (&["broken.jsonl", "--machine", "nowhere"], &["broken.jsonl:1", "nowhere"]),
        (&["none.jsonl", "--machine", "pair.toml"], &["\"none.jsonl\" has no measurement", "calibrate run"]),
        (&["fitted.jsonl", "--machine", "pair.toml"], &["only measurements that a fit uses", "--all"]),
        (
            &["pair.jsonl", "--machine", "pair.toml", "--experiment", "lock"],
            &["no measurement of \"lock\"", "did you mean \"locks\"?"],
        ),
        (
            &["pair.jsonl", "--machine", "pair.toml", "--experiment", "weather"],
            &[
                "no measurement of \"weather\" that can be simulated",
                "it has measurements of epcc, loadbal, locks",
            ],
        ),
        (&["pair.jsonl", "--machine", "pair.toml", "--runtime", "gc"], &["gcc"]),
        (&["--all"], &["<MEASUREMENTS>"]),
        (&["--svg", "a.svg"], &["<MEASUREMENTS>"]),
    ] {
        says(&desk.refusal(&[&["validate"], arguments].concat()), parts);
    }
}
