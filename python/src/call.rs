//! A command on a thread of its own, while Python's thread waits: it handles signals and shows progress.

use crate::record::Record;
use numalab_cli::embedded::{self, Handle, Reason, Wanted};
use numalab_study::Files;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ffi::OsString;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Time between two looks at signals and progress.
const TICK: Duration = Duration::from_millis(50);
/// Stack of the command's thread: as large as that of a program.
const STACK: usize = 8 << 20;
/// Number of machines, workloads and runtimes that are kept between calls.
const KEPT: usize = 16;

/// Machines, workloads and runtimes of earlier calls that cannot change.
static FILES: Mutex<Option<Arc<Files>>> = Mutex::new(None);

/// Cache of the inputs that cannot change.
fn files() -> Arc<Files> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    files.get_or_insert_with(|| Arc::new(Files::keeping(KEPT))).clone()
}

/// Forgets all inputs, since a name may get another text.
pub fn forget_files() {
    FILES.lock().unwrap_or_else(PoisonError::into_inner).take();
}

/// What a command gave.
#[pyclass(frozen, get_all)]
pub struct Answer {
    /// Bytes that the command line would print.
    text: Py<PyBytes>,
    /// Notes and warnings, a line each.
    notes: String,
    /// The record, of commands that have one.
    record: Option<Py<Record>>,
    /// Why the command failed: input, run, stopped or negative, and the message.
    failure: Option<(&'static str, String)>,
}

/// Runs a command line, without the program's name.
///
/// `fixed`: what the arguments name cannot change, so it is read once. `wants_record`: the answer is a record instead
/// of a text. `tick`: called with the finished and all parts of the work, now and then.
#[pyfunction]
pub fn run(
    py: Python<'_>,
    arguments: Vec<OsString>,
    fixed: bool,
    wants_record: bool,
    tick: Option<Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    let handle = Arc::new(Handle::default());
    let (sender, receiver) = channel();
    let command = {
        let handle = handle.clone();
        let wanted = if wants_record { Wanted::Record } else { Wanted::Text };
        move || {
            // The other side waits until this thread ends or sends.
            let _ = sender.send(embedded::run(&arguments, handle, fixed.then(files), wanted));
        }
    };
    let thread = thread::Builder::new().name("numalab".to_owned()).stack_size(STACK).spawn(command)?;
    // Python's own lock is not held while it waits, which needs what several threads may share.
    let receiver = Mutex::new(receiver);
    let receive = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TICK);
    let mut interrupted = None;
    let answer = loop {
        match py.detach(receive) {
            Ok(answer) => break Some(answer),
            // It ended without an answer: by a panic.
            Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        let told = || {
            py.check_signals()?;
            let (done, total) = handle.progress();
            tick.as_ref().map_or(Ok(()), |tick| tick.call1((done, total)).map(drop))
        };
        if interrupted.is_none()
            && let Err(error) = told()
        {
            handle.stop();
            interrupted = Some(error);
        }
    };
    let panicked = py.detach(|| thread.join()).is_err();
    if let Some(error) = interrupted {
        return Err(error);
    }
    let answer = answer.filter(|_| !panicked).ok_or_else(|| {
        let what = "this is a bug in numalab, not your mistake; please report it with the call and its files";
        pyo3::exceptions::PyRuntimeError::new_err(what)
    })?;
    Ok(Answer {
        text: PyBytes::new(py, &answer.text).unbind(),
        notes: answer.notes,
        record: answer.record.map(|record| Py::new(py, Record(record))).transpose()?,
        failure: answer.failure.map(|(reason, message)| (name(reason), message)),
    })
}

fn name(reason: Reason) -> &'static str {
    match reason {
        Reason::Input => "input",
        Reason::Run => "run",
        Reason::Stopped => "stopped",
        Reason::Negative => "negative",
    }
}
