//! Files that this process has read, so that no output overwrites one of them.
//!
//! Files name others: a workload its matrix, a machine its runtime, a sweep all of them. Readers
//! note each file here and writers check, so that no command has to know the indirect inputs.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Identity of a file. All paths of one file have the same identity: links of either kind, other
/// spellings, and other cases if the file system ignores case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Device and inode number of an existing file.
    #[cfg(unix)]
    Number(u64, u64),
    /// Folder without links, and name. For files that do not exist yet, and systems without file
    /// numbers.
    Path(PathBuf),
}

static READ: Mutex<Vec<Identity>> = Mutex::new(Vec::new());

fn list() -> MutexGuard<'static, Vec<Identity>> {
    READ.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The identity of a path, which need not exist.
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

/// Adds a file to the list of files that this process has read.
pub fn note(path: &Path) {
    let one = identity(path);
    let mut list = list();
    if !list.contains(&one) {
        list.push(one);
    }
}

/// Removes a file from the list of read files, so that an output made from the file, such as a baseline, may replace
/// it.
pub fn release(path: &Path) {
    let one = identity(path);
    list().retain(|other| *other != one);
}

/// True for a regular file that was read.
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
        // Files that do not exist yet are distinguished by their future paths.
        assert_eq!(identity(&folder.join("new")), identity(&folder.join("inner/../new")));
        assert_ne!(identity(&folder.join("new")), identity(&folder.join("inner/new")));
        fs::remove_dir_all(folder).unwrap();
    }
}
