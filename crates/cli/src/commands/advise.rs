//! `numalab advise`: every schedule for each loop, and what to type.

use super::examined;
use crate::embedded::{self, Record};
use crate::failure::{Failure, tell};
use crate::flags::{Advise, Policy, ViewFormat};
use crate::hints;
use crate::interrupt;
use crate::output::Destination;
use crate::progress::Bar;
use crate::terminal;
use numalab_explain::clinic;
use numalab_files::policy_names;
use numalab_report as report;
use numalab_workload::Schedule;

/// Resolves the run, simulates the portfolio of schedules, and writes the answer.
pub fn run(flags: &Advise) -> Result<(), Failure> {
    let (format, output) = (flags.output.format(), flags.output.destination());
    output.check()?;
    let reads = matches!(format, ViewFormat::Table | ViewFormat::Markdown);
    let (run, files) = examined::resolve(&flags.run, reads)?;
    let bar = Bar::new();
    let request = examined::request(&flags.run, &run, &files, &bar);
    let answer = clinic(&run, &request, &further_schedules(), &hints::typed)?;
    drop(bar);
    let is_cut = answer.left_out > 0;
    let stopped = is_cut && interrupt::pressed();
    if stopped && output != Destination::Stdout {
        return Err(Failure::Interrupted("the advice is incomplete; nothing is written".to_owned()));
    }
    if let Some(answer) = embedded::keep(answer, Record::Clinic) {
        let text = match format {
            ViewFormat::Table => report::table(&answer, terminal::style(&output, report::Bars::None)),
            ViewFormat::Markdown => report::markdown(&answer),
            ViewFormat::Json => report::json(&answer),
            ViewFormat::Csv => report::csv(&answer),
        };
        output.write(text.as_bytes())?;
    }
    examined::ended(is_cut, stopped, "advice", "schedules")
}

/// Policy files that say what a built-in schedule does.
const BUILT_IN: [&str; 4] = ["static-cyclic", "steal-random", "steal-nearest", "steal-most-loaded"];

/// Schedules of policy files that need no path, but for those that are built in, too. Files that cannot be read are
/// named.
fn further_schedules() -> Vec<Schedule> {
    let is_further = |name: &String| !Schedule::NAMES.contains(&&**name) && !BUILT_IN.contains(&&**name);
    let mut schedules = Vec::new();
    for name in policy_names().into_iter().filter(is_further) {
        match name.parse::<Policy>().ok().and_then(|policy| policy.schedule().ok()) {
            Some(schedule) => schedules.push(schedule),
            None => {
                tell(&format!("note: the policy {name} has mistakes and is left out; -p {name} shows them\n"))
            }
        }
    }
    schedules
}
