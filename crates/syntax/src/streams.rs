//! Pipes and standard input, which can be read only once. A caller that inspects the first bytes
//! leaves them here for the reader of the rest, and readers that seek share one copy.

use crate::text_file::{STANDARD_INPUT, is_pipe, reason};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Limit of a stream kept in memory for seeking, in bytes.
const MOST_BYTES: u64 = 256 << 20;
/// Number of first bytes to inspect: enough to recognise every format.
const START: u64 = 1024;

/// Input with buffered reads and seeks.
pub trait Seekable: BufRead + Seek + Send {}
impl<T: BufRead + Seek + Send> Seekable for T {}

/// A stream that was inspected but not read.
struct Open {
    path: PathBuf,
    start: Vec<u8>,
    rest: Box<dyn Read + Send>,
    whole: Option<Arc<[u8]>>,
}

static OPEN: Mutex<Vec<Open>> = Mutex::new(Vec::new());

fn list() -> MutexGuard<'static, Vec<Open>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// True if a path is a pipe or stands for standard input.
pub fn is_stream(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT || fs::metadata(path).is_ok_and(|found| is_pipe(&found))
}

/// True if two paths are the same stream, which only one reader can have.
pub fn is_same_stream(one: &Path, other: &Path) -> bool {
    is_stream(one) && one == other
}

/// The first bytes of a stream. `None` if the path is no stream, if standard input is a terminal, or if the stream
/// cannot be read.
pub fn start(path: &Path) -> Option<Vec<u8>> {
    if !is_stream(path) {
        return None;
    }
    let mut list = list();
    if let Some(open) = list.iter().find(|open| open.path == path) {
        return Some(open.start.clone());
    }
    let mut rest: Box<dyn Read + Send> = match path.as_os_str() == STANDARD_INPUT {
        true if io::stdin().is_terminal() => return None,
        true => Box::new(io::stdin()),
        false => Box::new(File::open(path).ok()?),
    };
    let mut start = Vec::new();
    (&mut rest).take(START).read_to_end(&mut start).ok()?;
    list.push(Open { path: path.to_owned(), start: start.clone(), rest, whole: None });
    Some(start)
}

/// Removes an inspected stream from the list of open streams and returns it, to be read from its start. `None` if the
/// stream is not in the list.
pub(crate) fn take(path: &Path) -> Option<Box<dyn Read + Send>> {
    let mut list = list();
    let at = list.iter().position(|open| open.path == path)?;
    let open = list.remove(at);
    Some(match open.whole {
        Some(whole) => Box::new(Cursor::new(whole)),
        None => Box::new(Cursor::new(open.start).chain(open.rest)),
    })
}

/// All bytes of a stream, kept for the next reader.
pub fn whole(path: &Path) -> io::Result<Arc<[u8]>> {
    if start(path).is_none() {
        return Err(io::Error::other("there is nothing to read"));
    }
    let mut list = list();
    let Some(open) = list.iter_mut().find(|open| open.path == path) else {
        return Err(io::Error::other("this stream was already read by another argument"));
    };
    if let Some(whole) = &open.whole {
        return Ok(whole.clone());
    }
    let mut bytes = open.start.clone();
    (&mut open.rest).take(MOST_BYTES + 1 - bytes.len() as u64).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let problem = format!("a pipe of more than {} MiB; name a file instead", MOST_BYTES >> 20);
        return Err(io::Error::other(problem));
    }
    let whole: Arc<[u8]> = bytes.into();
    open.whole = Some(whole.clone());
    Ok(whole)
}

/// Opens a file or a stream for seeking. The error is a short reason.
pub fn seekable(path: &Path) -> Result<Box<dyn Seekable>, String> {
    let told = |error: io::Error| reason(&error);
    match is_stream(path) {
        true => Ok(Box::new(Cursor::new(whole(path).map_err(told)?))),
        // Opening a directory succeeds, but reading fails.
        false if path.is_dir() => Err("it is a directory".to_owned()),
        false => Ok(Box::new(BufReader::new(File::open(path).map_err(told)?))),
    }
}

/// Names of files or streams in messages.
pub fn names(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| name(path)).collect::<Vec<_>>().join(", ")
}

/// Name of a file or a stream in messages.
pub fn name(path: &Path) -> String {
    match path.as_os_str() == STANDARD_INPUT {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}
