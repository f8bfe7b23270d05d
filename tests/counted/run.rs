//! A run in a process of its own, and what is counted in it.

use numalab_formats::{self as formats, Change, parse_overrides};
use numalab_study::{Question, compare};
use numalab_workload::{NodeSet, Placement};
use std::env;
use std::process::Command;

/// Tells a process of this test that it is to run, and prefixes what it counted.
const TURN: &str = "NUMALAB_COUNTED";

/// What is counted, and what part of it may differ: nothing, where the simulation decides; a little, where the
/// standard library has a say.
pub const COLUMNS: [(&str, f64); 7] = [
    ("events", 0.0),
    ("solver-visits", 0.0),
    ("cache-visits", 0.0),
    ("operations", 0.0),
    ("transactions", 0.0),
    ("allocated-bytes", 0.03),
    ("peak-bytes", 0.03),
];

/// The counts of one run, by column.
pub type Counts = [u64; COLUMNS.len()];

/// A run, as one would type it.
pub struct Run {
    machine: &'static str,
    workload: &'static str,
    overrides: Vec<String>,
    policies: Vec<&'static str>,
    placement: Option<Placement>,
}

impl Run {
    /// A workload, under all policies that it names.
    pub fn of(workload: &'static str) -> Run {
        Run { machine: "bcs16", workload, overrides: Vec::new(), policies: Vec::new(), placement: None }
    }

    /// A machine.
    pub fn on(self, machine: &'static str) -> Run {
        Run { machine, ..self }
    }

    /// One policy.
    pub fn under(mut self, policy: &'static str) -> Run {
        self.policies.push(policy);
        self
    }

    /// A parameter.
    pub fn set(mut self, text: &str) -> Run {
        self.overrides.push(text.to_owned());
        self
    }

    /// All pages interleaved over all nodes.
    pub fn interleaved(self) -> Run {
        Run { placement: Some(Placement::Interleave(NodeSet::All)), ..self }
    }

    /// Everything that is done between files and records, on one thread; runs of several policies are summed.
    fn count(&self) -> Counts {
        let overrides = parse_overrides(&self.overrides).expect("sound overrides");
        let machine = formats::machine(self.machine, &overrides.machine).expect("a known machine");
        let question = Question {
            overrides: self.overrides.clone(),
            policies: self.policies.iter().map(|name| name.parse().expect("a policy")).collect(),
            placement: self.placement.clone(),
            jobs: Some(1),
            ..Question::new(machine, self.workload)
        };
        let unchanged = Change::default();
        let experiment = question.experiment(&unchanged).expect("a known workload");
        let request = question.request(experiment.workload, &unchanged).expect("a sound request");
        let mut counts = Counts::default();
        let allocated = allocation_counter::measure(|| {
            for run in compare(&request, &()).expect("it runs").runs {
                let engine = run.engine;
                let simulated = [run.events, engine.solver_visits, engine.cache_visits, engine.operations];
                for (sum, part) in counts.iter_mut().zip(simulated.into_iter().chain([run.transactions])) {
                    *sum += part;
                }
            }
        });
        counts[5] = allocated.bytes_total;
        counts[6] = allocated.bytes_max;
        counts
    }
}

/// The counts of a run, had in another process: `None` in that process itself.
pub fn counts(name: &str, run: impl FnOnce() -> Run) -> Option<Counts> {
    if env::var_os(TURN).is_some() {
        let counts = run().count();
        println!("\n{TURN} {}", counts.map(|count| count.to_string()).join(" "));
        return None;
    }
    let program = env::current_exe().expect("this test is a file");
    let output = Command::new(program)
        .args([name, "--exact", "--include-ignored", "--nocapture"])
        .env(TURN, "")
        .output()
        .expect("this test starts again");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let counts = out.lines().find_map(|line| {
        let counts = line.strip_prefix(TURN)?.split_whitespace().map(|count| count.parse().ok());
        counts.collect::<Option<Vec<u64>>>()?.try_into().ok()
    });
    Some(counts.unwrap_or_else(|| panic!("{name} ended without counts ({}):\n{out}{err}", output.status)))
}
