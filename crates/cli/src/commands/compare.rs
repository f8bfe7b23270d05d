//! `numalab compare`: compares results with earlier ones.

use crate::failure::Failure;
use crate::flags::{Compare, Format};
use crate::hints;
use crate::terminal;
use numalab_report as report;
use numalab_sweep::compare::{Side, compare};
use numalab_syntax::streams;

/// Reads both files, compares them and writes the result.
pub fn run(flags: &Compare) -> Result<(), Failure> {
    let output = flags.output.destination()?;
    output.check()?;
    if streams::is_same_stream(&flags.a, &flags.b) {
        return Err(Failure::request(
            "both files are standard input, which can be read only once",
            "name a file in place of one of them",
        ));
    }
    let frame = |path| numalab_result_files::frame(path).map_err(hints::frame);
    let (a, b) = match (frame(&flags.a), frame(&flags.b)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(a), Err(b)) => return Err(a.and(b).into()),
        (Err(error), _) | (_, Err(error)) => return Err(error.into()),
    };
    let names = [&flags.a, &flags.b].map(|path| streams::name(path));
    if let Some((name, _)) = names.iter().zip([&a, &b]).find(|(_, frame)| frame.rows.is_empty()) {
        return Err(Failure::Request { problem: format!("{name} has no rows"), advice: None });
    }
    let sides = (Side { name: &names[0], frame: &a }, Side { name: &names[1], frame: &b });
    let compared = compare(sides.0, sides.1, &flags.measures, flags.within)
        .map_err(|problem| Failure::Request { problem, advice: None })?;
    let text = match flags.output.format() {
        Format::Table => report::table(&compared, terminal::style(&output, report::Bars::None)),
        Format::Json => report::json(&compared),
        Format::Csv => report::csv(&compared),
    };
    output.write(text.as_bytes())?;
    match flags.exit_code && !compared.same() {
        true => Err(Failure::NegativeAnswer),
        false => Ok(()),
    }
}
