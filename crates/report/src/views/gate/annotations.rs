//! Verdicts of gates as workflow commands, which GitHub shows beside the lines of the sweep file.

use super::{failures, measured, sentences};
use numalab_base::printable;
use numalab_results::GateReport;

/// Largest number of sentences in an annotation; GitHub's box is small.
const SHOWN: usize = 5;

/// One line per gate that does not hold, and one line for all failed points. GitHub shows at most ten annotations per
/// step.
pub fn gate_annotations(report: &GateReport) -> String {
    let broken = report.verdicts.iter().filter(|verdict| !verdict.passed()).map(|verdict| {
        let lines = [vec![measured(verdict)], sentences(verdict, SHOWN)].concat();
        command(&report.file, Some(verdict.line), &verdict.name, &lines)
    });
    let failed = (!report.failed.is_empty()).then(|| {
        let title = format!("{} of {} points failed", report.failed.len(), report.points);
        command(&report.file, None, &title, &failures(report, SHOWN))
    });
    broken.chain(failed).collect()
}

fn command(file: &str, line: Option<u32>, title: &str, lines: &[String]) -> String {
    let line = line.map(|line| format!(",line={line}")).unwrap_or_default();
    let (file, title) = (property(file), property(title));
    let message = lines.iter().flat_map(|text| text.lines()).map(data).collect::<Vec<_>>().join("%0A");
    format!("::error file={file}{line},title={title}::{message}\n")
}

/// Escapes a line of a message.
fn data(line: &str) -> String {
    printable(line).replace('%', "%25")
}

/// Escapes a property of a workflow command, so that the property cannot end early.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
