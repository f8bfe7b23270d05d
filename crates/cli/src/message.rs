//! The form of all error messages, at most three lines unless part of a file is shown:
//!
//! 1. `error:` what is wrong, with the value;
//! 2. where: file, line and column with the line shown, or the flag as typed;
//! 3. `help:` what to type instead.

use clap::error::ErrorKind;
use numalab_report::{printable, printable_lines};
use std::fmt::Write;
use std::path::Path;

/// A path in a text for people.
pub fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// Text of an error message. `problem` may have further lines that show where the problem is.
pub fn error(problem: &str, help: Option<&str>, colour: bool) -> String {
    let (red, green, plain) = if colour { ("\x1b[1;31m", "\x1b[32m", "\x1b[0m") } else { ("", "", "") };
    let mut text = format!("{red}error:{plain} {}\n", printable_lines(problem));
    if let Some(help) = help.filter(|help| !help.is_empty()) {
        let _ = writeln!(text, "  {green}help:{plain} {}", printable_lines(help));
    }
    text
}

/// Text of a `clap` error as an error message. `command` is the typed command, such as `sim`; `None` if no command
/// was typed.
pub fn of_clap(error: &clap::Error, command: Option<&str>, colour: bool) -> String {
    // The command `numalab` without arguments prints its help.
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let text = error.render();
        return if colour { text.ansi().to_string() } else { text.to_string() };
    }
    let (problem, help) = of_clap_in_parts(error, command);
    self::error(&problem, Some(&help), colour)
}

/// Problem and advice of a `clap` error. `command` as for [`of_clap`].
pub fn of_clap_in_parts(error: &clap::Error, command: Option<&str>) -> (String, String) {
    let (problem, help) = parts(&error.render().to_string());
    let general = || match command {
        Some(command) => format!("numalab help {command} lists its flags"),
        None => "numalab --help lists the commands".to_owned(),
    };
    (problem, help.unwrap_or_else(general))
}

/// Problem and advice (`None` without advice) of a text that `clap` has rendered.
fn parts(text: &str) -> (String, Option<String>) {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let mut problem = first.strip_prefix("error: ").unwrap_or(first).to_owned();
    let (mut nearest, mut names, mut usage) = (None, None, None);
    for line in lines {
        if let Some(tip) = line.strip_prefix("tip: ") {
            nearest = nearest.or(Some(tip));
        } else if line.starts_with("[possible values: ") || line.starts_with("[subcommands: ") {
            names = names.or(Some(line.trim_matches(['[', ']'])));
        } else if let Some(command) = line.strip_prefix("Usage: ") {
            usage = Some(command.to_owned());
        } else if usage.is_none() && !line.starts_with("For more information") {
            // Names of missing arguments, one per line.
            problem.push(' ');
            problem.push_str(line);
        }
    }
    // `clap` puts the syntax of missing arguments into the usage line.
    let usage = usage.filter(|_| problem.starts_with("the following required"));
    let help: Vec<&str> = nearest.into_iter().chain(names).collect();
    let help = Some(help.join("; ")).filter(|help| !help.is_empty());
    (problem, help.or(usage))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Cli;
    use clap::Parser;

    fn typed(words: &[&str]) -> String {
        let error = Cli::try_parse_from(std::iter::once("numalab").chain(words.iter().copied()))
            .map(|_| ())
            .expect_err("a wrong command line");
        of_clap(&error, words.first().copied().filter(|word| *word == "sim"), false)
    }

    #[test]
    fn errors_have_one_form() {
        assert_eq!(error("no", Some("yes"), false), "error: no\n  help: yes\n");
        assert_eq!(error("no", None, true), "\x1b[1;31merror:\x1b[0m no\n");
        assert_eq!(error("no", Some(""), false), "error: no\n");
        assert_eq!(error("a\n::error::b", Some("\u{1b}[2J"), false), "error: a\n?:error::b\n  help: ?[2J\n");
    }

    #[test]
    fn clap_errors_have_the_same_form() {
        for words in [
            &["sim", "a", "b", "--polcy", "static"][..],
            &["sim", "a", "b", "--threads", "0"],
            &["sim", "a", "b", "--picture", "nothing"],
            &["sim"],
            &["smi"],
        ] {
            let text = typed(words);
            assert_eq!(text.lines().count(), 2, "{text}");
            assert!(text.starts_with("error: ") && text.contains("\n  help: "), "{text}");
        }
        assert!(
            typed(&["sim", "a", "b", "--threads", "0"]).ends_with("help: numalab help sim lists its flags\n")
        );
        assert!(typed(&["sim", "a", "b", "--polcy", "static"]).contains("'--policy'"));
    }
}
