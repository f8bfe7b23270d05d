//! Converts the recorder's output to a recording.

use crate::error::RecordError;
use crate::raw::{RawBlock, RawReader};
use crate::sites::{self, Mapping, Names};
use crate::variable;
use numalab_nlt::{Event, EventBlock, Free, Kind, Meta, RecorderCosts, Site, Token, What, Writer};
use numalab_replay::Recording;
use numalab_replay::work::{Allocation, Refusal, Walk};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Number of events of a thread from which they are written as a block: enough for good compression.
const TOGETHER: usize = 4096;
/// OMPT events that a recording needs: regions and implicit tasks, worksharing, chunks.
const NEEDED: [u32; 4] = [3, 7, 20, 32];

/// Result of a recording.
#[derive(Clone, Debug)]
pub struct Summary {
    pub recording: Recording,
    pub rounds: Vec<Round>,
    /// Constructs of the recorded program that a replay would not reproduce.
    pub refusals: Vec<Refusal>,
    /// Reason why touched pages could not be recorded. `None` if they were, or if that was not requested.
    pub unwatched: Option<String>,
}

/// Run of the recorded program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Round {
    /// Number of events of all threads.
    pub events: u64,
    /// Seconds from start to end.
    pub seconds: f64,
    /// True if touched pages were recorded in this run, which makes the run slower.
    pub watched: bool,
}

/// Recording that is being written, run by run.
pub struct Conversion<W: Write> {
    to: Writer<W>,
    meta: Meta,
    walk: Walk,
    rounds: Vec<Round>,
    addresses: BTreeSet<u64>,
    mappings: Vec<Mapping>,
    allocations: Vec<Allocation>,
    /// Names and addresses of static variables; `allocations` has their ranges.
    variables: Vec<Site>,
    unwatched: Option<String>,
    broken: bool,
}

impl<W: Write> Conversion<W> {
    /// Creates a recording without runs.
    pub fn new(mut to: Writer<W>, meta: Meta) -> Result<Conversion<W>, RecordError> {
        write_meta(&mut to, &meta)?;
        Ok(Conversion {
            to,
            meta,
            walk: Walk::default(),
            rounds: Vec::new(),
            addresses: BTreeSet::new(),
            mappings: Vec::new(),
            allocations: Vec::new(),
            variables: Vec::new(),
            unwatched: None,
            broken: false,
        })
    }

    /// Adds a run. Code addresses are converted to those of the first run, since the loader maps files at different
    /// addresses.
    pub fn take(&mut self, path: &Path, round: u32, seconds: f64) -> Result<(), RecordError> {
        let texts = texts(path)?;
        if !texts.iter().any(|text| text.starts_with("end\n")) {
            return Err(RecordError::Unfinished);
        }
        let missing = texts.iter().filter_map(|text| text.strip_prefix("missing\n")?.trim().parse().ok());
        if let Some(event) = missing.into_iter().find(|event| NEEDED.contains(event)) {
            let maps = texts.iter().find_map(|text| text.strip_prefix("maps\n")).map(sites::mappings);
            let path = sites::runtime_path(&maps.unwrap_or_default());
            let library = path.map_or("of the program".into(), |path| path.display().to_string());
            return Err(RecordError::Silent { library, event });
        }
        self.meta.partial |= texts.iter().any(|text| text.starts_with("limited\n"));
        self.broken |= texts.iter().any(|text| text.starts_with("broken\n"));
        let maps = texts.iter().find_map(|text| text.strip_prefix("maps\n")).map(sites::mappings);
        let maps = maps.unwrap_or_default();
        if round == 0 {
            self.mappings.clone_from(&maps);
        }
        if let Some(why) = texts.iter().find_map(|text| text.strip_prefix("unwatched\n")) {
            self.unwatched = Some(why.trim().to_owned());
        }
        let watched = texts.iter().find_map(|text| text.strip_prefix("allocations\n"));
        // Allocations have the addresses of one run: the first run with watched pages.
        if let Some(text) = watched.filter(|_| self.allocations.is_empty()) {
            self.allocations = allocations(text, &maps, &self.mappings);
            self.addresses.extend(self.allocations.iter().map(|allocation| allocation.site));
            let statics = texts.iter().find_map(|text| text.strip_prefix("statics\n"));
            let (statics, names): (Vec<Allocation>, Vec<Site>) =
                statics.map_or(Vec::new(), variable::statics).into_iter().unzip();
            self.allocations.extend(statics);
            self.allocations.sort_by_key(|allocation| allocation.start);
            self.variables = names;
            let text = serde_json::to_vec(&self.allocations).map_err(std::io::Error::from)?;
            self.to.block(Kind::Allocations, &text)?;
        }
        let mut kept: BTreeMap<u32, Vec<Event>> = BTreeMap::new();
        let mut count = 0;
        let mut reader = open(path)?;
        while let Some(block) = reader.block().map_err(|problem| raw(path, problem))? {
            let RawBlock::Events(thread, mut events) = block else { continue };
            count += events.len() as u64;
            for event in &mut events {
                if let Some(code) = code(&mut event.what) {
                    *code = sites::moved(*code, &maps, &self.mappings);
                    self.addresses.insert(*code);
                }
            }
            let list = kept.entry(thread).or_default();
            list.append(&mut events);
            if list.len() >= TOGETHER {
                let events = std::mem::take(list);
                self.write(EventBlock { round, thread, events })?;
            }
        }
        for (thread, events) in kept {
            if !events.is_empty() {
                self.write(EventBlock { round, thread, events })?;
            }
        }
        self.rounds.push(Round { events: count, seconds, watched: watched.is_some() });
        Ok(())
    }

