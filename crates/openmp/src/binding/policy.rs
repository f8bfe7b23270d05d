use crate::places::{Cursor, TextError};
use std::fmt;

/// One value of `OMP_PROC_BIND`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcBind {
    /// Threads are not bound.
    False,
    /// Threads are bound by the implementation's choice.
    True,
    /// `primary` or the older name `master`: all threads on the primary thread's place.
    Primary,
    /// Threads go to adjacent places, from the primary thread's onwards.
    Close,
    /// Threads go to places far apart, each with its own part of the partition.
    Spread,
    /// Threads go to the next places in the order in which they are created, those of all inner teams, too. Only
    /// workload files have it.
    Pool,
}

/// Word of workload files for [`ProcBind::Pool`].
const POOL: &str = "pool";

/// Binding policy of a team whose threads are bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Affinity {
    /// All threads on the primary thread's place.
    Primary,
    /// Threads go to adjacent places, from the primary thread's onwards.
    Close,
    /// Threads go to places far apart, each with its own part of the partition.
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

impl fmt::Display for ProcBind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProcBind::False => "false",
            ProcBind::True => "true",
            ProcBind::Primary => "primary",
            ProcBind::Close => "close",
            ProcBind::Spread => "spread",
            ProcBind::Pool => POOL,
        })
    }
}

/// As [`proc_bind`], or the word `pool` of workload files.
pub fn proc_bind_of_file(text: &str) -> Result<Vec<ProcBind>, TextError> {
    if text == POOL { Ok(vec![ProcBind::Pool]) } else { proc_bind(text) }
}

/// Parses `true`, `false`, or a comma-separated list of policies for nested levels.
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
