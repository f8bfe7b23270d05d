//! A file of results to which one process appends.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    file: File,
}

impl Part {
    /// Creates a file whose name consists of `label`, the process id and a number. The number keeps names unique if
    /// process ids repeat or several computers share the folder.
    pub fn create(folder: &Path, label: &str) -> io::Result<Part> {
        let process = std::process::id();
        let mut number = 1_u64;
        loop {
            let path = folder.join(format!("{label}-{process}-{number}.jsonl"));
            match OpenOptions::new().append(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Part { path, file }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a line in one system call, so that a killed process leaves at most one incomplete line.
    pub fn append(&mut self, line: &[u8]) -> io::Result<()> {
        self.file.write_all(line)
    }

    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}
