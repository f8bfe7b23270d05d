//! Exports the recorder to a folder, for machines that have only a C compiler.

use crate::recorder;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Reason why the recorder was not exported.
#[derive(Debug)]
pub enum ExportError {
    /// The folder is not empty.
    NotEmpty(PathBuf),
    /// A file of the folder cannot be written.
    CannotWrite(PathBuf, io::Error),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExportError::NotEmpty(folder) => write!(f, "the folder \"{}\" is not empty", folder.display()),
            ExportError::CannotWrite(folder, error) => {
                write!(f, "cannot write to \"{}\": {error}", folder.display())
            }
        }
    }
}

impl std::error::Error for ExportError {}

/// Writes sources, Makefile and README into a folder, which is created if missing. After a failure the folder is as it was.
pub fn export(folder: &Path) -> Result<(), ExportError> {
    let fail = |error| ExportError::CannotWrite(folder.to_owned(), error);
    let is_new = !folder.exists();
    fs::create_dir_all(folder).map_err(fail)?;
    if fs::read_dir(folder).map_err(fail)?.next().is_some() {
        return Err(ExportError::NotEmpty(folder.to_owned()));
    }
    recorder::write_into(folder).map_err(|error| {
        // The folder was empty: everything in it is from this call.
        let written = fs::read_dir(folder).into_iter().flatten().flatten();
        written.for_each(|file| drop(fs::remove_file(file.path())));
        if is_new {
            let _ = fs::remove_dir(folder);
        }
        fail(error)
    })
}
