//! Writes the kernels into a folder, for a machine that has only a C compiler.

use crate::kernels;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Reason for which the kernels were not written.
#[derive(Debug)]
pub enum ExportError {
    /// The folder has contents already, and `force` was not given.
    NotEmpty(PathBuf),
    /// The folder or a file in it (path) cannot be written.
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

/// Writes sources, Makefile, script and README of the kernels into a folder, which is created if missing. A folder
/// with other files is accepted only with `force`; these files stay.
pub fn export(folder: &Path, force: bool) -> Result<(), ExportError> {
    let fail = |error| ExportError::CannotWrite(folder.to_owned(), error);
    if !force && folder.is_dir() && fs::read_dir(folder).map_err(fail)?.next().is_some() {
        return Err(ExportError::NotEmpty(folder.to_owned()));
    }
    let made = missing(folder);
    let new = new_files(folder);
    let written = fs::create_dir_all(folder).and_then(|()| kernels::write_into(folder));
    written.map_err(|error| {
        // After a failure only files and folders that this call created are removed. Failures to remove them are not
        // reported.
        new.iter().for_each(|file| drop(fs::remove_file(file)));
        made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
        fail(error)
    })
}

/// The folder and its ancestors that do not exist, innermost first.
fn missing(folder: &Path) -> Vec<PathBuf> {
    let named = |folder: &&Path| !folder.as_os_str().is_empty();
    folder.ancestors().filter(named).take_while(|folder| !folder.exists()).map(Path::to_owned).collect()
}

/// Kernel files that do not exist in the folder yet.
fn new_files(folder: &Path) -> Vec<PathBuf> {
    let files = kernels::kernels().iter().map(|(name, _)| folder.join(name));
    files.filter(|file| fs::symlink_metadata(file).is_err()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_asked_about_first() {
        let desk = tempfile::tempdir().unwrap();
        let folder = desk.path().join("a/b");
        export(&folder, false).unwrap();
        fs::write(folder.join("mine.txt"), "mine").unwrap();
        fs::write(folder.join("main.c"), "old").unwrap();
        assert!(export(&folder, false).unwrap_err().to_string().ends_with("is not empty"));
        assert_eq!(fs::read_to_string(folder.join("main.c")).unwrap(), "old");
        export(&folder, true).unwrap();
        assert_ne!(fs::read_to_string(folder.join("main.c")).unwrap(), "old");
        assert_eq!(fs::read_to_string(folder.join("mine.txt")).unwrap(), "mine");
        // A failed write leaves nothing behind.
        let half = desk.path().join("half");
        fs::create_dir_all(half.join("run.sh")).unwrap();
        export(&half, true).unwrap_err();
        let left: Vec<_> = fs::read_dir(&half).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["run.sh"]);
        fs::write(desk.path().join("file"), "").unwrap();
        export(&desk.path().join("file/new/folder"), false).unwrap_err();
        assert!(!desk.path().join("file/new").exists());
        let message = export(&folder.join("mine.txt"), true).unwrap_err().to_string();
        assert!(message.contains("cannot write to"), "{message}");
    }
}
