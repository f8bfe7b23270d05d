//! Waiting threads spin, and then sleep: `OMP_WAIT_POLICY`, `KMP_BLOCKTIME`, `GOMP_SPINCOUNT` and `[wait]` of runtime
//! files.

use crate::support::{Desk, says, text};

/// A region, thread 0 alone, and a region again. A core executes 3 instructions a nanosecond, for all its threads
/// together.
const SERIAL: &str = "
name: serial
parameters: { alone: 5e6, work: 1e6, rounds: 1 }
regions: {}
phases:
  - { name: start, measured: true, loop: { iterations: threads, schedule: static, instructions: work } }
  - { name: alone, measured: true, construct: serial, body: { instructions: alone } }
  - { name: team, measured: true, loop: { iterations: threads, schedule: static, instructions: work } }
rounds: rounds
compare: [static]
";

const CORES: &str = "socket:1 core:4";
const SMT: &str = "socket:1 core:4 thread:2";

/// Answer of a run in CSV and its messages, with variables of the environment.
fn answer(machine: &str, variables: &[(&str, &str)], more: &[&str]) -> (String, String) {
    let desk = Desk::empty();
    desk.put("serial.yaml", SERIAL);
    let run =
        ["sim", machine, "serial.yaml", "--omp-env", "--no-sequential", "--replicas", "1", "--format", "csv"];
    let mut command = desk.numalab(&[&run[..], more].concat());
    command.envs(variables.iter().copied());
    let output = command.assert().success().get_output().clone();
    (text(&output.stdout), text(&output.stderr))
}

/// Value of a column in picoseconds.
fn column(csv: &str, name: &str) -> i64 {
    let mut lines = csv.lines().map(|line| line.split(','));
    let (mut names, mut values) = (lines.next().unwrap(), lines.next().unwrap());
    let at = names.position(|found| found == name).unwrap();
    values.nth(at).unwrap().parse().unwrap()
}

/// Makespan in microseconds.
fn took(machine: &str, variables: &[(&str, &str)], more: &[&str]) -> i64 {
    column(&answer(machine, variables, more).0, "makespan_ps") / 1_000_000
}

/// Eight threads on four cores. Regions take 1e6 instructions at half of 3 a nanosecond: 667 us each. Thread 0 alone
/// takes 1667 us at full speed, and half of that speed as long as thread 4 spins on its core:
///
/// - active: 3333 us; 4667 in all;
/// - passive: 1667 us; 3000 in all;
/// - 1 ms of spinning: 500 us of the work in 1 ms, the other 1167 at full speed; 3500 in all;
/// - 3 ms, as libgomp: 1500 in 3 ms, and 167; 4500 in all.
///
/// Wake-ups and the runtime take less than 70 us.
#[test]
fn a_sleeping_thread_leaves_its_core_to_the_other() {
    for (runtime, variable, expected) in [
        ("llvm", ("OMP_WAIT_POLICY", "active"), 4667),
        ("llvm", ("OMP_WAIT_POLICY", "passive"), 3000),
        ("llvm", ("KMP_BLOCKTIME", "infinite"), 4667),
        ("llvm", ("KMP_BLOCKTIME", "1"), 3500),
        ("llvm", ("KMP_BLOCKTIME", "0"), 3000),
        // 200 ms are longer than the run.
        ("llvm", ("PATH", ""), 4667),
        ("gcc", ("PATH", ""), 4500),
        ("gcc", ("GOMP_SPINCOUNT", "100000"), 3500),
        ("gcc", ("OMP_WAIT_POLICY", "active"), 4667),
        ("plain", ("OMP_WAIT_POLICY", "passive"), 3000),
        ("plain", ("PATH", ""), 4667),
    ] {
        let found = took(SMT, &[variable], &["-t", "8", "--procs", "0-7", "--runtime", runtime]);
        assert!((expected..expected + 70).contains(&found), "{runtime} {variable:?}: {found}");
    }
    // The same by values of the runtime, which beat the environment.
    let set = ["-t", "8", "--procs", "0-7", "--runtime", "llvm", "--set", "runtime.wait.spin=1 ms"];
    let found = took(SMT, &[("OMP_WAIT_POLICY", "active")], &set);
    assert!((3500..3570).contains(&found), "{found}");
}

