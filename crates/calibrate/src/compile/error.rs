//! Reasons for which the kernels were not built.

use crate::process::first_error;
use std::fmt;
use std::io;
use std::path::PathBuf;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// Compiler as the user named it: a name or a path.
    pub compiler: String,
    pub command: String,
    pub trouble: Trouble,
}

/// Reason of a failed build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The kernels need Linux.
    NotLinux,
    /// The command of the compiler does not exist.
    Missing,
    /// The command of the compiler cannot be started; message of the system.
    CannotStart(String),
    /// The sources cannot be written.
    CannotWrite {
        folder: PathBuf,
        /// Message of the system.
        reason: String,
    },
    /// The compiler fails even on an empty program.
    Useless {
        /// Message of the compiler.
        said: String,
    },
    /// The compiler has no OpenMP.
    NoOpenMp {
        /// Message of the compiler.
        said: String,
    },
    /// The compiler refuses the kernels or the flags.
    Refused {
        /// Message of the compiler.
        said: String,
        /// True if the user added flags.
        flags: bool,
    },
    /// The compiler crashed or ran beyond the time limit.
    Died {
        /// End of the compiler: its status, signal or time limit.
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

    /// Complete output of the compiler; `None` if the compiler did not run.
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
    /// Message for the user, without the compiler's output.
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

    /// Line of the compiler's output that states the error; `None` without output.
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
