//! Texts that stand for files. A program that embeds the simulator has machines, workloads, runtimes, sweeps and policies in
//! memory; each text gets a name under which every reader finds it.

use crate::lookup::Kind;
use numalab_syntax::diagnostics::Source;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Texts = BTreeMap<(Kind, String), Arc<str>>;

static TEXTS: Mutex<Texts> = Mutex::new(BTreeMap::new());

fn texts() -> MutexGuard<'static, Texts> {
    TEXTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A text that is found by its name until this is dropped.
#[derive(Debug)]
pub struct HeldText {
    kind: Kind,
    name: String,
}

impl HeldText {
    /// Holds a text under `wanted`, or under a longer name if another text has that one. Names of files and of the
    /// catalogue are hidden by it, so `wanted` should not be one.
    pub fn new(kind: Kind, wanted: &str, text: &str) -> HeldText {
        let mut texts = texts();
        let names = std::iter::once(wanted.to_owned()).chain((2..).map(|at: u64| format!("{wanted} ({at})")));
        let mut free = names.filter(|name| !texts.contains_key(&(kind, name.clone())));
        let name = free.next().unwrap_or_default();
        texts.insert((kind, name.clone()), text.into());
        HeldText { kind, name }
    }

    /// Name under which the text is found.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for HeldText {
    fn drop(&mut self) {
        texts().remove(&(self.kind, std::mem::take(&mut self.name)));
    }
}

/// The held text of a name; `None` if there is none.
pub(crate) fn source(kind: Kind, name: &str) -> Option<Source> {
    let text = texts().get(&(kind, name.to_owned())).cloned()?;
    Some(Source { name: name.to_owned(), text: text.to_string() })
}

/// True if a text is held under the name.
pub fn is_held(kind: Kind, name: &str) -> bool {
    texts().contains_key(&(kind, name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lookup;

    #[test]
    fn a_held_text_is_found_until_it_is_dropped() {
        let first = HeldText::new(Kind::Machine, "of a test", "name = \"one\"");
        let second = HeldText::new(Kind::Machine, "of a test", "name = \"two\"");
        let text = |held: &HeldText| lookup::find(Kind::Machine, held.name()).unwrap().text;
        assert_eq!((&*text(&first), &*text(&second)), ("name = \"one\"", "name = \"two\""));
        assert_eq!(second.name(), "of a test (2)");
        let name = second.name().to_owned();
        drop(second);
        assert!(lookup::find(Kind::Machine, &name).is_err());
        assert!(!is_held(Kind::Machine, &name) && is_held(Kind::Machine, first.name()));
        // Each kind has names of its own.
        assert!(!is_held(Kind::Workload, first.name()));
    }
}
