//! Runs of a case, through the same calls as the command line.

use crate::binding::{places, team};
use crate::law::Subject;
use numalab_files::{Loaded, parse_overrides};
use numalab_results::{Bottleneck, ByNode, EngineCounts, Replicas, Run};
use numalab_runtime::Profile;
use numalab_study::{Files, Given, ReplicaCount, RunSpec, SealedMachine};
use numalab_workload::{NodeSet, Placement, Schedule};
use std::fs;
use std::path::Path;

/// Files of a case and its question.
#[derive(Clone, Debug)]
pub struct Question {
    /// Text of the machine file.
    pub machine: String,
    /// Text of the workload file.
    pub workload: String,
    pub policy: String,
    pub threads: u32,
    /// True if idle cores are left between the threads, as far as there are some.
    pub spread: bool,
}

/// The files of a question in a folder of their own.
pub struct Place {
    folder: tempfile::TempDir,
    policy: Schedule,
    threads: u32,
    /// True if the workload has an interleaved region.
    interleaved: bool,
}

impl Question {
    /// Reads the machine, and the parameters that laws change.
    pub fn subject(&self) -> Result<(Place, Subject), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let machine = folder.path().join("m.toml");
        let write = |path: &Path, text: &str| fs::write(path, text).map_err(|error| error.to_string());
        write(&machine, &self.machine)?;
        write(&folder.path().join("w.yaml"), &self.workload)?;
        let policy = self.policy.parse().map_err(|_| format!("{} is no policy", self.policy))?;
        let machine =
            numalab_lower::machine(&machine.to_string_lossy(), &[]).map_err(|error| error.to_string())?;
        let parameters = parameters(&self.workload);
        let divided = divided(&self.workload);
        let (machine, threads) = (machine.value, self.threads);
        let depth = machine.levels.iter().take_while(|level| level.kind.holds_memory()).count();
        let subject = Subject {
            binding: team(&machine, threads, self.spread),
            nodes: (0..machine.levels[..depth].iter().map(|level| level.count).product()).collect(),
            machine,
            runtime: Profile::default(),
            divided,
            parameters,
        };
        let interleaved = self.workload.contains("placement: interleave");
        Ok((Place { folder, policy, threads, interleaved }, subject))
    }
}

/// True if a measured phase has parts of regions by number of iterations, or if these decide which thread touches a page first.
/// Half as many iterations are the same work then, in larger pieces.
fn divided(workload: &str) -> bool {
    let (init, work) = workload.split_once("name: work").unwrap_or((workload, ""));
    init.contains("iterations: n\n") || work.contains("partition")
}

/// Whole numbers in the line `parameters: { n: 64, s: 4096 }` of a workload file.
fn parameters(workload: &str) -> Vec<(String, u64)> {
    let line = workload.lines().find_map(|line| line.strip_prefix("parameters: {")).unwrap_or_default();
    let entries = line.trim_end_matches('}').split(',').filter_map(|entry| entry.split_once(':'));
    entries.filter_map(|(name, value)| Some((name.trim().to_owned(), value.trim().parse().ok()?))).collect()
}

impl Place {
    /// Simulates a subject in so many replicas, the nominal one included. The times of each thread must sum to the
    /// makespan.
    pub fn run(&self, subject: &Subject, replicas: u32) -> Result<Run, String> {
        let values: Vec<String> =
            subject.parameters.iter().map(|(name, value)| format!("workload.{name}={value}")).collect();
        let machine = SealedMachine::new(Loaded::in_memory(subject.machine.clone()));
        let machine = machine.map_err(|error| format!("{error:?}"))?;
        let workload = self.folder.path().join("w.yaml");
        let interleaved = || Placement::Interleave(NodeSet::List(subject.nodes.clone()));
        let spec = RunSpec {
            runtime: Some(Given::loaded(Loaded::in_memory(subject.runtime.clone()))),
            overrides: parse_overrides(&values).map_err(|error| error.to_string())?,
            threads: Some(self.threads),
            binding: places(&subject.binding, &machine.fabric)?,
            placements: self.interleaved.then(|| ("a".to_owned(), interleaved())).into_iter().collect(),
            schedules: vec![self.policy],
            series: false,
            replicas: ReplicaCount::Number(replicas),
            ..RunSpec::new(Given::loaded(machine), &workload.to_string_lossy())
        };
        let resolved = spec.resolve(&Files::default()).map_err(|error| format!("{error:?}"))?;
        let mut runs = resolved.simulate(Some(1), &()).map_err(|error| format!("{error:?}"))?;
        runs.pop().ok_or_else(|| "no run".to_owned())
    }
}

/// Makespans of all replicas of a run.
pub fn range(run: &Run) -> Replicas {
    let makespan = run.makespan_ps;
    run.replicas.unwrap_or(Replicas { number: 1, low_ps: makespan, median_ps: makespan, high_ps: makespan })
}

/// Events and line transactions of a run: each rounds a time at most once.
pub fn steps(run: &Run) -> u64 {
    run.events + run.transactions
}

/// A run with nodes by their place in `nodes`, without other numbers and names of units, and without findings, which
/// may speak of idle ones.
pub fn nameless(run: &Run, nodes: &[u32]) -> String {
    let renumbered = |amounts: &ByNode| {
        let place =
            |node: u32| nodes.iter().position(|other| *other == node).map_or(u32::MAX, |at| at as u32);
        ByNode::of(amounts.entries().iter().map(|(node, amount)| (place(*node), *amount)).collect())
    };
    let mut run = Run { findings: Vec::new(), engine: EngineCounts::default(), ..run.clone() };
    for member in &mut run.team {
        (member.processor, member.node) = (0, 0);
        for amounts in [&mut member.bytes_by_node, &mut member.time_by_node_ps] {
            *amounts = renumbered(amounts).unwrap_or_default();
        }
    }
    run.resources.iter_mut().for_each(|resource| resource.name.clear());
    if let Some(Bottleneck { resource, .. }) = &mut run.bottleneck {
        *resource = None;
    }
    format!("{run:#?}")
}
