//! Runs of a reader on damaged files, with limits of time and memory.

use crate::mutate::{Chance, damaged};
use crate::readers::{Reader, Verdict};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest time that a reader may take for one file.
pub const MOST_TIME: Duration = Duration::from_secs(10);

/// Largest memory of the whole process, in KiB.
pub const MOST_MEMORY: u64 = 2 << 20;

/// Totals over all files that a reader has read.
#[derive(Default)]
pub struct Sums {
    /// Number of files that the reader accepted.
    pub accepted: u64,
    /// Number of files that the reader refused.
    pub refused: u64,
    /// Longest time for one file.
    pub longest: Duration,
    /// Failures, each with the file that shows it.
    pub failures: Vec<String>,
}

/// Root folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files of a reader's corpus, in order, with their texts.
pub fn corpus(reader: &Reader) -> Vec<(PathBuf, Vec<u8>)> {
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
    files.into_iter().filter_map(|path| fs::read(&path).ok().map(|bytes| (path, bytes))).collect()
}

/// Reads one damaged file, and adds the outcome to `sums`. A panic, or more time than [`MOST_TIME`], is a failure;
/// the file is then written to the folder `keep`.
pub fn read(reader: &Reader, bytes: &[u8], keep: &Path, sums: &mut Sums) {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let path = folder.path().join(format!("case.{}", reader.ending));
    fs::write(&path, bytes).expect("there is room for a file");
    let began = processor_time();
    let verdict = catch_unwind(AssertUnwindSafe(|| (reader.read)(&path)));
    let took = processor_time().saturating_sub(began);
    sums.longest = sums.longest.max(took);
    let wrong = match verdict {
        Ok(Verdict::Accepted) => {
            sums.accepted += 1;
            None
        }
        Ok(Verdict::Refused) => {
            sums.refused += 1;
            None
        }
        Err(_) => Some("a panic".to_owned()),
    };
    let wrong = wrong.or_else(|| (took > MOST_TIME).then(|| format!("{:.1} s", took.as_secs_f64())));
    if let Some(wrong) = wrong {
        let kept = keep.join(format!("{}-{}.{}", reader.name, sums.failures.len(), reader.ending));
        let _ = fs::create_dir_all(keep).and_then(|()| fs::write(&kept, bytes));
        sums.failures.push(format!("{}: {wrong}: {}", reader.name, kept.display()));
    }
}

/// Reads `count` damaged files; the same seed gives the same files.
pub fn cases(reader: &Reader, count: u64, seed: u64, keep: &Path) -> Sums {
    let files = corpus(reader);
    let mut sums = Sums::default();
    for case in 0..count {
        let mut chance = Chance(seed.wrapping_mul(0x1_0000_0000).wrapping_add(case));
        let (_, one) = &files[chance.below(files.len())];
        let (_, other) = &files[chance.below(files.len())];
        read(reader, &damaged(one, other, &mut chance), keep, &mut sums);
    }
    sums
}

/// Processor time of this thread; 0 if the system does not report it. Elapsed time would also count waiting for a
/// processor.
fn processor_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// Peak memory of this process, in KiB; 0 if the system does not report it.
pub fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0)
}
