//! Ctrl-C, and the signal with which batch systems and `timeout` end a program. A command that can end early with the
//! results it has holds these signals and asks [`pressed`]. Every other command ends at once, as without this module.

use crate::embedded::{self, Handle};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Makes a write beyond `ulimit -f` fail: the system sends SIGXFSZ, which ends a program without a handler.
pub fn survive_size_limit() {
    #[cfg(unix)]
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// State that signals change.
struct Signals {
    /// True if a signal ends the program at once: nothing holds it, or it is the second one.
    at_once: Arc<AtomicBool>,
    /// Number of the first signal; 0 before.
    number: Arc<AtomicUsize>,
    /// Number of [`Held`].
    holders: AtomicUsize,
}

fn signals() -> &'static Signals {
    static SIGNALS: OnceLock<Signals> = OnceLock::new();
    SIGNALS.get_or_init(|| {
        let at_once = Arc::new(AtomicBool::new(true));
        let number = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // `nohup` keeps a program alive that does not change this.
            if signal == SIGHUP && ignores_hangup() {
                continue;
            }
            // Where a system has no such signal, it keeps its own way to end a program.
            let _ = flag::register_conditional_default(signal, at_once.clone());
            let _ = flag::register(signal, at_once.clone());
            let _ = flag::register_usize(signal, number.clone(), signal as usize);
        }
        Signals { at_once, number, holders: AtomicUsize::new(0) }
    })
}

/// True if the process was started so that it survives the end of its terminal.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 << (SIGHUP - 1) != 0)
}

/// Switch that ends work early: Ctrl-C, or the handle of a program that embeds the command. Worker threads may ask it.
#[derive(Clone)]
pub struct Stop(Option<Arc<Handle>>);

impl Stop {
    /// Switch of the command on this thread.
    pub fn here() -> Stop {
        Stop(embedded::handle())
    }

    pub fn is_asked(&self) -> bool {
        self.0.as_ref().map_or_else(|| number() != 0, |handle| handle.is_stopped())
    }

    /// Handle of the embedding program; `None` on the command line.
    pub fn handle(&self) -> Option<&Handle> {
        self.0.as_deref()
    }
}

/// As long as it exists, the first Ctrl-C does not end the program. Signals of an embedding program are that program's.
pub struct Held {
    stop: Stop,
}

impl Held {
    pub fn new() -> Held {
        let stop = Stop::here();
        if stop.0.is_none() {
            let signals = signals();
            signals.holders.fetch_add(1, Ordering::SeqCst);
            if !stop.is_asked() {
                signals.at_once.store(false, Ordering::SeqCst);
            }
        }
        Held { stop }
    }

    /// Switch that it holds.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.stop.0.is_some() {
            return;
        }
        let signals = signals();
        if signals.holders.fetch_sub(1, Ordering::SeqCst) == 1 {
            signals.at_once.store(true, Ordering::SeqCst);
        }
    }
}

/// True after the first Ctrl-C, or when the embedding program stops the command on this thread.
pub fn pressed() -> bool {
    Stop::here().is_asked()
}

/// Number of the signal that came first; 0 without a signal.
fn number() -> usize {
    signals().number.load(Ordering::Relaxed)
}

/// Name of the signal in messages.
pub fn name() -> &'static str {
    match number() as i32 {
        SIGTERM => "a signal (SIGTERM)",
        SIGHUP => "a signal (SIGHUP)",
        _ => "Ctrl-C",
    }
}

/// Exit status of a program that a signal ended, as shells report it: 130 after Ctrl-C.
pub fn status() -> u8 {
    128 + if number() != 0 { number() as u8 } else { SIGINT as u8 }
}
