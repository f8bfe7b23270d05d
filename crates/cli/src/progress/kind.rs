//! Drawing of progress: the template of the bar, the text beside the bar, and the line in a log.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write as _;
use std::time::Duration;

/// Kind of work whose progress is shown.
pub enum ProgressKind {
    /// Work of unknown length.
    Unknown,
    /// Work of which a share is done.
    Share,
    /// Points of a sweep, with the name of the sweep.
    Points(String),
    /// Steps, with a text about the current one.
    Steps(String),
}

impl ProgressKind {
    /// Bar of work that began `elapsed` ago.
    pub(super) fn bar(&self, elapsed: Duration) -> ProgressBar {
        let template = match self {
            ProgressKind::Unknown => "{elapsed} {msg}",
            ProgressKind::Share | ProgressKind::Points(_) => "{elapsed} [{wide_bar}] {msg}",
            ProgressKind::Steps(_) => "[{bar:24}] {percent}% {wide_msg}",
        };
        let style = ProgressStyle::with_template(template);
        ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr_with_hz(20))
            .with_elapsed(elapsed)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "))
    }

    /// Text beside the bar. `total` is at least 1.
    pub(super) fn message(&self, done: u64, total: u64, elapsed: Duration) -> String {
        match self {
            ProgressKind::Unknown => "working".to_owned(),
            ProgressKind::Share => format!("{}%", percent(done, total)),
            ProgressKind::Points(name) => points(name, done, total, elapsed),
            ProgressKind::Steps(message) => message.clone(),
        }
    }

    /// Line in a log, with a line end and without control characters.
    pub(super) fn line(&self, done: u64, total: u64, elapsed: Duration) -> String {
        let after = elapsed.as_secs();
        let text = match self {
            ProgressKind::Unknown => format!("numalab: working for {after} s"),
            ProgressKind::Share => format!("numalab: working for {after} s, {}% done", percent(done, total)),
            ProgressKind::Points(name) => points(name, done, total, elapsed),
            ProgressKind::Steps(message) => format!("numalab: {}% done, {message}", percent(done, total)),
        };
        numalab_report::printable(&text) + "\n"
    }
}

fn percent(done: u64, total: u64) -> u64 {
    (u128::from(done.min(total)) * 100 / u128::from(total.max(1))) as u64
}

/// Progress of a sweep, such as `policies: 1200 of 10000 points, 96.1/s, 92 s left`.
fn points(name: &str, done: u64, total: u64, elapsed: Duration) -> String {
    let mut line = format!("{name}: {done} of {total} points");
    let rate = done as f64 / elapsed.as_secs_f64();
    if rate.is_finite() && rate > 0.0 {
        let left = total.saturating_sub(done) as f64 / rate;
        let _ = write!(line, ", {rate:.1}/s, {left:.0} s left");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_sweep_says_rate_and_time_left() {
        // 1200 points in 12.5 s are 96 in a second; 8800 more take 91.67 s.
        let sweep = ProgressKind::Points("policies".to_owned());
        let line = sweep.line(1200, 10_000, Duration::from_millis(12_500));
        assert_eq!(line, "policies: 1200 of 10000 points, 96.0/s, 92 s left\n");
        assert_eq!(ProgressKind::Points("p".to_owned()).line(0, 5, Duration::ZERO), "p: 0 of 5 points\n");
    }

    #[test]
    fn lines_are_plain_text() {
        let seconds = Duration::from_secs(20);
        assert_eq!(ProgressKind::Unknown.line(0, 1, seconds), "numalab: working for 20 s\n");
        // 45 of 99 are 45.45 %, rounded down so that 100 % are the end.
        assert_eq!(ProgressKind::Share.line(45, 99, seconds), "numalab: working for 20 s, 45% done\n");
        let step = ProgressKind::Steps("3 s left, \x1b[2J\n".to_owned());
        assert_eq!(step.line(1, 4, seconds), "numalab: 25% done, 3 s left, ?[2J?\n");
    }

    #[test]
    fn templates_are_valid() {
        for kind in [
            ProgressKind::Unknown,
            ProgressKind::Share,
            ProgressKind::Points("p".to_owned()),
            ProgressKind::Steps("s".to_owned()),
        ] {
            let bar = kind.bar(Duration::ZERO);
            assert_eq!(bar.length(), Some(1));
            assert!(!kind.message(0, 1, Duration::ZERO).is_empty());
        }
    }
}
