//! Advice for `numalab calibrate`: which flag names another compiler or folder.

use crate::failure::Failure;
use numalab_calibrate::fit::{Fitted, Origin};
use numalab_calibrate::{CompileError, RunError, Trouble};

/// The kernels could not be built. `verbose` adds the compiler's command and output.
pub fn not_built(error: &CompileError, verbose: bool) -> Failure {
    let advice = match error.trouble {
        Trouble::NotLinux => "; \"numalab calibrate export DIR\" writes them to be taken to one",
        Trouble::Missing => ", or name another with --cc or the variable CC",
        Trouble::CannotStart(_) | Trouble::Useless { .. } => "; name another with --cc",
        Trouble::NoOpenMp { .. } => ", or use gcc with --cc gcc",
        Trouble::Refused { flags: true, .. } => "; they are those of --cflags",
        Trouble::CannotWrite { .. } | Trouble::Refused { flags: false, .. } | Trouble::Died { .. } => "",
    };
    let first = error.first_error().map_or_else(String::new, |line| format!(": {line}"));
    let more = error.trouble.said().filter(|_| verbose);
    let more = more.map_or_else(String::new, |output| format!("\n{}\n{}", error.command, output.trim_end()));
    Failure::Run(format!("{}{advice}{first}{more}", error.problem()))
}

/// Names the experiment that would measure an assumed value.
pub fn measured_by(experiment: &str) -> String {
    format!(" (measured by {experiment} of numalab calibrate run)")
}

/// No value of the machine was measured.
pub fn nothing_measured(fitted: &Fitted) -> Failure {
    let assumed = fitted.origins.iter().filter(|(_, origin)| matches!(origin, Origin::Assumed { .. }));
    Failure::Run(format!(
        "nothing of this machine was measured, and {} of its {} values would be those of another one; nothing is \
         written. Measure it with \"numalab calibrate run\", add what other tools measured, or write it all the same \
         with --assume",
        assumed.count(),
        fitted.origins.len(),
    ))
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        let advice = match error {
            RunError::CannotStart { .. } => "; name a folder for programs with --keep DIR",
            RunError::NoAnswer { .. } => "",
        };
        Failure::Run(format!("{error}{advice}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(trouble: Trouble) -> String {
        let error = CompileError { compiler: "cc".to_owned(), command: "cc a.c".to_owned(), trouble };
        match not_built(&error, false) {
            Failure::Run(text) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn advice_stands_between_the_problem_and_what_the_compiler_said() {
        let said = "a.c:1: error: no\n".to_owned();
        assert_eq!(
            says(Trouble::Refused { said: said.clone(), flags: true }),
            "the C compiler \"cc\" does not build the kernels with the additional flags; they are those of \
             --cflags: a.c:1: error: no"
        );
        assert!(
            says(Trouble::Useless { said })
                .ends_with("builds no programs; name another with --cc: a.c:1: error: no")
        );
        assert!(says(Trouble::NotLinux).contains("numalab calibrate export DIR"));
    }
}
