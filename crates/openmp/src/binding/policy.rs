//! The values of `OMP_PROC_BIND`.

use crate::places::{Cursor, TextError};
use std::fmt;

/// One value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcBind {
    /// Threads are not bound.
    False,
    /// Threads are bound, the implementation says how: `close`.
    True,
    /// `primary`, or the old word `master`: all where the primary thread is.
    Primary,
    /// Next to each other, from the primary thread's place onwards.
    Close,
    /// Far from each other, each with a part of the partition for itself.
    Spread,
}

/// Binding policy of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Affinity {
    /// All where the primary thread is.
    Primary,
    /// From the primary thread's place onwards.
    Close,
    /// Each to a part of the partition.
    Spread,
}

const NAMES: [&str; 6] = ["true", "false", "primary", "master", "close", "spread"];
const VALUES: [ProcBind; 6] = [
    ProcBind::True,
    ProcBind::False,
    ProcBind::Primary,
    ProcBind::Primary,
    ProcBind::Close,
    ProcBind::Spread,
];

impl ProcBind {
    /// Binding policy, unless threads are not bound.
    pub fn affinity(self) -> Option<Affinity> {
        match self {
            ProcBind::False => None,
            ProcBind::Primary => Some(Affinity::Primary),
            ProcBind::True | ProcBind::Close => Some(Affinity::Close),
            ProcBind::Spread => Some(Affinity::Spread),
        }
    }

    /// The binding policy, unless the implementation decides it (`true`).
    pub(super) fn explicit(self) -> Option<Affinity> {
        if self == ProcBind::True { None } else { self.affinity() }
    }
}

impl fmt::Display for ProcBind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProcBind::False => "false",
            ProcBind::True => "true",
            ProcBind::Primary => "primary",
            ProcBind::Close => "close",
            ProcBind::Spread => "spread",
        })
    }
}

/// `true`, `false`, or policies for nested levels separated by commas.
pub fn proc_bind(text: &str) -> Result<Vec<ProcBind>, TextError> {
    let mut cursor = Cursor::new(text);
    let mut values = Vec::new();
    loop {
        let word = cursor.word();
        if word.is_empty() {
            return Err(cursor.unexpected("true, false, primary, close or spread"));
        }
        let name = &text[word.clone()];
        let at = NAMES
            .iter()
            .position(|known| known.eq_ignore_ascii_case(name))
            .ok_or_else(|| TextError::unknown(text, word.clone(), &NAMES))?;
        values.push(VALUES[at]);
        let more = cursor.take(b',');
        let alone = matches!(VALUES[at], ProcBind::True | ProcBind::False);
        if alone && (more || values.len() > 1) {
            let problem =
                format!("\"{name}\" must be the whole value; a list is of primary, close and spread");
            return Err(TextError::new(text, word, problem));
        }
        if !more {
            cursor.end("\",\" or the end")?;
            return Ok(values);
        }
    }
}
