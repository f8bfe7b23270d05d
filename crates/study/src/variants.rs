//! Variants of a run that differ in something other than a workload parameter: the machine, a value of the machine,
//! placement or binding. They form one table, like the points of a series.

use crate::progress::Progress;
use crate::replayed::replay_of_all;
use crate::{Files, ResolvedRun, StudyError, answer};
use numalab_lower::Measure as Asked;
use numalab_results::{Input, Measure, Point, PointRun, SCHEMA_VERSION, Series};

#[derive(Clone, Debug)]
pub struct Variant {
    /// Label of the run in the table.
    pub label: String,
    pub run: ResolvedRun,
}

/// Simulates each variant under all its policies. `over` is the name of the difference in the table.
pub fn variants(
    over: &str,
    variants: &[Variant],
    files: &Files,
    jobs: Option<usize>,
    progress: &dyn Progress,
) -> Result<Option<Series>, StudyError> {
    let Some(Variant { run: first, .. }) = variants.first() else { return Ok(None) };
    let measures: Vec<&Asked> =
        first.experiment.questions.measures.iter().filter(|measure| !measure.is_of_series()).collect();
    let mut points = Vec::new();
    for (at, variant) in variants.iter().enumerate() {
        let answered = answer(&variant.run, files, jobs, progress)
            .map_err(|error| error.of(format!("{over} {}", variant.label)));
        let answered = match answered {
            Err(error) if error.is_stop() && !points.is_empty() => break,
            answered => answered?,
        };
        // A variant that was stopped after some of its policies is not shown.
        if answered.runs.len() < variant.run.schedules.len() && !points.is_empty() {
            break;
        }
        let runs = answered.runs.iter().map(|run| PointRun {
            by: None,
            bottleneck: run.bottleneck.clone(),
            policy: run.policy.clone(),
            threads: run.threads,
            makespan_ps: run.makespan_ps,
            replicas: run.replicas,
            values: measures
                .iter()
                .map(|wanted| {
                    run.measures
                        .iter()
                        .find(|measure| measure.name == wanted.name)
                        .and_then(|measure| measure.value)
                })
                .collect(),
        });
        points.push(Point { at: at as f64, text: variant.label.clone(), runs: runs.collect() });
    }
    let inputs =
        |input: fn(&ResolvedRun) -> Input| Input::of_all(variants.iter().map(|variant| input(&variant.run)));
    let same = |text: fn(&ResolvedRun) -> Option<String>| {
        let all: Vec<Option<String>> = variants.iter().map(|variant| text(&variant.run)).collect();
        all.windows(2).all(|pair| pair[0] == pair[1]).then(|| all.into_iter().next().flatten()).flatten()
    };
    let bound = variants.windows(2).all(|pair| pair[0].run.binding_texts() == pair[1].run.binding_texts());
    Ok(Some(Series {
        schema_version: SCHEMA_VERSION,
        seed: first.spec.seed,
        machine: inputs(ResolvedRun::machine_input),
        workload: inputs(ResolvedRun::workload_input),
        placement: same(ResolvedRun::placement_text),
        binding: bound.then(|| first.binding_texts()).flatten(),
        runtime: Some(inputs(ResolvedRun::runtime_input)),
        replay: replay_of_all(variants.iter().map(|variant| &variant.run)),
        over: over.to_owned(),
        by: None,
        measures: measures
            .iter()
            .map(|measure| Measure { name: measure.name.clone(), unit: measure.unit.label.clone() })
            .collect(),
        points,
        summary: Vec::new(),
    }))
}
