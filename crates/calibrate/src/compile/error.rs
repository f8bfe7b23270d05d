//! Why there is no program, in one sentence.

use crate::process::first_error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// The kernels were not built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// The compiler's name or path.
    pub compiler: String,
    /// The whole command.
    pub command: String,
    /// Why.
    pub trouble: Trouble,
}

/// Reason of a failed build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The kernels ask a Linux.
    NotLinux,
    /// There is no such command.
    Missing,
    /// There is one, and it cannot be started.
    CannotStart(String),
    /// The sources have no room.
    CannotWrite {
        /// Folder that they should go to.
        folder: PathBuf,
        /// Message of the system.
        reason: String,
    },
    /// It builds not even an empty program.
    Useless {
        /// Message of the compiler.
        said: String,
    },
    /// It does, but none with OpenMP.
    NoOpenMp {
        /// Message of the compiler.
        said: String,
    },
    /// It takes everything but these kernels or these flags.
    Refused {
        /// Message of the compiler.
        said: String,
        /// True if the user gave flags.
        flags: bool,
    },
    /// It crashed, or did not end.
    Died {
        /// Manner of its end.
        how: String,
        /// Message of the compiler.
        said: String,
    },
}

impl Trouble {
    pub(super) fn cannot_start(error: &io::Error) -> Trouble {
        match error.kind() {
            io::ErrorKind::NotFound => Trouble::Missing,
            io::ErrorKind::PermissionDenied => Trouble::CannotStart("permission denied".to_owned()),
            _ => Trouble::CannotStart(error.to_string()),
        }
    }

    /// Everything that the compiler said.
    pub fn said(&self) -> Option<&str> {
        match self {
            Trouble::Useless { said }
            | Trouble::NoOpenMp { said }
            | Trouble::Refused { said, .. }
            | Trouble::Died { said, .. } => Some(said),
            _ => None,
        }
    }
}

impl CompileError {
    /// Problem, without what the compiler said.
    pub fn problem(&self) -> String {
        let compiler = format!("the C compiler \"{}\"", self.compiler);
        match &self.trouble {
            Trouble::NotLinux => "the kernels measure Linux machines only".to_owned(),
            Trouble::Missing => format!("there is no C compiler \"{}\"; install gcc", self.compiler),
            Trouble::CannotStart(reason) => format!("{compiler} cannot be started: {reason}"),
            Trouble::CannotWrite { folder, reason } => {
                format!("cannot write the kernels to \"{}\": {reason}", folder.display())
            }
            Trouble::Useless { .. } => format!("{compiler} builds no programs"),
            Trouble::NoOpenMp { .. } => {
                format!("{compiler} has no OpenMP; install its OpenMP library (libomp-dev for clang)")
            }
            Trouble::Refused { flags: true, .. } => {
                format!("{compiler} does not build the kernels with the additional flags")
            }
            Trouble::Refused { flags: false, .. } => format!("{compiler} does not build the kernels"),
            Trouble::Died { how, .. } => format!("{compiler} failed ({how})"),
        }
    }

    /// The line that says it, of all that the compiler said.
    pub fn first_error(&self) -> Option<&str> {
        self.trouble.said().and_then(first_error)
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem())?;
        self.first_error().map_or(Ok(()), |line| write!(f, ": {line}"))
    }
}

impl std::error::Error for CompileError {}
