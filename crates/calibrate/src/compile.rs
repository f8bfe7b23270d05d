//! Builds the kernels, or finds the reason why the build fails.

mod error;

pub use error::{CompileError, Trouble};

use crate::kernels;
use crate::process::{self, Ended, How};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Time limit of a compilation. A few small files never take that long.
const PATIENCE: Duration = Duration::from_secs(600);

/// C compiler with the user's flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// Command: a name or a path, followed by its own flags, such as `["clang", "-fopenmp=libgomp"]`.
    pub command: Vec<String>,
    /// Flags of the user, given after the kernels' own flags, which they override.
    pub flags: Vec<String>,
}

/// Built program of the kernels.
#[derive(Clone, Debug)]
pub struct Program {
    pub path: PathBuf,
    /// Command that built the program.
    pub command: String,
    /// Output of the compiler, such as warnings.
    pub said: String,
}

impl Compiler {
    /// Parses a command and additional flags as a shell would split them; `None` for an open quote or an empty
    /// command.
    pub fn parse(command: &str, flags: &str) -> Option<Compiler> {
        let command = shlex::split(command).filter(|words| !words.is_empty())?;
        Some(Compiler { command, flags: shlex::split(flags)? })
    }

    /// Writes the sources into a folder and builds them there.
    pub fn compile(&self, folder: &Path) -> Result<Program, CompileError> {
        let fail = |trouble| self.error(&self.flags, trouble);
        if std::env::consts::OS != "linux" {
            return Err(fail(Trouble::NotLinux));
        }
        let cannot_write =
            |error| fail(Trouble::CannotWrite { folder: folder.to_owned(), reason: format!("{error}") });
        kernels::write_into(folder).map_err(cannot_write)?;
        // The program's path is absolute: when started, a path without a slash would be searched in `PATH`.
        let folder = fs::canonicalize(folder).map_err(cannot_write)?;
        let path = folder.join(kernels::makefile_default("PROGRAM"));
        let mut words = words_of("CFLAGS");
        words.extend(words_of("OPENMP"));
        words.extend(self.flags.iter().cloned());
        words.push(define(&words));
        words.push("-o".to_owned());
        words.push(path.to_string_lossy().into_owned());
        words.extend(
            kernels::kernels().iter().map(|(name, _)| (*name).to_owned()).filter(|name| name.ends_with(".c")),
        );
        words.extend(words_of("LDLIBS"));
        let ended = self.call(&words, &folder).map_err(|error| fail(Trouble::cannot_start(&error)))?;
        if ended.how != How::Well {
            return Err(self.error(&words, self.why(ended, &folder)));
        }
        Ok(Program { path, command: self.shown(&words), said: ended.err })
    }

    /// Reason of a failure. Unless the compiler crashed or took too long, it is found by compiling simpler programs,
    /// which is more certain than guessing from a message in any language.
    fn why(&self, ended: Ended, folder: &Path) -> Trouble {
        if let How::Never(_) | How::Signal(_) = ended.how {
            return Trouble::Died { how: ended.how.to_string(), said: ended.err };
        }
        let compiles = |name: &str, text: &str, flags: Vec<String>| -> Result<(), String> {
            let source = format!("{name}.c");
            fs::write(folder.join(&source), text).map_err(|error| error.to_string())?;
            let words = [flags, vec!["-o".to_owned(), name.to_owned(), source.clone()]].concat();
            let ended = self.call(&words, folder).map_err(|error| error.to_string());
            for name in [name, source.as_str()] {
                // Removing a file fails if the file is missing.
                let _ = fs::remove_file(folder.join(name));
            }
            let ended = ended?;
            if ended.how == How::Well { Ok(()) } else { Err(ended.err) }
        };
        if let Err(said) = compiles("probe-c", "int main(void) { return 0; }\n", Vec::new()) {
            return Trouble::Useless { said };
        }
        let openmp = "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n";
        let flags = |more: &[String]| [words_of("OPENMP"), more.to_vec()].concat();
        if let Err(said) = compiles("probe-openmp", openmp, flags(&[])) {
            // The user's flags may be the cause.
            if compiles("probe-flags", openmp, flags(&self.flags)).is_err() {
                return Trouble::NoOpenMp { said };
            }
        }
        Trouble::Refused { said: ended.err, flags: !self.flags.is_empty() }
    }

    fn call(&self, words: &[String], folder: &Path) -> std::io::Result<Ended> {
        let mut command = Command::new(self.program());
        command.args(self.command.iter().skip(1)).args(words).current_dir(folder);
        process::run(&mut command, PATIENCE)
    }

    fn error(&self, words: &[String], trouble: Trouble) -> CompileError {
        CompileError { compiler: self.name().to_owned(), command: self.shown(words), trouble }
    }

    fn name(&self) -> &str {
        self.command.first().map_or("", String::as_str)
    }

    /// Program to start. Relative paths start from the current folder, not from the build folder.
    fn program(&self) -> PathBuf {
        let typed = Path::new(self.name());
        if typed.components().count() > 1 {
            std::path::absolute(typed).unwrap_or(typed.to_owned())
        } else {
            typed.to_owned()
        }
    }

    /// Shell command line of the compiler with `words` as further arguments.
    fn shown(&self, words: &[String]) -> String {
        let all = self.command.iter().chain(words).map(String::as_str);
        shlex::try_join(all).unwrap_or_default()
    }
}

fn words_of(variable: &str) -> Vec<String> {
    shlex::split(kernels::makefile_default(variable)).unwrap_or_default()
}

/// C preprocessor define by which the kernels report the flags that they were built with.
fn define(flags: &[String]) -> String {
    format!("-DNUMALAB_CFLAGS=\"{}\"", flags.join(" ").replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_compilers_as_a_shell_does() {
        let compiler = Compiler::parse("ccache 'my cc'", "-O3  -DNAME=\"a b\"").unwrap();
        assert_eq!(compiler.command, ["ccache", "my cc"]);
        assert_eq!(compiler.flags, ["-O3", "-DNAME=a b"]);
        assert_eq!(Compiler::parse("", ""), None);
        assert_eq!(Compiler::parse("cc", "\"open"), None);
    }

    #[test]
    fn flags_become_a_c_string() {
        assert_eq!(define(&["-O2".into(), "-DA=\"\\\"".into()]), r#"-DNUMALAB_CFLAGS="-O2 -DA=\"\\\"""#);
    }
}
