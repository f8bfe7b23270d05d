//! Setup of all benches: time of a measurement, and the part of it that runs under `cargo test`.

use criterion::Criterion;
use std::time::Duration;

/// Whether times are taken. `cargo bench` says `--bench`; `cargo test` does not, and then everything
/// runs once, to show that it still works.
fn measuring() -> bool {
    let said = |flag: &str| std::env::args().any(|argument| argument == flag);
    said("--bench") && !said("--test")
}

/// All sizes, or only the first (and smallest) when no times are taken.
pub fn sizes<T>(all: &[T]) -> &[T] {
    if measuring() { all } else { &all[..1] }
}

/// Long enough for medians within a few per cent on a quiet machine, short enough for a coffee. Numbers
/// on the terminal are all that is wanted: no plots, whatever is installed.
pub fn criterion() -> Criterion {
    Criterion::default()
        .without_plots()
        .sample_size(30)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(2))
}
