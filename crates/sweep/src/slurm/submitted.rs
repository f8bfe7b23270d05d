//! Record of the jobs submitted for a store.

use super::{JobId, SlurmError, folder};
use numalab_syntax::scratch;
use serde::{Deserialize, Serialize};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The job arrays submitted for one plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submitted {
    pub plan: String,
    /// Number of shards of the plan.
    pub of: u32,
    /// The user's additional arguments of `sbatch`.
    pub sbatch: Vec<String>,
    /// The first job array, then the arrays that run some of its elements again.
    #[serde(with = "as_text")]
    pub jobs: Vec<JobId>,
}

impl Submitted {
    /// Reads the record of a store; `None` if nothing was submitted.
    pub fn read(store: &Path) -> Result<Option<Submitted>, SlurmError> {
        let path = file(store);
        let wrong = |why: String| SlurmError::File { path: path.clone(), why };
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(wrong(error.to_string())),
        };
        let read: Submitted = serde_json::from_slice(&text)
            .map_err(|error| SlurmError::NoRecord { path: path.clone(), why: error.to_string() })?;
        match read.of {
            0 => Err(SlurmError::NoRecord { path, why: "no array has 0 elements".to_owned() }),
            _ => Ok(Some(read)),
        }
    }

    /// Writes the record by a rename, so that readers never see an incomplete file.
    pub fn write(&self, store: &Path) -> Result<(), SlurmError> {
        let path = file(store);
        let wrong = |why: String| SlurmError::File { path: path.clone(), why };
        let mut text = serde_json::to_vec_pretty(self).map_err(|error| wrong(error.to_string()))?;
        text.push(b'\n');
        let written = scratch::file(&folder(store), None).and_then(|mut new| {
            new.write_all(&text)?;
            new.persist(&path).map_err(|error| error.error)
        });
        written.map(drop).map_err(|error| wrong(error.to_string()))
    }
}

fn file(store: &Path) -> PathBuf {
    folder(store).join("submitted.json")
}

/// Serialises jobs in the format of `sbatch`.
mod as_text {
    use super::JobId;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(jobs: &[JobId], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(jobs.iter().map(JobId::to_string))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<JobId>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        let job = |text: &String| text.parse().map_err(|()| D::Error::custom(format!("{text:?} is no job")));
        texts.iter().map(job).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn example() -> Submitted {
        let jobs = ["12", "15;alpha"].map(|job| job.parse().unwrap()).to_vec();
        Submitted { plan: "ab".into(), of: 8, sbatch: vec!["--comment=a b".into()], jobs }
    }

    #[test]
    fn record_reads_back() {
        let store = tempfile::tempdir().unwrap();
        assert_eq!(Submitted::read(store.path()).unwrap(), None);
        assert!(example().write(store.path()).is_err(), "there is no folder yet");
        std::fs::create_dir(folder(store.path())).unwrap();
        example().write(store.path()).unwrap();
        assert_eq!(Submitted::read(store.path()).unwrap(), Some(example()));
    }

    proptest! {
        /// A truncated or overwritten record is refused with an error that names the file.
        #[test]
        fn damaged_record_is_refused(cut in 0_usize..100, with in "\\PC{0,5}") {
            let store = tempfile::tempdir().unwrap();
            std::fs::create_dir(folder(store.path())).unwrap();
            let whole = serde_json::to_string(&example()).unwrap();
            let text = format!("{}{with}", whole.get(..cut.min(whole.len() - 1)).unwrap());
            std::fs::write(file(store.path()), &text).unwrap();
            if let Err(error) = Submitted::read(store.path()) {
                prop_assert!(error.to_string().contains("submitted.json"), "{}", error);
            } else {
                prop_assert!(text.ends_with('}'), "{}", text);
            }
        }
    }
}
