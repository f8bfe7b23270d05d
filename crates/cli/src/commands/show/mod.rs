//! `numalab show`: what a name means, in words or as its file.

mod machine;
mod outline;

use super::{bare, load};
use crate::failure::Failure;
use crate::flags::{Show, ShownFormat};
use crate::output::Destination;
use crate::terminal;
use numalab_formats::{Entry, Kind, entry, parse_overrides};
use numalab_report as report;

/// Describes what was named.
pub fn run(flags: &Show) -> Result<(), Failure> {
    let (name, kind) = match (&flags.runtime, &flags.name) {
        (Some(runtime), _) => (runtime.as_str(), Some(Kind::Runtime)),
        (None, name) => (name.as_deref().unwrap_or_default(), flags.kind.map(Kind::from)),
    };
    let bare = bare::entry(name, kind, flags.assume)?;
    let found = bare.map_or_else(|| entry(name, kind), Ok)?;
    let draws = flags.dot.is_some() || flags.svg.is_some() || flags.between.is_some();
    if draws && found.kind != Kind::Machine {
        return Err(Failure::request(
            format!("\"{name}\" is a {}, and only a machine is drawn", found.kind.name()),
            "leave out --dot, --svg and --between, or say --kind machine",
        ));
    }
    let text = match (flags.format, found.kind) {
        (ShownFormat::Table, Kind::Machine) => return machine::run(&found, name, flags),
        (ShownFormat::Table, Kind::Runtime) => {
            let profile = load::runtime_in(&found, &flags.overrides)?.value;
            report::runtime(&profile, terminal::style(&Destination::Stdout, report::Bars::None))
        }
        (ShownFormat::Table, Kind::Workload | Kind::Sweep) => {
            outline::outline(&changed(found, name, flags)?)?
        }
        (ShownFormat::Toml, _) => changed(found, name, flags)?.toml()?,
        (ShownFormat::Yaml, _) => changed(found, name, flags)?.yaml()?,
        (ShownFormat::Json, _) => format!("{:#}\n", changed(found, name, flags)?.json()?),
    };
    Destination::Stdout.write(text.as_bytes())
}

/// With the values of `--set`.
fn changed(found: Entry, name: &str, flags: &Show) -> Result<Entry, Failure> {
    let overrides = parse_overrides(&flags.overrides)?;
    load::stray_of(found.kind, &overrides)?;
    Ok(found.with(name, &overrides)?)
}
