//! Tools of OTF2: `otf2-print` reads archives; the Python module `otf2` writes them.

use crate::failure::Failure;
use crate::output::{cannot_write, plain};
use numalab_syntax::scratch;
use numalab_traces::{Nested, Otf2, Places, WRITER};
use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Output of `otf2-print -A` for an archive.
pub fn print(archive: &Path) -> Result<String, Failure> {
    let output = Command::new("otf2-print").arg("-A").arg(archive).stdin(Stdio::null()).output();
    let output = output.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::request(
            "otf2-print is not installed; it is needed to read OTF2 archives",
            "install it (Debian: otf2-tools), or import the output of `otf2-print -A` from another computer",
        ),
        _ => Failure::Run(format!("cannot start otf2-print: {}", plain(&error))),
    })?;
    if !output.status.success() {
        let reason = last_words(&output.stderr);
        return Err(Failure::Run(format!("otf2-print cannot read \"{}\": {reason}", archive.display())));
    }
    String::from_utf8(output.stdout).map_err(|_| {
        Failure::Run(format!("otf2-print printed something other than text for \"{}\"", archive.display()))
    })
}

/// Refuses to write an archive to an existing path, before the input is read.
pub fn check_new(folder: &Path) -> Result<(), Failure> {
    if fs::symlink_metadata(folder).is_ok() {
        return Err(Failure::request(
            format!("\"{}\" exists already", folder.display()),
            "name a new FOLDER for the archive",
        ));
    }
    Ok(())
}

/// Writes an archive to a new folder, completely or not at all.
pub fn write(otf2: &Otf2, nested: &Nested, places: &Places, folder: &Path) -> Result<(), Failure> {
    let fail = |error: io::Error| cannot_write(folder, &error);
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = scratch::folder(parent).map_err(fail)?;
    let archive = beside.path().join("archive");
    // The system's Python comes first: other ones do not see Debian's packages.
    let python = if Path::new(SYSTEM_PYTHON).is_file() { SYSTEM_PYTHON } else { "python3" };
    let mut child = Command::new(python)
        .args(["-c", WRITER])
        .arg(&archive)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => missing("there is no python3"),
            _ => Failure::Run(format!("cannot start python3: {}", plain(&error))),
        })?;
    let written = match child.stdin.take() {
        Some(pipe) => {
            let mut pipe = BufWriter::new(pipe);
            otf2.write(nested, places, &mut pipe).and_then(|()| pipe.flush())
        }
        None => Ok(()),
    };
    let output = child.wait_with_output().map_err(fail)?;
    if !output.status.success() {
        let reason = last_words(&output.stderr);
        return Err(match reason.contains("ModuleNotFoundError") {
            true => missing("python3 has no module otf2"),
            false => Failure::Run(format!("cannot write \"{}\": {reason}", folder.display())),
        });
    }
    written.map_err(fail)?;
    fs::rename(&archive, folder).map_err(fail)
}

/// The last line of an error output.
fn last_words(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no reason given").to_owned()
}

const SYSTEM_PYTHON: &str = "/usr/bin/python3";

fn missing(problem: &str) -> Failure {
    Failure::request(
        format!("{problem}; it is needed to write OTF2 archives"),
        "install OTF2's Python library (Debian: python3-otf2), or leave out the archive",
    )
}
