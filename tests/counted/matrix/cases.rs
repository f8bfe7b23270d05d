//! Cases of the matrix: each shipped workload, on machines of each kind, under placements and policies.

use numalab_files::{Kind, catalogue};
use numalab_study::{Files, ResolvedRun, RunSpec};
use numalab_workload::Schedule;
use std::fmt;

/// Machines of each kind: coherent with boards, coherent with hyperthreads, a large torus, a hypervisor over a switch,
/// node controllers, and a cluster that shares pages in software.
pub const MACHINES: [&str; 6] =
    ["bcs16", "epyc-9654-2p-nps4", "altix-uv", "scalemp16", "hp8", "marenostrum8"];

pub const PLACEMENTS: [&str; 6] =
    ["first-touch", "interleave", "bind:0", "weighted-interleave", "next-touch", "balancing"];

/// Policies of loops that any workload with loops can be asked for.
const LOOPS: [&str; 6] =
    ["static", "dynamic", "guided", "numa-steal:random", "numa-steal:nearest", "numa-steal:most-loaded"];

/// Policies of tasks, which loops can be asked for too.
const TASKS: [&str; 6] = [
    "tasks",
    "tasks:central",
    "tasks:thread-local",
    "tasks:hierarchical",
    "tasks:locality",
    "tasks:locality-strict",
];

/// In place of a policy: all phases have schedules of their own.
const OWN: &str = "own";

/// One question: the words of its command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub workload: String,
    pub machine: &'static str,
    pub placement: &'static str,
    /// Policy of the phases without a schedule of their own; [`OWN`] if there are none.
    pub policy: &'static str,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.workload, self.machine, self.placement, self.policy)
    }
}

impl Case {
    /// Run of the case; `None` if the machine cannot have it.
    pub fn resolve(&self, files: &Files) -> Option<ResolvedRun> {
        let named = (self.policy != OWN).then(|| self.policy.parse::<Schedule>().expect("a policy"));
        let spec = RunSpec {
            placement: Some(self.placement.parse().expect("a placement")),
            schedules: named.into_iter().collect(),
            series: false,
            ..RunSpec::new(self.machine, &self.workload)
        };
        spec.resolve(files).ok()
    }
}

/// All cases, by workload, machine and placement.
pub fn all(files: &Files) -> Vec<Case> {
    let mut cases = Vec::new();
    for workload in workloads() {
        for machine in MACHINES {
            for placement in PLACEMENTS {
                let named = |policy| Case { workload: workload.clone(), machine, placement, policy };
                cases.extend(policies(&workload, machine, files).into_iter().map(named));
            }
        }
    }
    cases
}

/// Of each workload one case for each placement, each on another machine and under another policy. The name of the
/// workload decides which, so a new workload changes no other case.
pub fn sample(files: &Files) -> Vec<Case> {
    let mut cases = Vec::new();
    for workload in workloads() {
        let shift = workload.bytes().map(usize::from).sum::<usize>();
        for (place, placement) in PLACEMENTS.into_iter().enumerate() {
            let machine = MACHINES[(shift + place) % MACHINES.len()];
            let policies = policies(&workload, machine, files);
            if !policies.is_empty() {
                let policy = policies[(shift + place) % policies.len()];
                cases.push(Case { workload: workload.clone(), machine, placement, policy });
            }
        }
    }
    cases
}

fn workloads() -> impl Iterator<Item = String> {
    catalogue().into_iter().filter(|item| item.kind == Kind::Workload).map(|item| item.name)
}

/// Policies that a workload can be simulated under on a machine.
fn policies(workload: &str, machine: &'static str, files: &Files) -> Vec<&'static str> {
    let Ok(run) = RunSpec::new(machine, workload).resolve(files) else { return Vec::new() };
    let phases = run.experiment.workload.value.phases.iter().filter(|phase| phase.schedule.is_none());
    let needs_tasks: Vec<bool> = phases.map(|phase| phase.needs_tasks()).collect();
    let shares_pages = run.machine.loaded.value.dsm.is_some();
    match (needs_tasks.is_empty(), needs_tasks.contains(&true)) {
        (true, _) => vec![OWN],
        (false, true) => TASKS.to_vec(),
        (false, false) if shares_pages => vec!["static"],
        (false, false) => LOOPS.iter().chain(&TASKS).copied().collect(),
    }
}
