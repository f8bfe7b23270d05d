//! Thread places: `--places`, `--proc-bind`, the environment, and teams with more threads than processors.

use crate::support::{Desk, failure, says, text};
use assert_cmd::Command;

/// Machine of two sockets of three cores with two hardware threads each: socket 0 has processors 0-2 and 6-8.
const MACHINE: &str = "socket:2 core:3 thread:2";

/// Command for one short run with these arguments.
fn sim(arguments: &[&str]) -> Command {
    let fixed =
        ["sim", MACHINE, "loadbal", "-p", "static", "--set", "workload.footprint=60 MB", "--format", "json"];
    let mut command = Desk::empty().numalab(&[&fixed, arguments].concat());
    for name in
        ["OMP_PLACES", "OMP_PROC_BIND", "OMP_NUM_THREADS", "OMP_DISPLAY_AFFINITY", "OMP_AFFINITY_FORMAT"]
    {
        command.env_remove(name);
    }
    command.current_dir(std::env::temp_dir());
    command
}

/// Standard output and standard error of a command that must succeed.
#[track_caller]
fn both(mut command: Command) -> (String, String) {
    let output = command.assert().success().get_output().clone();
    (text(&output.stdout), text(&output.stderr))
}

/// Numbers of the processors that a run's threads have, in thread order.
#[track_caller]
fn processors(command: Command) -> Vec<u64> {
    let (json, complaints) = both(command);
    assert_eq!(complaints, "");
    team(&json)
}

fn team(json: &str) -> Vec<u64> {
    let results: serde_json::Value = serde_json::from_str(json).unwrap();
    let team = results["runs"][0]["team"].as_array().unwrap();
    team.iter().map(|member| member["processor"].as_u64().unwrap()).collect()
}

#[track_caller]
fn refusal(arguments: &[&str]) -> String {
    failure(sim(arguments).assert().code(2))
}

#[test]
fn unbound_threads_are_adjacent() {
    assert_eq!(processors(sim(&[])), [0, 1, 2, 3, 4, 5]);
    assert_eq!(processors(sim(&["-t", "4"])), [0, 1, 2, 3]);
}

#[test]
fn places_and_policies() {
    let four = |more: &[&str]| processors(sim(&[&["-t", "4"], more].concat()));
    // Cores 0 to 3.
    assert_eq!(four(&["--places", "cores"]), [0, 1, 2, 3]);
    // Two threads on each socket, on different cores.
    assert_eq!(four(&["--places", "sockets"]), [0, 1, 3, 4]);
    assert_eq!(four(&["--places", "sockets", "--proc-bind", "primary"]), [0, 1, 2, 6]);
    // Hardware threads of core 0, then of core 1.
    assert_eq!(four(&["--places", "threads", "--proc-bind", "close"]), [0, 6, 1, 7]);
    // Six places into four parts of 2, 2, 1, 1.
    assert_eq!(four(&["--proc-bind", "spread"]), [0, 2, 4, 5]);
    // Unbound: socket by socket.
    assert_eq!(four(&["--proc-bind", "false"]), [0, 3, 1, 4]);
    assert_eq!(four(&["--places", "{11},{0:2}:2:2", "--proc-bind", "true"]), [11, 11, 0, 2]);
}

/// Two inner teams of three threads. The outer threads are on sockets of their own, or with `placement=compact` on
/// the first two cores.
#[test]
fn inner_teams_have_a_policy_of_their_own() {
    let nested = |more: &[&str]| {
        let fixed =
            ["sim", MACHINE, "epcc_nested", "--set", "workload.teams=2", "-t", "6", "--format", "json"];
        let mut command = Desk::empty().numalab(&[&fixed[..], more].concat());
        command.current_dir(std::env::temp_dir());
        processors(command)
    };
    assert_eq!(nested(&[]), [0, 1, 2, 3, 4, 5]);
    assert_eq!(nested(&["--set", "workload.placement=compact"]), [0, 2, 3, 1, 4, 5]);
    // `true` is what the runtime makes of it: one pool of threads in order, or `spread` at every level, which keeps teams
    // apart. What is called compact does not depend on it.
    assert_eq!(nested(&["--proc-bind", "true"]), [0, 2, 3, 1, 4, 5]);
    assert_eq!(nested(&["--proc-bind", "true", "--runtime", "intel-14"]), [0, 1, 2, 3, 4, 5]);
    let compact = ["--set", "workload.placement=compact", "--runtime", "intel-14"];
    assert_eq!(nested(&compact), [0, 2, 3, 1, 4, 5]);
    // Cores 0, 2, 4 for the first team; 1, 2, 4 for the second, which shares two cores with the first.
    assert_eq!(nested(&["--proc-bind", "close,spread"]), [0, 2, 4, 1, 8, 10]);
}

