//! Flags of a command that are declared only when the command is typed, or when every command is described. The
//! declaration of all flags of all commands is half of the instructions of a start.

use clap::error::Error;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::ops::Deref;

/// Flags of a command without subcommands. The description of the command is that of the variant that holds it, since
/// it is shown among those of other commands.
#[derive(Debug)]
pub struct Deferred<T>(Box<T>);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(|flags| Deferred(Box::new(flags)))
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(|flags| Deferred(Box::new(flags)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| described(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| described(command, T::augment_args_for_update))
    }
}

/// Declares flags and keeps the description of the command: a group of flags that commands share would replace it.
fn described(command: Command, declare: fn(Command) -> Command) -> Command {
    let (short, long) = (command.get_about().cloned(), command.get_long_about().cloned());
    let declared = declare(command).about(short.unwrap_or_default());
    match long {
        Some(long) => declared.long_about(long),
        None => declared.long_about(None::<&'static str>),
    }
}
