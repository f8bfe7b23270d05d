//! Message of a panic, which is always a bug in this program: wrong input is reported as an error.

use crate::progress;
use std::panic;

/// Replaces the panic message by a request for a bug report, unless `RUST_BACKTRACE` is set.
pub fn install_panic_message() {
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
        return;
    }
    panic::set_hook(Box::new(|info| {
        let _pause = progress::pause_for_a_bug();
        // If standard error is closed, there is no other place to write to.
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!(
                "numalab {}: this is a bug, not your mistake; please report it with the command line \
                 and the input files ({info})\n",
                env!("CARGO_PKG_VERSION"),
            ),
        );
        // Exit status of a panic, also in builds that abort on panic.
        std::process::exit(101);
    }));
}
