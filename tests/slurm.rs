//! Sweeps on Slurm, with a fake `sbatch` that runs the elements at once. `tests/slurm/run` does the same with a real
//! Slurm.

use crate::support::{Desk, failure, says, text};
use assert_cmd::Command;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Sweep file of 24 points: 3 policies, 2 team sizes and 4 seeds.
const SWEEP: &str = "
name: small
description: A few points
points:
  machine: \"socket:2 core:2\"
  workload: loadbal
  threads: [2, 4]
  policy: [static, dynamic, numa-steal:random]
  set: { workload.packages: 32, workload.footprint: 100 MB }
  seed: [0, 1, 2, 3]
";

/// Fake `sbatch`: appends its arguments to the file `told` and runs the elements in order, except those that the file
/// `dead` lists.
const SBATCH: &str = r#"#!/bin/sh
printf '%s\n' "$@" >>"$SLURM/told"
for word; do
    case $word in --array=*) list=${word#--array=};; esac
done
for range in $(echo "$list" | tr , ' '); do
    for element in $(seq "${range%-*}" "${range#*-}"); do
        grep -qx "$element" "$SLURM/dead" 2>/dev/null && continue
        SLURM_ARRAY_TASK_ID=$element sh "$word" >"$SLURM/log.$element" 2>&1 || exit 9
    done
done
echo "$((11 + $(grep -c parsable "$SLURM/told")))"
"#;

/// Fake `squeue`: prints the file `queue`, which lists the elements that still run.
const SQUEUE: &str = "#!/bin/sh\ncat \"$SLURM/queue\" 2>/dev/null\nexit 0\n";

/// A temporary folder with a sweep file and the fake Slurm commands.
fn desk() -> Desk {
    let desk = Desk::with("my sweep.yaml", SWEEP);
    for (name, script) in [("slurm/bin/sbatch", SBATCH), ("slurm/bin/squeue", SQUEUE)] {
        desk.put(name, script);
        fs::set_permissions(desk.path().join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    desk
}

/// `numalab sweep` for the sweep file on the desk, with the fake Slurm in `PATH`.
fn sweep(desk: &Desk, arguments: &[&str]) -> Command {
    let slurm = desk.path().join("slurm");
    let path = format!("{}:{}", slurm.join("bin").display(), std::env::var("PATH").unwrap());
    let mut command = desk.numalab(&["sweep", "my sweep.yaml"]);
    command.args(arguments).env("PATH", path).env("SLURM", slurm).env_remove("SLURM_CPUS_PER_TASK");
    command
}

/// Standard error of a command that must succeed.
fn said(command: &mut Command) -> String {
    text(&command.assert().success().get_output().stderr)
}

/// Standard error of a command that must end with status 1.
fn lacks(command: &mut Command) -> String {
    text(&command.assert().code(1).get_output().stderr)
}

fn read(desk: &Desk, file: &str) -> String {
    fs::read_to_string(desk.path().join(file)).unwrap()
}

/// CSV of all points, simulated without Slurm.
fn local(desk: &Desk) -> String {
    said(&mut sweep(desk, &["--store", "local.store", "-o", "local.csv"]));
    read(desk, "local.csv")
}

#[test]
fn dry_run_prints_script_and_command_only() {
    let desk = desk();
    let shown = sweep(&desk, &["--slurm", "--tasks", "3", "--dry-run", "--sbatch-arg=--comment=two words"]);
    let shown = text(&{ shown }.assert().success().get_output().stdout);
    says(
        &shown,
        &[
            "#!/bin/sh\n",
            "24 points in 3 shards",
            "sweep 'my sweep.yaml'",
            "--shard \"$SLURM_ARRAY_TASK_ID/3\"",
            "--jobs \"${SLURM_CPUS_PER_TASK:-1}\"",
            "sbatch --parsable '--array=1-3' --requeue",
            "'--comment=two words'",
        ],
    );
    assert!(!desk.path().join("slurm/told").exists());
    // By default each of the 24 points has an element of its own.
    let shown = text(&sweep(&desk, &["--slurm", "--dry-run"]).assert().success().get_output().stdout);
    says(&shown, &["'--array=1-24'"]);
}

#[test]
fn dead_elements_are_named_and_resubmitted() {
    let desk = desk();
    let local = local(&desk);
    let cluster = |more: &[&str]| sweep(&desk, &[&["--store", "a b%j.store"], more].concat());

    desk.put("slurm/dead", "2\n");
    let message = said(&mut cluster(&["--slurm", "--tasks", "4", "--sbatch-arg=--time=9"]));
    says(&message, &["job 12", "4 of 4 elements (1-4)", "a b%j.store/slurm"]);
    let script = read(&desk, "a b%j.store/slurm/job.sh");
    says(&script, &["a b%j.store'"]);

    // Points 1, 5, 9 .. 21 of 24 belong to the second shard.
    let message = lacks(&mut cluster(&["--collect", "-o", "early.csv"]));
    says(&message, &["6 of 24 points missing; shard 2 of 4", "shard 2/4: socket:2 core:2 loadbal static"]);

    // The second element is still in Slurm's queue, so it is not submitted again.
    desk.put("slurm/queue", "12 2\n");
    let message = lacks(&mut cluster(&["--collect", "--resubmit"]));
    says(&message, &["job 12 is still running: 1 of 4 elements", "Nothing to submit"]);
    let message = failure(cluster(&["--slurm"]).assert().code(2));
    says(&message, &["job 12 is still running", "scancel 12"]);

    desk.put("slurm/queue", "");
    desk.put("slurm/dead", "");
    desk.put("slurm/told", "");
    let message = lacks(&mut cluster(&["--collect", "--resubmit"]));
    says(&message, &["1 of 4 elements (2)", "6 of 24 points missing"]);
    // The second submission has the flags of the first.
    says(&read(&desk, "slurm/told"), &["--array=2\n", "--time=9\n"]);

    said(&mut cluster(&["--collect", "-o", "cluster.csv"]));
    assert!(read(&desk, "cluster.csv") == local, "the shards' results differ from a local run's");
    says(&said(&mut cluster(&["--slurm"])), &["Nothing to submit: all 24 points"]);
}

#[test]
fn elements_refuse_to_run_another_sweep() {
    let desk = desk();
    said(&mut sweep(&desk, &["--slurm", "--tasks", "2"]));
    let script = read(&desk, "small.store/slurm/job.sh");
    desk.put("my sweep.yaml", &SWEEP.replace("packages: 32", "packages: 33"));
    let element = Command::new("sh").args(["-c", &script]).env("SLURM_ARRAY_TASK_ID", "1").assert().code(2);
    says(&failure(element), &["the plan of the sweep has changed", "--slurm"]);
    // Elements of another plan are not submitted again either.
    std::fs::create_dir(desk.path().join("other")).unwrap();
    for (store, reason) in
        [("small.store", "another plan than this sweep"), ("other", "no job has been submitted")]
    {
        let refused = sweep(&desk, &["--collect", "--resubmit", "--store", store])
            .assert()
            .code(2)
            .get_output()
            .clone();
        says(&text(&refused.stderr), &[reason, "submit it with --slurm"]);
    }
}

#[test]
fn slurm_refusals_are_printed() {
    let desk = desk();
    let message = failure(sweep(&desk, &["--slurm"]).env("PATH", "").assert().code(2));
    says(&message, &["Slurm is not installed", "sbatch", "--shard {}/8"]);
    for (script, reason) in [
        ("echo 'sbatch: error: invalid partition' >&2; exit 1", "invalid partition"),
        ("exit 3", "exit status: 3"),
        ("echo Hello", "printed \"Hello\" instead of a job number"),
    ] {
        fs::write(desk.path().join("slurm/bin/sbatch"), format!("#!/bin/sh\n{script}\n")).unwrap();
        says(&failure(sweep(&desk, &["--slurm"]).assert().code(2)), &[reason, "help:"]);
        assert!(!desk.path().join("small.store/slurm/submitted.json").exists());
    }
}

#[test]
fn any_scheduler_can_run_the_shards() {
    let desk = desk();
    let local = local(&desk);
    let numalab = assert_cmd::cargo::cargo_bin!("numalab");
    shell(
        &desk,
        numalab,
        "seq 4 | xargs -P2 -I{} \"$NUMALAB\" sweep 'my sweep.yaml' --shard {}/4 --store s --jobs 1",
    );
    said(&mut sweep(&desk, &["--store", "s", "--collect", "-o", "shards.csv"]));
    assert!(read(&desk, "shards.csv") == local, "the shards' results differ from a local run's");
}

fn shell(desk: &Desk, numalab: &Path, line: &str) {
    Command::new("sh").args(["-c", line]).env("NUMALAB", numalab).current_dir(desk.path()).assert().success();
}
