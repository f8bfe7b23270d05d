//! Reads the matrix that a workload names.

use super::Resolver;
use crate::matrix_market;
use numalab_files::workload_file::WorkloadFile;
use numalab_syntax::expression::Rows;
use numalab_syntax::files_read;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

/// Names that expressions can use if there is a matrix.
pub(super) const NAMES: [&str; 3] = ["rows", "columns", "entries"];

impl Resolver<'_, '_> {
    /// Reads the matrix into the scope, if the workload names one. Returns the hash of its file.
    pub(super) fn matrix(&mut self, file: &WorkloadFile, folder: &Path) -> Option<String> {
        let name = file.matrix.as_ref()?;
        let path = folder.join(name);
        let shown = path.display();
        // The kind of file is checked before it is opened, since opening a pipe waits for a writer.
        let opened = fs::metadata(&path).and_then(|metadata| match metadata.is_file() {
            true => File::open(&path),
            false => Err(io::Error::other("it is not a regular file")),
        });
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => {
                let reason = match error.kind() {
                    io::ErrorKind::NotFound => "there is no such file".to_owned(),
                    _ => error.to_string(),
                };
                let label = "expected the path of a Matrix Market file, relative to this one";
                self.missing(format!("cannot read {shown}: {reason}"), label);
                return None;
            }
        };
        files_read::note(&path);
        let mut hashing = Hashing { file: opened, hash: blake3::Hasher::new() };
        match matrix_market::read(BufReader::with_capacity(1 << 16, &mut hashing)) {
            Ok(matrix) => {
                for (name, value) in NAMES.into_iter().zip([matrix.rows, matrix.columns, matrix.entries]) {
                    self.scope.add_of_matrix(name, value as f64);
                }
                self.scope.matrix = Some(Arc::new(matrix.by_row));
                Some(hashing.hash.finalize().to_hex().to_string())
            }
            Err(error) => {
                let label = format!("expected {}", error.expected);
                self.missing(format!("{shown}:{}: {}", error.line, error.message), &label);
                None
            }
        }
    }

    /// Continues with a matrix of one entry after an error, so that expressions can be checked.
    fn missing(&mut self, message: String, label: &str) {
        self.report.at("matrix", message, label);
        // Errors that result from the matrix's numbers are not reported.
        self.report.repair("parameters.matrix");
        for name in NAMES {
            self.scope.add_of_matrix(name, 1.0);
        }
        self.scope.matrix =
            Some(Arc::new(Rows { entries: vec![1], first_column: vec![0], last_column: vec![0] }));
    }
}

/// Reader that hashes all bytes that pass through it.
struct Hashing {
    file: File,
    hash: blake3::Hasher,
}

impl Read for Hashing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read(buffer)?;
        self.hash.update(&buffer[..length]);
        Ok(length)
    }
}
