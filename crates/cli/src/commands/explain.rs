//! `numalab explain`: causes of a run's time.

use super::examined;
use super::sim::SEEN_BYTES;
use super::unknowns::measured_values;
use crate::embedded::{self, Record};
use crate::failure::Failure;
use crate::flags::{Explain, Explained, ViewFormat};
use crate::interrupt;
use crate::output::Destination;
use crate::progress::Bar;
use crate::terminal;
use numalab_draw as draw;
use numalab_explain::{Request, blame, explain};
use numalab_report as report;
use numalab_results::Explanation;
use numalab_study::{Watch, answer_watched};

/// Resolves the run, simulates it with changes and writes the explanation.
pub fn run(flags: &Explain) -> Result<(), Failure> {
    let (form, output) = flags.output.seen();
    output.check()?;
    let reads = matches!(form, Explained::Text(ViewFormat::Table | ViewFormat::Markdown));
    let (run, files) = examined::resolve(&flags.run, reads)?;
    let budget = if flags.only_blame { 0 } else { flags.run.budget };
    let bar = Bar::new();
    let blamed = blame(&run, &bar)?;
    drop(bar);
    if budget == 0 && !matches!(form, Explained::Html) {
        let kept = embedded::keep(blamed.explanation, Record::Explanation);
        return kept.map_or(Ok(()), |blamed| output.write(text(form, &output, &blamed).as_bytes()));
    }
    // A reader of text sees the first part while the other is simulated.
    let in_parts = matches!(form, Explained::Text(ViewFormat::Table))
        && output == Destination::Stdout
        && !embedded::wants_record();
    let style = terminal::style(&output, report::Bars::None);
    if in_parts {
        output.write(report::table(&report::Blamed(&blamed.explanation), style).as_bytes())?;
    }
    let bar = Bar::new();
    let request = Request { budget, ..examined::request(&flags.run, &run, &files, &bar) };
    let mut explanation = if budget > 0 { explain(&run, blamed, &request)? } else { blamed.explanation };
    explanation.influences = explanation.influences.map(|values| measured_values(values, &run));
    let stopped = explanation.left_out.is_some() && interrupt::pressed();
    if stopped && output != Destination::Stdout {
        return Err(Failure::Interrupted("the explanation is incomplete; nothing is written".to_owned()));
    }
    let is_cut = explanation.left_out.is_some();
    if let Some(explanation) = embedded::keep(explanation, Record::Explanation) {
        let text = match form {
            Explained::Text(_) if in_parts => {
                let rest = report::table(&report::Recoverable(&explanation), style);
                if rest.is_empty() { rest } else { format!("\n{rest}") }
            }
            Explained::Text(_) => text(form, &output, &explanation),
            Explained::Html => {
                let watch = Watch::of_bytes(None, SEEN_BYTES).with_domains();
                let (answered, timelines) = answer_watched(&run, &files, request.jobs, &bar, &watch)?;
                draw::run_page(&run.comparison(answered.runs), &timelines, std::slice::from_ref(&explanation))
            }
        };
        drop(bar);
        output.write(text.as_bytes())?;
    }
    examined::ended(is_cut, stopped, "explanation", "costs")
}

/// The whole explanation in one of the text formats; empty for another format.
fn text(form: Explained, output: &Destination, explanation: &Explanation) -> String {
    match form {
        Explained::Text(ViewFormat::Table) => {
            report::table(explanation, terminal::style(output, report::Bars::None))
        }
        Explained::Text(ViewFormat::Markdown) => report::markdown(explanation),
        Explained::Text(ViewFormat::Json) => report::json(explanation),
        Explained::Text(ViewFormat::Csv) => report::csv(explanation),
        Explained::Html => String::new(),
    }
}
