//! Verdicts of gates as JUnit XML: one suite per sweep, one case per gate, and one case for failed
//! points.

use super::{failures, measured, sentences, undecided};
use numalab_base::printable;
use numalab_results::GateReport;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;

/// Largest number of sentences in a failure; readers of JUnit XML hold the whole file in memory.
const SHOWN: usize = 500;

struct Case<'a> {
    name: &'a str,
    line: Option<u32>,
    /// Text of the rule, and sentences on its violations; `None` if the gate holds.
    failure: Option<(String, Vec<String>)>,
    /// Sentence on undecided comparisons of a gate that holds, if there are any.
    note: Option<String>,
}

pub fn gate_junit(report: &GateReport) -> String {
    let points = (!report.failed.is_empty()).then(|| {
        (format!("{} of {} points failed", report.failed.len(), report.points), failures(report, SHOWN))
    });
    let mut cases = vec![Case { name: "points", line: None, failure: points, note: None }];
    cases.extend(report.verdicts.iter().map(|verdict| Case {
        name: &verdict.name,
        line: Some(verdict.line),
        failure: (!verdict.passed()).then(|| (measured(verdict), sentences(verdict, SHOWN))),
        note: undecided(verdict).filter(|_| verdict.passed()),
    }));
    let bytes = written(report, &cases).expect("memory takes every byte");
    String::from_utf8(bytes).expect("written from strings")
}

fn written(report: &GateReport, cases: &[Case<'_>]) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let sweep = printable(&report.sweep);
    let file = printable(&report.file);
    let (tests, failed) =
        (cases.len().to_string(), cases.iter().filter(|case| case.failure.is_some()).count());
    let failed = failed.to_string();
    let counts = [("tests", &*tests), ("failures", &*failed), ("errors", "0")];
    let suites =
        writer.create_element("testsuites").with_attribute(("name", "numalab")).with_attributes(counts);
    suites.write_inner_content(|writer| {
        let suite =
            writer.create_element("testsuite").with_attribute(("name", &*sweep)).with_attributes(counts);
        suite.write_inner_content(|writer| {
            cases.iter().try_for_each(|case| {
                let name = printable(case.name);
                let line = case.line.map(|line| line.to_string());
                let mut element = writer.create_element("testcase").with_attributes([
                    ("classname", &*sweep),
                    ("name", &*name),
                    ("file", &*file),
                ]);
                if let Some(line) = &line {
                    element = element.with_attribute(("line", &**line));
                }
                if case.failure.is_none() && case.note.is_none() {
                    return element.write_empty().map(drop);
                }
                let content = |writer: &mut Writer<Vec<u8>>| {
                    if let Some((message, lines)) = &case.failure {
                        let lines = lines.iter().flat_map(|text| text.lines()).map(printable);
                        let (message, text) = (printable(message), lines.collect::<Vec<_>>().join("\n"));
                        let failure = writer
                            .create_element("failure")
                            .with_attributes([("type", "gate"), ("message", &*message)]);
                        failure.write_text_content(BytesText::new(&text))?;
                    }
                    if let Some(note) = &case.note {
                        writer.create_element("system-out").write_text_content(BytesText::new(note))?;
                    }
                    Ok(())
                };
                element.write_inner_content(content).map(drop)
            })
        })?;
        Ok(())
    })?;
    let mut bytes = writer.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}
