//! Time of the same program on one thread, the base of work-time inflation.

// Glossary: work-time inflation: Work of a team less the work of one thread that executes the same program.
//   It is negative where the caches of the team hold what those of one thread do not.

use crate::ResolvedRun;
use crate::progress::Tally;
use numalab_simulator::{Progress, Setup, Team, computing_alone, prepare};
use numalab_workload::{QueueKind, Schedule};

/// Compute and stall time of one thread in the measured phases, in picoseconds. `None` if one thread cannot execute
/// the program, for example with several teams.
///
/// The program is that of the whole team with all expressions evaluated, so a workload that scales with the threads
/// keeps its size. Runtime overhead does not count. The schedule is sequential: iterations in order, tasks depth
/// first. `tally` receives the progress of `iterations` iterations.
pub(crate) fn work_ps(run: &ResolvedRun, iterations: u64, tally: &Tally<'_>) -> Option<u64> {
    let first = run.team.members.first()?.processor;
    let team = Team::on(&run.machine.fabric, [first]);
    let whole = run.setup();
    let mut alone = None;
    if whole.workload.phases.iter().any(|phase| phase.team.is_some()) {
        let mut workload = whole.workload.clone();
        workload.phases.iter_mut().for_each(|phase| phase.team = None);
        alone = Some(workload);
    }
    let setup = Setup { team: &team, workload: alone.as_ref().unwrap_or(whole.workload), ..whole };
    if let Some(work) = computing_alone(&setup) {
        tally.advance(iterations);
        return Some(work.0);
    }
    let tasks = setup.workload.phases.iter().any(|phase| phase.schedule.is_none() && phase.needs_tasks());
    let schedule = match tasks {
        true => Schedule::Tasks(Some(QueueKind::ThreadLocal)),
        false => Schedule::Static { chunk: None },
    };
    let outcome = prepare(&setup, tally).ok()?.run_last(schedule, tally).ok()?;
    Some(outcome.ideal_work_ps.saturating_add_signed(outcome.memory_penalty_ps))
}

#[cfg(test)]
mod tests {
    use crate::{Files, RunSpec};
    use numalab_results::Run;
    use proptest::prelude::*;
    use tempfile::TempDir;

    /// Machine file: two sockets of two cores. Memory has 10 GB/s, the link between the sockets 4 GB/s. A core keeps
    /// so many lines in flight that latency does not limit it.
    const MACHINE: &str = r#"
name = "pair"
[[level]]
kind = "socket"
count = 2
interconnect = { shape = "edges", link = "wire", edges = [{ from = 0, to = 1 }] }
[[level]]
kind = "core"
count = 2
[link.wire]
bandwidth = "4 GB/s"
latency = "100 ns"
[core]
clock = "2 GHz"
flops_per_cycle = 4
instructions_per_cycle = 2
outstanding = 1000
[memory]
capacity = "8 GiB"
latency = "80 ns"
bandwidth = "10 GB/s"
"#;

    const CACHE: &str = r#"
[[cache]]
level = 1
size = "1 MiB"
shared_by = 2
latency = "1 ns"
bandwidth = "1000 GB/s"
"#;

    /// Workload file: the first thread touches all data, then each thread reads a part.
    const WORKLOAD: &str = "\
name: reads
parameters: { rounds: 1, size: 64 MB }
regions:
  data: { size: size }
phases:
  - name: initialise
    loop:
      iterations: 64
      schedule: \"static,1000\"
      touches: [{ region: data, slice: { partition: 1 }, mode: write }]
  - name: read
    measured: true
    repeat: rounds
    loop:
      iterations: 64
      touches: [{ region: data, slice: { partition: 1 }, mode: read }]
compare: [static, dynamic]
";

