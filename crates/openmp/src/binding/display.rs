//! The lines that `OMP_DISPLAY_AFFINITY` prints.

use super::ThreadBinding;
use super::affinity_format::{AffinityFormat, Field, FormatPart};
use numalab_base::{NumberSequence, ThreadId};
use std::fmt::Write;

/// Process number of every simulated program. The system's thread numbers count on from this number, as on an
/// otherwise idle Linux machine.
const PROCESS: u32 = 1;

impl ThreadBinding {
    /// Formats one line per thread, in thread order. `host`: name of the computer, for the field that shows it.
    pub fn lines<'a>(
        &'a self,
        format: &'a AffinityFormat,
        host: &'a str,
    ) -> impl Iterator<Item = String> + 'a {
        // Keeps the text of the last place: adjacent threads often share a place, whose list may be long.
        let mut last = (None, String::new());
        self.threads.iter().zip(ThreadId::first(self.threads.len() as u32)).map(move |(bound, thread)| {
            if last.0 != Some(bound.place) {
                last = (Some(bound.place), ranges(self.places.get(bound.place)));
            }
            self.line(format, host, thread, &last.1)
        })
    }

    fn line(&self, format: &AffinityFormat, host: &str, thread: ThreadId, processors: &str) -> String {
        let mut line = String::new();
        for piece in &format.0 {
            match piece {
                FormatPart::Text(text) => line.push_str(text),
                FormatPart::Field { field, zeros, right, width } => {
                    let number = match field {
                        Field::TeamNum | Field::AncestorTnum => 0,
                        Field::NumTeams | Field::NestingLevel => 1,
                        Field::ThreadNum => thread.number(),
                        Field::NumThreads => self.threads.len() as u32,
                        Field::ProcessId => PROCESS,
                        Field::NativeThreadId => PROCESS + thread.number(),
                        Field::Host | Field::ThreadAffinity => {
                            let text = if *field == Field::Host { host } else { processors };
                            pad(&mut line, text, false, *right, *width);
                            continue;
                        }
                    };
                    pad(&mut line, &number.to_string(), *zeros, *right, *width);
                }
            }
        }
        line
    }
}

fn pad(line: &mut String, text: &str, zeros: bool, right: bool, width: usize) {
    // Writing to a string cannot fail.
    let _ = match (zeros, right) {
        (true, _) => write!(line, "{text:0>width$}"),
        (_, true) => write!(line, "{text:>width$}"),
        _ => write!(line, "{text:<width$}"),
    };
}

/// Formats ascending numbers as ranges: `0-3,8`.
pub fn ranges(numbers: &[u32]) -> String {
    NumberSequence(numbers.to_vec()).to_string()
}
