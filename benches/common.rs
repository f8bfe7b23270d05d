//! Settings of all benches: duration of a measurement, and which sizes run under `cargo test`.

use criterion::Criterion;
use std::time::Duration;

/// True if times are measured: `cargo bench` passes `--bench`. Under `cargo test` every bench runs once, to show that
/// it still works.
fn measuring() -> bool {
    let said = |flag: &str| std::env::args().any(|argument| argument == flag);
    said("--bench") && !said("--test")
}

/// All sizes of a bench, or only the first (and smallest) if no times are measured.
pub fn sizes<T>(all: &[T]) -> &[T] {
    if measuring() { all } else { &all[..1] }
}

/// Criterion with settings that give medians within a few per cent on a quiet machine. Results are printed on the
/// terminal, without plots.
pub fn criterion() -> Criterion {
    Criterion::default()
        .without_plots()
        .sample_size(30)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(2))
}