#[test]
fn more_threads_than_processors_share_them() {
    assert_eq!(processors(sim(&["-t", "14"])).len(), 14);
    // 14 threads on 6 cores: three on each of the first two cores, two on each other one, alternating between
    // hardware threads.
    assert_eq!(processors(sim(&["-t", "14"])), [0, 6, 0, 1, 7, 1, 2, 8, 3, 9, 4, 10, 5, 11]);
    assert_eq!(processors(sim(&["-t", "5", "--procs", "4,0"])), [4, 0, 4, 0, 4]);
    assert_eq!(processors(sim(&["-t", "3", "--places", "5"])), [5, 5, 5]);
}

#[test]
fn implausible_teams_are_refused() {
    // The maximum is 16 threads per processor: 192 on 12 processors.
    let message = refusal(&["-t", "193"]);
    says(&message, &["193 threads", "12 processors", "192", "--threads 192"]);
    let message = refusal(&["-t", "4000000000", "--places", "cores"]);
    says(&message, &["4000000000 threads"]);
    let message = refusal(&["-t", "33", "--procs", "0,1"]);
    says(&message, &["2 processors", "--threads 32", "name more processors"]);
}

/// 18 threads share 12 processors. Unbound threads move to processors that become idle, bound threads do not. Table
/// and records report the moves.
#[test]
fn unbound_threads_on_shared_processors_move() {
    let ask = |threads: &str, policy: &str, more: &[&str]| {
        let sizes = ["--set", "workload.n=100000", "--set", "workload.steps=2"];
        let run = ["sim", MACHINE, "cg", "-t", threads, "--proc-bind", policy];
        Desk::empty().answer(&[&run[..], &sizes, more].concat())
    };
    let moved = |threads: &str, policy: &str| -> u64 {
        let json = ask(threads, policy, &["--format", "json"]);
        let results: serde_json::Value = serde_json::from_str(&json).unwrap();
        let phases = results["runs"][0]["phases"].as_array().unwrap();
        phases.iter().filter_map(|phase| phase["threads_moved"].as_u64()).sum()
    };
    assert!(moved("18", "false") > 0);
    assert_eq!((moved("18", "close"), moved("12", "false")), (0, 0));
    assert!(ask("18", "false", &[]).contains(" moved "));
    assert!(!ask("18", "close", &[]).contains(" moved "));
    let message = refusal(&["--set", "machine.os.balance_interval=0 ms"]);
    says(&message, &["balance_interval", "must be above 0"]);
    says(&refusal(&["--set", "machine.os.migration_costs=1 ms"]), &["did you mean", "migration_cost"]);
}

#[test]
fn procs_confine_the_places() {
    let (json, complaints) = both(sim(&["-t", "2", "--procs", "3-5,0", "--places", "0:12"]));
    assert_eq!(team(&json), [0, 3]);
    says(&complaints, &["warning: --places: 8 of 12 places have no processor", "have been left out"]);
    assert_eq!(processors(sim(&["-t", "2", "--procs", "3-5", "--proc-bind", "false"])), [3, 4]);
    let message = refusal(&["--procs", "3-5", "--places", "{0}"]);
    says(&message, &["--places, column 1: no place of the list", "{0}\n", "^^^"]);
}

#[test]
fn a_list_for_a_larger_machine_is_cut_with_a_warning() {
    let (json, complaints) = both(sim(&["-t", "1", "--places", "{11:4},{12:4}"]));
    assert_eq!(team(&json), [11]);
    says(&complaints, &["1 of 2 places has no processor", "has been left out"]);
}

