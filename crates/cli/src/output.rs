//! Destinations of output: standard output, or a file that is either complete or untouched.

use crate::embedded;
use crate::failure::Failure;
use crate::progress;
use numalab_syntax::files_read::{self, identity};
use numalab_syntax::scratch::{self, NamedTempFile};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Standard output: the name `-`, a path of the system's for it, or no file name.
    Stdout,
    File(PathBuf),
}

/// Paths of standard output. As a file, the target of `>>` would be replaced, and a bar drawn across the answer.
const PATHS_OF_STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

impl From<PathBuf> for Destination {
    fn from(path: PathBuf) -> Destination {
        match PATHS_OF_STDOUT.iter().any(|stdout| path.as_os_str() == *stdout) {
            true => Destination::Stdout,
            false => Destination::File(path),
        }
    }
}

impl Destination {
    /// Fails early, before a long run, if the destination cannot be written.
    pub fn check(&self) -> Result<(), Failure> {
        let Destination::File(path) = self else { return Ok(()) };
        let result = match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
            // The file is replaced by one made beside it (`replace`), so its folder must be writable, too.
            Ok(found) if found.is_file() => OpenOptions::new().append(true).open(path).and_then(|_| {
                let path = fs::canonicalize(path)?;
                scratch::file(folder(&path), None).map(drop)
            }),
            Ok(_) => Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => scratch::file(folder(path), None).map(drop),
            Err(error) => Err(error),
        };
        result.map_err(|error| cannot_write(path, &error))
    }

    /// Refuses to overwrite a file that the command has read. Every write includes this check; a long command also
    /// makes it as soon as its inputs are read.
    pub fn spare_inputs(&self) -> Result<(), Failure> {
        match self {
            Destination::File(path) if files_read::was_read(path) => Err(Failure::request(
                format!("\"{}\" is an input of this command, and would be lost", path.display()),
                "name another FILE for the output",
            )),
            Destination::File(_) | Destination::Stdout => Ok(()),
        }
    }

    /// True if both destinations are the same file, through any path or link.
    fn is(&self, other: &Destination) -> bool {
        match (self, other) {
            (Destination::Stdout, Destination::Stdout) => true,
            (Destination::File(one), Destination::File(other)) => identity(one) == identity(other),
            (Destination::Stdout, Destination::File(_)) | (Destination::File(_), Destination::Stdout) => {
                false
            }
        }
    }

    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.fill(|out| out.write_all(bytes))
    }

    /// Writes output piece by piece, so that it may exceed the memory. A file is replaced only when the output is
    /// complete.
    pub fn fill(&self, fill: impl FnOnce(&mut Sink<'_>) -> io::Result<()>) -> Result<(), Failure> {
        self.spare_inputs()?;
        match self {
            Destination::Stdout if embedded::is_embedded() => {
                let mut kept = Vec::new();
                fill(&mut kept).map_err(|error| Failure::Run(plain(&error)))?;
                embedded::print(&kept);
                Ok(())
            }
            Destination::Stdout => {
                let _pause = progress::pause_for_the_answer();
                let mut stdout = BufWriter::new(io::stdout());
                fill(&mut stdout).and_then(|()| stdout.flush()).map_err(|error| match error.kind() {
                    ErrorKind::BrokenPipe => Failure::ReaderLeft,
                    _ => Failure::Run(format!("cannot write to standard output: {}", plain(&error))),
                })
            }
            Destination::File(path) => replace(path, fill).map_err(|error| cannot_write(path, &error)),
        }
    }
}

/// Refuses two outputs with the same destination. `things` are pairs of an output's name in messages and its
/// destination.
pub fn check_apart(things: &[(&str, &Destination)]) -> Result<(), Failure> {
    for (at, (this, place)) in things.iter().enumerate() {
        if let Some((other, _)) = things[..at].iter().find(|(_, taken)| taken.is(place)) {
            let place = match place {
                Destination::Stdout => "standard output".to_owned(),
                Destination::File(path) => format!("\"{}\"", path.display()),
            };
            return Err(Failure::request(
                format!("{other} and {this} would both go to {place}"),
                "give one of them a FILE of its own",
            ));
        }
        place.check()?;
    }
    Ok(())
}

/// Calls [`Destination::spare_inputs`] for several outputs, before a long run.
pub fn spare_inputs(things: &[(&str, &Destination)]) -> Result<(), Failure> {
    things.iter().try_for_each(|(_, place)| place.spare_inputs())
}

pub type Sink<'a> = dyn Write + Send + 'a;

/// Writes files that belong together: none of them is replaced before all are complete.
pub fn write_together(files: &[(&Destination, &str)]) -> Result<(), Failure> {
    let mut complete = Vec::new();
    for (place, text) in files {
        place.spare_inputs()?;
        match place {
            Destination::Stdout => place.write(text.as_bytes())?,
            Destination::File(path) => {
                let file = stage(path, |out| out.write_all(text.as_bytes()));
                complete.push((path, file.map_err(|error| cannot_write(path, &error))?));
            }
        }
    }
    for (path, staged) in complete {
        staged.map_or(Ok(()), Staged::keep).map_err(|error| cannot_write(path, &error))?;
    }
    Ok(())
}

