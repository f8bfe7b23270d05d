//! Reads hostile input with every reader and every command. COUNT is the number of inputs of all readers together:
//!
//!     cargo run --bin fuzz -- COUNT [SEED [READER [FOLDER]]]
//!
//! The same seed gives the same inputs; seed 0 the undamaged corpora. An input that makes a reader fail is kept in FOLDER (`target/fuzz`), and the line
//! `again:` below the failure repeats it. Once the reader is corrected, the file joins its corpus, so that the tests
//! read it. A debug build also panics on arithmetic overflow.
//!
//! A failure is: a panic or a signal, more than 10 s of processor time, more than 1 GiB of memory, a message without the
//! file's name, an accepted file or a status 0 where the input certainly makes no sense, or a control character in any
//! output. Readers run in processes of their own, and so do the commands.
//!
//! The fuzzer is not guided by coverage: cargo-fuzz needs a sanitizer of nightly compilers. AFL works with stable
//! ones, but its C part must be built against the compiler's own LLVM on every machine, and its results depend on
//! time. Here a seed always gives the same files. `READERS` can be given to `cargo afl`.

mod borders;
#[path = "../chance.rs"]
mod chance;
mod commands;
mod mutate;
mod packed;
mod program;
mod readers;
mod reading;
mod run;

use readers::READERS;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::var_os(program::AS_NUMALAB).is_some() {
        return numalab_cli::main();
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, absent| words.get(at).map_or(Some(absent), |word| word.parse().ok());
    if let [flag, name, ..] = &words[..]
        && flag == "--work"
        && let (Some(reader), Some(seed), Some(from), Some(to)) =
            (run::reader(name), number(2, 0), number(3, 0), number(4, 0))
    {
        run::work(reader, seed, from..to);
        return ExitCode::SUCCESS;
    }
    if let [flag, name, ..] = &words[..]
        && flag == "--show"
        && let (Some(reader), Some(seed), Some(case)) = (run::reader(name), number(2, 0), number(3, 0))
    {
        let (bytes, ..) = run::input(reader, &run::corpus(reader), seed, case);
        return std::io::stdout().write_all(&bytes).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    let (Some(count), Some(seed)) = (number(0, 20_000), number(1, 1)) else {
        eprintln!("usage: fuzz [COUNT [SEED [READER [FOLDER]]]]");
        return ExitCode::from(2);
    };
    let chosen: Vec<_> = READERS
        .iter()
        .filter(|reader| words.get(2).is_none_or(|name| name == "all" || name == reader.name))
        .collect();
    if chosen.is_empty() {
        let names: Vec<_> = READERS.iter().map(|reader| reader.name).collect();
        eprintln!("no such reader; there are {}", names.join(", "));
        return ExitCode::from(2);
    }
    let keep = words.get(3).map_or_else(|| run::root().join("target/fuzz"), Into::into);
    let shares: u64 = chosen.iter().map(|reader| reader.share).sum();
    let (mut read, mut failures) = (0, 0);
    for reader in &chosen {
        let count = (count * reader.share).div_ceil(shares);
        let sums = run::cases(reader, count, seed, &keep);
        let (accepted, refused) = (sums.accepted, sums.refused);
        println!(
            "{:<13} {accepted} accepted, {refused} refused, {} failures",
            reader.name,
            sums.failures.len()
        );
        sums.failures.iter().for_each(|failure| println!("  {failure}"));
        read += accepted + refused + sums.failures.len() as u64;
        failures += sums.failures.len();
    }
    println!("{read} inputs, {failures} failures");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
