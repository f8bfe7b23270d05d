//! `numalab man`: manual pages, generated from the flags.

use crate::failure::Failure;
use crate::flags::{Cli, Man};
use crate::output::Destination;
use clap::{Command, CommandFactory};
use std::io;

/// Name of a manual page without the section, and text of the page.
type Page = (String, Vec<u8>);

/// Prints one page, or writes all pages to a folder.
pub fn run(flags: &Man) -> Result<(), Failure> {
    let mut program = Cli::command();
    program.build();
    let mut pages = Vec::new();
    collect(&program, &mut pages).map_err(|error| Failure::Run(format!("cannot make the pages: {error}")))?;
    if let Some(folder) = &flags.output {
        let files: Vec<_> = pages
            .iter()
            .map(|(name, text)| (Destination::File(folder.join(format!("{name}.1"))), text))
            .collect();
        // All file names are checked first, so that either all pages or none are written.
        for (file, _) in &files {
            file.check()?;
        }
        return files.iter().try_for_each(|(file, text)| file.write(text));
    }
    let wanted =
        flags.command.as_ref().map_or_else(|| "numalab".to_owned(), |name| format!("numalab-{name}"));
    match pages.iter().find(|(name, _)| *name == wanted) {
        Some((_, text)) => Destination::Stdout.write(text),
        None => Err(unknown(flags.command.as_deref().unwrap_or_default(), &pages)),
    }
}

/// Adds the pages of a command and of its subcommands.
fn collect(command: &Command, pages: &mut Vec<Page>) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    pages.push((name, text));
    let below =
        command.get_subcommands().filter(|command| command.get_name() != "help" && !command.is_hide_set());
    below.into_iter().try_for_each(|command| collect(command, pages))
}

fn unknown(name: &str, pages: &[Page]) -> Failure {
    let names: Vec<_> = pages.iter().filter_map(|(name, _)| name.strip_prefix("numalab-")).collect();
    let hint = match numalab_syntax::nearest::nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the commands are {}", names.join(", ")),
    };
    Failure::request(format!("no command is called {name:?}"), hint)
}
