use numalab_nlt::NltError;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// Reason why a program was not recorded.
#[derive(Debug)]
pub enum RecordError {
    /// The program does not exist or cannot be started.
    NoProgram {
        name: String,
        /// Message of the system.
        reason: String,
    },
    /// No library can be preloaded into the program (name), since the program is statically linked.
    Static(String),
    /// The program (name) was built by gcc, and LLVM's library is not installed.
    NoLibomp(String),
    /// The library that the user named does not exist.
    LibompMissing(PathBuf),
    /// The C compiler does not exist or cannot be started.
    NoCompiler {
        name: String,
        /// Message of the system.
        error: io::Error,
    },
    /// The compiler fails on the recorder's sources.
    NotBuilt {
        name: String,
        /// Line of the compiler's output that states the reason.
        said: String,
    },
    /// The folder for the events cannot be used.
    Folder(io::Error),
    Failed {
        name: String,
        status: ExitStatus,
    },
    /// No parallel region was recorded: no OpenMP library of the program supports OMPT.
    NoOmpt,
    /// Several processes (number) loaded the recorder.
    Processes(usize),
    /// The program ended without a call of the recorder.
    Unfinished,
    /// The OpenMP library does not support an event that a recording needs.
    Silent {
        /// Path of the library.
        library: String,
        /// Number of the OMPT event.
        event: u32,
    },
    /// The recorder's output is broken.
    Raw {
        path: PathBuf,
        /// Description of the damage, as a clause after the path.
        problem: String,
    },
    /// Events that the exported library wrote elsewhere cannot be converted.
    Elsewhere {
        folder: PathBuf,
        error: Box<RecordError>,
    },
    /// The recording cannot be written.
    Write(io::Error),
    /// The user stopped it.
    Stopped,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::NoProgram { name, reason } => write!(f, "cannot start \"{name}\": {reason}"),
            RecordError::Static(name) => {
                write!(f, "\"{name}\" is linked statically: no recorder can be loaded into it; link its libraries dynamically")
            }
            RecordError::NoLibomp(name) => write!(
                f,
                "\"{name}\" runs on gcc's OpenMP library, which tells nothing; LLVM's (libomp.so.5) can stand in for it, \
                 and is not here: install libomp"
            ),
            RecordError::LibompMissing(path) => write!(f, "there is no library \"{}\"", path.display()),
            RecordError::NoCompiler { name, error } => {
                write!(f, "the C compiler \"{name}\" cannot be started: {error}")
            }
            RecordError::NotBuilt { name, said } => {
                write!(f, "the C compiler \"{name}\" does not build the recorder: {said}")
            }
            RecordError::Folder(error) => write!(f, "the folder for the events cannot be used: {error}"),
            RecordError::Failed { name, status } => write!(f, "\"{name}\" failed: {status}"),
            RecordError::NoOmpt => f.write_str(
                "no parallel region was recorded: the program used no OpenMP library that has the tool interface (OMPT), \
                 such as LLVM's libomp",
            ),
            RecordError::Processes(count) => write!(
                f,
                "{count} processes ran OpenMP, such as the ranks of an MPI program; record one process by itself"
            ),
            RecordError::Unfinished => f.write_str(
                "the program ended without its OpenMP library, as _exit and quick_exit do; its last events are lost",
            ),
            RecordError::Silent { library, event } => write!(
                f,
                "the OpenMP library {library} does not support OMPT event {event}, which a recording needs; that of LLVM 16 \
                 or later does (Debian: libomp-19-dev)"
            ),
            RecordError::Raw { path, problem } => write!(f, "{}: {problem}", path.display()),
            // The message about a file names it.
            RecordError::Elsewhere { error, .. } if matches!(**error, RecordError::Raw { .. }) => error.fmt(f),
            RecordError::Elsewhere { folder, error } => write!(f, "{}: {error}", folder.display()),
            RecordError::Write(error) => write!(f, "cannot write the recording: {error}"),
            RecordError::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for RecordError {}

impl From<io::Error> for RecordError {
    fn from(error: io::Error) -> RecordError {
        RecordError::Write(error)
    }
}

impl From<NltError> for RecordError {
    fn from(error: NltError) -> RecordError {
        RecordError::Raw { path: PathBuf::new(), problem: error.to_string() }
    }
}
