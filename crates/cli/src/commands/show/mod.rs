//! `numalab show`: describes a name, or prints its file.

mod machine;
mod origins;
mod outline;

use super::{bare, load};
use crate::failure::Failure;
use crate::flags::{Show, ShownFormat};
use crate::output::Destination;
use crate::terminal;
use numalab_files::{Entry, Kind, entry, parse_overrides};
use numalab_report as report;
use numalab_sweep::file::sweep_in;

pub fn run(flags: &Show) -> Result<(), Failure> {
    let (name, kind) = match (&flags.runtime, &flags.name) {
        (Some(runtime), _) => (runtime.as_str(), Some(Kind::Runtime)),
        (None, name) => (name.as_deref().unwrap_or_default(), flags.kind.map(Kind::from)),
    };
    let bare = bare::entry(name, kind, &flags.assume, &flags.overrides)?;
    let shown = bare.map_or_else(|| entry(name, kind), Ok)?;
    let draws = flags.dot.is_some() || flags.svg.is_some() || flags.between.is_some();
    if draws && shown.kind != Kind::Machine {
        return Err(Failure::request(
            format!("\"{name}\" is a {}; only machines can be drawn", shown.kind.name()),
            "leave out --dot, --svg and --between, or add --kind machine",
        ));
    }
    if flags.origins {
        return origins::run(&shown, name, flags);
    }
    let text = match (flags.format, shown.kind) {
        (ShownFormat::Table, Kind::Machine) => return machine::run(&shown, name, flags),
        (ShownFormat::Table, Kind::Runtime) => {
            let profile = load::runtime_in(&shown, &flags.overrides)?.value;
            report::runtime(&profile, terminal::style(&Destination::Stdout, report::Bars::None))
        }
        (ShownFormat::Table, Kind::Workload | Kind::Sweep | Kind::Policy) => {
            outline::outline(&changed(shown, name, flags)?)?
        }
        (ShownFormat::Toml, _) => clean(&changed(shown, name, flags)?.toml()?),
        (ShownFormat::Yaml, _) => clean(&changed(shown, name, flags)?.yaml()?),
        (ShownFormat::Json, _) => {
            report::escaped_json(format!("{:#}\n", changed(shown, name, flags)?.json()?))
        }
    };
    Destination::Stdout.write(text.as_bytes())
}

/// Text of a file without what would control a terminal: comments are shown as they are written.
fn clean(text: &str) -> String {
    report::printable_lines(&text.replace('\t', " ").replace("\r\n", "\n"))
}

/// The shown file with the values of `--set` in it; an error if its reader refuses it.
fn changed(shown: Entry, name: &str, flags: &Show) -> Result<Entry, Failure> {
    let overrides = parse_overrides(&flags.overrides)?;
    load::stray_of(shown.kind, &overrides)?;
    let shown = numalab_lower::entry_with(shown, name, &overrides)?;
    if shown.kind == Kind::Sweep {
        sweep_in(shown.source())?;
    }
    Ok(shown)
}
