//! `numalab explain`: why a run takes as long as it does.

use super::sim::SEEN_BYTES;
use super::{binding, load, replay, team};
use crate::failure::Failure;
use crate::flags::{Explain, Explained, ViewFormat};
use crate::hints;
use crate::progress::Bar;
use crate::terminal;
use numalab_explain::{Request, explain};
use numalab_report as report;
use numalab_study::{Files, Given, RunSpec, Watch, answer_watched};

/// Resolves, watches, simulates again, delivers.
pub fn run(flags: &Explain) -> Result<(), Failure> {
    let (form, output) = flags.output.seen();
    output.check()?;
    let files = Files::default();
    let said = binding::resolve(&flags.binding, flags.threads)?;
    let spec = RunSpec {
        runtime: flags.runtime.as_deref().map(Given::from),
        overrides: replay::with_typed(
            &flags.replay,
            &flags.workload,
            load::overrides(&flags.overrides, None)?,
        )?,
        threads: match &flags.procs {
            Some(_) => said.threads,
            None => replay::team(said.threads, &flags.workload),
        },
        processors: flags.procs.clone(),
        binding: said.binding.clone(),
        placement: flags.placement.clone(),
        schedules: flags.policy.into_iter().collect(),
        seed: flags.seed,
        ..RunSpec::new(&*flags.machine, &flags.workload)
    };
    let spec = replay::on_recorder(&flags.replay, spec, &files)?;
    let run = spec.resolve(&files).map_err(|error| hints::spec(error, said.places_from))?.under_the_first();
    team::tell(&run, &said);
    replay::tell(&run);
    let bar = Bar::new();
    let request = Request {
        files: &files,
        again: !flags.only_blame,
        jobs: flags.jobs.map(usize::from),
        how: match run.experiment.recorded {
            Some(_) => &hints::remedy_in_program,
            None => &hints::remedy,
        },
    };
    let explanation = explain(&run, &request)?;
    let text = match form {
        Explained::Text(ViewFormat::Table) => {
            report::table(&explanation, terminal::style(&output, report::Bars::None))
        }
        Explained::Text(ViewFormat::Markdown) => report::markdown(&explanation),
        Explained::Text(ViewFormat::Json) => report::json(&explanation),
        Explained::Text(ViewFormat::Csv) => report::csv(&explanation),
        Explained::Html => {
            let watch = Watch::of_bytes(None, SEEN_BYTES).with_domains();
            let (answered, timelines) = answer_watched(&run, &files, request.jobs, &(), &watch)?;
            report::run_page(&run.comparison(answered.runs), &timelines, &[explanation])
        }
    };
    drop(bar);
    output.write(text.as_bytes())
}