    fn put(folder: &TempDir, name: &str, text: &str) -> String {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Runs the workload on processors of the machine.
    fn run(machine: &str, processors: &str, set: &[&str]) -> Vec<Run> {
        let folder = tempfile::tempdir().unwrap();
        let (machine, workload) = (put(&folder, "pair.toml", machine), put(&folder, "reads.yaml", WORKLOAD));
        let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
        let spec = RunSpec {
            processors: Some(processors.parse().unwrap()),
            overrides: numalab_files::parse_overrides(&set).unwrap(),
            sequential: true,
            ..RunSpec::new(&*machine, &workload)
        };
        spec.resolve(&Files::default()).unwrap().simulate(Some(1), &()).unwrap()
    }

    // One thread per socket reads 32 MB, all from the first socket. The second thread gets the link's 4 GB/s, for 8
    // ms, the first the remaining 6 GB/s of the memory, for 5.333 ms. One thread reads 64 MB at 10 GB/s in 6.4 ms.
    // Inflation: 13.333 - 6.4 = 6.933 ms.
    #[test]
    fn inflation_by_hand() {
        let run = &run(MACHINE, "0,2", &[])[0];
        let near = |value: u64, ms: f64| assert!((value as f64 / 1e9 - ms).abs() < 0.01, "{value} {ms}");
        near(run.sequential_ps.unwrap(), 6.4);
        near(run.work_ps(), 5.0 + 1.0 / 3.0 + 8.0);
        near(run.inflation_ps.unwrap().try_into().unwrap(), 6.9 + 0.1 / 3.0);
    }

    // Two caches of 1 MiB hold half of 1.5 MiB each. A single one, with LRU replacement, holds none
    // of it when it is read again: of nine readings all but the first are hits, or none.
    /// Law: One thread has no work-time inflation; with caches a team can have less than none.
    #[test]
    fn inflation_may_be_negative() {
        let machine = format!("{MACHINE}{CACHE}");
        let run = &run(&machine, "0,2", &["workload.size=1.5 MiB", "workload.rounds=9"])[0];
        let (work, sequential) = (run.work_ps() as i64, run.sequential_ps.unwrap() as i64);
        assert_eq!(run.inflation_ps, Some(work - sequential));
        assert!(2 * work < sequential, "{work} {sequential}");
    }

    #[test]
    fn several_teams_have_no_sequential_run() {
        let spec = RunSpec { sequential: true, ..RunSpec::new("board:4 socket:2 core:4", "epcc_nested") };
        let runs = spec.resolve(&Files::default()).unwrap().simulate(Some(1), &()).unwrap();
        assert!(runs.iter().all(|run| run.sequential_ps.is_none() && run.inflation_ps.is_none()));
    }

    #[test]
    fn no_sequential_run_unless_requested() {
        let overrides = numalab_files::parse_overrides(&["workload.footprint=100 MB".to_owned()]).unwrap();
        let spec = RunSpec { overrides, ..RunSpec::new("socket:2 core:2", "loadbal") };
        let runs = spec.resolve(&Files::default()).unwrap().simulate(Some(1), &()).unwrap();
        assert!(runs.iter().all(|run| run.sequential_ps.is_none() && run.inflation_ps.is_none()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        /// Law: One thread has no work-time inflation; with caches a team can have less than none.
        ///
        /// The work of one thread is the same on any processor.
        #[test]
        fn one_thread_has_no_inflation(processor in 0u32..4, rounds in 1u32..4, cached in any::<bool>()) {
            let machine = if cached { format!("{MACHINE}{CACHE}") } else { MACHINE.to_owned() };
            let rounds = format!("workload.rounds={rounds}");
            let runs = run(&machine, &processor.to_string(), &["workload.size=3 MiB", &rounds]);
            prop_assert_eq!(runs[0].inflation_ps, Some(0), "{:?}", runs[0]);
        }

        #[test]
        fn policies_share_the_sequential_run(threads in 1u32..4) {
            let runs = run(MACHINE, &format!("0-{threads}"), &[]);
            prop_assert_eq!(runs[0].sequential_ps, runs[1].sequential_ps);
            for run in &runs {
                let whole = run.sequential_ps.unwrap() as i64 + run.inflation_ps.unwrap();
                let waited = (run.overhead_ps.0 + run.idle_ps.0) as i64;
                prop_assert_eq!(whole + waited, i64::from(run.threads) * run.makespan_ps as i64);
            }
        }
    }
}
