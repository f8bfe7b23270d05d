//! Recorded times with a data file: results lie between two ends, which differ in how much of the recorded time is
//! waiting for data.

use super::{makespan_ms, replay};
use crate::support::{Desk, says, text};
use serde_json::Value;

/// Text of a data file: regions that the loops touch, in the format of a workload.
pub const DATA: &str = "\
name: data
description: What a recorded loop touches
regions:
  a: { size: 64 MB }
phases:
  - name: initialise
    loop:
      iterations: 8
      schedule: static
      touches: [{ region: a, slice: { partition: 1 }, mode: write }]
  - name: hot
    measured: true
    loop:
      iterations: 8
      touches: [{ region: a, slice: { partition: 1 }, mode: read }]
      overlap: 1
compare: [static]
";

/// The time is the maximum of computing and waiting for data: 8 iterations of 0 s take as long as the data file
/// alone, and 8 iterations of 1 s on four threads take two seconds.
#[test]
fn data_file_adds_footprints_to_recorded_loops() {
    let desk = Desk::with("data.yaml", DATA);
    let import = |us: &str| {
        let row = |region: &str, i: u32, us: &str| format!("{region}{i},{region},{i},1,{us}\n");
        let mut table = "id,region,first,count,us\n".to_owned();
        (0..8).for_each(|i| table += &row("initialise", i, "0"));
        (0..8).for_each(|i| table += &row("hot", i, us));
        desk.put("grains.csv", &table);
        desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
    };
    let policies = ["-p", "static", "-p", "numa-steal:nearest"];
    let words = [&["-t", "4", "--core-ratio", "1", "--data", "data.yaml"], &policies[..]].concat();
    import("1000000");
    let (result, notes) = replay(&desk, &words);
    says(&notes, &["note: data are lent by a file"]);
    assert!((2000.0..2040.0).contains(&makespan_ms(&result, 0)), "{result}");
    import("0.001");
    desk.put("alone.yaml", &DATA.replace("name: initialise", "name: initialise\n    measured: true"));
    let alone = ["sim", "socket:2 core:4", "alone.yaml", "-t", "4", "--format", "json", "-p", "static"];
    let alone: Value = serde_json::from_str(&desk.answer(&alone)).unwrap();
    let set = ["--set", "workload.compared=hot"];
    let (result, _) = replay(&desk, &[&words[..], &set].concat());
    let (replayed, alone) = (makespan_ms(&result, 0), makespan_ms(&alone, 0));
    assert!(alone > 0.1 && (replayed / alone - 1.0).abs() < 0.01, "{replayed} {alone}");
    let refused = |data: &str| {
        desk.put("other.yaml", data);
        let words = ["sim", "socket:2 core:4", "prog.nlt", "--core-ratio", "1", "--data", "other.yaml"];
        desk.refusal(&words)
    };
    says(
        &refused(&DATA.replace("name: hot", "name: hit")),
        &["no recorded loop is called hit", "did you mean `hot`"],
    );
    says(
        &refused(&DATA.replace("iterations: 8", "iterations: 9")),
        &["other iterations", "expected 8, and it has 9"],
    );
    says(&refused("name: [\n"), &["other.yaml"]);
}

/// Times of the two phases of a run on one thread, in milliseconds.
fn phases_ms(desk: &Desk, words: &[&str]) -> [f64; 2] {
    let all = [&["sim", "socket:2 core:4"], words, &["-t", "1", "--format", "json", "-p", "static"]].concat();
    let result: Value = serde_json::from_str(&desk.answer(&all)).unwrap();
    [0, 1].map(|at| result["runs"][0]["phases"][at]["time_ps"].as_f64().unwrap() / 1e9)
}