/// Writes a temporary file in the same folder, then renames it to `path`.
fn replace(path: &Path, fill: impl FnOnce(&mut Sink<'_>) -> io::Result<()>) -> io::Result<()> {
    stage(path, fill)?.map_or(Ok(()), Staged::keep)
}

/// Complete file that has not replaced the old one yet.
struct Staged {
    file: NamedTempFile,
    path: PathBuf,
}

impl Staged {
    fn keep(self) -> io::Result<()> {
        self.file.persist(self.path).map(drop).map_err(|error| error.error)
    }
}

/// Writes a temporary file beside `path`. `None` if `path` is a device or a pipe: these are written to at once.
fn stage(path: &Path, fill: impl FnOnce(&mut Sink<'_>) -> io::Result<()>) -> io::Result<Option<Staged>> {
    // If `path` is a symbolic link, the link's target is replaced, so that the link remains.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        // Devices and pipes are written to, not replaced. For a directory, `open` fails with the system's own error.
        let device = OpenOptions::new().write(true).open(path)?;
        let _pause = device.is_terminal().then(progress::pause_for_the_answer);
        let mut device = BufWriter::new(device);
        return fill(&mut device).and_then(|()| device.flush()).map(|()| None);
    }
    let file = scratch::file(folder(path), new_file_permissions())?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    let mut buffer = BufWriter::new(file.as_file());
    fill(&mut buffer).and_then(|()| buffer.flush())?;
    drop(buffer);
    // The file is synced before the rename, since some file systems report a full disk only at the sync.
    File::sync_all(file.as_file())?;
    Ok(Some(Staged { file, path: path.to_owned() }))
}

/// Mode 0666, reduced by the user's mask. By default, temporary files are readable only by the user.
fn new_file_permissions() -> Option<fs::Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    return None;
}

/// Folder that contains a file; `.` if the path has none.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

pub fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    if error.kind() == ErrorKind::BrokenPipe {
        return Failure::ReaderLeft;
    }
    let reason = match error.kind() {
        ErrorKind::NotFound => format!("there is no folder \"{}\"", folder(path).display()),
        ErrorKind::NotADirectory => format!("\"{}\" is not a folder", folder(path).display()),
        _ => plain(error),
    };
    Failure::Run(format!("cannot write \"{}\": {reason}", path.display()))
}

/// Plain wording of a common system error; for other errors, the system's wording.
pub fn plain(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::StorageFull => "the disk is full".to_owned(),
        ErrorKind::QuotaExceeded => "the disk quota is used up".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        ErrorKind::IsADirectory => "it is a directory".to_owned(),
        ErrorKind::FileTooLarge => "the file is larger than `ulimit -f` or the file system allows".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(failure: Failure) -> String {
        match failure {
            Failure::Run(text) => text,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn replaces_a_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        let destination = Destination::from(path.clone());
        for text in ["first, longer", "second"] {
            destination.check().unwrap();
            destination.write(text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// The second file cannot be written, so the first keeps its old content.
    #[test]
    fn files_that_belong_together_are_replaced_together() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| Destination::from(folder.path().join(name));
        let (one, other, nowhere) = (place("one"), place("other"), place("no/such"));
        one.write(b"old").unwrap();
        write_together(&[(&one, "new"), (&nowhere, "new")]).unwrap_err();
        assert_eq!(fs::read_to_string(folder.path().join("one")).unwrap(), "old");
        write_together(&[(&one, "new"), (&other, "new")]).unwrap();
        let read = |name| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!((read("one"), read("other")), ("new".to_owned(), "new".to_owned()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn says_why_it_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let directory = Destination::from(folder.path().to_owned());
        assert!(reason(directory.check().unwrap_err()).ends_with("it is a directory"));
        assert!(reason(directory.write(b"x").unwrap_err()).contains("irectory"));
        if cfg!(target_os = "linux") {
            // A folder that takes no new files, not even from the administrator.
            let closed = reason(Destination::from(PathBuf::from("/proc/out.json")).check().unwrap_err());
            assert!(closed.starts_with("cannot write \"/proc/out.json\""), "{closed}");
        }
        let nowhere = Destination::from(folder.path().join("no/such/out.json"));
        assert!(reason(nowhere.check().unwrap_err()).contains("there is no folder"));
        assert!(reason(nowhere.write(b"x").unwrap_err()).contains("there is no folder"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_and_stays_a_device() {
        let full = Destination::from(PathBuf::from("/dev/full"));
        full.check().unwrap();
        assert_eq!(reason(full.write(b"x").unwrap_err()), "cannot write \"/dev/full\": the disk is full");
        assert!(!fs::metadata("/dev/full").unwrap().is_file());
        Destination::from(PathBuf::from("/dev/null")).write(b"x").unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_and_the_old_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        Destination::from(link.clone()).write(b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
