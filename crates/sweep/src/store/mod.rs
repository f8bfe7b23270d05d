//! Results by key, in a folder of part files.
//!
//! Each process that adds to a store writes its own file and only appends to it, one line per
//! result. So no locks are needed, processes on several machines may share a store, and a killed
//! process leaves at most one incomplete line at the end of its file, which readers skip. Each line
//! ends with a checksum: damaged results are detected and run again.

mod error;
mod line;
mod mark;
mod part;

use crate::key::Key;
use crate::point_result::PointResult;
pub use error::StoreError;
use numalab_results::OtherVersion;
use part::Part;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Longest valid line of a part file, in bytes.
const LONGEST: u64 = 1 << 24;

// Glossary: store: Folder that keeps the results of a sweep under their keys.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    label: String,
    parts: Vec<PathBuf>,
    known: BTreeMap<Key, Place>,
    damaged: Vec<Damage>,
    own: Mutex<Option<Part>>,
}

/// Position of a result: part file, start and length in bytes; and the result's checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    part: u32,
    start: u64,
    length: u32,
    sum: u64,
}

/// A line of a part file that was skipped, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    pub path: PathBuf,
    /// Line number, from 1.
    pub line: u64,
    pub what: &'static str,
}

impl Store {
    /// Opens the store in a folder. A missing folder is an empty store; it is created with the first result. Part
    /// files of this process start with `label`.
    pub fn open(folder: &Path, label: &str) -> Result<Store, StoreError> {
        let mut store = Store {
            folder: folder.to_owned(),
            label: label.to_owned(),
            parts: Vec::new(),
            known: BTreeMap::new(),
            damaged: Vec::new(),
            own: Mutex::new(None),
        };
        if folder.exists() {
            store.recognise()?;
            store.refresh()?;
        }
        Ok(store)
    }