    /// Adds a run in which all threads worked at once, without a token. Only the run's time in parallel regions is
    /// used.
    pub fn take_free(&mut self, path: &Path, threads: u32) -> Result<(), RecordError> {
        let (sum, switches) = regions(path)?;
        let list = if threads == 1 { &mut self.meta.one_thread } else { &mut self.meta.free };
        let free = list.get_or_insert(Free { threads, ..Free::default() });
        free.regions_ns.push(sum);
        free.switches.push(switches);
        Ok(())
    }

    /// Path of the OpenMP library of the first run.
    pub fn runtime(&self) -> Option<PathBuf> {
        sites::runtime_path(&self.mappings)
    }

    /// Notes the exit status of a run, unless an earlier one's is known.
    pub fn ended(&mut self, status: Option<i32>) {
        self.meta.exit_status = self.meta.exit_status.or(status.filter(|status| *status != 0));
    }

    /// Adds a run of the program whose constructs do nothing, which printed the bytes a second that one thread reads.
    pub fn take_null(&mut self, path: &Path, round: u32, printed: &str) -> Result<(), RecordError> {
        let (mut reader, mut walk) = (open(path)?, Walk::default());
        while let Some(block) = reader.block().map_err(|problem| raw(path, problem))? {
            if let RawBlock::Events(thread, events) = block {
                walk.take(&EventBlock { round, thread, events });
            }
        }
        let costs = RecorderCosts { bandwidth: printed.trim().parse().unwrap_or(0), ..walk.null_costs() };
        self.meta.recorder = Some(self.meta.recorder.map_or(costs, |before| before.undisturbed(costs)));
        Ok(())
    }

    /// Records the reason why touched pages could not be recorded.
    pub fn leave_unwatched(&mut self, why: String) {
        self.unwatched = Some(why);
    }

    fn write(&mut self, block: EventBlock) -> Result<(), RecordError> {
        self.walk.take(&block);
        Ok(self.to.block(Kind::Events, &block.bytes())?)
    }

    /// Writes sites, allocations and meta data of all runs to the end of the recording.
    pub fn finish(mut self) -> Result<Summary, RecordError> {
        let mut meta = self.meta;
        if self.broken {
            meta.token = Token::Broken;
        }
        meta.runtime = sites::runtime(&self.mappings).unwrap_or_default();
        let asking: BTreeSet<u64> = self.allocations.iter().map(|allocation| allocation.site).collect();
        let mut sites = Names::of(&self.mappings).sites(&self.addresses, &asking);
        sites.append(&mut self.variables);
        self.walk.take_out(meta.recorder.unwrap_or_default());
        let work = self.walk.finish(&|address| Site::first_alike(&sites, address), &self.allocations);
        if work.classes.is_empty() {
            return Err(RecordError::NoOmpt);
        }
        // Readers use the last meta block; the first meta block is for incomplete files.
        write_meta(&mut self.to, &meta)?;
        let refusals = work.refusals.clone();
        let recording =
            Recording { meta, sites, allocations: self.allocations, work, ..Recording::default() };
        recording.write_end(&mut self.to)?;
        self.to.finish()?;
        Ok(Summary { recording, rounds: self.rounds, refusals, unwatched: self.unwatched })
    }
}

