//! `numalab new`: writes a template for the user's own file.

use crate::failure::Failure;
use crate::flags::New;
use crate::message::shown;
use crate::output::{Destination, cannot_write};
use numalab_files::{Entry, Kind, Overrides, entry, is_built_in, template};
use std::path::Path;

/// Writes the template and prints the path of the new file.
pub fn run(flags: &New) -> Result<(), Failure> {
    let kind = Kind::from(flags.kind);
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if flags.name.is_empty() || flags.name.starts_with(['-', '.']) || !flags.name.chars().all(allowed) {
        return Err(Failure::request(
            format!("\"{}\" cannot be the name of a {}", flags.name.escape_debug(), kind.name()),
            "names consist of letters, digits, -, _ and ., and begin with a letter or a digit; -o FILE sets the path",
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
    if Destination::from(path.clone()) == Destination::Stdout {
        return Ok(());
    }
    let hides = match flags.output.is_none() && is_built_in(kind, &flags.name) {
        true => format!("; in this folder it replaces the built-in {} of that name", kind.name()),
        false => String::new(),
    };
    let message = format!("wrote {}; {}{hides}\n", shown(&path), next(kind, flags, &path));
    Destination::Stdout.write(message.as_bytes())
}

fn from(name: &str, kind: Kind) -> Result<Entry, Failure> {
    // Fails here if the template itself is wrong.
    Ok(numalab_lower::entry_with(entry(name, Some(kind))?, name, &Overrides::default())?)
}

/// Writes a new file. An existing file is not overwritten.
fn write(path: &Path, text: &str, make_folder: bool) -> Result<(), Failure> {
    let destination = Destination::from(path.to_owned());
    if destination != Destination::Stdout {
        if path.symlink_metadata().is_ok() {
            let exists = format!("the file \"{}\" exists already", path.display());
            return Err(Failure::request(exists, "choose another name, or set the path with -o FILE"));
        }
        if let (true, Some(folder)) = (make_folder, path.parent()) {
            std::fs::create_dir_all(folder).map_err(|error| cannot_write(path, &error))?;
        }
    }
    destination.write(text.as_bytes())
}

/// The command to type next, as an example.
fn next(kind: Kind, flags: &New, path: &Path) -> String {
    let named = match &flags.output {
        Some(_) => shown(path),
        None => flags.name.clone(),
    };
    match kind {
        Kind::Machine => format!("numalab show {named} draws it"),
        Kind::Workload => format!("numalab sim bcs16 {named} runs it"),
        Kind::Runtime => format!("numalab sim bcs16 loadbal --runtime {named} runs with it"),
        Kind::Sweep => format!("numalab sweep {named} runs it"),
        Kind::Policy => format!("numalab sim bcs16 loadbal -p {named} runs with it"),
    }
}
