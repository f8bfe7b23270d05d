//! Key of a stored result: a hash of all inputs of the run.

use numalab_study::{ReplicaCount, RunHash};
use std::fmt;

/// Hash of the engine's sources, computed when this program was built.
pub const ENGINE: &str = env!("NUMALAB_ENGINE");

/// Identifies a result: equal keys mean equal results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u128);

impl Key {
    /// Key of a resolved run that is simulated by the engine of this program, with its replicas.
    pub fn of(run: RunHash, replicas: ReplicaCount) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(ENGINE.as_bytes());
        hasher.update(&run.0);
        hasher.update(format!("{replicas:?}").as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Key(u128::from_be_bytes(bytes))
    }

    /// Length of a key as hexadecimal text.
    pub const DIGITS: usize = 32;

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
    use std::collections::BTreeSet;

    #[test]
    fn key_reads_back_and_differs_between_runs() {
        let number = ReplicaCount::Number;
        let keys = [(0, number(1)), (1, number(1)), (0, number(2)), (0, ReplicaCount::ByWork)]
            .map(|(byte, replicas)| Key::of(RunHash([byte; 32]), replicas));
        assert_eq!(BTreeSet::from(keys).len(), keys.len());
        assert_eq!(Key::parse(keys[0].to_string().as_bytes()), Some(keys[0]));
        assert_eq!(Key::parse(b"00"), None);
    }
}
