//! Temporary files and folders. What a killed program leaves of them, a later one removes.
//!
//! The program that makes one holds a lock on it, which the system releases however the program ends. A file or folder
//! with such a name and without a lock is therefore left over.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
pub use tempfile::NamedTempFile;
use tempfile::{Builder, TempDir};

/// Names are `.numalab-XXXXXX.partial`.
const PREFIX: &str = ".numalab-";
const SUFFIX: &str = ".partial";
/// Number of letters and digits between them.
const RANDOM: usize = 6;

/// Makes a file in `folder`, and removes files and folders that are left over there. Without `permissions` only the user
/// can read it.
pub fn file(folder: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    remove_left(folder);
    let mut builder = builder();
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        if hold(file.as_file(), file.path()) {
            return Ok(file);
        }
    }
}

/// Folder that is removed when dropped.
#[derive(Debug)]
pub struct Folder {
    folder: TempDir,
    /// Lock of the folder. `None` on systems that do not open folders.
    _lock: Option<File>,
}

impl Folder {
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Makes a folder in `parent`, and removes files and folders that are left over there.
pub fn folder(parent: &Path) -> io::Result<Folder> {
    remove_left(parent);
    loop {
        let folder = builder().tempdir_in(parent)?;
        let lock = File::open(folder.path()).ok();
        if lock.as_ref().is_none_or(|lock| hold(lock, folder.path())) {
            return Ok(Folder { folder, _lock: lock });
        }
    }
}

fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    builder
}

/// Locks a new file or folder. False if another program has removed it before it was locked.
fn hold(new: &File, path: &Path) -> bool {
    // A file system without locks refuses this one, and every later attempt to remove what is not locked.
    while new.lock().is_err_and(|error| error.kind() == ErrorKind::Interrupted) {}
    fs::symlink_metadata(path).is_ok()
}

/// Removes files and folders without a lock. Errors have no consequence: what cannot be removed stays.
fn remove_left(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Ok(kind) = entry.file_type() else { continue };
        if !name.to_str().is_some_and(is_scratch) || !(kind.is_file() || kind.is_dir()) {
            continue;
        }
        let path = entry.path();
        // Network file systems lock a file exclusively only if it is open for writing.
        let Ok(opened) = OpenOptions::new().read(true).write(kind.is_file()).open(&path) else { continue };
        match opened.try_lock() {
            Ok(()) if kind.is_dir() => drop(fs::remove_dir_all(&path)),
            Ok(()) => drop(fs::remove_file(&path)),
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
        }
    }
}

fn is_scratch(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
    random.is_some_and(|random| {
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn held_files_and_folders_stay() {
        let here = tempfile::tempdir().unwrap();
        let held = (file(here.path(), None).unwrap(), folder(here.path()).unwrap());
        fs::write(held.1.path().join("inside"), "x").unwrap();
        drop(file(here.path(), None).unwrap());
        assert_eq!(names(here.path()).len(), 2);
        drop(held);
        assert_eq!(names(here.path()), [""; 0]);
    }

    #[test]
    fn left_files_and_folders_are_removed() {
        let here = tempfile::tempdir().unwrap();
        let (left, with) =
            (here.path().join(".numalab-aB3dE9.partial"), here.path().join(".numalab-000000.partial"));
        for way in [|here: &Path| drop(file(here, None).unwrap()), |here: &Path| drop(folder(here).unwrap())]
        {
            fs::write(&left, "half").unwrap();
            fs::create_dir(&with).unwrap();
            fs::write(with.join("inside"), "x").unwrap();
            way(here.path());
            assert_eq!(names(here.path()), [""; 0]);
        }
    }

    #[test]
    fn other_names_stay() {
        let here = tempfile::tempdir().unwrap();
        let others = [
            ".numalab-config",
            ".numalab-long-name.partial",
            ".numalab-ab.d-9.partial",
            "numalab-aB3dE9.partial",
        ];
        for other in others {
            fs::write(here.path().join(other), "x").unwrap();
        }
        drop(file(here.path(), None).unwrap());
        assert_eq!(names(here.path()).len(), others.len());
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_stay() {
        let here = tempfile::tempdir().unwrap();
        fs::write(here.path().join("data"), "x").unwrap();
        std::os::unix::fs::symlink("data", here.path().join(".numalab-aB3dE9.partial")).unwrap();
        drop(file(here.path(), None).unwrap());
        assert_eq!(names(here.path()), [".numalab-aB3dE9.partial", "data"]);
    }
}
