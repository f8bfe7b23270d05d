//! Compiles the recorder's sources.

use crate::error::RecordError;
use crate::recorder;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Source of the library that is preloaded, and of the program whose constructs do nothing.
const PRELOAD: &str = "preload.c";
const NULL: &str = "null.c";
const NULL_FLAGS: &str = "-std=c11 -O2";

/// Paths of the built parts of the recorder.
#[derive(Clone, Debug)]
pub(crate) struct Tools {
    /// Library that the OpenMP runtime loads.
    pub recorder: PathBuf,
    /// Library that is preloaded into the program.
    pub preload: PathBuf,
    /// Program whose constructs do nothing; `None` if it cannot be built.
    pub null: Option<PathBuf>,
}

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
    pub(crate) fn compile(&self, folder: &Path) -> Result<Tools, RecordError> {
        recorder::write_into(folder).map_err(RecordError::Folder)?;
        let apart = [PRELOAD, NULL];
        let sources = recorder::FILES.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c"));
        let of_recorder: Vec<&str> = sources.filter(|name| !apart.contains(name)).collect();
        let flags = recorder::makefile_default("CFLAGS");
        let recorder = self.build(folder, flags, &of_recorder, "numalab-recorder.so")?;
        let preload = self.build(folder, flags, &[PRELOAD], "numalab-preload.so")?;
        // A compiler that builds only libraries leaves the recorder's costs unknown.
        let null = self.build(folder, NULL_FLAGS, &[NULL], "numalab-null").ok();
        Ok(Tools { recorder, preload, null })
    }

    fn build(&self, folder: &Path, flags: &str, sources: &[&str], to: &str) -> Result<PathBuf, RecordError> {
        let output = folder.join(to);
        let (name, own) = self.command.split_first().map_or(("cc", &[][..]), |(name, own)| (name, own));
        let built = Command::new(name)
            .args(own)
            .args(shlex::split(flags).unwrap_or_default())
            .arg("-o")
            .arg(&output)
            .args(sources.iter().map(|source| folder.join(source)))
            // Before glibc 2.34 it is a library of its own.
            .arg("-ldl")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| RecordError::NoCompiler { name: name.to_owned(), error })?;
        if built.status.success() {
            return Ok(output);
        }
        let said = String::from_utf8_lossy(&built.stderr);
        let line = said.lines().find(|line| line.contains("error")).or_else(|| said.lines().next());
        Err(RecordError::NotBuilt { name: name.to_owned(), said: line.unwrap_or_default().trim().to_owned() })
    }
}