/// Law: Both ends of a replay give one thread's time on the recording machine.
///
/// I: time of the initialising loop. M: time for the data of the other loop, which was recorded with T = 2 M. On the
/// recording machine both ends take I + T. On a machine whose memory is four times as slow, the loops take I' and M'.
/// If all of T is computing, the run takes I' + max(T, M'); if only T - M is, it takes I' + T - M + M'.
#[test]
fn a_replay_lies_between_two_ends() {
    let desk = Desk::with("data.yaml", DATA);
    desk.put("alone.yaml", &DATA.replace("name: initialise", "name: initialise\n    measured: true"));
    let slow = ["--set", "machine.memory.latency=x4"];
    let [initialise, data] = phases_ms(&desk, &["alone.yaml"]);
    let [slow_initialise, slow_data] = phases_ms(&desk, &[&["alone.yaml"], &slow[..]].concat());
    assert!(slow_data > 2.5 * data, "{slow_data} {data}");
    let mut table = "id,region,first,count,us\n".to_owned();
    for (region, ms) in [("initialise", initialise), ("hot", 2.0 * data)] {
        (0..8).for_each(|i| table += &format!("{region}{i},{region},{i},1,{}\n", 1000.0 * ms / 8.0));
    }
    desk.put("grains.csv", &table);
    desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
    let known = ["--recorded-on", "socket:2 core:4", "--data", "data.yaml", "--set", "workload.compared=hot"];
    let words = [&["-t", "1", "--core-ratio", "1", "-p", "static"], &known[..]].concat();
    let ends = |more: &[&str]| {
        let (result, notes) = replay(&desk, &[&words[..], more].concat());
        says(&notes, &["one thread takes", "ms recorded", "within 2 %", "no free team was recorded"]);
        let held = &result["replay"]["held_against"];
        assert_eq!(
            (&held["machine"], &held["alone"]["holds"]),
            (&"synthetic".into(), &true.into()),
            "{held}"
        );
        let end = |at: usize| result["runs"][0]["measures"][at]["value"].as_f64().unwrap();
        [end(0), end(1)]
    };
    let near = |found: [f64; 2], expected: [f64; 2]| {
        let close = found.iter().zip(expected).all(|(found, expected)| (found / expected - 1.0).abs() < 0.01);
        assert!(close, "{found:?} {expected:?}");
    };
    let time = 2.0 * data;
    near(ends(&[]), [initialise + time, initialise + time]);
    let beside = slow_initialise + time.max(slow_data);
    let after = slow_initialise + time - data + slow_data;
    near(ends(&slow), [beside, after]);
    // Without the recording machine all recorded time is computing. It overlaps with the data at one end and precedes
    // them at the other.
    let words = ["-t", "1", "--core-ratio", "1", "-p", "static", "--data", "data.yaml"];
    let (result, notes) = replay(&desk, &[&words[..], &["--set", "workload.compared=hot"]].concat());
    says(&notes, &["note: unproven: not held against the recording computer", "--recorded-on"]);
    let most = result["runs"][0]["measures"][1]["value"].as_f64().unwrap();
    near([most, most], [2.0 * initialise + time + data; 2]);
    for (flags, parts) in [
        (&["--recorded-on", "bcs17"][..], &["bcs17"][..]),
        (&["--set", "workload.waited=1"], &["waited is 1", "for each of 2 kinds of work"]),
        (&["--set", "workload.overlap=2"], &["overlap is 2", "between 0 and 1"]),
    ] {
        says(&desk.refusal(&[&["sim", "bcs16", "prog.nlt", "--core-ratio", "1"], flags].concat()), parts);
    }
}

/// Law: Each recorded class waits for its own data, even if phase names repeat.
///
/// A loop over data alternates with a loop without data. Each has its own waiting time, although results are summed
/// by phase name.
#[test]
fn each_of_several_loops_waits_for_its_own_data() {
    let desk = Desk::with("data.yaml", DATA);
    desk.put("alone.yaml", &DATA.replace("name: initialise", "name: initialise\n    measured: true"));
    let [initialise, data] = phases_ms(&desk, &["alone.yaml"]);
    let mut table = "id,region,first,count,us\n".to_owned();
    for (region, ms) in [("initialise", initialise), ("cool", 3.0 * data), ("hot", 2.0 * data)] {
        (0..8).for_each(|i| table += &format!("{region}{i},{region},{i},1,{}\n", 1000.0 * ms / 8.0));
    }
    desk.put("grains.csv", &table);
    desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
    let path = desk.path().join("prog.nlt");
    let mut recording = numalab_replay::recording(path.to_str().unwrap()).unwrap();
    recording.work.order = numalab_replay::work::Order::of(&[0, 1, 2, 1, 2, 1, 2, 2], 0);
    recording.write(std::fs::File::create(&path).unwrap()).unwrap();
    let words = ["-t", "1", "--core-ratio", "1", "-p", "static", "--data", "data.yaml"];
    let (result, _) = replay(&desk, &[&words[..], &["--recorded-on", "socket:2 core:4"]].concat());
    let held = &result["replay"]["held_against"]["alone"];
    let [least, most] = ["least_ps", "most_ps"].map(|end| held[end].as_f64().unwrap() / 1e9);
    let expected = initialise + 3.0 * 3.0 * data + 4.0 * 2.0 * data;
    for end in [least, most] {
        assert!((end / expected - 1.0).abs() < 0.02, "{end} {expected}: {held}");
    }
}