    /// Fails unless the folder is empty or a store of results of this version.
    fn recognise(&self) -> Result<(), StoreError> {
        let system = |error| StoreError::System(self.folder.clone(), error);
        let mark = self.folder.join(mark::NAME);
        let is_empty = fs::read_dir(&self.folder).map_err(system)?.next().is_none();
        match fs::read_to_string(&mark) {
            // Another process may be writing the mark at this moment.
            Ok(text) if mark::text().starts_with(&text) => Ok(()),
            Ok(text) => Err(match mark::version(&text) {
                Some(found) => StoreError::Version(self.folder.clone(), OtherVersion { found }),
                None => StoreError::Mark(self.folder.clone()),
            }),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::System(mark, error)),
            Err(_) if is_empty || mark.exists() => Ok(()),
            Err(_) => Err(StoreError::NoStore(self.folder.clone())),
        }
    }

    /// Creates the store's folder if it is missing, and its mark (the file `numalab-store` with the version of the
    /// results) if it is missing or has another text.
    pub fn create(&self) -> Result<(), StoreError> {
        let mark = self.folder.join(mark::NAME);
        let system = |error| StoreError::System(self.folder.clone(), error);
        fs::create_dir_all(&self.folder).map_err(system)?;
        match fs::read_to_string(&mark).is_ok_and(|text| text == mark::text()) {
            true => Ok(()),
            false => fs::write(&mark, mark::text()).map_err(|error| StoreError::System(mark, error)),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reads all part files again, to find results that other processes have added.
    pub fn refresh(&mut self) -> Result<(), StoreError> {
        let system = |error| StoreError::System(self.folder.clone(), error);
        let entries =
            fs::read_dir(&self.folder).map_err(system)?.collect::<Result<Vec<_>, _>>().map_err(system)?;
        let mut parts: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        parts.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
        parts.sort();
        (self.parts, self.known, self.damaged) = (parts, BTreeMap::new(), Vec::new());
        for part in 0..self.parts.len() {
            self.index(part).map_err(|error| StoreError::System(self.parts[part].clone(), error))?;
        }
        Ok(())
    }

    /// True if a valid result of this key is stored. Damaged results do not count.
    pub fn has(&self, key: Key) -> bool {
        self.known.contains_key(&key)
    }

    /// Number of stored results, of all sweeps and engines.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Skipped lines: damaged, too long, or with another result than an earlier line of the same key.
    pub fn damaged(&self) -> &[Damage] {
        &self.damaged
    }

    /// Adds a result. After `add` returns, other processes can read the result, even if this process ends.
    pub fn add(&self, key: Key, outcome: &PointResult) -> Result<(), StoreError> {
        // A poisoned lock is usable: a line is written completely or not at all.
        let mut own = self.own.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let part = match &mut *own {
            Some(part) => part,
            none => {
                self.create()?;
                let system = |error| StoreError::System(self.folder.clone(), error);
                none.insert(Part::create(&self.folder, &self.label).map_err(system)?)
            }
        };
        part.append(&line::write(key, outcome))
            .map_err(|error| StoreError::System(part.path().to_owned(), error))
    }

    /// Syncs the part file of this process to the disk, and makes its results readable through this store.
    pub fn settle(&mut self) -> Result<(), StoreError> {
        let own = self.own.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        if let Some(part) = own {
            part.sync().map_err(|error| StoreError::System(part.path().to_owned(), error))?;
            self.refresh()?;
        }
        Ok(())
    }

    pub fn reader(&self) -> Reader<'_> {
        Reader { store: self, open: None, bytes: Vec::new() }
    }

    /// Adds the positions of the results in a part file to the index.
    fn index(&mut self, part: usize) -> io::Result<()> {
        let path = self.parts[part].clone();
        let mut file = BufReader::with_capacity(1 << 18, File::open(&path)?);
        let (mut text, mut start, mut number) = (Vec::new(), 0, 0);
        loop {
            text.clear();
            let length = (&mut file).take(LONGEST).read_until(b'\n', &mut text)? as u64;
            number += 1;
            if length == 0 {
                return Ok(());
            }
            let mut damaged = |what| self.damaged.push(Damage { path: path.clone(), line: number, what });
            match text.strip_suffix(b"\n") {
                // The last line is incomplete: the process that wrote the line ended or is still writing.
                None if length < LONGEST => return Ok(()),
                None => damaged("the line is too long; its point runs again"),
                Some(whole) => match line::check(whole) {
                    None => damaged("the line is damaged; its point runs again"),
                    Some((key, sum)) => {
                        let place = Place { part: part as u32, start, length: whole.len() as u32, sum };
                        let before = self.known.insert(key, place);
                        if let Some(before) = before.filter(|before| before.sum != sum) {
                            self.known.insert(key, before);
                            damaged(
                                "the result differs from an earlier one of the same point; the earlier one is used",
                            );
                        }
                    }
                },
            }
            start += length;
        }
    }
}

/// Reader of results by key, which keeps the last part file open.
#[derive(Debug)]
pub struct Reader<'s> {
    store: &'s Store,
    open: Option<(u32, File)>,
    bytes: Vec<u8>,
}

impl Reader<'_> {
    /// The result of a key; `None` if the store lacks it.
    pub fn get(&mut self, key: Key) -> Result<Option<PointResult>, StoreError> {
        let Some(place) = self.store.known.get(&key) else { return Ok(None) };
        let path = &self.store.parts[place.part as usize];
        let system = |error| StoreError::System(path.clone(), error);
        if self.open.as_ref().is_none_or(|(part, _)| *part != place.part) {
            self.open = Some((place.part, File::open(path).map_err(system)?));
        }
        let Some((_, file)) = &mut self.open else { return Ok(None) };
        self.bytes.resize(place.length as usize, 0);
        file.seek(SeekFrom::Start(place.start))
            .and_then(|_| file.read_exact(&mut self.bytes))
            .map_err(system)?;
        line::read(&self.bytes).map(Some).map_err(|error| system(io::Error::other(error)))
    }
}

#[cfg(test)]
mod tests;