/// Nanoseconds in outermost regions of a run in which only regions were recorded, and involuntary context switches of
/// its threads.
fn regions(path: &Path) -> Result<(u64, u64), RecordError> {
    // Outermost regions that are open, by thread, with the region's number and start in nanoseconds.
    let (mut open, mut sum): (BTreeMap<u32, (u64, u64)>, u64) = (BTreeMap::new(), 0);
    let mut members = BTreeSet::new();
    // First and last count of context switches, by thread.
    let mut switches: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    let mut reader = self::open(path)?;
    while let Some(block) = reader.block().map_err(|problem| raw(path, problem))? {
        let RawBlock::Events(thread, events) = block else { continue };
        for event in events {
            let count = event.switches;
            switches.entry(thread).and_modify(|(_, last)| *last = count).or_insert((count, count));
            if let What::ParallelBegin { region, .. } = event.what
                && !members.contains(&thread)
            {
                open.entry(thread).or_insert((region, event.time));
            } else if let What::ParallelEnd { region } = event.what
                && let Some((_, start)) = open.get(&thread).copied().filter(|one| one.0 == region)
            {
                open.remove(&thread);
                sum += event.time.saturating_sub(start);
            } else if let What::ImplicitBegin { member, .. } = event.what
                && member as u32 != 0
            {
                // Regions opened by a worker are nested.
                members.insert(thread);
            }
        }
    }
    let away = |(first, last): &(u32, u32)| u64::from(last.saturating_sub(*first));
    Ok((sum, switches.values().map(away).sum()))
}

fn write_meta<W: Write>(to: &mut Writer<W>, meta: &Meta) -> Result<(), RecordError> {
    let text = serde_json::to_vec(meta).map_err(std::io::Error::from)?;
    Ok(to.block(Kind::Meta, &text)?)
}

/// Parses allocations: on each line start, bytes and the stack of the allocating call, as hexadecimal numbers.
/// Returns them by address. `here`, `first`: mappings of this run and of the first.
fn allocations(text: &str, here: &[Mapping], first: &[Mapping]) -> Vec<Allocation> {
    let mut names = Names::of(here);
    // Loops allocate from the same stack repeatedly.
    let mut known: BTreeMap<Vec<u64>, u64> = BTreeMap::new();
    let mut asking = |stack: Vec<u64>| {
        let new = || names.asking(&stack).map_or(0, |code| sites::moved(code, here, first));
        match known.get(&stack) {
            Some(site) => *site,
            None => *known.entry(stack.clone()).or_insert_with(new),
        }
    };
    let line = |line: &str| -> Option<Allocation> {
        let mut numbers = line.split(' ').map(|number| u64::from_str_radix(number, 16).ok());
        let (start, bytes) = (numbers.next()??, numbers.next()??);
        let stack = numbers.collect::<Option<Vec<u64>>>().filter(|stack| !stack.is_empty())?;
        Some(Allocation { start, bytes, site: asking(stack) })
    };
    let mut all: Vec<Allocation> = text.lines().filter_map(line).collect();
    all.sort_by_key(|allocation| allocation.start);
    all
}

/// Code address of the construct that an event belongs to; `None` if the event has none.
fn code(what: &mut What) -> Option<&mut u64> {
    match what {
        What::ParallelBegin { code, .. } | What::WorkBegin { code, .. } | What::TaskCreate { code, .. } => {
            Some(code)
        }
        What::ParallelEnd { .. }
        | What::ImplicitBegin { .. }
        | What::ImplicitEnd { .. }
        | What::WorkEnd { .. }
        | What::Chunk { .. }
        | What::TaskSwitch { .. }
        | What::Dependence { .. }
        | What::WaitBegin { .. }
        | What::WaitEnd { .. }
        | What::MutexAcquire { .. }
        | What::MutexAcquired { .. }
        | What::MutexReleased { .. }
        | What::Started { .. }
        | What::Ended {}
        | What::Touched { .. } => None,
    }
}

fn open(path: &Path) -> Result<RawReader<File>, RecordError> {
    let file = File::open(path).map_err(|error| raw(path, error.to_string()))?;
    Ok(RawReader::new(file))
}

fn texts(path: &Path) -> Result<Vec<String>, RecordError> {
    let (mut reader, mut texts) = (open(path)?, Vec::new());
    while let Some(block) = reader.block().map_err(|problem| raw(path, problem))? {
        if let RawBlock::Text(text) = block {
            texts.push(text);
        }
    }
    Ok(texts)
}

fn raw(path: &Path, problem: String) -> RecordError {
    RecordError::Raw { path: path.to_owned(), problem }
}
