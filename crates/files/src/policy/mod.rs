//! Policies by their names. Each file is lowered once and kept as long as the program, like the built-in files, so that a
//! schedule is a plain value everywhere.

mod formula;
mod resolve;

use crate::lookup::{self, Kind};
use crate::policy_file::PolicyFile;
use crate::read::ReadFile;
use numalab_base::ParseError;
use numalab_syntax::diagnostics::{Diagnostics, Source};
use numalab_syntax::nearest::hint_or;
use numalab_workload::Schedule;
use numalab_workload::policy::{FilePolicy, LoopPolicy};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Lowered policies, by the name under which they were found and the hash of their file.
static KNOWN: Mutex<BTreeMap<(String, String), &'static LoopPolicy>> = Mutex::new(BTreeMap::new());

/// Mistake in the name of a policy, or in its file.
#[derive(Clone)]
pub enum PolicyError {
    Name(ParseError),
    File(Box<Diagnostics>),
}

impl PolicyError {
    /// The error as one message and the expected text.
    pub fn brief(self) -> (String, String) {
        match self {
            PolicyError::Name(error) => (error.message, error.expected),
            PolicyError::File(wrong) => (wrong.brief(), String::new()),
        }
    }
}

/// Policy of a text: a built-in schedule, the name of a policy file or its path, each with an optional chunk.
///
/// The modifiers of `OMP_SCHEDULE` do not change which iterations a thread gets, except that LLVM's runtime executes
/// `nonmonotonic:dynamic` as `static_steal`; that policy has its own name here.
pub fn schedule(text: &str) -> Result<Schedule, PolicyError> {
    let text = text.trim();
    let text =
        ["monotonic:", "nonmonotonic:"].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let error = match text
        .parse::<Schedule>()
        .or_else(|error| text.to_ascii_lowercase().parse().map_err(|_| error))
    {
        Ok(built_in) => return Ok(built_in),
        Err(error) => error,
    };
    let (name, chunk) = match text.trim().rsplit_once(',') {
        Some((name, chunk)) => (name.trim(), Some(chunk.trim())),
        None => (text.trim(), None),
    };
    // A built-in schedule with a wrong chunk.
    if error.name.is_empty() && Schedule::NAMES.contains(&name) {
        return Err(PolicyError::Name(error));
    }
    let Some(found) = found(name) else {
        let names = policy_names();
        let others = format!("{}; `numalab list` shows those of files", error.expected);
        let expected = hint_or(name, names.iter().map(String::as_str), &others);
        return Err(PolicyError::Name(ParseError { expected, ..error }));
    };
    let policy = policy(&found).map_err(|wrong| PolicyError::File(Box::new(wrong)))?;
    let wrong = |message: String, expected: String| PolicyError::Name(ParseError::new(message, expected));
    let chunk = match (policy.chunk, chunk) {
        (usual, None) => usual.unwrap_or(1),
        (None, Some(_)) => {
            return Err(wrong(format!("\"{}\" takes no chunk", policy.name), format!("write {name}")));
        }
        (Some(_), Some(chunk)) => chunk.parse().ok().filter(|chunk| *chunk > 0).ok_or_else(|| {
            wrong(format!("the chunk in \"{text}\" must be a whole number of at least 1"), String::new())
        })?,
    };
    Ok(Schedule::File(FilePolicy { policy, chunk }))
}

/// Names of all schedules and of the policy files that need no path.
pub fn policy_names() -> Vec<String> {
    Schedule::NAMES.map(str::to_owned).into_iter().chain(lookup::names(Kind::Policy)).collect()
}

/// Name or path under which the file of a policy is found; `None` if there is no such file.
fn found(name: &str) -> Option<String> {
    let path = Path::new(name);
    if lookup::is_known(Kind::Policy, Kind::Policy.stem(name)) {
        return Some(name.to_owned());
    }
    let is_path = path.components().count() > 1
        || path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
    if is_path {
        return Some(name.to_owned());
    }
    let wanted = spelled(name);
    let is_meant = |file: &&lookup::BuiltIn| {
        spelled(file.name) == wanted || others(file.text).any(|other| spelled(other) == wanted)
    };
    Kind::Policy.embedded().iter().find(is_meant).map(|file| file.name.to_owned())
}

/// Spelling in which names of a policy are compared: runtimes write the same name in several ways.
fn spelled(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

/// Further names of a built-in policy, from its line `also: [...]`.
fn others(text: &str) -> impl Iterator<Item = &str> {
    let list = text.lines().find_map(|line| line.strip_prefix("also:")).unwrap_or_default();
    list.trim().trim_matches(['[', ']']).split(',').map(str::trim).filter(|name| !name.is_empty())
}

/// True if the catalogue has the policy under its name.
pub fn is_built_in_policy(policy: &LoopPolicy) -> bool {
    let of_name = |file: &&lookup::BuiltIn| file.name == policy.name;
    Kind::Policy.embedded().iter().find(of_name).is_some_and(|file| {
        let source = Source { name: file.name.to_owned(), text: file.text.to_owned() };
        let own = ReadFile::policy(source)
            .load(&[], |file: &PolicyFile, report| resolve::resolve(file, "", report));
        own.is_ok_and(|own| own.hash == policy.digest)
    })
}

/// Errors of a policy file's text, if it has any.
pub fn checked_policy(source: Source) -> Result<(), Diagnostics> {
    let file = ReadFile::policy(source);
    file.load(&[], |file: &PolicyFile, report| resolve::resolve(file, "", report)).map(drop)
}

/// Policy of a name or a path, checked and lowered.
pub fn policy(name: &str) -> Result<&'static LoopPolicy, Diagnostics> {
    let file = ReadFile::policy(lookup::find(Kind::Policy, name)?);
    let loaded = file.load(&[], |file: &PolicyFile, report| resolve::resolve(file, name, report))?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (name.to_owned(), loaded.hash.clone());
    Ok(known
        .entry(key)
        .or_insert_with(|| Box::leak(Box::new(LoopPolicy { digest: loaded.hash, ..loaded.value }))))
}
