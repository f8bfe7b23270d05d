//! Message of a panic. Bad input never panics; a panic is a mistake in this program.

use std::panic;

/// Replaces the backtrace by one sentence, unless the user asked for a backtrace.
pub fn ask_for_a_report() {
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
        return;
    }
    panic::set_hook(Box::new(|info| {
        // A write that fails has nobody left to tell.
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!(
                "numalab {}: this is a bug, not your mistake; please report it with the command line \
                 and the input files ({info})\n",
                env!("CARGO_PKG_VERSION"),
            ),
        );
        // The status of a panic, also where the build aborts.
        std::process::exit(101);
    }));
}
