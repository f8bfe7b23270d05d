//! `numalab new`: a start for a file of one's own.

use crate::failure::Failure;
use crate::flags::New;
use crate::output::{Destination, cannot_write};
use numalab_formats::{Entry, Kind, entry, is_built_in, template};
use std::path::Path;

/// Writes the start, and says where it is.
pub fn run(flags: &New) -> Result<(), Failure> {
    let kind = Kind::from(flags.kind);
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if flags.name.is_empty() || flags.name.starts_with(['-', '.']) || !flags.name.chars().all(allowed) {
        return Err(Failure::request(
            format!("\"{}\" is no name for a {}", flags.name.escape_debug(), kind.name()),
            "a name has letters, digits, -, _ and ., and begins with a letter or a digit; say with -o where to write it",
        ));
    }
    let start = match &flags.from {
        Some(name) => from(name, kind)?,
        None => template(kind),
    };
    let text = start.renamed(&flags.name);
    let (folder, ending) = kind.place();
    let path =
        flags.output.clone().unwrap_or_else(|| Path::new(folder).join(format!("{}.{ending}", flags.name)));
    write(&path, &text, flags.output.is_none())?;
    if path.as_os_str() == "-" {
        return Ok(());
    }
    let hides = match flags.output.is_none() && is_built_in(kind, &flags.name) {
        true => format!("; here it takes the place of the {} of that name in the catalogue", kind.name()),
        false => String::new(),
    };
    let told = format!("wrote {}; {}{hides}\n", path.display(), next(kind, flags, &path));
    Destination::Stdout.write(told.as_bytes())
}

fn from(name: &str, kind: Kind) -> Result<Entry, Failure> {
    let found = entry(name, Some(kind))?;
    // A start that is wrong is none.
    found.json()?;
    Ok(found)
}

/// Nothing that is there is written over.
fn write(path: &Path, text: &str, make_folder: bool) -> Result<(), Failure> {
    let destination = Destination::from(path.to_owned());
    if destination != Destination::Stdout {
        if path.symlink_metadata().is_ok() {
            let exists = format!("there is a file \"{}\" already", path.display());
            return Err(Failure::request(exists, "take another name, or say with -o where to write it"));
        }
        if let (true, Some(folder)) = (make_folder, path.parent()) {
            std::fs::create_dir_all(folder).map_err(|error| cannot_write(path, &error))?;
        }
    }
    destination.write(text.as_bytes())
}

/// Commands to type next.
fn next(kind: Kind, flags: &New, path: &Path) -> String {
    let named = match &flags.output {
        Some(_) => path.display().to_string(),
        None => flags.name.clone(),
    };
    match kind {
        Kind::Machine => format!("numalab show {named} draws it"),
        Kind::Workload => format!("numalab sim bcs16 {named} runs it"),
        Kind::Runtime => format!("numalab sim bcs16 loadbal --runtime {named} runs with it"),
        Kind::Sweep => format!("numalab sweep {named} runs it"),
    }
}
