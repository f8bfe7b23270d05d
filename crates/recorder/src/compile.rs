//! Compiles the recorder's sources to a library.

use crate::error::RecordError;
use crate::recorder;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A C compiler, as a command with flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// Command of the compiler: a name or a path, then flags.
    pub command: Vec<String>,
}

impl Compiler {
    /// Splits a compiler command into words as a shell does; `None` for an open quote or an empty
    /// command.
    pub fn parse(command: &str) -> Option<Compiler> {
        let command = shlex::split(command).filter(|words| !words.is_empty())?;
        Some(Compiler { command })
    }

    /// Writes the sources into a folder and builds them there.
    pub(crate) fn compile(&self, folder: &Path) -> Result<PathBuf, RecordError> {
        recorder::write_into(folder).map_err(RecordError::Folder)?;
        let library = folder.join("numalab-recorder.so");
        let (name, own) = self.command.split_first().map_or(("cc", &[][..]), |(name, own)| (name, own));
        let sources = recorder::FILES.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c"));
        let output = Command::new(name)
            .args(own)
            .args(shlex::split(recorder::makefile_default("CFLAGS")).unwrap_or_default())
            .arg("-o")
            .arg(&library)
            .args(sources.map(|source| folder.join(source)))
            .stdin(Stdio::null())
            .output()
            .map_err(|error| RecordError::NoCompiler { name: name.to_owned(), error })?;
        if output.status.success() {
            return Ok(library);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let line = said.lines().find(|line| line.contains("error")).or_else(|| said.lines().next());
        Err(RecordError::NotBuilt { name: name.to_owned(), said: line.unwrap_or_default().trim().to_owned() })
    }
}