#[test]
fn errors_point_at_the_column_and_name_the_nearest() {
    let message = refusal(&["--places", "core(4)"]);
    says(&message, &["--places, column 1", "    core(4)\n    ^^^^\n", "did you mean \"cores\"?"]);
    let message = refusal(&["--places", "{0:4},{x}"]);
    says(&message, &["column 8", "\n    {0:4},{x}\n           ^\n", "a processor's number"]);
    let message = refusal(&["--proc-bind", "close, sprad"]);
    says(&message, &["--proc-bind, column 8", "did you mean \"spread\"?"]);
    says(&refusal(&["--proc-bind", "true,close"]), &["must be the whole value"]);
    says(&refusal(&["--places", "{0}:4000000000:0"]), &["names more than", "processors"]);
    says(&refusal(&["--places", "{0}:2:-1"]), &["names processor -1", "0-11"]);
    says(&refusal(&["--places", ""]), &["the text ends"]);
    let message = refusal(&["--places", "\u{1b}[31m"]);
    assert!(!message.contains('\u{1b}'), "{message:?}");
}

#[test]
fn environment_needs_its_flag_and_flags_override_it() {
    let environment = |arguments: &[&str]| {
        let mut command = sim(arguments);
        command.env("OMP_PLACES", "sockets").env("OMP_PROC_BIND", "primary").env("OMP_NUM_THREADS", "3,2");
        command
    };
    assert_eq!(processors(environment(&[])), [0, 1, 2, 3, 4, 5]);
    assert_eq!(processors(environment(&["--omp-env"])), [0, 1, 2]);
    assert_eq!(processors(environment(&["--omp-env", "-t", "2", "--places", "{4}"])), [4, 4]);
    assert_eq!(processors(environment(&["--omp-env", "--proc-bind", "close"])), [0, 1, 3]);
}

#[test]
fn wrong_variables_are_errors_with_omp_env() {
    let with = |name: &str, value: &str| {
        let mut command = sim(&["--omp-env"]);
        command.env(name, value);
        failure(command.assert().code(2))
    };
    says(&with("OMP_PLACES", "socket"), &["OMP_PLACES, column 1", "did you mean \"sockets\"?"]);
    says(&with("OMP_PROC_BIND", "yes"), &["OMP_PROC_BIND, column 1"]);
    says(&with("OMP_NUM_THREADS", "4,x"), &["OMP_NUM_THREADS, column 3"]);
    says(&with("OMP_DISPLAY_AFFINITY", "yes"), &["OMP_DISPLAY_AFFINITY", "OMP_DISPLAY_AFFINITY=true"]);
    let mut command = sim(&[]);
    command.env("OMP_PLACES", "socket");
    assert_eq!(processors(command).len(), 6);
}

#[test]
fn affinity_goes_to_standard_error() {
    let (json, shown) = both(sim(&["-t", "2", "--places", "sockets", "--display-affinity"]));
    assert_eq!(team(&json), [0, 3]);
    assert_eq!(
        shown,
        "OMP: pid 1 tid 1 thread 0 bound to OS proc set {0-2,6-8}\n\
         OMP: pid 1 tid 2 thread 1 bound to OS proc set {3-5,9-11}\n"
    );
    let mut command = sim(&["-t", "2", "--proc-bind", "false", "--omp-env"]);
    command.env("OMP_DISPLAY_AFFINITY", "true").env("OMP_AFFINITY_FORMAT", "%L %0.3n of %N on %A");
    assert_eq!(both(command).1, "1 000 of 2 on 0-11\n1 001 of 2 on 0-11\n");
    let mut command = sim(&["-t", "1", "--display-affinity", "--omp-env"]);
    command.env("OMP_AFFINITY_FORMAT", "%{thread}");
    let message = failure(command.assert().code(2));
    says(&message, &["OMP_AFFINITY_FORMAT, column 3", "did you mean \"thread_num\"?"]);
    // Threads bound to one processor each, without binding flags.
    assert!(both(sim(&["-t", "1", "--display-affinity"])).1.ends_with("{0}\n"));
}
