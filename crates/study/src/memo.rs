//! Results that are computed once, however often and by however many threads they are asked for.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Results by key. The inner mutex is held while a result is computed: a thread that asks for it meanwhile waits.
#[derive(Debug)]
pub struct Memo<K, T>(Mutex<BTreeMap<K, Arc<Mutex<Option<T>>>>>);

impl<K, T> Default for Memo<K, T> {
    fn default() -> Memo<K, T> {
        Memo(Mutex::default())
    }
}

impl<K: Ord, T: Clone> Memo<K, T> {
    /// Result for a key, computed by `make` unless it is kept. A failure is not kept. `make` must not take up another
    /// question on its worker, which could be the same one and wait for itself.
    pub fn get<E>(&self, key: K, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let cell = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(key).or_default())
        };
        let mut cell = cell.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*cell {
            return Ok(known.clone());
        }
        Ok(cell.insert(make()?).clone())
    }
}

#[cfg(test)]
mod tests {
    use super::Memo;

    #[test]
    fn results_are_kept_and_failures_are_not() {
        let memo = Memo::default();
        assert_eq!(memo.get("key", || Err("failed")), Err("failed"));
        assert_eq!(memo.get("key", || Ok::<_, &str>(1)), Ok(1));
        assert_eq!(memo.get("key", || Ok::<_, &str>(2)), Ok(1));
        assert_eq!(memo.get("other", || Ok::<_, &str>(2)), Ok(2));
    }
}
