//! Commands inside another program, which has no terminal of its own for them: what a command would print is kept, and
//! a [`Handle`] stops it and tells its progress. Flags, defaults, checks and messages are the command line's.

mod record;
#[cfg(test)]
mod tests;

pub use record::Record;

use crate::brief;
use crate::commands;
use crate::failure::Failure;
use crate::flags::Cli;
use crate::message;
use clap::{Command, CommandFactory, FromArgMatches};
use numalab_study::Files;
use std::cell::RefCell;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Stop switch and progress of a command, shared with the program that runs it.
#[derive(Debug, Default)]
pub struct Handle {
    stopped: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
}

impl Handle {
    /// Ends the command as Ctrl-C would.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Finished and all parts of the current work; all is 0 before work begins.
    pub fn progress(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    pub(crate) fn reached(&self, done: u64, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }
}

/// Why a command gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A file, a value or the request is wrong.
    Input,
    /// The run failed, or its result could not be written.
    Run,
    /// The handle stopped it.
    Stopped,
    /// The answer is there and negative, such as a gate that does not hold.
    Negative,
}

/// Texts, record and failure of a command.
#[derive(Debug, Default)]
pub struct Answer {
    /// Bytes for standard output.
    pub text: Vec<u8>,
    /// Text for standard error, without the message of a failure.
    pub notes: String,
    /// The record, of commands that have one.
    pub record: Option<Record>,
    /// Reason and message if the command failed.
    pub failure: Option<(Reason, String)>,
}

/// Command that runs on this thread.
struct Call {
    handle: Arc<Handle>,
    files: Option<Arc<Files>>,
    output: Wanted,
    answer: Answer,
}

thread_local! {
    static CALL: RefCell<Option<Call>> = const { RefCell::new(None) };
}

/// The declared flags, since declaring them takes longer than a small run.
static DECLARED: Mutex<Option<Command>> = Mutex::new(None);

/// Runs a command, such as `sim bcs16 loadbal`, on this thread. `files`: a cache that the caller keeps, for
/// machines, workloads and runtimes that do not change meanwhile; `None` to read them. `output`: form of the answer.
pub fn run(arguments: &[OsString], handle: Arc<Handle>, files: Option<Arc<Files>>, output: Wanted) -> Answer {
    CALL.set(Some(Call { handle, files, output, answer: Answer::default() }));
    let failed = parsed(arguments).and_then(|typed| commands::run(typed.command)).err();
    let mut answer = CALL.take().map(|call| call.answer).unwrap_or_default();
    answer.failure = failed.and_then(|failure| {
        let (reason, text) = match failure {
            Failure::Input(diagnostics) => (Reason::Input, diagnostics.render(false)),
            Failure::Request { problem, advice } => {
                (Reason::Input, message::error(&problem, advice.as_deref(), false))
            }
            Failure::Run(problem) => (Reason::Run, message::error(&problem, None, false)),
            Failure::Stopped { problem, advice } => {
                (Reason::Run, message::error(&problem, Some(&advice), false))
            }
            Failure::Interrupted(missing) => {
                (Reason::Stopped, message::error(&format!("stopped: {missing}"), None, false))
            }
            Failure::NegativeAnswer => (Reason::Negative, String::new()),
            Failure::ReaderLeft => return None,
        };
        Some((reason, brief::in_a_line(&text).trim_end().to_owned()))
    });
    answer
}

/// Form of the answer: a record, of commands that have one, or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Record,
    Text,
}

fn parsed(arguments: &[OsString]) -> Result<Cli, Failure> {
    let typed = std::iter::once("numalab".into()).chain(arguments.iter().cloned());
    let matches = {
        let mut declared = DECLARED.lock().unwrap_or_else(PoisonError::into_inner);
        declared.get_or_insert_with(Cli::command).try_get_matches_from_mut(typed)
    };
    let command = arguments.first().and_then(|word| word.to_str());
    matches.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches)).map_err(|error| {
        let (problem, advice) = message::of_clap_in_parts(&error, command);
        Failure::Request { problem, advice: Some(advice) }
    })
}

/// The handle of the command on this thread; `None` on the command line.
pub(crate) fn handle() -> Option<Arc<Handle>> {
    CALL.with_borrow(|call| call.as_ref().map(|call| call.handle.clone()))
}

/// The cache that the caller keeps.
pub(crate) fn files() -> Option<Arc<Files>> {
    CALL.with_borrow(|call| call.as_ref()?.files.clone())
}

/// Keeps a text for standard error; false on the command line.
pub(crate) fn note(text: &str) -> bool {
    with_answer(|answer| answer.notes += text)
}

/// Keeps bytes for standard output; false on the command line.
pub(crate) fn print(bytes: &[u8]) -> bool {
    with_answer(|answer| answer.text.extend_from_slice(bytes))
}

/// True if the command runs inside another program.
pub(crate) fn is_embedded() -> bool {
    CALL.with_borrow(Option::is_some)
}

/// True if the record replaces the text.
pub(crate) fn wants_record() -> bool {
    CALL.with_borrow(|call| call.as_ref().is_some_and(|call| call.output == Wanted::Record))
}

/// Keeps the record of the answer if the caller wants it in place of a text; otherwise gives it back.
pub(crate) fn keep<T>(of: T, record: impl FnOnce(Box<T>) -> Record) -> Option<T> {
    if !wants_record() {
        return Some(of);
    }
    with_answer(|answer| answer.record = Some(record(Box::new(of))));
    None
}

fn with_answer(change: impl FnOnce(&mut Answer)) -> bool {
    CALL.with_borrow_mut(|call| call.as_mut().map(|call| change(&mut call.answer)).is_some())
}