/// Law: The comparison with the recording machine stands above every answer.
///
/// Every output format contains the error of the replay. If the format has no room for it, standard error contains
/// it.
#[test]
fn the_gate_stands_above_every_answer() {
    let desk = Desk::with("data.yaml", DATA);
    let mut table = "id,region,first,count,us\n".to_owned();
    (0..8).for_each(|i| table += &format!("a{i},initialise,{i},1,1\nb{i},hot,{i},1,900\n"));
    desk.put("grains.csv", &table);
    desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
    let fixed = ["-t", "4", "--core-ratio", "1", "--data", "data.yaml", "-p", "static"];
    let on = ["--recorded-on", "socket:2 core:4"];
    let gate = ["one thread takes", "ms recorded", "no free team was recorded", "data are lent by a file"];
    let answered = |command: &str, more: &[&str]| {
        let words = [&[command, "socket:2 core:4", "prog.nlt"], &fixed[..], more].concat();
        let output = desk.numalab(&words).assert().success().get_output().clone();
        (text(&output.stdout).replace("\n  ", " ").replace('\n', " "), text(&output.stderr))
    };
    let series = ["--series", "placement=first-touch,interleave"];
    for (command, more, in_answer, beside) in [
        ("sim", &[][..], true, false),
        ("sim", &series, true, false),
        ("sim", &["--format", "json"], false, true),
        ("sim", &["--format", "csv"], false, true),
        ("sim", &["--svg", "picture.svg", "--format", "csv"], false, true),
        ("explain", &[], true, false),
        ("explain", &["--format", "markdown"], true, false),
        ("explain", &["--format", "json"], false, true),
    ] {
        let (answer, notes) = answered(command, &[&on[..], more].concat());
        for sentence in gate {
            // JSON has numbers in place of sentences.
            let is_json = more.contains(&"json");
            assert!(
                answer.contains(sentence) == in_answer || is_json,
                "{command} {more:?} {sentence}: {answer}"
            );
            assert_eq!(notes.contains(sentence), beside, "{command} {more:?} {sentence}: {notes}");
        }
        if more.contains(&"json") {
            let answer: Value = serde_json::from_str(&answer).unwrap();
            let (held, notes) = (&answer["replay"]["held_against"], &answer["replay"]["notes"]);
            assert_eq!(held["alone"]["recorded_ps"], 8 * 901_000_000u64, "{answer}");
            says(notes[0].as_str().unwrap(), &["data are lent by a file"]);
        }
        let (answer, notes) = answered(command, more);
        let known = answer.contains("unproven: not held against the recording computer");
        assert!(in_answer == known || more.contains(&"json"), "{command} {more:?}: {answer}");
        says(&notes, &["--recorded-on"]);
    }
}

/// Law: Orders that differ between the two ends are ties.
///
/// The order of two policies is a tie if it depends on the part of recorded time that is waiting for memory.
#[test]
fn order_differing_at_both_ends_is_a_tie() {
    // Thread 0 computes without data, the others touch data of another node. Their waiting part decides which thread
    // is last.
    let data =
        DATA.replace("iterations: 8\n      schedule: static", "iterations: 8\n      schedule: \"static,8\"");
    let desk = Desk::with("data.yaml", &data);
    let mut table = "id,region,first,count,us\n".to_owned();
    (0..8).for_each(|i| table += &format!("a{i},initialise,{i},1,1\n"));
    for (i, us) in [9000, 100, 100, 100, 3000, 3000, 3000, 9000].iter().enumerate() {
        table += &format!("b{i},hot,{i},1,{us}\n");
    }
    desk.put("grains.csv", &table);
    desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
    let policies =
        ["static", "static,1", "static,2", "dynamic", "guided", "tasks:central", "numa-steal:nearest"];
    let words: Vec<&str> = policies.iter().flat_map(|policy| ["-p", policy]).collect();
    let fixed = ["-t", "4", "--core-ratio", "1", "--data", "data.yaml", "--set", "workload.compared=hot"];
    let (result, _) = replay(&desk, &[&fixed[..], &words].concat());
    let other = [&fixed[..], &words, &["--set", "workload.overlap=0"]].concat();
    let (other, _) = replay(&desk, &other);
    let mut ties = 0;
    for (at, run) in result["runs"].as_array().unwrap().iter().enumerate() {
        let tied = |with: usize| {
            let order = |result: &Value| makespan_ms(result, at).total_cmp(&makespan_ms(result, with));
            order(&result) != order(&other)
        };
        let expected: Vec<&str> =
            (0..policies.len()).filter(|with| tied(*with)).map(|with| policies[with]).collect();
        let found = run["findings"].as_array().into_iter().flatten().find(|finding| finding["name"] == "tie");
        match found {
            Some(finding) => {
                let evidence = finding["evidence"].as_str().unwrap();
                assert!(
                    evidence.starts_with(&format!("with {}: ", expected.join(", "))),
                    "{evidence} {expected:?}"
                );
            }
            None => assert!(expected.is_empty(), "{expected:?}"),
        }
        ties += expected.len();
    }
    assert!(ties > 0, "{result}");
}
