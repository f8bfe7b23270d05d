//! One command per file: from parsed flags to written output.

mod advise;
mod bare;
mod binding;
mod calibrate;
mod compare;
mod completions;
mod distances;
mod examined;
mod explain;
mod in_force;
mod list;
mod load;
mod man;
mod model;
mod new;
mod pareto;
mod place_threads;
mod places;
mod plot;
mod protocol;
mod rank;
mod record;
mod replay;
mod schema;
mod show;
mod sim;
mod sweep;
mod team;
mod tools;
mod trace;
mod trace_file;
mod unknowns;
mod validate;
mod variants;
mod view;

use crate::embedded;
use crate::failure::Failure;
use crate::flags::Command;
use crate::progress::Working;

/// Runs a command. A long one says that it works, except beside a program that is recorded, whose terminal it is, and inside of
/// another program.
pub fn run(command: Command) -> Result<(), Failure> {
    let recorded = matches!(&command, Command::Record(flags) if flags.raw.is_empty());
    let _working = (!recorded && !embedded::is_embedded()).then(Working::new);
    match command {
        Command::Sim(flags) => sim::run(&flags),
        Command::Sweep(flags) => sweep::run(&flags),
        Command::Explain(flags) => explain::run(&flags),
        Command::Advise(flags) => advise::run(&flags),
        Command::List(flags) => list::run(&flags),
        Command::New(flags) => new::run(&flags),
        Command::Show(flags) => show::run(&flags),
        Command::Distances(flags) => distances::run(&flags),
        Command::Model(flags) => model::run(&flags),
        Command::Places(flags) => places::run(&flags),
        Command::PlaceThreads(flags) => place_threads::run(&flags),
        Command::Protocol(flags) => protocol::run(&flags),
        Command::Schema(flags) => schema::run(&flags),
        Command::Validate(flags) => validate::run(&flags),
        Command::Calibrate(flags) => calibrate::run(&flags),
        Command::Compare(flags) => compare::run(&flags),
        Command::Plot(flags) => plot::run(&flags),
        Command::Rank(flags) => rank::run(&flags),
        Command::Pareto(flags) => pareto::run(&flags),
        Command::Record(flags) => record::run(&flags),
        Command::Trace(flags) => trace_file::run(&flags),
        Command::Completions(flags) => completions::run(&flags),
        Command::Man(flags) => man::run(&flags),
    }
}
