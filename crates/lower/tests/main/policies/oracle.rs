//! Chunks that the OpenMP runtimes of this computer hand out, for the same order of requests. Without a compiler of a
//! runtime its rows are left out, with a message.

use super::{Row, answers, policy};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Values of `OMP_SCHEDULE` with the policies that must equal them.
const OF_BOTH: [(&str, &str); 4] =
    [("static", "static"), ("static,3", "static,3"), ("dynamic,4", "dynamic,4"), ("dynamic", "dynamic")];
const OF_GNU: [(&str, &str); 2] = [("guided", "guided-gnu"), ("guided,5", "guided-gnu,5")];
const OF_LLVM: [(&str, &str); 7] = [
    ("guided", "guided-llvm"),
    ("guided,5", "guided-llvm,5"),
    ("trapezoidal", "trapezoidal"),
    ("trapezoidal,3", "trapezoidal,3"),
    ("static_steal", "static_steal"),
    ("static_steal,3", "static_steal,3"),
    ("nonmonotonic:dynamic,2", "static_steal,2"),
];

/// The program that prints a runtime's chunks; `None`, after a message, if it cannot be built.
fn program(folder: &Path, compilers: &[&str], flag: &str) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/main/policies/oracle.c");
    let path = folder.join(flag.replace('=', "-"));
    let builds = |compiler: &&&str| {
        let mut command = Command::new(compiler);
        command.args(["-O1", "-fopenmp", flag, "-o"]).arg(&path).arg(&source);
        command.output().is_ok_and(|output| output.status.success())
    };
    if compilers.iter().find(builds).is_none() {
        println!("left out: none of {} builds OpenMP programs here", compilers.join(", "));
        return None;
    }
    Some(path)
}

/// Chunks that a program prints, each with its thread.
fn real(program: &Path, schedule: &str, iterations: u64, threads: u32, alone: bool) -> Vec<(u32, u64, u64)> {
    let mut command = Command::new(program);
    command.env("OMP_SCHEDULE", schedule).env("OMP_NUM_THREADS", threads.to_string());
    command.env("OMP_DYNAMIC", "false").env("OMP_THREAD_LIMIT", "64").env_remove("KMP_SCHEDULE");
    command.arg(iterations.to_string()).args(alone.then_some("alone"));
    let output = command.output().expect("the program runs");
    assert!(output.status.success(), "{schedule}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("it prints numbers");
    let line = |line: &str| {
        let numbers: Vec<u64> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
        (numbers[0] as u32, numbers[1], numbers[2])
    };
    text.lines().map(line).collect()
}

fn simulated(name: &str, iterations: u64, threads: u32, alone: bool) -> Vec<(u32, u64, u64)> {
    let order: Vec<u32> = if alone { vec![0] } else { (0..threads).collect() };
    let row = Row { threads, per_domain: 2 };
    let all = answers(policy(name).unwrap(), iterations, &row, 0, &order);
    let chunk = |(thread, answer): super::Answer| {
        let (chunk, _) = answer.ok()?;
        Some((thread, chunk.start, chunk.end))
    };
    all.into_iter().filter_map(chunk).collect()
}

fn compare(program: &Path, rows: &[(&str, &str)]) {
    for (schedule, name) in rows {
        for (iterations, threads) in [(100, 4), (1000, 4), (37, 3), (1, 2), (513, 8), (10_000, 7)] {
            for alone in [false, true] {
                let real = real(program, schedule, iterations, threads, alone);
                let simulated = simulated(name, iterations, threads, alone);
                let run =
                    format!("{schedule} of {iterations} iterations for {threads} threads, alone: {alone}");
                assert_eq!(real, simulated, "{run}");
            }
        }
    }
}

/// Law: Built-in schedules and the files named after a runtime hand out the chunks of that runtime.
#[test]
fn gnu_hands_out_the_same_chunks() {
    let folder = tempfile::tempdir().unwrap();
    if let Some(program) = program(folder.path(), &["gcc"], "-DGNU") {
        compare(&program, &OF_BOTH);
        compare(&program, &OF_GNU);
    }
}

#[test]
fn llvm_hands_out_the_same_chunks() {
    let folder = tempfile::tempdir().unwrap();
    // 37: the schedule that the variable states.
    if let Some(program) = program(folder.path(), &["clang-19", "clang"], "-DKIND=37") {
        compare(&program, &OF_BOTH);
        compare(&program, &OF_LLVM);
    }
}
