//! `numalab completions`: prints a completion script for a shell.

use crate::failure::Failure;
use crate::flags::{Cli, Completions};
use crate::output::Destination;
use clap::CommandFactory;
use clap_complete::Shell;
use numalab_files::{Kind, catalogue};

pub fn run(flags: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(flags.shell, &mut Cli::command(), "numalab", &mut script);
    if flags.shell == Shell::Fish {
        script.extend(positionals_for_fish().into_bytes());
    }
    Destination::Stdout.write(&script)
}

/// Completions of positional arguments, which `clap_complete` omits for fish.
fn positionals_for_fish() -> String {
    let line = |verbs: &str, kind: Kind| {
        let names: Vec<String> =
            catalogue().into_iter().filter(|item| item.kind == kind).map(|item| item.name).collect();
        let names = names.join(" ");
        format!("complete -c numalab -n \"__fish_seen_subcommand_from {verbs}\" -a \"{names}\"\n")
    };
    line("sim show", Kind::Machine) + &line("sim", Kind::Workload)
}
