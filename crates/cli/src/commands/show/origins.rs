//! `numalab show --origins`: the values of a file with their origins.

use crate::commands::load;
use crate::failure::Failure;
use crate::flags::Show;
use crate::output::Destination;
use crate::terminal;
use numalab_files::{Entry, Kind, ReadFile, WrittenValue, parse_overrides, published_rows};
use numalab_lower::workload_values;
use numalab_report::{self as report, OriginRow, OriginTable};

pub fn run(shown: &Entry, name: &str, flags: &Show) -> Result<(), Failure> {
    let overrides = parse_overrides(&flags.overrides)?;
    let style = terminal::style(&Destination::Stdout, report::Bars::None);
    let text = match shown.kind {
        Kind::Machine => {
            let machine = load::machine_in(shown, name, &flags.overrides)?.value;
            let written = shown.read_machine().written_values(&overrides.machine);
            let rows = OriginRow::all(&machine.origins, &machine.file_values(), facts(written));
            let published = Some(published_rows(&machine.name));
            report::table(&OriginTable { name: &machine.name, rows, published }, style)
        }
        Kind::Runtime => {
            let profile = load::runtime_in(shown, &flags.overrides)?.value;
            let written = shown.read_runtime().written_values(&overrides.runtime);
            let rows = OriginRow::all(&profile.origins, &profile.file_values(), facts(written));
            report::table(&OriginTable { name: &profile.name, rows, published: None }, style)
        }
        Kind::Workload => {
            load::stray_of(Kind::Workload, &overrides)?;
            let (name, values) = workload_values(&ReadFile::workload(shown.source()))?;
            let rows = values.into_iter().map(|value| OriginRow {
                path: value.written.path,
                value: cut(value.written.text),
                origin: value.origin,
                within: Some(value.within).filter(|within| *within > 0.0),
            });
            report::table(&OriginTable { name: &name, rows: rows.collect(), published: None }, style)
        }
        Kind::Sweep | Kind::Policy => {
            return Err(Failure::request(
                format!("\"{name}\" is a {}, whose values have no origins", shown.kind.name()),
                "name a machine, a workload or a runtime, or leave out --origins",
            ));
        }
    };
    Destination::Stdout.write(text.as_bytes())
}

/// Paths, places and texts of values.
fn facts(written: Vec<WrittenValue>) -> impl Iterator<Item = (String, String, String)> {
    written.into_iter().map(|one| (one.path, one.place, cut(one.text)))
}

/// Beginning of a text that would fill the table, such as that of a curve.
fn cut(text: String) -> String {
    const MOST: usize = 24;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
