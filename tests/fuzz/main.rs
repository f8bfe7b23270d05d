//! Reads damaged files with every reader. CASES is the number of files per reader:
//!
//!     cargo run --bin fuzz -- CASES [SEED [READER]]
//!
//! The same seed gives the same files. A file that makes a reader fail is kept in `target/fuzz`. Once the reader is
//! corrected, the file joins its corpus, so that the tests read it. Use a debug build: it panics on arithmetic
//! overflow.
//!
//! The fuzzer is not guided by coverage: cargo-fuzz needs a sanitizer of nightly compilers. AFL works with stable
//! ones, but its C part must be built against the compiler's own LLVM on every machine, and its results depend on
//! time. Here a seed always gives the same files. `READERS` can be given to `cargo afl`.

mod mutate;
mod readers;
mod run;

use readers::READERS;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, absent| words.get(at).map_or(Some(absent), |word| word.parse().ok());
    let (Some(cases), Some(seed)) = (number(0, 20_000), number(1, 1)) else {
        eprintln!("usage: fuzz [CASES [SEED [READER]]]");
        return ExitCode::from(2);
    };
    let chosen: Vec<_> =
        READERS.iter().filter(|reader| words.get(2).is_none_or(|name| name == reader.name)).collect();
    if chosen.is_empty() {
        eprintln!(
            "no such reader; there are {}",
            READERS.iter().map(|reader| reader.name).collect::<Vec<_>>().join(", ")
        );
        return ExitCode::from(2);
    }
    let keep = run::root().join("target/fuzz");
    let each = cases / chosen.len() as u64 + 1;
    let mut failures = Vec::new();
    for reader in &chosen {
        let sums = run::cases(reader, each, seed, &keep);
        println!(
            "{:<13} {} accepted, {} refused, {} failures, longest {:.2} s",
            reader.name,
            sums.accepted,
            sums.refused,
            sums.failures.len(),
            sums.longest.as_secs_f64()
        );
        failures.extend(sums.failures);
    }
    let memory = run::peak_memory();
    if memory > run::MOST_MEMORY {
        failures.push(format!("{memory} KiB of memory"));
    }
    println!(
        "{} cases, {} failures, {} MiB at most",
        each * chosen.len() as u64,
        failures.len(),
        memory >> 10
    );
    for failure in &failures {
        println!("{failure}");
    }
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
