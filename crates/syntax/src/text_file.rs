//! Reads files that may be anything: too large, a folder, a pipe, not text.

use crate::diagnostics::{Diagnostics, Source};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The text of a file of at most so many bytes; `expected` says what should be in it.
pub fn read(path: &Path, most_bytes: u64, expected: &str) -> Result<Source, Diagnostics> {
    let name = path.display().to_string();
    let fail =
        |reason: &str, help: &str| Err(Diagnostics::plain(format!("cannot read {name}: {reason}"), help));
    let too_large = || {
        let reason = format!("it is larger than {} MiB", most_bytes >> 20);
        fail(&reason, "is it the right file?")
    };
    // Looked at before it is opened: opening a pipe waits for a writer.
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return fail("it is a directory", "expected a file"),
        Ok(metadata) if !metadata.is_file() => return fail("it is not a regular file", "expected a file"),
        Ok(metadata) if metadata.len() > most_bytes => return too_large(),
        Ok(_) => {}
        Err(error) => return fail(&reason(&error), ""),
    }
    let mut bytes = Vec::new();
    let opened = File::open(path).and_then(|file| file.take(most_bytes + 1).read_to_end(&mut bytes));
    if let Err(error) = opened {
        return fail(&reason(&error), "");
    }
    if bytes.len() as u64 > most_bytes {
        return too_large();
    }
    if let Some(text) = utf16(&bytes) {
        return Ok(Source { name, text });
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
            return fail(
                &format!("line {line} is not UTF-8 text (byte {at})"),
                &format!("expected {expected}"),
            );
        }
    };
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    Ok(Source { name, text })
}

/// The text of a file that begins with the mark of UTF-16, as a redirection on Windows writes it.
fn utf16(bytes: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16(&units).ok()
}

/// Reason that the system gives, in a word or two.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}
