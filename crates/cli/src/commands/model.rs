//! `numalab model`: what back-of-envelope models would have said.

use super::load::{self, Changes, Names};
use crate::failure::Failure;
use crate::flags::{Format, Model};
use crate::output::{Destination, check_apart};
use crate::progress::Bar;
use crate::terminal;
use numalab_report as report;
use numalab_study as study;

/// Simulates, models, delivers.
pub fn run(flags: &Model) -> Result<(), Failure> {
    let output = flags.output.destination();
    let svg = flags.svg.clone().map(Destination::from);
    let mut places = vec![("the models", &output)];
    places.extend(svg.iter().map(|svg| ("the roofline", svg)));
    check_apart(&places)?;

    // All files, for the errors of all; the workload is had again for each size of the team.
    let most = flags.threads.iter().copied().max();
    let size = |machine: &_| load::team_size(machine, most, None);
    let names =
        Names { machine: &flags.machine, workload: &flags.workload, runtime: flags.runtime.as_deref() };
    let loaded = Changes::parse(&flags.overrides, None)?.load(&names, size)?;
    let mut question = study::Question::new(loaded.machine, &flags.workload);
    question.runtime = Some(loaded.runtime);
    question.overrides.clone_from(&flags.overrides);
    question.policies = flags.policy.into_iter().collect();
    question.seed = flags.seed;
    let mut sizes = flags.threads.clone();
    sizes.sort_unstable();
    sizes.dedup();
    let bar = Bar::new();
    let model = study::model(&question, &sizes, &bar)?;
    drop(bar);

    let text = match flags.output.format() {
        Format::Table => report::table(&model, terminal::style(&output, report::Bars::None)),
        Format::Json => report::json(&model),
        Format::Csv => report::csv(&model),
    };
    let told = output.write(text.as_bytes());
    // A reader that left early is no reason to withhold the picture.
    let drawn = svg.map_or(Ok(()), |svg| svg.write(report::model_svg(&model).as_bytes()));
    match told {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(told),
        failed => failed,
    }
}
