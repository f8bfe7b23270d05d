//! Progress of a sweep: points done, points per second, time left. A bar on a terminal, a line
//! every 30 s elsewhere (logs of CI or of a cluster).

use crate::interrupt::{self, Held};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use numalab_study::Progress;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two lines in a log, and from the start to the first line.
const QUIET: Duration = Duration::from_secs(30);

pub struct Points {
    name: String,
    started: Instant,
    shown: Shown,
    _held: Held,
}

enum Shown {
    Bar(ProgressBar),
    /// Lines in a log, with the time of the latest one.
    Lines(Mutex<Instant>),
}

impl Points {
    #[expect(clippy::disallowed_methods, reason = "rates and times left are for people, whose clock this is")]
    pub fn new(name: &str) -> Points {
        let started = Instant::now();
        let shown = match std::io::stderr().is_terminal() {
            true => Shown::Bar(bar(name)),
            false => Shown::Lines(Mutex::new(started)),
        };
        Points { name: name.to_owned(), started, shown, _held: Held::new() }
    }
}

impl Progress for Points {
    fn report(&self, done: u64, total: u64) {
        match &self.shown {
            Shown::Bar(bar) => {
                bar.set_length(total);
                bar.set_position(done);
            }
            Shown::Lines(last) => {
                // If another worker is printing a line, this worker prints none.
                let Ok(mut last) = last.try_lock() else { return };
                let since = last.elapsed();
                if since >= QUIET {
                    *last += since;
                    let line = line(&self.name, done, total, self.started.elapsed());
                    let _ = std::io::stderr().write_all(line.as_bytes());
                }
            }
        }
    }

    fn stops(&self) -> bool {
        interrupt::pressed()
    }
}

impl Drop for Points {
    fn drop(&mut self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn bar(name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{prefix} [{wide_bar}] {human_pos} of {human_len} points, {per_sec}, {eta} left",
    );
    ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr())
        .with_prefix(name.to_owned())
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "))
}

/// Progress line, such as `policies: 1200 of 10000 points, 96.1/s, 92 s left`.
fn line(name: &str, done: u64, total: u64, elapsed: Duration) -> String {
    let mut line = format!("{name}: {done} of {total} points");
    let rate = done as f64 / elapsed.as_secs_f64();
    if rate.is_finite() && rate > 0.0 {
        let left = total.saturating_sub(done) as f64 / rate;
        let _ = write!(line, ", {rate:.1}/s, {left:.0} s left");
    }
    line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_rate_and_time_left() {
        // 1200 points in 12.5 s are 96 in a second; 8800 more take 91.67 s.
        let line = line("policies", 1200, 10_000, Duration::from_millis(12_500));
        assert_eq!(line, "policies: 1200 of 10000 points, 96.0/s, 92 s left\n");
        assert_eq!(super::line("p", 0, 5, Duration::ZERO), "p: 0 of 5 points\n");
    }
}