/// Two threads with cores of their own. Thread 1 sleeps while thread 0 is alone (1667 us, of which it spins for 1000),
/// and begins the last region later by the wake-up; thread 0 waits for it at the end.
#[test]
fn a_sleeper_begins_later_by_its_wake_up() {
    let with = |spin: &str, wake: &str| {
        let os = format!("machine.os.wake_thread={wake}");
        took(CORES, &[("KMP_BLOCKTIME", spin)], &["-t", "2", "--runtime", "llvm", "--set", &os])
    };
    assert_eq!(with("1", "400 us") - with("1", "0 us"), 400);
    // 2 ms of spinning are longer than the wait.
    assert_eq!(with("2", "400 us"), with("2", "0 us"));
}

/// Thread 0 releases two sleeping children, and calls the system for each: 2 x 100 us.
#[test]
fn waking_takes_the_waker_its_time() {
    let with = |wake: &str| {
        let wake = format!("runtime.wait.wake={wake}");
        took(CORES, &[("KMP_BLOCKTIME", "1")], &["-t", "3", "--runtime", "llvm", "--set", &wake])
    };
    assert_eq!(with("100 us") - with("0 us"), 200);
}

/// Spinning without limit is a run without sleep, to the byte.
#[test]
fn active_is_the_run_without_sleep() {
    let active = [("OMP_WAIT_POLICY", "active")];
    for machine in [CORES, SMT] {
        for runtime in ["plain", "llvm"] {
            let more = ["--runtime", runtime];
            assert_eq!(answer(machine, &active, &more), answer(machine, &[], &more), "{machine} {runtime}");
        }
    }
}

/// Law: passive waiting makes no computing of other threads slower.
#[test]
fn passive_waiting_slows_no_computing() {
    for threads in ["2", "5", "8"] {
        for alone in ["0", "1e4", "3e6"] {
            for runtime in ["plain", "llvm", "gcc"] {
                let set = format!("workload.alone={alone}");
                let more = ["-t", threads, "--procs", "0,4,1,5,2,6,3,7", "--runtime", runtime, "--set", &set];
                let compute =
                    |policy| column(&answer(SMT, &[("OMP_WAIT_POLICY", policy)], &more).0, "compute_ps");
                let (passive, active) = (compute("passive"), compute("active"));
                assert!(passive <= active, "{threads} {alone} {runtime}: {passive} > {active}");
            }
        }
    }
}

/// Law: rounds that are counted take as long as rounds that are simulated one by one, as a trace needs them.
#[test]
fn counted_rounds_sleep_as_simulated_ones() {
    for (runtime, variable) in
        [("plain", ("OMP_WAIT_POLICY", "passive")), ("llvm", ("KMP_BLOCKTIME", "1")), ("gcc", ("PATH", ""))]
    {
        let more = ["-t", "8", "--procs", "0-7", "--runtime", runtime, "--set", "workload.rounds=40"];
        let counted = took(SMT, &[variable], &more);
        let shown = took(SMT, &[variable], &[&more[..], &["--trace", "t.pftrace"]].concat());
        assert_eq!(counted, shown, "{runtime}");
    }
}

/// Teams whose threads share processors sleep by `barrier.crowded_spin`.
#[test]
fn crowded_teams_have_a_spinning_time_of_their_own() {
    let with = |spin: &str| answer(CORES, &[], &["-t", "8", "--runtime", "gcc", "--set", spin]).0;
    assert_eq!(with("runtime.wait.spin=0 s"), with("runtime.wait.spin=1 s"));
    assert_ne!(with("runtime.barrier.crowded_spin=0 s"), with("runtime.barrier.crowded_spin=1 ms"));
}

#[test]
fn variables_that_a_runtime_does_not_read_are_named() {
    let (_, warned) = answer(CORES, &[("KMP_BLOCKTIME", "0")], &["--runtime", "gcc"]);
    says(&warned, &["warning: KMP_BLOCKTIME has no effect: runtime gcc does not read it"]);
    let (_, warned) = answer(CORES, &[("GOMP_SPINCOUNT", "0")], &["--runtime", "llvm"]);
    says(&warned, &["warning: GOMP_SPINCOUNT has no effect: runtime llvm does not read it"]);
    let desk = Desk::empty();
    desk.put("serial.yaml", SERIAL);
    let mut wrong = desk.numalab(&["sim", CORES, "serial.yaml", "--omp-env"]);
    let refused = crate::support::failure(wrong.env("OMP_WAIT_POLICY", "pasive").assert().code(2));
    says(&refused, &["OMP_WAIT_POLICY", "\"pasive\"", "did you mean \"passive\"?"]);
}
