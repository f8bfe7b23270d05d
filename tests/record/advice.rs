//! Advice by array and source line for a recorded program, and its tutorial.

use super::{build, compilers, record};
use crate::support::{Desk, says, text};
use serde_json::Value;
use std::process::Command;

/// All pages of an array that one thread initialises are on the node of that thread.
#[test]
fn advice_names_arrays_and_lines() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "serial_init", desk.path()).unwrap();
    let shown = record(&desk, &["-t", "16"], &program, &[], "static");
    if shown["classes"].as_array().unwrap().iter().all(|class| class["touched_bytes"].is_null()) {
        eprintln!("skipped: no footprints here");
        return;
    }
    // A very large core ratio leaves only the time of waiting for data.
    let words = [
        "explain",
        "board:4 socket:2 core:2",
        "prog.nlt",
        "--core-ratio",
        "100",
        "--format",
        "json",
        "-p",
        "static",
    ];
    let output = desk.numalab(&words).assert().success().get_output().clone();
    let explained: Value = serde_json::from_slice(&output.stdout).unwrap();
    let advice = explained["advice"].as_array().unwrap();
    let first_touch =
        advice.iter().find(|one| one["changes"][0] == "first-touch u (serial_init.c:8) in parallel");
    let first_touch = first_touch.unwrap_or_else(|| panic!("{explained}"));
    assert!(first_touch["gain"].as_f64() > Some(0.03), "{first_touch}");
    says(first_touch["how"][0].as_str().unwrap(), &["#pragma omp parallel for schedule(static)"]);
}

/// Executes the tutorial from its source to the advice, with a machine file that stands for this computer.
#[test]
fn the_tutorial_works_from_the_source_to_advice() {
    let page = include_str!("../../docs/tutorials/program.md");
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    desk.put("host.toml", &desk.answer(&["show", "socket:1 core:2", "--format", "toml"]));
    let source = page.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    desk.put("relax.c", source);
    let mut executed = 0;
    for line in page.lines() {
        let words = shlex::split(line).unwrap_or_default();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.split_first() {
            Some((&"clang", words)) => {
                let built = Command::new(compiler).args(words).current_dir(desk.path()).output().unwrap();
                assert!(built.status.success(), "{line}: {}", text(&built.stderr));
            }
            Some((&"numalab", words)) => {
                let output = desk.numalab(words).assert().success().get_output().clone();
                let shown = text(&output.stdout);
                if text(&output.stderr).contains("it has no footprints") {
                    eprintln!("skipped: no footprints here");
                    return;
                }
                match words[0] {
                    "sim" => says(&shown, &["least", "most", "static"]),
                    "explain" => says(&shown, &["u (relax.c:8)", "in parallel"]),
                    _ => {}
                }
            }
            _ => continue,
        }
        executed += 1;
    }
    assert_eq!(executed, 7);
}

/// Two seconds of computing beside data that one thread has placed. At either end of the replay, each change gains as
/// much as in a replay of that end alone. Changes with little gain are simulated at one end only.
#[test]
fn advice_has_a_gain_at_both_ends() {
    let desk = Desk::empty();
    let mut table = "id,region,first,count,us\n".to_owned();
    for i in 0..8 {
        table += &format!("a{i},initialise,{i},1,0\nb{i},hot,{i},1,{}\n", 900 + 100 * i);
    }
    desk.put("grains.csv", &table);
    desk.put("data.yaml", super::ends::DATA);
    desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
    let explained = |more: &[&str]| -> Value {
        let words =
            ["explain", "socket:2 core:4", "prog.nlt", "-t", "8", "--core-ratio", "1", "--data", "data.yaml"];
        let words =
            [&words[..], &["-p", "static", "--format", "json", "--set", "workload.compared=all"], more]
                .concat();
        let output = desk.numalab(&words).assert().success().get_output().clone();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let (both, other) = (explained(&[]), explained(&["--set", "workload.overlap=0"]));
    let advice = both["advice"].as_array().unwrap();
    let mut compared = 0;
    for one in advice {
        let Some(gain) = one["other_gain"].as_f64() else {
            assert!(
                one["gain"].as_f64().unwrap() < 0.01,
                "a gain that matters is simulated at both ends: {one}"
            );
            continue;
        };
        let same = other["advice"].as_array().unwrap().iter().find(|two| two["changes"] == one["changes"]);
        if let Some(same) = same {
            assert!((same["gain"].as_f64().unwrap() - gain).abs() < 1e-9, "{one} {same}");
            compared += 1;
        }
    }
    assert!(compared > 0, "{both}");
    assert!(other["advice"][0].get("other_gain").is_none());
    let ties: Vec<bool> = advice.iter().map(|one| one["other_gain"].as_f64() <= Some(0.0)).collect();
    assert!(ties.contains(&false) && ties.is_sorted(), "what is not decided comes last: {both}");
}
