//! What identifies a result: a hash of everything that decides it.

use numalab_workload::{Placement, Schedule};
use std::fmt;

/// The engine that this program was built with: a hash of its sources.
pub const ENGINE: &str = env!("NUMALAB_ENGINE");

/// Names a result. Equal keys are equal results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u128);

/// Everything that decides a result.
#[derive(Clone, Debug)]
pub(crate) struct Decides<'a> {
    /// Hashes of the resolved configurations.
    pub machine: &'a str,
    pub workload: &'a str,
    pub runtime: &'a str,
    pub policy: Schedule,
    pub threads: u32,
    pub procs: Option<&'a [u32]>,
    pub places: Option<&'a str>,
    pub proc_bind: Option<&'a str>,
    pub placement: Option<&'a Placement>,
    pub seed: u64,
}

impl Decides<'_> {
    pub fn key(&self) -> Key {
        let Decides {
            machine,
            workload,
            runtime,
            policy,
            threads,
            procs,
            places,
            proc_bind,
            placement,
            seed,
        } = self;
        let mut hasher = blake3::Hasher::new();
        // Debug forms quote their strings, so two lists of parts never run together.
        let parts = format!(
            "{ENGINE:?} {machine:?} {workload:?} {runtime:?} {:?} {threads} {procs:?} {places:?} {proc_bind:?} {:?} {seed}",
            policy.to_string(),
            placement.map(ToString::to_string),
        );
        hasher.update(parts.as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Key(u128::from_be_bytes(bytes))
    }
}

impl Key {
    /// Digits of its text.
    pub const DIGITS: usize = 32;

    /// From its text.
    pub fn parse(text: &[u8]) -> Option<Key> {
        let text = std::str::from_utf8(text).ok().filter(|text| text.len() == Key::DIGITS)?;
        u128::from_str_radix(text, 16).ok().map(Key)
    }

    pub(crate) fn bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_decides_changes_the_key() {
        let procs = [0, 1];
        let plain = Decides {
            machine: "m",
            workload: "w",
            runtime: "r",
            policy: Schedule::Dynamic { chunk: 1 },
            threads: 4,
            procs: None,
            places: None,
            proc_bind: None,
            placement: None,
            seed: 0,
        };
        let fetch = Placement::NAMES[0].parse().unwrap();
        let changed = [
            Decides { machine: "m2", ..plain.clone() },
            Decides { workload: "w2", ..plain.clone() },
            Decides { runtime: "r2", ..plain.clone() },
            Decides { policy: Schedule::Dynamic { chunk: 2 }, ..plain.clone() },
            Decides { threads: 5, ..plain.clone() },
            Decides { procs: Some(&procs), ..plain.clone() },
            Decides { places: Some("cores"), ..plain.clone() },
            Decides { proc_bind: Some("cores"), ..plain.clone() },
            Decides { placement: Some(&fetch), ..plain.clone() },
            Decides { seed: 1, ..plain.clone() },
        ];
        let mut keys: Vec<Key> = changed.iter().chain([&plain]).map(Decides::key).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), changed.len() + 1);
        assert_eq!(Key::parse(keys[0].to_string().as_bytes()), Some(keys[0]));
        assert_eq!(Key::parse(b"00"), None);
    }
}
