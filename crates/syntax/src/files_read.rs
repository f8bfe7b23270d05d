//! Files that this process has read, so that nothing it writes takes the place of one of them.
//!
//! Files name others: a workload its matrix, a machine its runtime, a sweep all of them. Whoever reads one says so here,
//! and whoever writes asks, so that no command has to know what its inputs have led to.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Two paths of one file have one identity: links of either kind, other spellings, other cases where the file system
/// does not tell them apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A file that exists.
    #[cfg(unix)]
    Number(u64, u64),
    /// A file that does not exist yet, or of a system without numbers: its folder without links, and its name.
    Path(PathBuf),
}

static READ: Mutex<Vec<Identity>> = Mutex::new(Vec::new());

fn list() -> MutexGuard<'static, Vec<Identity>> {
    READ.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The identity of what a path names, whether it exists or not.
pub fn identity(path: &Path) -> Identity {
    #[cfg(unix)]
    if let Ok(found) = std::fs::metadata(path) {
        use std::os::unix::fs::MetadataExt;
        return Identity::Number(found.dev(), found.ino());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let in_folder = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    Identity::Path(path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned()))
}

/// Notes a file that is read.
pub fn note(path: &Path) {
    let one = identity(path);
    let mut list = list();
    if !list.contains(&one) {
        list.push(one);
    }
}

/// Takes a file off the list: one that may be replaced by what was made of it, as a baseline is.
pub fn release(path: &Path) {
    let one = identity(path);
    list().retain(|other| *other != one);
}

/// Whether this is a regular file that was read.
pub fn was_read(path: &Path) -> bool {
    path.is_file() && list().contains(&identity(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn file_identity_is_independent_of_path() {
        let folder = std::env::temp_dir().join(format!("numalab-files-read-{}", std::process::id()));
        fs::create_dir_all(folder.join("inner")).unwrap();
        let (file, other) = (folder.join("a"), folder.join("b"));
        fs::write(&file, "a").unwrap();
        fs::write(&other, "b").unwrap();
        note(&file);
        assert!(was_read(&file) && was_read(&folder.join("inner/../a")) && !was_read(&other));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&file, folder.join("soft")).unwrap();
            fs::hard_link(&file, folder.join("hard")).unwrap();
            assert!(was_read(&folder.join("soft")) && was_read(&folder.join("hard")));
        }
        release(&folder.join("inner/../a"));
        assert!(!was_read(&file));
        // Files that are yet to be made are told apart by where they will be.
        assert_eq!(identity(&folder.join("new")), identity(&folder.join("inner/../new")));
        assert_ne!(identity(&folder.join("new")), identity(&folder.join("inner/new")));
        fs::remove_dir_all(folder).unwrap();
    }
}
