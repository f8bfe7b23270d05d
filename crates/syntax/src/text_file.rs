//! Reads text files, with errors for files that are too large, directories, pipes or not text.

use crate::diagnostics::{Diagnostic, Diagnostics, Source};
use crate::files_read;
use crate::streams;
use crate::tree::TextRange;
use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Path that stands for standard input.
pub const STANDARD_INPUT: &str = "-";
/// True once standard input, which can be read only once, has been read.
static STANDARD_INPUT_READ: AtomicBool = AtomicBool::new(false);

/// Reads the text of a file, of a pipe, or of standard input (`-`), up to `most_bytes`. `expected` describes the
/// contents for error messages. The file is noted in `files_read`, so that no output replaces it.
pub fn read(path: &Path, most_bytes: u64, expected: &str) -> Result<Source, Diagnostics> {
    // Standard input may be a file, too.
    files_read::note(if path.as_os_str() == STANDARD_INPUT { Path::new("/dev/stdin") } else { path });
    glance(path, most_bytes, expected)
}

/// As [`read`], but without noting the file as read: for files that do not affect results.
pub fn glance(path: &Path, most_bytes: u64, expected: &str) -> Result<Source, Diagnostics> {
    let is_standard_input = path.as_os_str() == STANDARD_INPUT;
    let name = streams::name(path);
    let fail =
        |reason: &str, help: &str| Err(Diagnostics::plain(format!("cannot read {name}: {reason}"), help));
    let too_large = || {
        let reason = format!("it is larger than {} MiB", most_bytes >> 20);
        fail(&reason, "is it the right file?")
    };
    let mut bytes = Vec::new();
    let got = if is_standard_input {
        if io::stdin().is_terminal() {
            return fail("it is a terminal", "expected a pipe, or a file behind <");
        }
        if STANDARD_INPUT_READ.swap(true, Ordering::Relaxed) {
            return fail("it has been read before", "expected `-` for one file only");
        }
        match streams::take(path) {
            Some(looked_at) => looked_at.take(most_bytes + 1).read_to_end(&mut bytes),
            None => io::stdin().lock().take(most_bytes + 1).read_to_end(&mut bytes),
        }
    } else {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => return fail("it is a directory", "expected a file"),
            // A device may have no end, and a socket cannot be opened.
            Ok(metadata) if !metadata.is_file() && !is_pipe(&metadata) => {
                return fail("it is not a regular file", "expected a file or a pipe");
            }
            Ok(metadata) if metadata.len() > most_bytes => return too_large(),
            Ok(_) => {}
            Err(error) => return fail(&reason(&error), ""),
        }
        match streams::take(path) {
            Some(looked_at) => looked_at.take(most_bytes + 1).read_to_end(&mut bytes),
            None => File::open(path).and_then(|file| file.take(most_bytes + 1).read_to_end(&mut bytes)),
        }
    };
    if let Err(error) = got {
        return fail(&reason(&error), "");
    }
    if bytes.len() as u64 > most_bytes {
        return too_large();
    }
    if let Some(what) = binary(&bytes) {
        return fail(&format!("it is {what}"), &format!("expected {expected}"));
    }
    if let Some(text) = utf16(&bytes) {
        return Ok(Source { name, text });
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            return Err(not_text(name, error.as_bytes(), at, expected));
        }
    };
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    Ok(Source { name, text })
}

/// Kind of a binary file, by its first bytes.
fn binary(bytes: &[u8]) -> Option<&'static str> {
    const MARKS: [(&[u8], &str); 8] = [
        (b"NLT\x1a", "a recorded program"),
        (b"PAR1", "a Parquet file, of results perhaps"),
        (b"\x1f\x8b", "compressed by gzip"),
        (b"\x28\xb5\x2f\xfd", "compressed by zstd"),
        (b"\xfd7zXZ", "compressed by xz"),
        (b"PK\x03\x04", "a zip archive"),
        (b"\x7fELF", "a program"),
        (b"%PDF", "a PDF"),
    ];
    MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)).map(|(_, what)| *what)
}

/// True if a text holds results of runs, as CSV or JSON Lines: its first line has the column that all results have.
pub fn is_results(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_start();
    let columns = || first.split(',').map(|name| name.trim().trim_matches('"'));
    columns().count() > 1 && columns().any(|name| name == "makespan_ps")
        || first.starts_with('{') && first.contains("\"makespan_ps\":")
}

/// The error at the first byte that is not UTF-8, with its line.
fn not_text(name: String, bytes: &[u8], at: usize, expected: &str) -> Diagnostics {
    let text = String::from_utf8_lossy(bytes).into_owned();
    // The bytes before `at` are valid UTF-8, so its position is the same in bytes and in the shown text.
    let span = TextRange { source: 0, start: at, end: at };
    let message = format!("cannot read {name}: this is not UTF-8 text");
    let item = Diagnostic::new(span, message, format!("expected {expected}"));
    Diagnostics::new(vec![Source { name, text }], vec![item])
}

#[cfg(unix)]
pub(crate) fn is_pipe(metadata: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
pub(crate) fn is_pipe(_: &Metadata) -> bool {
    false
}

/// The text of a UTF-16 file with a byte order mark, as a redirection on Windows writes it.
fn utf16(bytes: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16(&units).ok()
}

/// Short reason of an input error.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        _ => error.to_string(),
    }
}
