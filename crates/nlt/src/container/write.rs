//! Appends blocks to a file.

use super::{HEAD, Kind, MAGIC, MOST_PLAIN, VERSION, checksum};
use ruzstd::encoding::{CompressionLevel, compress};
use std::io::{self, Write};

#[derive(Debug)]
pub struct Writer<W: Write> {
    to: W,
}

impl<W: Write> Writer<W> {
    /// Starts a file: writes the magic bytes and the version.
    pub fn new(mut to: W) -> io::Result<Writer<W>> {
        to.write_all(&MAGIC)?;
        to.write_all(&VERSION.0.to_le_bytes())?;
        to.write_all(&VERSION.1.to_le_bytes())?;
        Ok(Writer { to })
    }

    pub fn block(&mut self, kind: Kind, plain: &[u8]) -> io::Result<()> {
        self.numbered(kind as u8, plain)
    }

    /// Appends a block with a kind given by number.
    pub(crate) fn numbered(&mut self, kind: u8, plain: &[u8]) -> io::Result<()> {
        if plain.len() > MOST_PLAIN {
            return Err(io::Error::other("a block of a recorded program is too large"));
        }
        let mut payload = (plain.len() as u32).to_le_bytes().to_vec();
        compress(plain, &mut payload, CompressionLevel::Fastest);
        let mut head = [0; HEAD];
        head[0] = kind;
        head[1..5].copy_from_slice(&(payload.len() as u32).to_le_bytes());
        head[5..].copy_from_slice(&checksum(kind, &payload).to_le_bytes());
        self.to.write_all(&head)?;
        self.to.write_all(&payload)
    }

    /// Flushes the output and returns it.
    pub fn finish(mut self) -> io::Result<W> {
        self.to.flush()?;
        Ok(self.to)
    }
}
