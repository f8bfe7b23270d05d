//! Advice for `numalab calibrate`, such as the flag that names another compiler.

use crate::failure::Failure;
use numalab_calibrate::fit::{Fitted, Origin};
use numalab_calibrate::{CompileError, RunError, Trouble};
use numalab_syntax::streams;
use std::path::PathBuf;

/// Failure if the kernels cannot be compiled. `verbose` adds the compiler's command and output.
pub fn not_built(error: &CompileError, verbose: bool) -> Failure {
    let advice = match error.trouble {
        Trouble::NotLinux => "numalab calibrate export DIR writes the sources for a Linux computer",
        Trouble::Missing => "name another with --cc, or set CC",
        Trouble::CannotStart(_) | Trouble::Useless { .. } => "name another with --cc",
        Trouble::NoOpenMp { .. } => "use gcc with --cc gcc",
        Trouble::Refused { flags: true, .. } => "correct --cflags",
        Trouble::CannotWrite { .. } | Trouble::Refused { flags: false, .. } | Trouble::Died { .. } => "",
    };
    let first = error.first_error().map_or_else(String::new, |line| format!(": {line}"));
    let more = error.trouble.said().filter(|_| verbose);
    let more = more.map_or_else(String::new, |output| format!("\n{}\n{}", error.command, output.trim_end()));
    Failure::stopped(format!("{}{first}{more}", error.problem()), advice)
}

/// Note after an assumed value: the experiment that would measure it.
pub fn measured_by(experiment: &str) -> String {
    format!(" (measured by {experiment} of numalab calibrate run)")
}

/// Failure of a fit to `files` in which no machine value was measured.
pub fn nothing_measured(files: &[PathBuf], fitted: &Fitted) -> Failure {
    let assumed = fitted.origins.iter().filter(|(_, origin)| matches!(origin, Origin::Assumed { .. }));
    Failure::stopped(
        format!(
            "{}: nothing of this machine was measured: {} of its {} values would be those of another machine; \
             nothing is written",
            streams::names(files),
            assumed.count(),
            fitted.origins.len(),
        ),
        "measure it with numalab calibrate run, add measurements of other tools, or write it with --assume",
    )
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        let advice = match error {
            RunError::CannotStart { .. } => "name a folder for programs with --keep DIR",
            RunError::NoAnswer { .. } => "",
            RunError::NoExperiment { .. } => {
                return Failure::request(error.to_string(), "name some of these behind --only");
            }
        };
        Failure::stopped(error.to_string(), advice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(trouble: Trouble) -> String {
        let error = CompileError { compiler: "cc".to_owned(), command: "cc a.c".to_owned(), trouble };
        match not_built(&error, false) {
            Failure::Stopped { problem, advice } => format!("{problem} | {advice}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn advice_follows_the_compilers_first_error() {
        let output = "a.c:1: error: no\n".to_owned();
        assert_eq!(
            says(Trouble::Refused { said: output.clone(), flags: true }),
            "the C compiler \"cc\" does not build the kernels with the additional flags: a.c:1: error: no | \
             correct --cflags"
        );
        assert!(
            says(Trouble::Useless { said: output })
                .ends_with("builds no programs: a.c:1: error: no | name another with --cc")
        );
        assert!(says(Trouble::NotLinux).contains("numalab calibrate export DIR"));
    }
}
