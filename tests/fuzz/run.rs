//! Cases of a reader: a number names a damaged file, which the reader reads, and sometimes the program itself.

use crate::borders::bordered;
use crate::chance::Chance;
use crate::mutate::damaged;
use crate::program::{self, AS_NUMALAB, Ended, Expected, MOST_SECONDS, numalab};
use crate::readers::{READERS, Reader, Verdict};
use crate::{commands, packed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Cases of one process, so that a process that dies costs little.
const BATCH: u64 = 100;

/// Of this many cases one is also read by a command.
const COMMANDS: usize = 4;

/// Totals over all cases of a reader.
#[derive(Default)]
pub struct Sums {
    /// Number of files that the reader accepted.
    pub accepted: u64,
    /// Number of files that the reader refused.
    pub refused: u64,
    /// Failures, each with the file that shows it and the command that repeats it.
    pub failures: Vec<String>,
}

/// Root folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files of a reader's corpus, in order.
pub fn corpus(reader: &Reader) -> Vec<Vec<u8>> {
    match reader.name {
        "commands" => return commands::examples().into_iter().map(String::into_bytes).collect(),
        "store" => return vec![stored()],
        _ => {}
    }
    let mut files = Vec::new();
    for place in reader.corpus {
        let place = root().join(place);
        if place.is_dir() {
            let entries = fs::read_dir(&place).into_iter().flatten().flatten().map(|entry| entry.path());
            files.extend(entries.filter(|path| path.is_file()));
        } else {
            files.push(place);
        }
    }
    files.sort();
    files.into_iter().filter_map(|path| fs::read(&path).ok()).collect()
}

/// Results of a small sweep. Keys depend on the sources of the engine, so that no corpus can hold them.
fn stored() -> Vec<u8> {
    let desk = tempfile::tempdir().expect("there is room for a folder");
    furnish(desk.path());
    let words = ["sweep", "small.yaml", "--store", "made", "-j", "1"].map(str::to_owned);
    numalab(&words, desk.path(), Expected::Anything).expect("the sweep is valid");
    let parts = fs::read_dir(desk.path().join("made")).expect("the sweep has a store").flatten();
    let part =
        parts.map(|entry| entry.path()).find(|path| path.extension().is_some_and(|end| end == "jsonl"));
    fs::read(part.expect("the store has results")).expect("the store is ours")
}

/// Writes the files that command lines name into a folder.
fn furnish(desk: &Path) {
    for (from, names) in commands::FILES {
        for name in names.split(' ') {
            let to = desk.join(name);
            fs::create_dir_all(to.parent().expect("it is in a folder")).expect("the folder is ours");
            fs::copy(root().join(from), to).expect("the file is in the repository");
        }
    }
}

/// A damaged file, whether it certainly makes no sense, and the further choices of the case. Seed 0 gives the undamaged
/// corpus.
pub fn input(reader: &Reader, files: &[Vec<u8>], seed: u64, case: u64) -> (Vec<u8>, bool, Chance) {
    let mut chance = Chance::of(seed, case);
    let (bytes, nonsense) = match seed {
        0 => (files[case as usize % files.len()].clone(), false),
        _ => hostile(reader, files, &mut chance),
    };
    (bytes, nonsense, chance)
}

fn hostile(reader: &Reader, files: &[Vec<u8>], chance: &mut Chance) -> (Vec<u8>, bool) {
    let (one, other) = (&files[chance.below(files.len())], &files[chance.below(files.len())]);
    let by_structure = chance.below(3) > 0;
    let bytes = match (reader.ending, reader.name) {
        ("line", _) => {
            let (words, nonsense) = commands::drawn(&String::from_utf8_lossy(one), chance);
            return (program::joined(&words).into_bytes(), nonsense);
        }
        ("toml" | "yaml", _) if by_structure => {
            let (text, nonsense) = bordered(&String::from_utf8_lossy(one), reader.ending == "toml", chance);
            return (text.into_bytes(), nonsense);
        }
        ("nlt", _) if by_structure => packed::recording(one, other, chance),
        ("raw", _) if by_structure => packed::raw(one, other, chance),
        (_, "store") if by_structure => packed::store(one, other, chance),
        _ => damaged(one, other, chance),
    };
    (bytes, false)
}

/// Reads cases, and prints a line for each: its number, and the verdict or what is wrong.
pub fn work(reader: &Reader, seed: u64, cases: std::ops::Range<u64>) {
    let files = corpus(reader);
    for case in cases {
        let (bytes, nonsense, mut chance) = input(reader, &files, seed, case);
        match one(reader, &bytes, nonsense, &mut chance) {
            Ok(verdict) => println!("{case} {verdict:?}"),
            Err(wrong) => println!("{case} wrong: {}", wrong.replace('\n', "\u{2029}")),
        }
    }
}

fn one(reader: &Reader, bytes: &[u8], nonsense: bool, chance: &mut Chance) -> Result<Verdict, String> {
    let desk = tempfile::tempdir().expect("there is room for a folder");
    if reader.ending == "line" {
        furnish(desk.path());
        let words = shlex::split(&String::from_utf8_lossy(bytes)).ok_or("not a line of a shell")?;
        let expected = if nonsense { Expected::Refusal } else { Expected::Anything };
        let succeeded = numalab(&words, desk.path(), expected)?;
        return Ok(if succeeded { Verdict::Accepted } else { Verdict::Refused });
    }
    let by_command = !reader.commands.is_empty() && chance.odds(1, COMMANDS);
    if by_command || reader.name.starts_with("sweep") {
        furnish(desk.path());
    }
    let path = desk.path().join(format!("case.{}", reader.ending));
    fs::write(&path, bytes).expect("there is room for a file");
    let began = processor_time();
    let verdict = (reader.read)(&path);
    let took = processor_time().saturating_sub(began);
    if took > Duration::from_secs(MOST_SECONDS) {
        return Err(format!("{:.1} s", took.as_secs_f64()));
    }
    if nonsense && verdict == Verdict::Accepted {
        return Err("nonsense is accepted".to_owned());
    }
    if by_command {
        let line = chance.pick(reader.commands);
        let words: Vec<String> =
            line.replace("FILE", &format!("case.{}", reader.ending)).split(' ').map(str::to_owned).collect();
        // Values of a workload depend on machine and team, which `show` does not know.
        let checks = !(reader.name == "workload" && line.starts_with("show"));
        let expected = match verdict {
            // What is wrong may be in a file that a sweep names.
            Verdict::Refused if reader.name.starts_with("sweep") => Expected::RefusalOf(" --> "),
            Verdict::Refused if checks => Expected::RefusalOf("case"),
            Verdict::Refused | Verdict::Accepted => Expected::Anything,
        };
        numalab(&words, desk.path(), expected)?;
    }
    Ok(verdict)
}

/// Reads the first `count` cases of a seed, or the whole corpus for seed 0, in processes of their own. Files of failures are written to `keep`.
pub fn cases(reader: &Reader, count: u64, seed: u64, keep: &Path) -> Sums {
    let mut sums = Sums::default();
    let count = if seed == 0 { corpus(reader).len() as u64 } else { count };
    let mut next = 0;
    while next < count {
        let end = (next + BATCH).min(count);
        // A whole batch may take longer than one case: a case that seems to be at fault is repeated alone.
        let (answers, ended) = process(reader, seed, next..end, 6 * MOST_SECONDS);
        let mut wrong = Vec::new();
        for line in answers {
            match line.split_once(' ') {
                Some((_, "Accepted")) => sums.accepted += 1,
                Some((_, "Refused")) => sums.refused += 1,
                Some((case, what)) => {
                    wrong.push((case.parse().unwrap_or(next), what.replace('\u{2029}', "\n")))
                }
                None => break,
            }
            next += 1;
        }
        if next < end && ended.death().is_some() {
            let (_, alone) = process(reader, seed, next..next + 1, MOST_SECONDS);
            wrong.extend(alone.death().map(|why| (next, why)));
            next += 1;
        } else if next < end {
            wrong.push((next, format!("no answer: {}", ended.err)));
            next = end;
        }
        sums.failures.extend(wrong.into_iter().map(|(case, why)| kept(reader, seed, case, &why, keep)));
    }
    sums
}

fn process(reader: &Reader, seed: u64, cases: std::ops::Range<u64>, seconds: u64) -> (Vec<String>, Ended) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let mut command: Command = program::shell();
    command
        .args(["--work", reader.name])
        .args([seed, cases.start, cases.end].map(|number| number.to_string()));
    command.env_remove(AS_NUMALAB);
    let ended =
        program::limited(&mut command, seconds, folder.path(), "work").expect("this program can start");
    (ended.out.lines().map(str::to_owned).collect(), ended)
}

/// Keeps the input of a failure. Returns what to tell of it.
fn kept(reader: &Reader, seed: u64, case: u64, why: &str, keep: &Path) -> String {
    let (bytes, ..) = input(reader, &corpus(reader), seed, case);
    let path = keep.join(format!("{}-{seed}-{case}.{}", reader.name, reader.ending));
    let place = match fs::create_dir_all(keep).and_then(|()| fs::write(&path, bytes)) {
        Ok(()) => path.display().to_string(),
        Err(error) => format!("not kept: {error}"),
    };
    format!(
        "{}: {why}\n    input: {place}\n    again: fuzz --work {} {seed} {case} {}",
        reader.name,
        reader.name,
        case + 1
    )
}

/// The reader of this name.
pub fn reader(name: &str) -> Option<&'static Reader> {
    READERS.iter().find(|reader| reader.name == name)
}

/// Processor time of this thread; 0 if the system does not report it. Elapsed time would also count waiting for a
/// processor.
fn processor_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}
